import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import * as contract from '../contract/coupons.ts';
import { OK, OOPS } from '../domain/messages.ts';
import { couponCode, couponOutcome, isOfferAvailable } from '../domain/offers.ts';
import { cartAtom, isCartWaitingAtom, putCartAtom, setCartOptionsAtom, syncCartAtom } from './cart.ts';
import { sessionAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { popupAtom, sentenceOf, showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom, hostAtom, navigateAtom, placeAtom } from './seams.ts';
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
  const reply = await call(contract.combined, { cartId, query: { sortOn: 'SAVINGS', includePartnerOffer: get(partnerOfferAtom) } }, { signal });
  return { ...reply, version: get(cartAtom)?.version };
});
/** The best combination, as long as it was worked out for the cart as it is now. */
export const bestOfferAtom = atom((get) => {
  const { data } = get(combinedState.atom);
  return data && data.version === get(cartAtom)?.version ? { best: data.best, suggestion: data.suggestion } : {};
});
/** Another cart has other offers: to be told whenever it changed while offers are on screen. */
export const freshenOffersAtom = atom(null, (get, set) => {
  const { data, status } = get(combinedState.atom);
  const cart = get(cartAtom);
  if (cart && data && status !== 'loading' && data.version !== cart.version && /^\/(cart|offers)\b/.test(get(placeAtom))) void set(combinedState.load);
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
      else set(popupAtom, { header: OOPS, message: outcome.message, right: { label: OK } });
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

/**
 * Takes the best combination: what is not part of it goes, what is missing is applied. Said to be applied only if the
 * server's total fell (requirements OFF-X01, OFF-X04).
 */
export const takeBestAtom = atom(null, async (get, set): Promise<void> => {
  const { best } = get(bestOfferAtom);
  const cart = get(cartAtom);
  if (!best || !cart || get(applyingCodeAtom) !== '') return;
  set(applyingCodeAtom, best.codes.join(' '));
  const { cartId } = cart;
  const { call } = get(apiAtom);
  const before = cart.bill.total;
  const held = cart.offers.filter((offer) => offer.status !== 'AVAILABLE').map((offer) => offer.code);
  try {
    if (best.paymentModes) {
      set(setCartOptionsAtom, { paymentMode: best.paymentModes[0]! });
      await set(syncCartAtom);
    }
    for (const code of held.filter((one) => !best.codes.includes(one))) {
      const answer = await call(contract.remove, { cartId, code });
      if (answer.cart) set(putCartAtom, answer.cart);
    }
    let refusal = '';
    for (const code of best.codes.filter((one) => !held.includes(one) || cart.offers.some((offer) => offer.code === one && offer.status === 'REJECTED'))) {
      const answer = await call(contract.apply, { cartId, code, query: { includePartnerOffer: get(partnerOfferAtom) } });
      if (answer.cart) set(putCartAtom, answer.cart);
      const outcome = couponOutcome(code, answer, { isTyped: false, isFromCart: true });
      if (!outcome.applied) refusal = outcome.message;
      else set(couponCodeAtom, outcome.code);
    }
    const total = get(cartAtom)?.bill.total ?? before;
    if (refusal !== '') set(popupAtom, { header: OOPS, message: refusal, right: { label: OK } });
    else set(toastMessageAtom, total < before || best.gifts > 0 ? 'The best offer is on your cart.' : 'Your total stays the same.');
  } catch (thrown) {
    set(showFailureAtom, thrown);
  } finally {
    set(applyingCodeAtom, '');
    await set(combinedState.load);
  }
});

/** Offers for a card by its first six digits, the only part of it that is asked with (specification section 5; requirement CART-16). */
export const cardOffersState = remote(async (get, _set, signal, cardInitialDigits: string) => get(apiAtom).call(
  contract.byBin, { cartId: get(cartIdAtom) ?? '', cardInitialDigits, query: { includePartnerOffer: get(partnerOfferAtom) } }, { signal },
));

const termsHeldAtom = sessionAtom<Readonly<Record<string, readonly string[]>>>({});
/** tncList of the specification, by code; there once somebody opened it. */
export const termsAtom = atom((get) => get(termsHeldAtom));
/** Quiet when it fails: what the offer itself says stays. */
export const loadTermsAtom = atom(null, async (get, set, code: string): Promise<void> => {
  if (code in get(termsHeldAtom)) return;
  const reply = await get(apiAtom).call(contract.terms, { code }).catch(() => null);
  if (reply) set(termsHeldAtom, (now) => ({ ...now, [code]: reply.tncList }));
});
