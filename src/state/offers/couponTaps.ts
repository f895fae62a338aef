import * as t from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import { atom, type Getter, type Setter } from 'jotai';
import type { Cart } from '../../contract/cart.ts';
import * as contract from '../../contract/coupons.ts';
import { money } from '../../contract/price.ts';
import type { ApiError } from '../../contract/reply.ts';
import { alertOf } from '../../domain/alerts.ts';
import { formatMoney } from '../../domain/money.ts';
import { couponOutcome, type CouponOutcome } from '../../domain/offers.ts';
import { hearCartAtom, setCartOptionsAtom, syncCartAtom } from '../cart/cart.ts';
import { proven } from '../consent/challenge.ts';
import { cartAtom, isCartWaitingAtom } from '../first/cart.ts';
import { countryAtom } from '../base/country.ts';
import { popupAtom } from '../base/popup.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { cartIdAtom } from '../base/session.ts';
import { Wrong } from '../base/task.ts';
import { codesOn, confettiAtom, couponCodeAtom, noteCouponAtom, partnerOfferAtom, typedCodeAtom } from './coupons.ts';

// What taps on offers do (couponActions.ts has the tasks).

export interface AppliedBy {
  readonly isTyped: boolean;
  readonly from: 'cart' | 'offers';
  readonly isFromCart: boolean;
}
/** Says why an offer was refused, with the server's own header and button where it has sent them. */
const refusedAtom = atom(null, (_get, set, said: readonly ApiError[] | undefined): void => {
  const { header, message, button } = alertOf(said);
  set(popupAtom, { header, message, right: { label: button } });
});

/** A code that takes the place of an offer without lowering the total is not celebrated: this says what it costs. */
const insteadAtom = atom(null, (get, set, code: string, was: Cart | null, now: Cart | undefined): boolean => {
  const other = was && now && codesOn(was).find((one) => one !== code && !codesOn(now).includes(one));
  const more = (now?.bill.total ?? 0) - (was?.bill.total ?? 0);
  if (!other || more < 0) return false;
  const amount = formatMoney(money(more), get(countryAtom));
  set(toastMessageAtom, t.couponInstead({ code, other, amount, isSame: more === 0 ? 'yes' : 'no' }));
  return true;
});

type Applied = Extract<CouponOutcome, { applied: true }>;
/** Celebrates once: by the confetti of the cart where that comes next, elsewhere by a toast. */
const celebrateAtom = atom(null, (_get, set, outcome: Applied, isCartNext: boolean): void => {
  const { message, subMessage } = outcome.confetti ?? { message: t.couponApplied(outcome), subMessage: '' };
  set(confettiAtom, isCartNext ? outcome.confetti : null);
  if (!outcome.confetti || !isCartNext) set(toastMessageAtom, `${message} ${subMessage}`.trim());
});

export async function applyCoupon(get: Getter, set: Setter, wanted: string, by: AppliedBy): Promise<boolean> {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const cartId = get(cartIdAtom) ?? '';
  const was = get(cartAtom);
  const includePartnerOffer = get(partnerOfferAtom);
  const checked = by.isTyped
    ? await proven(get, set, 'coupons', (headers) =>
        call(contract.validate, { code: wanted, query: { cartId, includePartnerOffer } }, { headers, retries: 0 }),
      )
    : null;
  const answer =
    checked && checked.status !== 'SUCCESS'
      ? checked
      : await proven(get, set, 'coupons', (headers) =>
          call(contract.apply, { cartId, code: wanted, query: { includePartnerOffer } }, { headers }),
        );
  if (answer.cart) set(hearCartAtom, answer.cart);
  const outcome = couponOutcome(wanted, answer, by);
  if (!outcome.applied) {
    if (outcome.resetCode) set(couponCodeAtom, '');
    if (by.isTyped) throw new Wrong({ code: outcome.message });
    set(refusedAtom, answer.errors);
    return false;
  }
  set(couponCodeAtom, outcome.code);
  set(noteCouponAtom);
  set(typedCodeAtom, '');
  if (!set(insteadAtom, outcome.code, was, answer.cart))
    set(celebrateAtom, outcome, by.from === 'cart' || outcome.go === '/cart');
  if (by.from === 'offers') get(navigateAtom).go(outcome.go);
  return true;
}

/** What a cart without this code says: that it is off, that another is on in its place, or that it is on by itself. */
function removedText(code: string, was: Cart, now: Cart | undefined): string {
  const on = now ? codesOn(now) : [];
  if (on.includes(code)) return t.couponStays({ code });
  const other = on.find((one) => !codesOn(was).includes(one));
  return other === undefined ? t.couponRemoved({ code }) : t.couponBack({ code, other });
}

export async function removeCoupon(get: Getter, set: Setter, code: string): Promise<void> {
  const was = get(cartAtom);
  if (!was) return;
  const answer = await get(apiAtom).call(contract.remove, { cartId: was.cartId, code });
  if (answer.cart) set(hearCartAtom, answer.cart);
  // A gift beside it was not the code that was used last.
  if (get(couponCodeAtom) === code) set(couponCodeAtom, '');
  set(toastMessageAtom, removedText(code, was, answer.cart));
}

export async function takeBest(get: Getter, set: Setter, best: contract.BestOffer, cart: Cart): Promise<void> {
  const { cartId } = cart;
  const { call } = get(apiAtom);
  const before = cart.bill.total;
  const held = codesOn(cart);
  const useless = cart.offers.filter(({ status, code }) => status === 'REJECTED' && !best.codes.includes(code));
  if (best.paymentModes) {
    set(setCartOptionsAtom, { paymentMode: best.paymentModes[0]! });
    await set(syncCartAtom);
  }
  for (const { code } of useless) {
    const answer = await call(contract.remove, { cartId, code });
    if (answer.cart) set(hearCartAtom, answer.cart);
  }
  let refusal = '';
  for (const code of best.codes.filter((one) => !held.includes(one))) {
    const query = { includePartnerOffer: get(partnerOfferAtom) };
    const answer = await proven(get, set, 'coupons', (headers) =>
      call(contract.apply, { cartId, code, query }, { headers }),
    );
    if (answer.cart) set(hearCartAtom, answer.cart);
    const outcome = couponOutcome(code, answer, { isTyped: false, isFromCart: true });
    if (!outcome.applied) refusal = outcome.message;
    else set(couponCodeAtom, outcome.code);
  }
  const total = get(cartAtom)?.bill.total ?? before;
  if (refusal !== '') set(popupAtom, { header: errors.oops, message: refusal, right: { label: errors.ok } });
  else set(toastMessageAtom, total < before || best.gifts > 0 ? t.bestOfferApplied : t.bestOfferSame);
}
