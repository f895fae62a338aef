import { BOT_TOKEN_HEADER } from '../../../contract/challenge.ts';
import type { CouponReply, JudgedOffer } from '../../../contract/coupons.ts';
import { brandOf } from '../../../domain/cards.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { latinDigits, typedCode } from '../../../domain/typedText.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { growVersion, writeCoupons } from '../../store/carts.ts';
import { couponStates } from '../../store/coupons.ts';
import { transact, type Db } from '../../store/db.ts';
import type { SeedCoupon } from '../../store/seeds.ts';
import { countsOf, countUse } from '../../store/system.ts';
import { couponByCode, putOn, takenOff } from '../offers/coupons.ts';
import { mayDo, takeOneBack } from '../people/limits.ts';
import { advisedOffers, promoOf, rejected, runningOffers, tried } from './advice.ts';
import { paymentModeProblems } from './cart.ts';
import { buyerOf, mustOwnCart, ownPricedCart, pricedCart, takeOwnCart, type PricingOptions } from './pricingContext.ts';

export type PartnerFlag = 'true' | 'false' | undefined;

/** A cart priced for the caller, in a transaction or outside. */
export async function pricedFor(db: Db, call: Call, cartId: string, partner: PartnerFlag, look: PricingOptions = {}) {
  return await pricedCart(
    db,
    call.services.catalogue,
    cartId,
    buyerOf(call.caller, partner),
    call.now,
    look,
    db === call.db ? call.seen : undefined,
  );
}

/** Puts a code on the caller's cart; one that may not be used is an answer like any other. */
async function applyCode(call: Call, cartId: string, code: string, partner: PartnerFlag): Promise<CouponReply> {
  return await transact(call.db, async (tx): Promise<CouponReply> => {
    await takeOwnCart(tx, call, cartId);
    const before = await pricedFor(tx, call, cartId, partner);
    const trial = tried(before, code);
    if (trial.message !== null)
      return rejected(trial.message, { cart: before.cart, ...(trial.offer ? { offer: trial.offer } : {}) });
    const { coupon } = trial;
    const { state } = before;
    const chosen = putOn(state, coupon, before.context.catalogue);
    if (chosen.coupons.join() !== state.coupons.join()) {
      await writeCoupons(tx, cartId, chosen.coupons, chosen.declined);
      await growVersion(tx, cartId);
    }
    const after = await pricedFor(tx, call, cartId, partner);
    const offer = after.cart.offers.find((entry) => entry.code === coupon.code);
    return {
      status: 'SUCCESS',
      coupons: offer ? [offer] : [],
      explicitPromo: promoOf(coupon, before, after),
      cart: after.cart,
    };
  });
}

export async function removeCode(call: Call, cartId: string, code: string): Promise<CouponReply> {
  return await transact(call.db, async (tx): Promise<CouponReply> => {
    await takeOwnCart(tx, call, cartId);
    const before = await pricedFor(tx, call, cartId, undefined);
    const coupon = couponByCode(before.context.catalogue, code);
    const { state, outcomes } = before;
    const isOn =
      coupon !== undefined &&
      (state.coupons.includes(coupon.code) || outcomes.some((entry) => entry.coupon === coupon));
    if (!isOn) return { status: 'SUCCESS', cart: before.cart };
    const chosen = takenOff(state, coupon);
    await writeCoupons(tx, cartId, chosen.coupons, chosen.declined);
    await growVersion(tx, cartId);
    return { status: 'SUCCESS', cart: (await pricedFor(tx, call, cartId, undefined)).cart };
  });
}

/** Between looking at a typed code and applying it. */
const RIGHT_MS = 5 * MINUTE_MS;
const rightId = (call: Call, cartId: string, code: string) => `right|${userIdOf(call)}|${cartId}|${typedCode(code)}`;
/** Whether this caller has found out by work that the code is right: then applying it is no guess, and costs no work. */
async function wasRight(call: Call, cartId: string, code: string): Promise<boolean> {
  const id = rightId(call, cartId, code);
  return call.header(BOT_TOKEN_HEADER) !== '' && (await countsOf(call.db, [id], call.now)).has(id);
}
async function noteRight(call: Call, cartId: string, code: string): Promise<void> {
  if (call.header(BOT_TOKEN_HEADER) !== '') await countUse(call.db, rightId(call, cartId, code), RIGHT_MS, call.now);
}

/** Applies a code that the customer typed; a wrong one counts as a guess. @throws Refusal 428 CHALLENGE, 429 TOO_MANY */
export async function applyTyped(call: Call, cartId: string, code: string, partner: PartnerFlag): Promise<CouponReply> {
  await mayDo(call, 'coupons', { isNoGuess: await wasRight(call, cartId, code) });
  const reply = await applyCode(call, cartId, code, partner);
  if (reply.status !== 'FAILED') await takeOneBack(call, 'coupons');
  return reply;
}

/** Looks at a code that the customer typed and applies nothing; every look counts. @throws as `applyTyped` */
export async function tryTyped(call: Call, cartId: string, code: string, partner: PartnerFlag): Promise<CouponReply> {
  await mayDo(call, 'coupons');
  const before = await ownPricedCart(call, cartId, {}, partner);
  const trial = tried(before, code);
  if (trial.message !== null) return rejected(trial.message, trial.offer ? { offer: trial.offer } : {});
  await noteRight(call, cartId, code);
  return { status: 'SUCCESS', coupons: [trial.offer], explicitPromo: promoOf(trial.coupon, null, before) };
}

/** The coupons that are valid now, for callers without a cart; of one store, or of the whole country. */
export async function offersNow(call: Call, storeId: string | undefined, partner: PartnerFlag): Promise<JudgedOffer[]> {
  const catalogue = await catalogueHere(call);
  return runningOffers(catalogue, await couponStates(call.db, call.caller.country), call.now, {
    storeId,
    partnerOffers: call.caller.host === 'web' && partner !== 'false',
  });
}

/** A coupon that a path names. @throws Refusal 404 COUPON_UNKNOWN */
export async function couponOr404(
  call: Call,
  code: string,
): Promise<{ catalogue: CountryCatalogue; coupon: SeedCoupon }> {
  const catalogue = await catalogueHere(call);
  const coupon = couponByCode(catalogue, code);
  return coupon === undefined
    ? refuse(404, 'COUPON_UNKNOWN', t.couponUnknown, { field: 'code' })
    : { catalogue, coupon };
}

/**
 * What a cart gets with a card, by its first digits, and what stands against paying with one.
 * @throws Refusal 404 NOT_FOUND, 422 CARD_DIGITS
 */
export async function offersByCard(call: Call, cartId: string, digits: string, partner: PartnerFlag) {
  await mustOwnCart(call.db, call.caller, cartId);
  const bin = latinDigits(digits);
  if (bin.length !== digits.length || bin.length < 6 || bin.length > 8)
    refuse(422, 'CARD_DIGITS', t.cardDigits, { field: 'cardInitialDigits' });
  const now = await pricedFor(call.db, call, cartId, partner, { bin });
  const carded = await pricedFor(call.db, call, cartId, partner, { bin, paymentMode: 'CARD' });
  const isCardOffer = (code: string) => now.context.catalogue.coupons.get(code)?.bins !== undefined;
  const { offers, best } = advisedOffers(carded);
  const own = offers.filter(({ code }) => isCardOffer(code));
  return {
    brand: brandOf(bin),
    isEligible: own.some(({ status }) => status !== 'REJECTED'),
    offers: own,
    problems: paymentModeProblems(now.state, now.couponCase, 'CARD'),
    best,
  };
}
