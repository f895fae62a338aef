import * as t from '#text/usual.ts';
import { atom } from 'jotai';
import type * as z from 'zod/mini';
import type { Money } from '../../contract/price.ts';
import * as contract from '../../contract/usual.ts';
import { hearCartAtom, lastSentAtom, syncCartAtom } from '../cart/cart.ts';
import { optionsState } from '../checkout/modes.ts';
import { placeOrderAtom, placing } from '../checkout/placing.ts';
import { quoteState, where } from '../checkout/quote.ts';
import { acceptedTermsAtom, termsAcceptedAtom } from '../checkout/terms.ts';
import { customerOf, detailAtom } from '../drafts/detail.ts';
import { paymentModeAtom } from '../drafts/mode.ts';
import { slotIdAtom } from '../drafts/slot.ts';
import { cartAtom, cartLinesAtom, isCartWaitingAtom } from '../first/cart.ts';
import { seatAtom } from '../first/group.ts';
import { newId } from '../first/lib/ids.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../first/location.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { usualLinesAtom } from '../first/usual.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { isHomeAtom } from '../base/path.ts';
import { sentenceOf } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { cartIdAtom } from '../base/session.ts';
import { isUsualOpenAtom, usualPricesAtom } from '../cart/usual.ts';
import { ensureLoginAtom, leaveVendorLoginAtom } from '../people/vendorLogin.ts';

// The usual order in two taps: a card on home, and a sheet that orders. The sheet looks and changes nothing; only the
// tap that orders puts the dishes into the cart, and what was in there is kept aside by the server.

/** Whether the best offers are on. */
const withOffersAtom = customerAtom(true);
/** What the last tap on the button came to, as a sentence; '' for nothing. */
export const usualNewsAtom = customerAtom('');

/** Everything is known that an order needs besides money: the way there, the door, the name. '' where it is not. */
export const usualKeyAtom = atom((get): string => {
  const lines = get(usualLinesAtom);
  const type = get(deliveryTypeAtom);
  const store = get(chosenStoreAtom);
  const place = type === 'DELIVERY' ? get(deliveryPlaceAtom)?.address : null;
  const { fName, mobNo } = get(detailAtom);
  if (lines.length === 0 || get(seatAtom) || get(cartAtom)?.group) return '';
  if (!store?.services.includes(type) || (type === 'DELIVERY' && !place?.houseNo) || !fName || !mobNo) return '';
  return JSON.stringify([lines, type, store.id, place, mobNo]);
});

export type UsualNow = z.output<typeof contract.price.reply> & { readonly withOffers: boolean };
/** The usual order priced now, as the server says. */
export const usualState = remote(async (get, _set, signal): Promise<UsualNow> => {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  const { cartId: _cartId, slotId: _slotId, ...rest } = where(get);
  const mode = get(paymentModeAtom);
  const withOffers = get(withOffersAtom);
  const reply = await call(
    contract.price,
    {
      body: {
        ...rest,
        lines: [...get(usualLinesAtom)],
        customer: customerOf(get(detailAtom)),
        withOffers,
        ...(mode ? { paymentMode: mode as contract.UsualMode } : {}),
      },
    },
    { signal },
  );
  return { ...reply, withOffers };
});

/** Dishes of the cart that would wait beside it. */
export const besideAtom = atom((get) =>
  get(cartLinesAtom).filter((line) => !line.priced?.free && !line.lineId.startsWith(contract.USUAL_PREFIX)),
);

/** The terms of this order were accepted with an earlier one, or on the sheet. */
export const areTermsAcceptedAtom = atom((get) => {
  const version = get(usualState.atom).data?.termsVersion;
  return get(tickedAtom) || (version !== undefined && get(acceptedTermsAtom) === version);
});
const tickedAtom = customerAtom(false);
export const tickTermsAtom = atom(null, (_get, set, isTicked: boolean) => {
  set(tickedAtom, isTicked);
  set(usualNewsAtom, '');
});

/** Opens the sheet. What the host knows of the customer comes first, as on the payment page. */
export const openUsualAtom = atom(null, async (_get, set): Promise<void> => {
  set(usualNewsAtom, '');
  set(isUsualOpenAtom, true);
  await set(ensureLoginAtom);
  await set(usualState.load);
});

