import type { Offer } from '../../../contract/cart.ts';
import { money, type Money } from '../../../contract/price.ts';
import { DELIVERY_TYPES } from '../../../domain/delivery.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { t, formatMoney, languageAsked } from '../../call/language.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { hourText } from '../pricing/price.ts';
import { eitherOf } from './lists.ts';
import type { SeedCoupon } from '../../store/seeds.ts';
import {
  type CouponCase,
  type Effect,
  labelsOf,
  wordsOf,
  windowOf,
  withoutOf,
  modeLabel,
  fromStores,
  daysText,
} from './couponCase.ts';

/** The steps to a reward. */
export const stepsOf = (coupon: SeedCoupon, steps: number): NonNullable<Offer['offerOptions']> =>
  (coupon.offerOptions ?? []).map(({ step, label }, index) => ({
    step,
    label: wordsOf(coupon).offerOptions?.[index] ?? label,
    reached: steps >= step,
  }));

/** A coupon as an offer of the specification (sections 3 and 4), to send to the client. */
export function offerOf(
  coupon: SeedCoupon,
  status: Offer['status'],
  at: CouponCase,
  more: { message?: string | null; effect?: Effect | null; saving?: Money | undefined },
): Offer {
  const end = windowOf(coupon, at).endsAt;
  const words = wordsOf(coupon);
  const messages: Offer['messages'] = [];
  if (more.message) messages.push({ messageType: 'error', message: more.message });
  else
    for (const [index, { messageType, message }] of (coupon.messages ?? []).entries())
      if (messageType !== 'error') messages.push({ messageType, message: words.messages?.[index] ?? message });
  if (more.effect?.note !== undefined) messages.push({ messageType: 'info', message: more.effect.note });
  const { steps = 0, stepsRequired, note = t.rewardReady } = more.effect ?? {};
  const { details, limits } = termsOf(coupon, at.catalogue);
  return {
    code: coupon.code,
    title: words.title,
    status,
    messages,
    details: [...details],
    stackGroup: coupon.stackGroup,
    ...(limits === '' ? {} : { subtitle: limits }),
    ...(coupon.labelType === null ? {} : { labelType: coupon.labelType }),
    ...(coupon.offerOptions ? { offerOptions: stepsOf(coupon, steps) } : {}),
    ...(stepsRequired === undefined ? {} : { progress: { steps, stepsRequired, message: note } }),
    ...(coupon.timer
      ? { expiryTimer: { endTime: end, showTimerBefore: end - coupon.timer.showTimerBeforeHours * HOUR_MS } }
      : {}),
    timestamp: at.now,
    ...(coupon.paymentId === undefined ? {} : { paymentId: coupon.paymentId }),
    ...(more.saving === undefined ? {} : { saving: more.saving }),
    tncHref: `/promo-service/ve1/promo/${encodeURIComponent(coupon.code)}/tnc`,
    ...(coupon.partner === null ? {} : { partner: coupon.partner }),
  };
}

interface Terms {
  readonly details: readonly string[];
  readonly limits: string;
}
/** By catalogue, which is another after a change, then by language and code: a list of offers says the terms of all of them. */
const said = new WeakMap<CountryCatalogue, Map<string, Terms>>();

function termsOf(coupon: SeedCoupon, catalogue: CountryCatalogue): Terms {
  const known = said.get(catalogue) ?? new Map<string, Terms>();
  said.set(catalogue, known);
  const key = `${languageAsked()} ${coupon.code}`;
  const terms = known.get(key) ?? {
    details: detailsOf(coupon, catalogue),
    limits: limitsOf(coupon, catalogue).join(' · '),
  };
  known.set(key, terms);
  return terms;
}

/** What stands on the offer's face: what a percentage is off of, and everything that limits the offer. */
function limitsOf(coupon: SeedCoupon, catalogue: CountryCatalogue): string[] {
  const amount = (minor: number) => formatMoney(money(minor), catalogue.country);
  const { usage, appliesTo, minCart, maxDiscount, daysOfWeek, timeOfDay, paymentModes, storeIds } = coupon;
  const base = appliesTo?.categories
    ? t.couponBaseOf({ categories: labelsOf(catalogue, appliesTo.categories) })
    : t.couponBase({ without: withoutOf(coupon) });
  return [
    coupon.type === 'PERCENT' && base,
    minCart !== null && t.couponFrom({ amount: amount(minCart) }),
    maxDiscount !== null && t.couponMaximumTerm({ amount: amount(maxDiscount) }),
    usage.firstOrderOnly ? t.couponFirstTerm : usage.perUser !== null && t.couponTimesTerm({ count: usage.perUser }),
    daysOfWeek && t.couponDaysTerm({ days: daysText(daysOfWeek) }),
    timeOfDay && t.couponHoursTerm({ from: hourText(timeOfDay[0]), to: hourText(timeOfDay[1]) }),
    typesTerm(coupon),
    paymentModes && t.couponPayWith({ modes: eitherOf(paymentModes.map((id) => modeLabel(catalogue, id))) }),
    storeIds && fromStores(storeIds, catalogue),
    coupon.requiresCartVeg !== undefined && t.couponVegTerm,
  ].filter((limit) => typeof limit === 'string');
}

/** For which delivery types it is, if not for all. */
function typesTerm({ deliveryTypes }: SeedCoupon): string | null {
  if (deliveryTypes.length >= DELIVERY_TYPES.length) return null;
  const names = deliveryTypes.map((type) =>
    t.deliveryTypeInside({ type: DELIVERY_TYPES.find((one) => one === type) ?? 'TRAIN' }),
  );
  return t.couponTypesTerm({ types: names.join(', ') });
}

/** What a customer should know before using a coupon: its rules and its own terms. */
export function detailsOf(coupon: SeedCoupon, catalogue: CountryCatalogue): string[] {
  const amount = (minor: number) => formatMoney(money(minor), catalogue.country);
  const list: string[] = [];
  if (coupon.minCart !== null) list.push(t.couponMinimumTerm({ amount: amount(coupon.minCart) }));
  if (coupon.maxDiscount !== null) list.push(t.couponMaximumTerm({ amount: amount(coupon.maxDiscount) }));
  if (coupon.excludes.includes('PIZZA-MANIA')) list.push(t.couponMinisTerm);
  if (coupon.excludes.includes('DEALS')) list.push(t.couponCombosTerm);
  const types = typesTerm(coupon);
  if (types !== null) list.push(types);
  return [...list, ...(wordsOf(coupon).tnc ?? coupon.tnc)];
}
