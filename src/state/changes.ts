import * as t from '#text/cart.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { Cart, CartLine } from '../contract/cart.ts';
import type { Money } from '../contract/price.ts';
import * as errors from '#text/errors.ts';
import { formatMoney } from '../domain/money.ts';
import { firstSize } from '../domain/sizes.ts';
import { changedElsewhereAtom } from './cart.ts';
import { addLineAtom, cartAtom, changeLineAtom } from './first/cart.ts';
import { customerAtom } from './lib/forget.ts';
import { kept } from './first/lib/kept.ts';
import { itemsByIdAtom } from './first/menu.ts';
import { popupAtom } from './popup.ts';
import { countryAtom } from './country.ts';
import { navigateAtom } from './first/seams.ts';
import { cartIdAtom } from './session.ts';

// What has changed in the cart without the customer: prices on another day, another store, an offer that ended
// (requirement CART-X04).

/** `what` is everything that was chosen for the line: another choice may cost something else, and that is no change. */
const Seen = z.object({
  lines: z.record(z.string(), z.object({ what: z.string(), price: z.number() })),
  offers: z.record(z.string(), z.string()),
});
type Seen = z.output<typeof Seen>;

/** Prices and offers that the customer has last seen or accepted. */
const seenAtom = kept<Seen>({ key: 'cart-seen', schema: Seen, initial: { lines: {}, offers: {} }, forget: 'logout' });

function whatOf({ product, size, crust, build, slots }: CartLine): string {
  return JSON.stringify([
    product.id,
    size,
    crust,
    build,
    slots?.map((slot) => [slot.slot, slot.productId, slot.size, slot.crust, slot.build]),
  ]);
}

function seenAfter(seen: Seen, cart: Cart): Seen {
  const invalid = new Set(cart.invalidItems.map((line) => line.lineId));
  const lines: Seen['lines'] = Object.fromEntries(Object.entries(seen.lines).filter(([lineId]) => invalid.has(lineId)));
  for (const line of cart.validItems) {
    const before = seen.lines[line.lineId];
    const what = whatOf(line);
    lines[line.lineId] = before?.what === what ? before : { what, price: line.product.price };
  }
  const offers: Seen['offers'] = {};
  for (const { code, title, status } of cart.offers)
    if (status === 'APPLIED' || (status === 'REJECTED' && code in seen.offers)) offers[code] = title;
  return { lines, offers };
}

/** A login is under way: the account's cart is not here yet. */
const isLoggingInAtom = customerAtom(false);
/** Called at a login, before the session changes. */
export const expectAccountAtom = atom(null, (_get, set) => set(isLoggingInAtom, true));

/** Whether older dishes are offered on a sheet now; later they are offered in the cart. */
export const isOlderAskedAtom = customerAtom(false);

/**
 * What the account had in its cart before a login is offered, never added by itself. A cart that another app or device
 * has changed is told with the new total, before anything is paid.
 */
const tellNewsAtom = atom(null, (get, set, cart: Cart) => {
  const elsewhere = get(changedElsewhereAtom);
  const isAccountHere = get(isLoggingInAtom) && cart.cartId === get(cartIdAtom);
  if (isAccountHere) set(isLoggingInAtom, false);
  if (elsewhere === null && !isAccountHere) return;
  if (cart.aside?.length) set(isOlderAskedAtom, true);
  if (elsewhere === null) return;
  set(changedElsewhereAtom, null);
  const before = formatMoney(elsewhere.before, get(countryAtom));
  const after = formatMoney(cart.bill.total, get(countryAtom));
  set(popupAtom, {
    header: t.elsewhereTitle,
    message: cart.validItems.length > 0 ? t.elsewhere({ before, after }) : t.elsewhereEmpty({ before }),
    left: { label: t.seeCart, act: () => get(navigateAtom).go('/cart') },
    right: { label: errors.ok },
  });
});

/** Called whenever another cart has come. New lines count as seen, higher prices do not. */
export const noteCartAtom = atom(null, (get, set) => {
  const cart = get(cartAtom);
  if (!cart) return;
  set(tellNewsAtom, cart);
  const before = get(seenAtom);
  const after = seenAfter(before, cart);
  if (JSON.stringify(after) !== JSON.stringify(before)) set(seenAtom, after);
});

export type CartChange =
  | {
      readonly kind: 'price';
      readonly id: string;
      readonly name: string;
      readonly before: Money;
      readonly after: Money;
    }
  | {
      readonly kind: 'stock';
      readonly id: string;
      readonly name: string;
      readonly quantity: number;
      readonly reason: string;
      readonly alternativeId: string | null;
    }
  | { readonly kind: 'offer'; readonly id: string; readonly name: string; readonly reason: string };

/** The changes of the cart; the customer decides on each. */
export const changesAtom = atom((get): CartChange[] => {
  const cart = get(cartAtom);
  const seen = get(seenAtom);
  if (!cart) return [];
  const changes: CartChange[] = cart.invalidItems.map((line) => ({
    kind: 'stock',
    id: line.lineId,
    name: line.name,
    quantity: line.quantity,
    reason: line.reason,
    alternativeId: line.alternativeId ?? null,
  }));
  for (const line of cart.validItems) {
    const before = seen.lines[line.lineId];
    if (before && !line.free && before.what === whatOf(line) && before.price !== line.product.price) {
      changes.push({
        kind: 'price',
        id: line.lineId,
        name: line.product.name,
        before: before.price as Money,
        after: line.product.price,
      });
    }
  }
  for (const offer of cart.offers) {
    if (offer.status === 'REJECTED' && offer.code in seen.offers) {
      changes.push({ kind: 'offer', id: offer.code, name: offer.title, reason: offer.messages[0]?.message ?? '' });
    }
  }
  return changes;
});

/** Accepts a change: the new price stands, a dish that is sold out leaves the cart, a lost offer is forgotten. */
export const acceptChangeAtom = atom(null, (_get, set, change: CartChange) => {
  if (change.kind === 'stock') set(changeLineAtom, { lineId: change.id, quantity: 0 });
  else if (change.kind === 'price')
    set(seenAtom, (seen) => ({
      ...seen,
      lines: { ...seen.lines, [change.id]: { what: seen.lines[change.id]?.what ?? '', price: change.after } },
    }));
  else
    set(seenAtom, (seen) => ({
      ...seen,
      offers: Object.fromEntries(Object.entries(seen.offers).filter(([code]) => code !== change.id)),
    }));
});
export const acceptAllAtom = atom(null, (get, set) => {
  for (const change of get(changesAtom)) set(acceptChangeAtom, change);
});

/** Declines a change: the dearer dish leaves the cart, or a sold-out dish is replaced by its alternative. */
export const declineChangeAtom = atom(null, (get, set, change: CartChange) => {
  if (change.kind === 'offer') return;
  set(changeLineAtom, { lineId: change.id, quantity: 0 });
  const instead = change.kind === 'stock' ? get(itemsByIdAtom).get(change.alternativeId ?? '') : undefined;
  if (!instead || change.kind !== 'stock') return;
  const size = firstSize(instead);
  set(addLineAtom, { productId: instead.id, quantity: change.quantity, ...(size === 'ONE' ? {} : { size }) });
});
