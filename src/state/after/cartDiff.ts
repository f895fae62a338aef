import * as t from '#text/cart.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { Cart, CartLine } from '../../contract/cart.ts';
import type { Money } from '../../contract/price.ts';
import type { ReorderReply } from '../../contract/reorder.ts';
import * as errors from '#text/errors.ts';
import { formatMoney } from '../../domain/money.ts';
import { firstSize } from '../../domain/sizes.ts';
import { changedElsewhereAtom, isAccountCartDueAtom } from '../cart/cart.ts';
import { removeCouponAtom } from '../offers/couponActions.ts';
import { addLineAtom, cartAtom, changeLineAtom } from '../first/cart.ts';
import { customerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { itemsByIdAtom } from '../first/menu.ts';
import { popupAtom } from '../base/popup.ts';
import { countryAtom } from '../base/country.ts';
import { navigateAtom } from '../first/seams.ts';
import { cartIdAtom } from '../base/session.ts';

// What has changed in the cart without the customer: prices on another day, another store, an offer that ended
// (requirement CART-X04).

/** `what` is everything that was chosen for the line: another choice may cost something else, and that is no change. */
const Seen = z.object({
  lines: z.record(z.string(), z.object({ what: z.string(), price: z.number() })),
  offers: z.record(z.string(), z.string()),
  /** Which cart, as it was after which change of somebody's; and its bill, in minor units. */
  version: z.optional(z.string()),
  total: z.optional(z.number()),
  /** Offers that were on the cart by themselves and have ended, by code. */
  over: z.optional(z.record(z.string(), z.string())),
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

/** What else is not as it was with the order whose dishes were put into the cart again; null when nothing was. */
const Since = z.nullable(
  z.object({
    /** When that was ordered, epoch ms. */
    placedAt: z.number(),
    store: z.nullable(z.object({ before: z.string(), after: z.string() })),
    gone: z.array(z.object({ productId: z.string(), name: z.string(), reason: z.string() })),
    lost: z.array(z.object({ code: z.string(), title: z.string() })),
    gained: z.array(z.object({ code: z.string(), title: z.string() })),
  }),
);
type Since = NonNullable<z.output<typeof Since>>;
/** The flag isFromReOrder of the specification, section 4, with what the cart tells by it. */
const sinceAtom = kept<z.output<typeof Since>>({
  key: 'is-from-reorder',
  schema: Since,
  initial: null,
  forget: 'logout',
});

/** When the order was placed whose dishes are in the cart again, epoch ms; null where they are not. */
export const reorderedFromAtom = atom((get) => get(sinceAtom)?.placedAt ?? null);
/**
 * Takes a cart into which an earlier order was put: its prices, offers and store of then count as seen, so that all
 * that is different now is told.
 */
export const noteReorderAtom = atom(
  null,
  (
    _get,
    set,
    { cart, was, gone, store }: Omit<ReorderReply, 'cart'> & { cart: Pick<Cart, 'validItems' | 'offers'> },
  ): void => {
    const prices = new Map(was.lines.map(({ lineId, price }) => [lineId, price]));
    const lines: Seen['lines'] = {};
    for (const line of cart.validItems) {
      const price = prices.get(line.lineId);
      if (price !== undefined) lines[line.lineId] = { what: whatOf(line), price };
    }
    const applied = cart.offers
      .filter(({ status }) => status === 'APPLIED')
      .map(({ code, title }) => ({ code, title }));
    const without = (own: Since['lost'], others: Since['lost']) =>
      own.filter(({ code }) => others.every((other) => other.code !== code));
    set(seenAtom, { lines, offers: {} });
    set(sinceAtom, {
      placedAt: was.placedAt,
      store: store.id === was.store.id ? null : { before: was.store.name, after: store.name },
      gone,
      lost: without(was.offers, applied),
      gained: without(applied, was.offers),
    });
  },
);

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
  return { lines, offers, version: versionOf(cart), total: cart.bill.total, over: overAfter(seen, cart) };
}
const versionOf = ({ cartId, version }: Cart) => `${cartId} ${version}`;

/**
 * What was on by itself leaves no trace in the cart when its hours or days are over. It is told where nobody has changed
 * the cart meanwhile and it costs more now, until it is read or on again.
 */
function overAfter(seen: Seen, cart: Cart): Record<string, string> {
  const { bill, offers, validItems } = cart;
  if (validItems.length === 0) return {};
  const isTold = seen.version === versionOf(cart) && bill.total > (seen.total ?? Infinity);
  const known = { ...(isTold ? seen.offers : {}), ...seen.over };
  return Object.fromEntries(Object.entries(known).filter(([code]) => offers.every((offer) => offer.code !== code)));
}

/** Whether older dishes are offered on a sheet now; later they are offered in the cart. */
export const isOlderAskedAtom = customerAtom(false);

/**
 * What the account had in its cart before a login is offered, never added by itself. A cart that another app or device
 * has changed is told with the new total, before anything is paid.
 */
const tellNewsAtom = atom(null, (get, set, cart: Cart) => {
  const elsewhere = get(changedElsewhereAtom);
  const isAccountHere = get(isAccountCartDueAtom) && cart.cartId === get(cartIdAtom);
  if (isAccountHere) set(isAccountCartDueAtom, false);
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
  // It was ordered or emptied: what comes next is no re-order.
  if (get(sinceAtom) !== null && cart.validItems.length + cart.invalidItems.length === 0) set(sinceAtom, null);
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
  | { readonly kind: 'offer' | 'gone'; readonly id: string; readonly name: string; readonly reason: string }
  | { readonly kind: 'gained'; readonly id: string; readonly name: string }
  | { readonly kind: 'store'; readonly id: string; readonly name: string; readonly after: string };

/** Differences from the order that the dishes come from, besides prices and sold-out dishes. */
function changesSince(since: Since, cart: Cart): CartChange[] {
  const isApplied = (code: string) => cart.offers.some((offer) => offer.code === code && offer.status === 'APPLIED');
  return [
    ...since.gone.map(({ productId: id, name, reason }) => ({ kind: 'gone' as const, id, name, reason })),
    ...(since.store
      ? [{ kind: 'store' as const, id: 'store', name: since.store.before, after: since.store.after }]
      : []),
    ...since.lost
      .filter(({ code }) => !isApplied(code))
      .map(({ code: id, title: name }) => ({ kind: 'offer' as const, id, name, reason: t.offerOver })),
    ...since.gained
      .filter(({ code }) => isApplied(code))
      .map(({ code: id, title: name }) => ({ kind: 'gained' as const, id, name })),
  ];
}

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
  for (const [id, name] of Object.entries(seen.over ?? {}))
    changes.push({ kind: 'offer', id, name, reason: t.offerOver });
  const since = get(sinceAtom);
  return since === null ? changes : [...changes, ...changesSince(since, cart)];
});

/** What differs from the earlier order was read; told once. */
const forgetSinceAtom = atom(null, (get, set, { kind, id }: CartChange) => {
  const since = get(sinceAtom);
  if (since === null) return;
  const rest = <T extends { readonly code: string }>(own: readonly T[]) => own.filter(({ code }) => code !== id);
  set(sinceAtom, {
    ...since,
    ...(kind === 'store' ? { store: null } : {}),
    ...(kind === 'gone' ? { gone: since.gone.filter(({ productId }) => productId !== id) } : {}),
    ...(kind === 'offer' ? { lost: rest(since.lost) } : {}),
    ...(kind === 'gained' ? { gained: rest(since.gained) } : {}),
  });
});

/** Accepts a change: the new price stands, a dish that is sold out leaves the cart, a lost offer is forgotten. */
export const acceptChangeAtom = atom(null, (_get, set, change: CartChange) => {
  set(forgetSinceAtom, change);
  if (change.kind === 'stock') set(changeLineAtom, { lineId: change.id, quantity: 0 });
  else if (change.kind === 'price')
    set(seenAtom, (seen) => ({
      ...seen,
      lines: { ...seen.lines, [change.id]: { what: seen.lines[change.id]?.what ?? '', price: change.after } },
    }));
  else if (change.kind === 'offer') {
    const rest = (list: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(list).filter(([code]) => code !== change.id));
    set(seenAtom, (seen) => ({ ...seen, offers: rest(seen.offers), over: rest(seen.over) }));
  }
});
export const acceptAllAtom = atom(null, (get, set) => {
  for (const change of get(changesAtom)) set(acceptChangeAtom, change);
});

/** Declines a change: a dearer dish leaves the cart, one that is sold out is replaced, a new offer is taken off. */
export const declineChangeAtom = atom(null, (get, set, change: CartChange) => {
  if (change.kind === 'gained') {
    set(forgetSinceAtom, change);
    return void set(removeCouponAtom, change.id);
  }
  if (change.kind !== 'stock' && change.kind !== 'price') return;
  set(changeLineAtom, { lineId: change.id, quantity: 0 });
  const instead = change.kind === 'stock' ? get(itemsByIdAtom).get(change.alternativeId ?? '') : undefined;
  if (!instead || change.kind !== 'stock') return;
  const size = firstSize(instead);
  set(addLineAtom, { productId: instead.id, quantity: change.quantity, ...(size === 'ONE' ? {} : { size }) });
});
