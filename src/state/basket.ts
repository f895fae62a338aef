import { atom } from 'jotai';
import type { Cart, CartLine, CartOptions, LineInput } from '../contract/cart.ts';
import { kept } from './lib/kept.ts';
import { newId } from './lib/ids.ts';
import { itemsByIdAtom } from './menu.ts';
import { seatAtom } from './seat.ts';

/**
 * The cart is a set of operations with ids (product.md 3.3): what the customer does is remembered at once and works
 * offline; the server merges, prices and answers (state/cart.ts). Nothing here adds up money.
 */
export type Operation =
  | { readonly kind: 'add'; readonly operationId: string; readonly line: LineInput }
  | { readonly kind: 'change'; readonly operationId: string; readonly lineId: string; readonly quantity?: number | undefined; readonly line?: Omit<LineInput, 'lineId' | 'quantity'> | undefined };

/** On their way to the server. */
export const pendingAtom = kept<readonly Operation[]>({ key: 'cart-operations', initial: [], forget: 'logout' });
export const pendingOptionsAtom = kept<CartOptions | null>({ key: 'cart-options', initial: null, forget: 'logout' });
/** The server's last answer; also what an offline page shows. */
export const pricedAtom = kept<Cart | null>({ key: 'cart', initial: null, forget: 'logout' });

export interface ViewLine {
  readonly lineId: string;
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  readonly input: LineInput;
  /** The server's line; null until it has priced this one. */
  readonly priced: CartLine | null;
  /** Why the server cannot sell it now. */
  readonly problem: string | null;
  readonly alternativeId: string | null;
  /** The guest of a group order whose dish it is; never set for one's own. */
  readonly by?: CartLine['by'];
}

/** What was asked for when this line was made. */
export function inputOf(line: CartLine): LineInput {
  const { lineId, quantity, size, crust, build, slots, note } = line;
  return {
    lineId, quantity, productId: line.product.id,
    ...(size ? { size } : {}), ...(crust ? { crust } : {}), ...(build ? { build } : {}), ...(note ? { note } : {}),
    ...(slots ? {
      slots: slots.map((slot) => ({
        slot: slot.slot, productId: slot.productId,
        ...(slot.size ? { size: slot.size } : {}), ...(slot.crust ? { crust: slot.crust } : {}), ...(slot.build ? { build: slot.build } : {}),
      })),
    } : {}),
  };
}

/** What the customer sees: the server's lines with everything still on its way applied to them. */
export const cartLinesAtom = atom((get): ViewLine[] => {
  const names = get(itemsByIdAtom);
  const cart = get(pricedAtom);
  const lines = new Map<string, ViewLine>();
  for (const line of cart?.validItems ?? []) {
    lines.set(line.lineId, {
      lineId: line.lineId, productId: line.product.id, name: line.product.name, quantity: line.quantity,
      input: inputOf(line), priced: line, problem: null, alternativeId: null, by: line.by,
    });
  }
  for (const line of cart?.invalidItems ?? []) {
    lines.set(line.lineId, {
      ...line, input: { lineId: line.lineId, productId: line.productId, quantity: line.quantity }, priced: null, problem: line.reason, alternativeId: line.alternativeId ?? null,
    });
  }
  for (const operation of get(pendingAtom)) {
    if (operation.kind === 'add') {
      const { line } = operation;
      if (lines.has(line.lineId)) continue;
      lines.set(line.lineId, {
        lineId: line.lineId, productId: line.productId, name: names.get(line.productId)?.name ?? '', quantity: line.quantity,
        input: line, priced: null, problem: null, alternativeId: null,
      });
      continue;
    }
    const before = lines.get(operation.lineId);
    if (!before) continue;
    const quantity = operation.quantity ?? before.quantity;
    if (quantity === 0) { lines.delete(operation.lineId); continue; }
    lines.set(operation.lineId, {
      ...before, quantity,
      input: { ...before.input, ...operation.line, lineId: before.lineId, quantity },
      ...(operation.line ? { priced: null, productId: operation.line.productId, name: names.get(operation.line.productId)?.name ?? before.name } : {}),
    });
  }
  return [...lines.values()];
});

/** Pieces in the cart, for badges. */
export const cartCountAtom = atom((get) => get(cartLinesAtom).reduce((sum, line) => sum + (line.priced?.free ? 0 : line.quantity), 0));
/** Pieces of one product, for the stepper on its card. */
export const quantityByProductAtom = atom((get) => {
  const quantities = new Map<string, number>();
  for (const line of get(cartLinesAtom)) {
    if (!line.priced?.free && !line.by) quantities.set(line.productId, (quantities.get(line.productId) ?? 0) + line.quantity);
  }
  return quantities;
});
/** The server's cart; its bill is old while `isCartWaitingAtom`. */
export const cartAtom = atom((get) => get(pricedAtom));
/** Whether others add to this cart, or this device to another's: the strip that says so loads only then. */
export const isSharedAtom = atom((get) => Boolean(get(seatAtom) ?? get(pricedAtom)?.group));
/** Something the customer did is not in the server's bill yet. */
export const isCartWaitingAtom = atom((get) => get(pendingAtom).length > 0 || get(pendingOptionsAtom) !== null);

/** Takes a cart that came with another answer (coupons, login, submit). */
export const putCartAtom = atom(null, (_get, set, cart: Cart | null) => set(pricedAtom, cart));

/** Adds a line; answers its id. Shown at once, priced when the server has answered. */
export const addLineAtom = atom(null, (_get, set, line: Omit<LineInput, 'lineId'>) => {
  const lineId = newId();
  set(pendingAtom, (now) => [...now, { kind: 'add', operationId: newId(), line: { ...line, lineId } }]);
  return lineId;
});

/** Changes a line's quantity (0 removes it for good) or what it is. */
export const changeLineAtom = atom(null, (_get, set, change: { lineId: string; quantity?: number; line?: Omit<LineInput, 'lineId' | 'quantity'> }) => {
  set(pendingAtom, (now) => [...now, { kind: 'change', operationId: newId(), ...change }]);
});

/** Tip, bag, cutlery, payment mode. */
export const setCartOptionsAtom = atom(null, (_get, set, options: CartOptions) => {
  set(pendingOptionsAtom, (now) => ({ ...now, ...options }));
});
