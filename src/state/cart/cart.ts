import { atom, type Getter, type Setter } from 'jotai';
import * as t from '#text/cart.ts';
import { codeOf, isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/cart.ts';
import type { SessionReply } from '../../contract/session.ts';
import { missingToMinimum } from '../../domain/cart.ts';
import { inputOf } from '../../domain/lineInput.ts';
import { isSameDish } from '../../domain/madeOf.ts';
import { formatMoney } from '../../domain/money.ts';
import {
  addLineAtom,
  cartLinesAtom,
  changeLineAtom,
  isCartWaitingAtom,
  pendingAtom,
  pendingOptionsAtom,
  cartAtom,
  type Operation,
} from '../first/cart.ts';
import { newId } from '../first/lib/ids.ts';
import { deliveryTypeAtom, storeIdAtom } from '../first/location.ts';
import { showFailureAtom } from '../base/popup.ts';
import { countryAtom } from '../base/country.ts';
import { apiAtom } from '../first/seams.ts';
import { seatAtom } from '../first/group.ts';
import { toastAtom, toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from '../lib/forget.ts';
import { isFresh } from '../lib/remote.ts';
import type { Money } from '../../contract/price.ts';
import { cartIdAtom, renewSessionAtom, sessionAtom } from '../base/session.ts';

/**
 * Takes over a new session. If the guest before no longer exists (expired, or turned into a customer whose answer was
 * lost), the device's basket moves to the new guest. Its lines keep their ids, so that a later login finds nothing
 * twice.
 */
export const takeSessionAtom = atom(null, (get, set, reply: SessionReply): void => {
  const before = get(sessionAtom);
  set(renewSessionAtom, reply);
  if (before === null || before.attributes.cartId === reply.attributes.cartId || reply.credentials.refreshToken) return;
  const lines = (get(cartAtom)?.validItems ?? []).filter((line) => !line.free && !line.by);
  set(pendingAtom, (now) => [
    ...lines.map((line) => ({ kind: 'add' as const, operationId: newId(), line: inputOf(line) })),
    ...now,
  ]);
  set(cartAtom, null);
});

const LINE_AT_MOST = 50;
/** Adds a dish to the cart: to a line that is made the same, else as a new line. */
export const putLineAtom = atom(null, (get, set, line: Omit<contract.LineInput, 'lineId'>): void => {
  const same = get(cartLinesAtom).find(
    (own) =>
      !own.by &&
      !own.priced?.free &&
      own.problem === null &&
      own.quantity + line.quantity <= LINE_AT_MOST &&
      isSameDish(own.input, line),
  );
  if (same) set(changeLineAtom, { lineId: same.lineId, quantity: same.quantity + line.quantity });
  else set(addLineAtom, line);
});

/** The cart is below the country's smallest order, so it cannot be paid. */
export const isBelowMinimumAtom = atom((get) => {
  const cart = get(cartAtom);
  return cart !== null && missingToMinimum(cart.bill, get(countryAtom).minimumOrder) > 0;
});

/** More food is asked for only where the bill is up to date and has food on it, also food that costs nothing. */
export const isSmallAtom = atom(
  (get) => get(isBelowMinimumAtom) && !get(isCartWaitingAtom) && get(cartAtom)?.validItems.length !== 0,
);

/** Whether this cart is shared: as host of a group order or as its guest. Only then does the group strip load. */
export const isSharedAtom = atom((get) => Boolean(get(seatAtom) ?? get(cartAtom)?.group));

/** Sets tip, bag, cutlery or payment mode. */
export const setCartOptionsAtom = atom(null, (_get, set, options: contract.CartOptions) => {
  set(pendingOptionsAtom, (now) => ({ ...now, ...options }));
});

/** What the customer sees of their own cart, to notice what a server's answer changes in it. */
interface View {
  readonly cartId: string | undefined;
  readonly total: Money | undefined;
  readonly count: number;
  readonly isShared: boolean;
  readonly lines: string;
}
const viewAtom = atom((get): View => {
  const cart = get(cartAtom);
  const lines = get(cartLinesAtom).filter((line) => !line.priced?.free && !line.by);
  return {
    cartId: cart?.cartId,
    total: cart?.bill.total,
    count: lines.length,
    isShared: cart?.group !== undefined,
    // An order that failed has put its dishes back, which the order's own page says.
    lines: lines
      .filter((line) => !line.lineId.startsWith('back:'))
      .map((line) => `${line.lineId} ${line.productId} ${line.quantity}`)
      // A dish that has sold out stands below the others now: that is another order of the same lines.
      .sort()
      .join(),
  };
});
/** The total before another app or device changed this cart; null once that was told. */
export const changedElsewhereAtom = customerAtom<{ readonly before: Money } | null>(null);
/** A login is under way: the account's cart is not here yet. Set before the session changes. */
export const isAccountCartDueAtom = customerAtom(false);
/**
 * An answer of the server never changes which dishes the customer sees, except if somebody else has changed the same
 * cart: an app of another host, another device of the account.
 */
const noteElsewhereAtom = atom(null, (get, set, before: View) => {
  const after = get(viewAtom);
  if (before.count === 0 || before.total === undefined || before.isShared || after.isShared) return;
  if (before.cartId === after.cartId && before.lines !== after.lines)
    set(changedElsewhereAtom, (now) => now ?? { before: before.total! });
});

/** Whether a change that was answered meanwhile has brought a newer cart than this answer. */
const isOvertaken = (cart: contract.Cart, held: contract.Cart | null): boolean =>
  held?.cartId === cart.cartId && held.version > cart.version;

/** Takes over the cart of an answer. Calls run beside each other, and the older answer may come last: it changes nothing. */
export const hearCartAtom = atom(null, (get, set, cart: contract.Cart): void => {
  if (!isOvertaken(cart, get(cartAtom))) set(cartAtom, cart);
});

const BATCH = 100;

/** Which cart operations go to: the own one by its id, or in somebody's group order the host's by the group's code. */
const targetAtom = atom((get) => get(seatAtom)?.code ?? get(cartIdAtom) ?? '');
/** Codes of a refusal that ends a guest's seat in a group order: what was meant for it then goes into the own cart. */
const SEAT_GONE = new Set(['GROUP_OVER', 'GROUP_OUT', 'GROUP_JOIN_FIRST']);

/** The next operations of one kind, as many as go into one call. */
function nextBatch(pending: readonly Operation[], limit: number): readonly Operation[] {
  const end = pending.findIndex((one) => one.kind !== pending[0]?.kind);
  return pending.slice(0, Math.min(end < 0 ? pending.length : end, limit));
}

/**
 * The last change that the server has answered. A request for offers names it, so that the answer takes it into
 * account.
 */
export const lastSentAtom = atom<{ readonly cartId: string; readonly operationId: string } | null>(null);

async function send(get: Getter, set: Setter, batch: readonly Operation[]): Promise<void> {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  const options = get(pendingOptionsAtom);
  const cartId = get(targetAtom);
  const where = {
    options: { ...options, ...placeOf(get), bestOffer: true },
  };
  const { cart } =
    batch[0]?.kind === 'add'
      ? await call(contract.add, {
          cartId,
          body: {
            ...where,
            items: batch.flatMap((one) =>
              one.kind === 'add' ? [{ operationId: one.operationId, line: one.line }] : [],
            ),
          },
        })
      : await call(contract.change, {
          cartId,
          body: { ...where, items: batch.flatMap((one) => (one.kind === 'change' ? [changeOf(one)] : [])) },
        });
  const before = get(viewAtom);
  const sent = new Set(batch.map((one) => one.operationId));
  const last = batch[batch.length - 1];
  if (last) set(lastSentAtom, { cartId, operationId: last.operationId });
  if (get(targetAtom) === cartId) {
    set(hearCartAtom, cart);
    // For the store that was asked: meanwhile another one may have been chosen.
    set(cartToldAtom, { what: whatOf(get, cartId, where.options), at: Date.now() });
  }
  set(pendingAtom, (now) => now.filter((one) => !sent.has(one.operationId)));
  if (get(pendingOptionsAtom) === options) set(pendingOptionsAtom, null);
  set(noteElsewhereAtom, before);
}

function changeOf({
  operationId,
  lineId,
  quantity,
  line,
}: Extract<Operation, { kind: 'change' }>): contract.LineChange {
  return {
    operationId,
    lineId,
    ...(quantity === undefined ? {} : { quantity }),
    ...(line === undefined ? {} : { line }),
  };
}

async function sendAll(get: Getter, set: Setter): Promise<void> {
  let limit = BATCH;
  for (;;) {
    const batch = nextBatch(get(pendingAtom), limit);
    if (batch.length === 0 && get(pendingOptionsAtom) === null) return;
    try {
      await send(get, set, batch);
      limit = BATCH;
    } catch (thrown) {
      if (!isFailure(thrown) || thrown.kind !== 'refused') {
        // Without a network it waits, and the offline strip says so.
        if (!isFailure(thrown) || ['expired', 'unrefreshed', 'broken'].includes(thrown.kind))
          set(showFailureAtom, thrown);
        return;
      }
      if (SEAT_GONE.has(codeOf(thrown)) && get(seatAtom)) {
        set(showFailureAtom, thrown);
        set(seatAtom, null);
        set(cartAtom, null);
        continue;
      }
      // Sent again one by one, so that only what the server refuses is lost.
      if (batch.length > 1) {
        limit = 1;
        continue;
      }
      set(showFailureAtom, thrown);
      const refused = batch[0]?.operationId;
      if (refused === undefined) set(pendingOptionsAtom, null);
      else set(pendingAtom, (now) => now.filter((one) => one.operationId !== refused));
    }
  }
}

const runningAtom = atom<Promise<void> | null>(null);

/**
 * Sends waiting operations in order, one call at a time; a second caller waits for the first. Never rejects: what the
 * server refuses is dropped and the reason shown, everything else waits for a network.
 */
export const syncCartAtom = atom(null, (get, set): Promise<void> => {
  const running = get(runningAtom) ?? sendAll(get, set).finally(() => set(runningAtom, null));
  set(runningAtom, running);
  return running;
});

/** The cart as it is now, for what is asked about it: which one, how often it was changed, where it goes. */
export const aboutCart = (get: Getter): string =>
  [get(cartIdAtom), get(cartAtom)?.version, get(storeIdAtom), get(deliveryTypeAtom)].join(' ');

/** For so long nobody asks for what an answer has just told of the cart. */
const JUST_TOLD_MS = 10_000;
const cartToldAtom = atom({ what: '', at: 0 });
const placeOf = (get: Getter) => ({ storeId: get(storeIdAtom), deliveryType: get(deliveryTypeAtom) });
const whatOf = (get: Getter, cartId: string, { storeId, deliveryType } = placeOf(get)): string =>
  [cartId, storeId, deliveryType, get(lastSentAtom)?.operationId].join();

/** Loads the cart, unless a change of it or another screen has brought it a moment ago. */
export const renewCartAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const { what, at } = get(cartToldAtom);
  if (what !== whatOf(get, get(targetAtom)) || !isFresh(at, JUST_TOLD_MS) || !get(cartAtom)) await set(loadCartAtom);
});

