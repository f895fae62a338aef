import * as t from '#text/first.ts';
import { atom } from 'jotai';
import type { ComponentType } from 'react';
import type { CartLine, LineAddition, LineInput } from '../../contract/cart.ts';
import type { MenuItem } from '../../contract/menu.ts';
import { inputOf } from '../../domain/lineInput.ts';
import { firstSize } from '../../domain/sizes.ts';
import { madeAtom } from './filters.ts';
import { kept } from './lib/kept.ts';
import { newId } from './lib/ids.ts';
import { itemsByIdAtom } from './menu.ts';
import { toastMessageAtom } from './toast.ts';

/**
 * The cart is a list of operations with ids (product.md 3.3): what the customer does is remembered at once and works
 * offline. The server merges the operations and prices the result (state/cart/cart.ts). Nothing here adds up money.
 */
export type Operation =
  | { readonly kind: 'add'; readonly operationId: string; readonly line: LineAddition['line'] }
  | {
      readonly kind: 'change';
      readonly operationId: string;
      readonly lineId: string;
      readonly quantity?: number | undefined;
      readonly line?: Omit<LineInput, 'lineId' | 'quantity'> | undefined;
    };

/** Operations that the server has not answered yet. */
export const pendingAtom = kept({ key: 'cart-operations', initial: [], forget: 'logout' });
export const pendingOptionsAtom = kept({ key: 'cart-options', initial: null, forget: 'logout' });
/** The server's last answer, which an offline page shows as well. Its bill is out of date while `isCartWaitingAtom`. */
export const cartAtom = kept({ key: 'cart', initial: null, forget: 'logout' });

export interface ViewLine {
  readonly lineId: string;
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  readonly input: LineInput;
  /** The server's line; null until it has priced this one. */
  readonly priced: CartLine | null;
  /** Why the server cannot sell it now, as a sentence. */
  readonly problem: string | null;
  readonly alternativeId: string | null;
  /** The guest of a group order who has added the dish; undefined for one's own. */
  readonly by?: CartLine['by'];
}

/** The lines that the customer sees: the server's, with all unanswered operations applied. */
export const cartLinesAtom = atom((get): ViewLine[] => {
  const names = get(itemsByIdAtom);
  const cart = get(cartAtom);
  const lines = new Map<string, ViewLine>();
  for (const line of cart?.validItems ?? []) {
    lines.set(line.lineId, {
      lineId: line.lineId,
      productId: line.product.id,
      name: line.product.name,
      quantity: line.quantity,
      input: inputOf(line),
      priced: line,
      problem: null,
      alternativeId: null,
      by: line.by,
    });
  }
  for (const line of cart?.invalidItems ?? []) {
    lines.set(line.lineId, {
      ...line,
      input: { lineId: line.lineId, productId: line.productId, quantity: line.quantity },
      priced: null,
      problem: line.reason,
      alternativeId: line.alternativeId ?? null,
    });
  }
  for (const operation of get(pendingAtom)) {
    if (operation.kind === 'add') {
      const { line } = operation;
      if (lines.has(line.lineId)) continue;
      lines.set(line.lineId, {
        lineId: line.lineId,
        productId: line.productId,
        name: names.get(line.productId)?.name ?? '',
        quantity: line.quantity,
        input: line,
        priced: null,
        problem: null,
        alternativeId: null,
      });
      continue;
    }
    const before = lines.get(operation.lineId);
    if (!before) continue;
    const quantity = operation.quantity ?? before.quantity;
    if (quantity === 0) {
      lines.delete(operation.lineId);
      continue;
    }
    lines.set(operation.lineId, {
      ...before,
      quantity,
      input: { ...before.input, ...operation.line, lineId: before.lineId, quantity },
      ...(operation.line
        ? {
            priced: null,
            productId: operation.line.productId,
            name: names.get(operation.line.productId)?.name ?? before.name,
          }
        : {}),
    });
  }
  return [...lines.values()];
});

/** Number of pieces in the cart, for badges. */
export const cartCountAtom = atom((get) =>
  get(cartLinesAtom).reduce((sum, line) => sum + (line.priced?.free ? 0 : line.quantity), 0),
);
/** Number of pieces of each product, for the stepper on its card. */
export const quantityByProductAtom = atom((get) => {
  const quantities = new Map<string, number>();
  for (const line of get(cartLinesAtom)) {
    if (!line.priced?.free && !line.by)
      quantities.set(line.productId, (quantities.get(line.productId) ?? 0) + line.quantity);
  }
  return quantities;
});
/** Something that the customer did is not in the server's bill yet. */
export const isCartWaitingAtom = atom((get) => get(pendingAtom).length > 0 || get(pendingOptionsAtom) !== null);

/** An operation gets its id before it is saved, so that it is the same operation wherever it is read. */
const operateAtom = atom(null, (_get, set, operation: Operation) => set(pendingAtom, (now) => [...now, operation]));

/** Adds a line. It shows at once and gets its price with the server's answer. @returns its id */
export const addLineAtom = atom(null, (_get, set, line: Omit<LineAddition['line'], 'lineId'>) => {
  const lineId = newId();
  set(operateAtom, { kind: 'add', operationId: newId(), line: { ...line, lineId } });
  return lineId;
});

/** Changes a line: its quantity (0 removes it) or what it is. */
export const changeLineAtom = atom(
  null,
  (_get, set, change: { lineId: string; quantity?: number; line?: Omit<LineInput, 'lineId' | 'quantity'> }) =>
    set(operateAtom, { kind: 'change', operationId: newId(), ...change }),
);

/**
 * Sets how many of a dish are in the cart, from its card. The first piece is the dish as it comes, in its smallest
 * size, made as the active filters demand. More pieces go onto the line that was added last and is made so; fewer come
 * off the last line.
 */
export const setQuantityAtom = atom(null, (get, set, item: MenuItem, quantity: number) => {
  const lines = get(cartLinesAtom).filter((line) => line.productId === item.id && !line.priced?.free && !line.by);
  const now = lines.reduce((sum, line) => sum + line.quantity, 0);
  const made = get(madeAtom)(item);
  const alike = made && quantity > now ? lines.filter((line) => line.input.note === made.note) : lines;
  const last = alike[alike.length - 1];
  if (last) {
    return set(changeLineAtom, { lineId: last.lineId, quantity: Math.max(0, last.quantity + quantity - now) });
  }
  const size = firstSize(item);
  const lineId = set(addLineAtom, {
    productId: item.id,
    quantity: quantity - now,
    ...(size === 'ONE' ? {} : { size }),
    ...made,
  });
  if (item.customisable) {
    set(toastMessageAtom, t.added({ name: item.name, size }), {
      label: t.undo,
      act: () => set(changeLineAtom, { lineId, quantity: 0 }),
    });
  }
});

/** The cart beside the menu of a wide page; it comes with a later script. */
export const sideCartAtom = atom<{ readonly Cart: ComponentType } | null>(null);
