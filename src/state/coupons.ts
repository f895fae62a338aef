import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import * as contract from '../contract/coupons.ts';
import { couponCode, couponOutcome, isOfferAvailable } from '../domain/offers.ts';
import { cartAtom, isCartWaitingAtom, putCartAtom, syncCartAtom } from './cart.ts';
import { sessionAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { sentenceOf, showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom, hostAtom, navigateAtom } from './seams.ts';
import { cartIdAtom } from './session.ts';

/** Partner offers are left out inside a host (product.md C05b). */
const partnerOfferAtom = atom((get) => (get(hostAtom).fullMode ? 'true' as const : 'false' as const));

/** What is in the offer-code box; kept until it was applied, whatever goes wrong. */
export const typedCodeAtom = sessionAtom('');
/** promoInvalid of the specification: what is wrong with the typed code, '' when nothing is. */
export const promoInvalidAtom = sessionAtom('');
/** The code being applied, '' when none is: its button says so and a second tap does nothing. */
export const applyingCodeAtom = sessionAtom('');
/** Confetti flag and message of the last applied code. */
export const confettiAtom = sessionAtom<{ message: string; subMessage: string } | null>(null);
/** Code of the last coupon applied (couponCode of the specification). */
export const couponCodeAtom = sessionAtom('');

/** Combined offers in groups; WAIT keeps what is shown and is asked again by the customer. */
export const combinedState = remote(async (get, set, signal) => {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const cartId = get(cartIdAtom) ?? '';
  return call(contract.combined, { cartId, query: { sortOn: 'SAVINGS', includePartnerOffer: get(partnerOfferAtom) } }, { signal });
});
export const isOfferAvailableAtom = atom((get) => isOfferAvailable(get(combinedState.atom).data?.combinedOffers));

/** Typed code: validated, then applied; tapped card: applied (product.md C24). Answers whether it is applied now. */
export const applyCouponAtom = atom(null, async (get, set, code: string, by: { isTyped: boolean; from: 'cart' | 'offers'; isFromCart: boolean }): Promise<boolean> => {
  const wanted = couponCode(code);
  if (get(applyingCodeAtom) !== '' || wanted === '') return false;
  set(applyingCodeAtom, wanted);
  set(promoInvalidAtom, '');
  try {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const cartId = get(cartIdAtom) ?? '';
    const includePartnerOffer = get(partnerOfferAtom);
    const checked = by.isTyped ? await call(contract.validate, { code: wanted, query: { cartId, includePartnerOffer } }) : null;
    const answer = checked && checked.status !== 'SUCCESS' ? checked : await call(contract.apply, { cartId, code: wanted, query: { includePartnerOffer } });
    if (answer.cart) set(putCartAtom, answer.cart);
    const outcome = couponOutcome(wanted, answer, by);
    if (!outcome.applied) {
      if (by.isTyped) set(promoInvalidAtom, outcome.message);
      else set(toastMessageAtom, outcome.message);
      if (outcome.resetCode) set(couponCodeAtom, '');
      return false;
    }
    set(couponCodeAtom, outcome.code);
    set(typedCodeAtom, '');
    set(confettiAtom, outcome.confetti);
    if (!outcome.confetti) set(toastMessageAtom, `${outcome.code} is applied.`);
    if (by.from === 'offers') get(navigateAtom).go(outcome.go);
    return true;
  } catch (thrown) {
    if (by.isTyped) set(promoInvalidAtom, sentenceOf(thrown, !get(hostAtom).fullMode));
    else set(showFailureAtom, thrown);
    return false;
  } finally {
    set(applyingCodeAtom, '');
  }
});

export const removeCouponAtom = atom(null, async (get, set, code: string): Promise<void> => {
  const cartId = get(cartAtom)?.cartId;
  if (!cartId || get(applyingCodeAtom) !== '') return;
  set(applyingCodeAtom, code);
  try {
    const answer = await get(apiAtom).call(contract.remove, { cartId, code });
    if (answer.cart) set(putCartAtom, answer.cart);
    set(couponCodeAtom, '');
    set(toastMessageAtom, `${code} is taken off.`);
  } catch (thrown) {
    if (!isFailure(thrown) || thrown.kind !== 'aborted') set(showFailureAtom, thrown);
  } finally {
    set(applyingCodeAtom, '');
  }
});