const toldAtom = atom('');
const loadingAtom = atom<{ readonly what: string; readonly done: Promise<void> } | null>(null);

/**
 * Loads the cart and its prices from the server (page start, new store, another device). Callers that want the same at
 * the same time share one request.
 */
export const loadCartAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const cartId = get(targetAtom);
  if (!cartId) return;
  const what = whatOf(get, cartId);
  const running = get(loadingAtom);
  if (running?.what === what) return await running.done;
  const done = set(askCartAtom, cartId).finally(() => set(loadingAtom, (now) => (now?.done === done ? null : now)));
  set(loadingAtom, { what, done });
  await done;
});

/**
 * Another way of getting it, or another store, has other prices, fees and offers: what the cart comes to now is said,
 * after what was just said of the choice itself.
 */
const tellRepricedAtom = atom(null, (get, set, was: contract.Cart, now: contract.Cart): void => {
  if (was.cartId !== now.cartId || was.validItems.length === 0 || was.bill.total === now.bill.total) return;
  if (was.deliveryType === now.deliveryType && was.storeId === now.storeId) return;
  const country = get(countryAtom);
  const before = formatMoney(was.bill.total, country);
  const repriced = t.repriced({ before, after: formatMoney(now.bill.total, country) });
  const said = get(toastAtom);
  set(toastMessageAtom, said ? `${said.message} ${repriced}` : repriced, said?.action);
});

const askCartAtom = atom(null, async (get, set, cartId: string): Promise<void> => {
  const held = get(cartAtom);
  const query = placeOf(get);
  const reply = await get(apiAtom).call(contract.byId, { cartId, query });
  const [before, was] = [get(viewAtom), get(cartAtom)];
  // What this page has not heard since may be older than what the device kept: a database that was restored is believed.
  if (get(targetAtom) !== cartId || (was !== held && isOvertaken(reply.cart, was))) return;
  set(cartAtom, reply.cart);
  set(cartToldAtom, { what: whatOf(get, cartId, query), at: Date.now() });
  set(noteElsewhereAtom, before);
  if (was) set(tellRepricedAtom, was, reply.cart);
  // Guests of a group order see the menu of the host's store, so another store is sent at once and not with the next
  // dish.
  const where = `${get(storeIdAtom)} ${get(deliveryTypeAtom)}`;
  if (reply.cart.group?.role !== 'host' || get(toldAtom) === where) return;
  set(toldAtom, where);
  set(pendingOptionsAtom, (now) => ({ ...now }));
});
