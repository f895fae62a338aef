import { atom, type Getter, type Setter } from 'jotai';
import * as z from 'zod/mini';
import { isFailure } from '../api/failure.ts';
import * as contract from '../contract/cart.ts';
import { kept } from './lib/kept.ts';
import { newId } from './lib/ids.ts';
import { deliveryTypeAtom, storeIdAtom } from './location.ts';
import { itemsByIdAtom } from './menu.ts';
import { showFailureAtom } from './popup.ts';
import { apiAtom } from './seams.ts';
import { sessionAtom } from './session.ts';

/**
 * The cart is a set of operations with ids (product.md 3.3): what the customer does is remembered at once and works
 * offline; the server merges, prices and answers. Nothing here adds up money.
 */
const Operation = z.union([
  z.object({ kind: z.literal('add'), operationId: z.string(), line: contract.LineInput }),
  z.object({ kind: z.literal('change'), operationId: z.string(), lineId: z.string(), quantity: z.optional(z.number()), line: z.optional(z.omit(contract.LineInput, { lineId: true, quantity: true })) }),
]);
type Operation = z.output<typeof Operation>;

const pendingAtom = kept<Operation[]>({ key: 'cart-operations', schema: z.array(Operation), initial: [], forget: 'logout' });
const pendingOptionsAtom = kept<contract.CartOptions | null>({ key: 'cart-options', schema: z.nullable(contract.CartOptions), initial: null, forget: 'logout' });
/** The server's last answer; also what an offline page shows. */
const pricedAtom = kept<contract.Cart | null>({ key: 'cart', schema: z.nullable(contract.Cart), initial: null, forget: 'logout' });

export interface ViewLine {
  readonly lineId: string;
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  readonly input: contract.LineInput;
  /** The server's line; null until it has priced this one. */
  readonly priced: contract.CartLine | null;
  /** Why the server cannot sell it now. */
  readonly problem: string | null;
  readonly alternativeId: string | null;
}

function inputOf(line: contract.CartLine): contract.LineInput {
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
      input: inputOf(line), priced: line, problem: null, alternativeId: null,
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
    if (!line.priced?.free) quantities.set(line.productId, (quantities.get(line.productId) ?? 0) + line.quantity);
  }
  return quantities;
});
/** The server's cart; its bill is old while `isCartWaitingAtom`. */
export const cartAtom = atom((get) => get(pricedAtom));
/** Something the customer did is not in the server's bill yet. */
export const isCartWaitingAtom = atom((get) => get(pendingAtom).length > 0 || get(pendingOptionsAtom) !== null);

const isSyncingAtom = atom(false);
export const isCartSyncingAtom = atom((get) => get(isSyncingAtom));

async function sendNext(get: Getter, set: Setter): Promise<boolean> {
  const pending = get(pendingAtom);
  const options = get(pendingOptionsAtom);
  const first = pending[0];
  if (!first && !options) return false;
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  const cartId = get(sessionAtom)?.attributes.cartId ?? '';
  const alike = first ? pending.slice(0, pending.findIndex((one) => one.kind !== first.kind) + 1 || undefined).filter((one) => one.kind === first.kind).slice(0, 100) : [];
  const body = { options: { ...options, storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) } };
  const reply = first?.kind === 'add'
    ? await call(contract.add, { cartId, body: { ...body, items: alike.map(({ operationId, line }) => ({ operationId, line: line as contract.LineInput })) } })
    : await call(contract.change, { cartId, body: { ...body, items: alike.map(({ kind: _kind, ...change }) => change as contract.LineChange) } });
  const sent = new Set(alike.map((one) => one.operationId));
  set(pricedAtom, reply.cart);
  set(pendingAtom, (now) => now.filter((one) => !sent.has(one.operationId)));
  if (get(pendingOptionsAtom) === options) set(pendingOptionsAtom, null);
  return true;
}

/** Sends what waits, in order, one call at a time. Never rejects: a refused operation is dropped with its reason shown, the rest waits for a network. */
export const syncCartAtom = atom(null, async (get, set) => {
  if (get(isSyncingAtom)) return;
  set(isSyncingAtom, true);
  try {
    for (;;) {
      const batch = get(pendingAtom);
      try {
        if (!(await sendNext(get, set))) return;
      } catch (thrown) {
        if (!isFailure(thrown) || thrown.kind !== 'refused') {
          if (isFailure(thrown) && (thrown.kind === 'offline' || thrown.kind === 'timeout' || thrown.kind === 'aborted')) return;
          set(showFailureAtom, thrown);
          return;
        }
        set(showFailureAtom, thrown);
        const kind = batch[0]?.kind;
        const refused = new Set(batch.filter((one) => one.kind === kind).map((one) => one.operationId));
        set(pendingAtom, (now) => now.filter((one) => !refused.has(one.operationId)));
        if (refused.size === 0) set(pendingOptionsAtom, null);
      }
    }
  } finally {
    set(isSyncingAtom, false);
  }
});

/** Asks the server for the cart as it is and costs now (page start, new store, another device). */
export const loadCartAtom = atom(null, async (get, set) => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const cartId = get(sessionAtom)?.attributes.cartId;
  if (!cartId) return;
  const reply = await get(apiAtom).call(contract.byId, { cartId, query: { storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) } });
  set(pricedAtom, reply.cart);
});

/** Takes a cart that came with another answer (coupons, login, submit). */
export const putCartAtom = atom(null, (_get, set, cart: contract.Cart | null) => set(pricedAtom, cart));

/** Adds a line; answers its id. Shown at once, priced when the server has answered. */
export const addLineAtom = atom(null, (_get, set, line: Omit<contract.LineInput, 'lineId'>) => {
  const lineId = newId();
  set(pendingAtom, (now) => [...now, { kind: 'add', operationId: newId(), line: { ...line, lineId } }]);
  void set(syncCartAtom);
  return lineId;
});

/** Changes a line's quantity (0 removes it for good) or what it is. */
export const changeLineAtom = atom(null, (_get, set, change: { lineId: string; quantity?: number; line?: Omit<contract.LineInput, 'lineId' | 'quantity'> }) => {
  set(pendingAtom, (now) => [...now, { kind: 'change', operationId: newId(), ...change }]);
  void set(syncCartAtom);
});

/** Tip, bag, cutlery, payment mode. */
export const setCartOptionsAtom = atom(null, (_get, set, options: contract.CartOptions) => {
  set(pendingOptionsAtom, (now) => ({ ...now, ...options }));
  void set(syncCartAtom);
});
