import type { Remedy } from '../../../contract/coupons.ts';
import type { DeliveryType } from '../../../contract/names.ts';
import { money } from '../../../contract/price.ts';
import { vegType } from '../../../domain/cart.ts';
import { DELIVERY_TYPES, pricedAs } from '../../../domain/delivery.ts';
import { isWithin, localTime, WEEKDAYS } from '../../../domain/hours.ts';
import { errors, t, formatMoney } from '../../call/language.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { hourText } from '../pricing/price.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { eitherOf } from './lists.ts';
import type { CouponState } from '../../store/coupons.ts';
import type { SeedCoupon } from '../../store/seeds.ts';
import { type CouponCase, countedSum, windowOf, withoutOf, modeLabel, fromStores, daysText } from './couponCase.ts';

interface Condition {
  /** Why the condition is not met, in one sentence; null if it is met. */
  readonly says: (coupon: SeedCoupon, at: CouponCase) => string | null;
  /** What the customer could change; null if nothing helps. Only called when the condition is not met. */
  readonly mend: (coupon: SeedCoupon, at: CouponCase) => Remedy | null;
}
const never = () => null;

/** Whoever has had an offer that recurs hears so long that it is over, and then that it has not begun again. */
const JUST_OVER_MS = 12 * HOUR_MS;

const isIn = (list: readonly string[] | null | undefined, value: string) => !list || list.includes(value);

/** Delivery types that the coupon allows and this store serves. */
function typesFor(coupon: SeedCoupon, at: CouponCase): DeliveryType[] {
  return DELIVERY_TYPES.filter((type) => coupon.deliveryTypes.includes(pricedAs(type)) && at.services.includes(type));
}

/** Of these payment modes the ones that this host has. */
const modesHere = (paymentModes: readonly string[], at: Pick<CouponCase, 'modes'>) =>
  paymentModes.filter((mode) => at.modes.includes(mode));

const modeNeeded = (paymentModes: readonly string[], catalogue: CountryCatalogue) =>
  t.couponPaymentMode({ mode: eitherOf(paymentModes.map((id) => modeLabel(catalogue, id))) });

/** Why the chosen payment does not fit the coupon, or null. */
export function paymentSays(
  { code, paymentModes, bins }: SeedCoupon,
  mode: string,
  at: Pick<CouponCase, 'catalogue' | 'bin' | 'cardCodes'>,
): string | null {
  if (!paymentModes) return null;
  if (!paymentModes.includes(mode)) return modeNeeded(paymentModes, at.catalogue);
  if (!bins) return null;
  if (at.cardCodes !== undefined) return at.cardCodes.has(code) ? null : t.couponCard;
  return at.bin !== null && !fitsBin({ bins }, at.bin) ? t.couponCard : null;
}

/** Compares the first six digits; a coupon that is not for certain cards fits every card. */
export function fitsBin({ bins }: Pick<SeedCoupon, 'bins'>, bin: string): boolean {
  return bins?.includes(bin.slice(0, 6)) ?? true;
}