export const chooseUsualModeAtom = atom(null, async (_get, set, mode: string): Promise<void> => {
  set(paymentModeAtom, mode);
  set(usualNewsAtom, '');
  await set(usualState.load);
});

export const turnOffersAtom = atom(null, async (get, set): Promise<void> => {
  set(withOffersAtom, !get(withOffersAtom));
  await set(usualState.load);
});

/** Stays the same until there is an order, so that a second try is the same operations. */
const tryAtom = customerAtom<{ readonly key: string; readonly id: string } | null>(null);

/** Puts the dishes that can be sold into the cart. @throws Failure */
const putUsualAtom = atom(null, async (get, set): Promise<void> => {
  const { call, ensureSession } = get(apiAtom);
  const priced = get(usualState.atom).data?.lines ?? [];
  const lines = get(usualLinesAtom).filter((_line, at) => priced[at]);
  await ensureSession();
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const cartId = get(cartIdAtom) ?? '';
  const key = JSON.stringify([cartId, lines]);
  const held = get(tryAtom);
  const own = held?.key === key ? held : { key, id: newId() };
  set(tryAtom, own);
  const items = lines.map((line, at) => {
    const lineId = `${contract.USUAL_PREFIX}${own.id}:${at}`;
    return { operationId: lineId, line: { ...line, lineId } };
  });
  const { storeId, deliveryType } = where(get);
  const mode = get(usualState.atom).data?.paymentMode ?? null;
  const reply = await call(contract.put, {
    cartId,
    body: {
      items,
      options: { storeId, deliveryType, ...(mode ? { paymentMode: mode } : {}) },
      withOffers: get(withOffersAtom),
    },
  });
  set(lastSentAtom, { cartId, operationId: items[items.length - 1]!.operationId });
  set(hearCartAtom, reply.cart);
  if (mode) set(paymentModeAtom, mode);
  set(slotIdAtom, null);
});

/** Closes the sheet. The dishes of a try that did not become an order are in the cart: that is said. */
export const closeUsualAtom = atom(null, (get, set): void => {
  set(isUsualOpenAtom, false);
  if (get(tryAtom)) set(toastMessageAtom, t.added);
});

const usualTasks = tasks();
/** From the tap until the page knows what comes next; a second tap does nothing. */
export const isUsualBusyAtom = atom((get) => get(usualTasks.isBusyAtom) || get(placing.isBusyAtom));

/** Orders what the sheet shows, at the price that it shows. A price that has changed is shown instead. */
export const orderUsualAtom = usualTasks.task(async (get, set) => {
  if (get(placing.isBusyAtom)) return;
  set(usualNewsAtom, '');
  const shown = get(usualState.atom).data;
  if (!shown) return;
  // Nobody becomes somebody else while their order is under way.
  if (HOSTED) await set(leaveVendorLoginAtom);
  await set(putUsualAtom);
  set(termsAcceptedAtom, get(areTermsAcceptedAtom));
  await Promise.all([set(quoteState.load), set(optionsState.load)]);
  const { data: quote, failure } = get(quoteState.atom);
  if (failure || !quote) {
    set(usualNewsAtom, sentenceOf(failure));
    return;
  }
  if (quote.quote.bill.total !== shown.bill.total || quote.problems.length > 0) {
    await set(usualState.load);
    set(usualNewsAtom, quote.problems[0]?.displayMsg ?? t.priceChanged);
    return;
  }
  await set(placeOrderAtom);
  if (get(isHomeAtom)) return;
  set(tryAtom, null);
  set(tickedAtom, false);
  set(isUsualOpenAtom, false);
});

/** Goes on at the checkout, for what the sheet cannot ask: a card, a time for later, a table. */
export const checkoutUsualAtom = usualTasks.task(async (get, set) => {
  if (get(placing.isBusyAtom)) return;
  set(usualNewsAtom, '');
  await set(putUsualAtom);
  set(isUsualOpenAtom, false);
  get(navigateAtom).go('/payment');
});

/** The former price of a dish, in minor units; null where it is the same now. */
export const costBeforeAtom = atom((get) => {
  const prices = get(usualPricesAtom);
  const lines = get(usualState.atom).data?.lines ?? [];
  return (at: number): Money | null => {
    const before = prices[at];
    const now = lines[at]?.product.price;
    return before && now !== undefined && before !== now ? (before as Money) : null;
  };
});