/** Those that no food changes. */
const BESIDES_FOOD: readonly Condition[] = [
  // A wheel prize belongs to the cart that won it.
  {
    says: (coupon, at) => (coupon.wheel === true && !at.prizes.has(coupon.code) ? t.couponUnknown : null),
    mend: never,
  },
  {
    says: (coupon, at) => (coupon.partner !== null && !at.shopper.partnerOffers ? t.couponPartner : null),
    mend: never,
  },
  {
    says: (coupon, at) => {
      const { startsAt, lastEndedAt } = windowOf(coupon, at);
      if (at.now >= startsAt) return null;
      return at.now - lastEndedAt < JUST_OVER_MS ? errors.couponExpired : t.couponNotStarted;
    },
    mend: (coupon, at) => ({
      kind: 'WAIT',
      message: t.couponWait,
      at: windowOf(coupon, at).startsAt,
    }),
  },
  { says: (coupon, at) => (at.now >= windowOf(coupon, at).endsAt ? errors.couponExpired : null), mend: never },
  {
    says: (coupon, at) =>
      coupon.usage.total !== null && stateOf(coupon, at).used >= coupon.usage.total ? t.couponSoldOut : null,
    mend: never,
  },
  {
    says: (coupon, at) =>
      coupon.usage.perUser !== null && (at.shopper.used.get(coupon.code) ?? 0) >= coupon.usage.perUser
        ? t.couponUsed
        : null,
    mend: never,
  },
  {
    says: (coupon, at) => (coupon.usage.firstOrderOnly && at.shopper.hasOrdered ? t.couponFirstOrder : null),
    mend: never,
  },
  {
    says: (coupon, at) => (isIn(coupon.storeIds, at.storeId) ? null : t.couponStore),
    mend: (coupon, at) => ({
      kind: 'STORE',
      storeIds: [...coupon.storeIds!],
      message: fromStores(coupon.storeIds!, at.catalogue),
    }),
  },
  {
    says: (coupon, at) =>
      coupon.deliveryTypes.includes(at.isToTrain === true ? 'IRCTC' : pricedAs(at.deliveryType))
        ? null
        : !DELIVERY_TYPES.some((type) => coupon.deliveryTypes.includes(type))
          ? t.couponTrain
          : t.couponDeliveryType({
              type: t.deliveryTypeInside({ type: at.isToTrain === true ? 'TRAIN' : at.deliveryType }),
            }),
    mend: (coupon, at) => {
      const deliveryTypes = at.isToTrain === true ? [] : typesFor(coupon, at);
      return deliveryTypes.length === 0
        ? null
        : {
            kind: 'DELIVERY_TYPE',
            deliveryTypes,
            message: t.couponChooseType({
              types: eitherOf(deliveryTypes.map((type) => t.deliveryTypeInside({ type }))),
            }),
          };
    },
  },
  {
    says: (coupon, at) =>
      !coupon.daysOfWeek ||
      coupon.daysOfWeek.includes(WEEKDAYS.indexOf(localTime(at.now, at.catalogue.country.timeZone).weekday))
        ? null
        : t.couponDay,
    mend: (coupon) => ({
      kind: 'WAIT',
      message: t.couponOnDays({ days: daysText(coupon.daysOfWeek!) }),
    }),
  },
  {
    says: (coupon, at) =>
      coupon.timeOfDay && !isWithin(localTime(at.now, at.catalogue.country.timeZone).minutes, ...coupon.timeOfDay)
        ? t.couponTime
        : null,
    mend: (coupon) => {
      const [from, to] = coupon.timeOfDay!;
      return { kind: 'WAIT', message: t.couponAtTime({ from: hourText(from), to: hourText(to) }) };
    },
  },
  {
    // Coupons whose hours pass midnight are only for stores that are open all night.
    says: (coupon, at) =>
      coupon.timeOfDay && coupon.timeOfDay[1] < coupon.timeOfDay[0] && !at.isAllNight ? t.couponStore : null,
    mend: () => ({ kind: 'STORE', message: t.couponAllNight }),
  },
  {
    // While no mode is chosen, only whether this host has any mode that fits.
    says: (coupon, at) =>
      at.paymentMode !== null
        ? paymentSays(coupon, at.paymentMode, at)
        : coupon.paymentModes && modesHere(coupon.paymentModes, at).length === 0
          ? modeNeeded(coupon.paymentModes, at.catalogue)
          : null,
    mend: (coupon, at) => {
      const paymentModes = modesHere(coupon.paymentModes!, at);
      const modes = eitherOf(paymentModes.map((id) => modeLabel(at.catalogue, id)));
      return paymentModes.length === 0
        ? null
        : {
            kind: 'PAYMENT_MODE',
            paymentModes,
            message: coupon.bins === undefined ? t.couponPayWith({ modes }) : t.couponPayWithCard({ modes }),
          };
    },
  },
];

/** Those of the dishes in the cart. */
const OF_FOOD: readonly Condition[] = [
  {
    // In an empty cart nothing has to go: what the coupon counts is asked for by its own rule.
    says: (coupon, at) =>
      coupon.requiresCartVeg === undefined ||
      at.lines.length === 0 ||
      vegType(at.lines.map((line) => line.view)) === coupon.requiresCartVeg
        ? null
        : t.couponVeg,
    mend: () => ({ kind: 'VEG_ONLY', message: t.couponKeepVeg }),
  },
  {
    says: (coupon, at) => {
      const missing = (coupon.minCart ?? 0) - countedSum(coupon, at.lines);
      return missing > 0 ? t.couponMinimum({ amount: formatMoney(money(missing), at.catalogue.country) }) : null;
    },
    mend: (coupon, at) => {
      const amount = money(coupon.minCart! - countedSum(coupon, at.lines));
      return {
        kind: 'ADD_AMOUNT',
        amount,
        message: t.couponAddWorth({
          amount: formatMoney(amount, at.catalogue.country),
          without: withoutOf(coupon),
        }),
      };
    },
  },
];

/**
 * The first one not met gives the reason. What the customer cannot change comes first, what adding food would fix comes
 * last.
 */
export const CONDITIONS: readonly Condition[] = [...BESIDES_FOOD, ...OF_FOOD];

/** Whether it is at most the food that keeps a coupon off the cart. */
export const isForOtherFood = (coupon: SeedCoupon, at: CouponCase): boolean =>
  BESIDES_FOOD.every(({ says }) => says(coupon, at) === null);

/** Of a coupon that the database has not loaded. */
const UNKNOWN_STATE: CouponState = { used: 0 };
const stateOf = (coupon: SeedCoupon, at: CouponCase): CouponState => at.states.get(coupon.code) ?? UNKNOWN_STATE;
