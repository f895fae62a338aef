import * as z from 'zod/mini';
import type { Bill, Offer } from '../../../contract/cart.ts';
import type { Remedy } from '../../../contract/coupons.ts';
import type { DeliveryType } from '../../../contract/names.ts';
import { money, type Money } from '../../../contract/price.ts';
import type { Reason } from '../../../domain/allocation.ts';
import { vegType } from '../../../domain/cart.ts';
import { DELIVERY_TYPES, pricedAs } from '../../../domain/delivery.ts';
import { categoryLabel } from '../../../domain/found.ts';
import { isWithin, localTime, WEEKDAYS } from '../../../domain/hours.ts';
import { allocate } from '../../../domain/money.ts';
import { errors, t, formatMoney, languageAsked, translated } from '../../call/language.ts';
import { billOf, deliveryFee, type Discount, type Reward } from '../pricing/bill.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { hourText, type PricedLine } from '../pricing/price.ts';
import { windowAt } from './windows.ts';
import { allOf, eitherOf } from './lists.ts';
import type { CouponState } from '../../store/coupons.ts';
import { labelOfMode } from '../payment/modes.ts';
import type { CouponWords, SeedCoupon } from '../../store/seeds.ts';

const HOUR_MS = 3_600_000;

/** What the database knows about the customer. */
export interface Shopper {
  /** False in a mini-app, which never shows partner offers (product.md C05b). */
  readonly partnerOffers: boolean;
  readonly hasOrdered: boolean;
  readonly used: ReadonlyMap<string, number>;
  /** Days with an order that count towards the coupon's next reward; those already used for a reward are left out. */
  readonly steps: (code: string, stepsRequired: number) => number;
}

/** Everything about a cart that coupon rules look at. */
export interface CouponCase {
  readonly catalogue: CountryCatalogue;
  /** Without the pizza that points pay for: a coupon counts what is paid. */
  readonly lines: readonly PricedLine[];
  readonly deliveryType: DeliveryType;
  /** Goes to a train, which is a service of its own (IRCTC). */
  readonly isToTrain?: boolean | undefined;
  readonly storeId: string;
  readonly isAllNight: boolean;
  readonly paymentMode: string | null;
  /** First digits of the card; null if they are not known. */
  readonly bin: string | null;
  /** Coupon codes that the chosen card qualifies for; absent while no card is chosen. */
  readonly cardCodes?: ReadonlySet<string> | undefined;
  /** Payment modes available in this host and country. */
  readonly modes: readonly string[];
  /** Coupon codes that this cart won on the wheel. */
  readonly prizes: ReadonlySet<string>;
  /** Codes the customer put on the cart: of two equal offers, these stay. */
  readonly held: ReadonlySet<string>;
  /** Delivery types the store serves (DELIVERY, PICKUP ...). */
  readonly services: readonly string[];
  /** What the bill holds besides food, so that it is rounded just like the cart's own bill. */
  readonly extras: {
    readonly packaging: number;
    readonly carryBag: boolean;
    readonly tip: number;
    readonly reward?: Reward | undefined;
  };
  readonly shopper: Shopper;
  readonly states: ReadonlyMap<string, CouponState>;
  readonly soldOut: ReadonlySet<string>;
  readonly now: number;
}

interface FreeItem {
  readonly itemId: string;
  readonly quantity: number;
}

/** What a coupon does to this cart; amounts in minor units. */
export interface Effect {
  readonly on: 'items' | 'delivery';
  readonly discount: number;
  /** How much of it is for which line, by the line's id; asked for once the cart is priced. */
  readonly reasons: () => ReadonlyMap<string, Reason>;
  readonly free: readonly FreeItem[];
  /** Milestones: how many steps are done, and of how many. */
  readonly steps?: number;
  readonly stepsRequired?: number;
  readonly note?: string;
}

type Verdict = { readonly ok: true; readonly effect: Effect } | { readonly ok: false; readonly message: string };

const no = (message: string): Verdict => ({ ok: false, message });
const NO_LINES: Effect['reasons'] = () => new Map();
const off = (discount: number, reasons: Effect['reasons']): Verdict =>
  discount > 0 ? { ok: true, effect: { on: 'items', discount, reasons, free: [] } } : no(t.couponItems);

/** A discount on these lines, by what they cost. */
const byCost = (discount: number, lines: readonly PricedLine[]) =>
  spread(
    discount,
    lines.map((line) => ({ lineId: line.view.lineId, price: line.price * line.quantity, pieces: line.quantity })),
  );
/** A discount on these pieces, by what they cost. */
function spread(
  discount: number,
  all: readonly (Pick<Unit, 'lineId' | 'price'> & { readonly pieces?: number })[],
): ReadonlyMap<string, Reason> {
  const shares = new Map<string, Reason>();
  if (!all.some(({ price }) => price > 0)) return shares;
  const parts = allocate(
    money(discount),
    all.map(({ price }) => price),
  );
  for (const [index, { lineId, pieces = 1 }] of all.entries()) {
    const own = shares.get(lineId) ?? { amount: 0, pieces: 0 };
    shares.set(lineId, { amount: own.amount + parts[index]!, pieces: own.pieces + pieces });
  }
  return shares;
}

/** One piece of the cart that a coupon may touch. */
interface Unit {
  readonly lineId: string;
  readonly price: number;
  readonly categoryIds: readonly string[];
  readonly size: string | undefined;
  readonly kind: string;
}

/** `excludes` names product types, or DEALS. Such lines count neither towards the minimum nor for the discount. */
function isExcluded(coupon: SeedCoupon, line: PricedLine): boolean {
  return (line.isDeal && coupon.excludes.includes('DEALS')) || coupon.excludes.includes(line.productType);
}

const sumOfLines = (lines: readonly PricedLine[]) => lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
const counted = (coupon: SeedCoupon, lines: readonly PricedLine[]) => lines.filter((line) => !isExcluded(coupon, line));
const countedSum = (coupon: SeedCoupon, lines: readonly PricedLine[]): number => sumOfLines(counted(coupon, lines));

/** The lines that a coupon is for. */
function eligible(coupon: SeedCoupon, lines: readonly PricedLine[]): readonly PricedLine[] {
  const categories = coupon.appliesTo?.categories;
  return counted(coupon, lines).filter((line) => !categories || line.categoryIds.some((id) => categories.includes(id)));
}
/** A discount of so much of what the lines cost that the coupon is for. */
function offEligible(coupon: SeedCoupon, lines: readonly PricedLine[], amountOf: (sum: number) => number): Verdict {
  const own = eligible(coupon, lines);
  const discount = amountOf(sumOfLines(own));
  return off(discount, () => byCost(discount, own));
}

/** Single pieces of these categories and this size, dearest first. */
function units(
  coupon: SeedCoupon,
  lines: readonly PricedLine[],
  wanted: { category: readonly string[]; size?: string | undefined },
): Unit[] {
  return lines
    .filter(
      (line) =>
        !isExcluded(coupon, line) &&
        line.categoryIds.some((id) => wanted.category.includes(id)) &&
        (wanted.size === undefined || line.size === wanted.size),
    )
    .flatMap((line) => Array.from({ length: line.quantity }, (): Unit => ({ ...line, lineId: line.view.lineId })))
    .sort((a, b) => b.price - a.price);
}

const capped = (coupon: SeedCoupon, amount: number, maxDiscount: number | null = coupon.maxDiscount) =>
  maxDiscount === null ? amount : Math.min(amount, maxDiscount);
/** Per cent of an amount, half up. */
const share = (amount: number, percent: number) => Math.floor((amount * percent + 50) / 100);

const Pieces = z.object({ category: z.array(z.string()), size: z.string(), qty: z.int() });

interface Rule<T> {
  /** Schema of the coupon's `value`. */
  readonly terms: z.ZodMiniType<T>;
  judge(value: T, coupon: SeedCoupon, at: CouponCase): Verdict;
  /** What to add to the cart so that the coupon gives something; null if nothing helps. */
  mend(value: T, coupon: SeedCoupon, at: CouponCase): Remedy | null;
}
const rule = <T>(terms: z.ZodMiniType<T>, judge: Rule<T>['judge'], mend: Rule<T>['mend'] = addSome): Rule<unknown> => ({
  terms,
  judge,
  mend,
});

const labelsOf = ({ country }: CountryCatalogue, ids: readonly string[]) =>
  eitherOf(
    ids.map((id) => {
      const row = country.categories.find((one) => one.id === id);
      return row ? categoryLabel({ ...country, locale: languageAsked() }, row) : id;
    }),
  );

/** Asks for any dish that the coupon counts. */
function addSome(_: unknown, coupon: SeedCoupon, at: CouponCase): Remedy {
  const categoryIds = coupon.appliesTo?.categories;
  return categoryIds
    ? { kind: 'ADD_ITEMS', message: t.couponAddFrom({ categories: labelsOf(at.catalogue, categoryIds) }), categoryIds }
    : { kind: 'ADD_ITEMS', message: t.couponAddAny };
}

interface Wanted {
  readonly category: readonly string[];
  readonly size?: string | undefined;
  readonly qty: number;
}

/** Asks for this many more pieces of a size and category. */
function addPieces(at: CouponCase, wanted: readonly Wanted[]): Remedy {
  const parts = wanted
    .filter(({ qty }) => qty > 0)
    .map(({ category, size, qty }) => {
      const name = at.catalogue.builder.sizes.find((entry) => entry.id === size)?.name;
      const piece = { count: qty, categories: labelsOf(at.catalogue, category) };
      return name === undefined ? t.couponPieces(piece) : t.couponPiecesOfSize({ ...piece, size: name });
    });
  return {
    kind: 'ADD_ITEMS',
    message: t.couponAddPieces({ pieces: allOf(parts) }),
    categoryIds: [...new Set(wanted.flatMap(({ category }) => category))],
  };
}

function freeItem(coupon: SeedCoupon, at: CouponCase, free: FreeItem): Verdict {
  const item = at.catalogue.items.get(free.itemId);
  if (!item || at.soldOut.has(free.itemId) || Object.keys(item.prices).length === 0) return no(t.couponStore);
  if (countedSum(coupon, at.lines) === 0) return no(t.couponItems);
  return { ok: true, effect: { on: 'items', discount: 0, reasons: NO_LINES, free: [free] } };
}

/** What a coupon says in the language of the request; its messages and steps only where they are said in another than its own. */
export function wordsOf({ title, confettiMessage, confettiSubMessage, tnc, said }: SeedCoupon): CouponWords {
  return translated<CouponWords>({ title, confettiMessage, confettiSubMessage, tnc }, said);
}

/** The steps to a reward. */
export const stepsOf = (coupon: SeedCoupon, steps: number): NonNullable<Offer['offerOptions']> =>
  (coupon.offerOptions ?? []).map(({ step, label }, index) => ({
    step,
    label: wordsOf(coupon).offerOptions?.[index] ?? label,
    reached: steps >= step,
  }));

/** Code under which the gift of one step is counted, separate from the coupon's own uses. */
export const stepCode = (code: string, step: number) => `${code}:${step}`;

/**
 * The gift on the way to a reward: that of the last step reached, unless it was already given since the last reward.
 */
export function giftOf(
  coupon: SeedCoupon,
  steps: number,
  used: ReadonlyMap<string, number>,
): { step: number; label: string; itemId: string } | null {
  const options = coupon.offerOptions ?? [];
  const index = options.findLastIndex((option) => option.itemId !== undefined && option.step <= steps);
  const found = options[index];
  if (found?.itemId === undefined || (used.get(stepCode(coupon.code, found.step)) ?? 0) > (used.get(coupon.code) ?? 0))
    return null;
  return { step: found.step, label: wordsOf(coupon).offerOptions?.[index] ?? found.label, itemId: found.itemId };
}

/**
 * One entry per coupon type: the schema of its value, what it gives, and what would make it apply. Add new types here.
 */
const COUPON_RULES: Readonly<Record<string, Rule<unknown>>> = {
  PERCENT: rule(z.number(), (percent, coupon, at) =>
    offEligible(coupon, at.lines, (sum) => capped(coupon, share(sum, percent))),
  ),
  FLAT: rule(z.int(), (amount, coupon, at) =>
    offEligible(coupon, at.lines, (sum) => capped(coupon, Math.min(amount, sum))),
  ),
  BOGO: rule(
    z.object({ buy: Pieces, get: z.extend(Pieces, { cheapestFree: z.optional(z.boolean()) }) }),
    ({ buy, get }, coupon, at) => {
      const bought = units(coupon, at.lines, buy);
      const got = units(coupon, at.lines, get);
      const isSamePool = buy.size === get.size;
      if (bought.length < buy.qty || got.length < get.qty + (isSamePool ? buy.qty : 0)) return no(t.couponItems);
      const free = got.slice(-get.qty);
      const discount = capped(
        coupon,
        free.reduce((sum, unit) => sum + unit.price, 0),
      );
      return off(discount, () => spread(discount, free));
    },
    ({ buy, get }, coupon, at) => {
      const has = (wanted: { category: string[]; size: string }) => units(coupon, at.lines, wanted).length;
      if (buy.size === get.size) return addPieces(at, [{ ...buy, qty: buy.qty + get.qty - has(buy) }]);
      return addPieces(at, [
        { ...buy, qty: buy.qty - has(buy) },
        { ...get, qty: get.qty - has(get) },
      ]);
    },
  ),
  NTH_PERCENT: rule(
    z.object({ category: z.array(z.string()), size: z.string(), n: z.int(), percent: z.number() }),
    (value, coupon, at) => {
      const nth = units(coupon, at.lines, value)[value.n - 1];
      if (nth === undefined) return no(t.couponItems);
      const discount = capped(coupon, share(nth.price, value.percent));
      return off(discount, () => spread(discount, [nth]));
    },
    (value, coupon, at) => addPieces(at, [{ ...value, qty: value.n - units(coupon, at.lines, value).length }]),
  ),
  FREE_ITEM: rule(
    z.object({ itemId: z.string(), qty: z.int() }),
    ({ itemId, qty }, coupon, at) => freeItem(coupon, at, { itemId, quantity: qty }),
    // If the gift itself is sold out, there is nothing the customer can do.
    ({ itemId }, coupon, at) =>
      at.soldOut.has(itemId) || !at.catalogue.items.has(itemId) ? null : addSome(null, coupon, at),
  ),
  FREE_DELIVERY: rule(
    z.number(),
    (_, __, at) => {
      const fee = deliveryFee(
        at.catalogue.country,
        at.deliveryType,
        at.lines.reduce((sum, line) => sum + line.price * line.quantity, at.extras.reward?.price ?? 0),
      );
      return fee > 0
        ? { ok: true, effect: { on: 'delivery', discount: fee, reasons: NO_LINES, free: [] } }
        : no(t.couponFreeAlready);
    },
    (_, coupon, at) => (at.lines.length === 0 ? addSome(null, coupon, at) : null),
  ),
  MILESTONE: rule(
    z.object({
      stepsRequired: z.int(),
      reward: z.object({
        type: z.string(),
        category: z.optional(z.array(z.string())),
        size: z.optional(z.string()),
        value: z.optional(z.number()),
        maxDiscount: z.optional(z.nullable(z.number())),
      }),
    }),
    ({ stepsRequired, reward }, coupon, at) => {
      const steps = Math.min(stepsRequired, at.shopper.steps(coupon.code, stepsRequired));
      const progress = (discount: number, reasons: Effect['reasons'], note?: string): Verdict => ({
        ok: true,
        effect: {
          on: 'items',
          discount,
          reasons,
          free: [],
          steps,
          stepsRequired,
          ...(note === undefined ? {} : { note }),
        },
      });
      if (at.lines.length === 0) return no(t.couponItems);
      if (steps < stepsRequired) {
        const missing = stepsRequired - steps;
        const gift = giftOf(coupon, steps, at.shopper.used);
        const given = gift === null ? null : freeItem(coupon, at, { itemId: gift.itemId, quantity: 1 });
        if (gift !== null && given?.ok)
          return {
            ok: true,
            effect: { ...given.effect, steps, stepsRequired, note: t.rewardGift({ gift: gift.label, missing }) },
          };
        return progress(0, NO_LINES, t.rewardMissing({ missing }));
      }
      if (reward.type === 'PERCENT') {
        const own = eligible(coupon, at.lines);
        const discount = capped(coupon, share(sumOfLines(own), reward.value ?? 0), reward.maxDiscount ?? null);
        return progress(discount, () => byCost(discount, own));
      }
      const cheapest = units(coupon, at.lines, { category: reward.category ?? [], size: reward.size }).at(-1);
      return cheapest
        ? progress(cheapest.price, () => spread(cheapest.price, [cheapest]))
        : progress(0, NO_LINES, t.rewardAdd);
    },
  ),
};

interface Condition {
  /** Why the condition is not met, in one sentence; null if it is met. */
  readonly says: (coupon: SeedCoupon, at: CouponCase) => string | null;
  /** What the customer could change; null if nothing helps. Only called when the condition is not met. */
  readonly mend: (coupon: SeedCoupon, at: CouponCase) => Remedy | null;
}
const never = () => null;

/** The time in which the coupon is valid now, or will be next. */
export const windowOf = ({ window }: SeedCoupon, { now, catalogue }: Pick<CouponCase, 'now' | 'catalogue'>) =>
  windowAt(window, now, catalogue.country.timeZone);

/** Which food the coupon does not count. */
function withoutOf({ excludes }: SeedCoupon): 'NONE' | 'MINIS' | 'COMBOS' | 'BOTH' {
  if (!excludes.includes('PIZZA-MANIA')) return excludes.includes('DEALS') ? 'COMBOS' : 'NONE';
  return excludes.includes('DEALS') ? 'BOTH' : 'MINIS';
}

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

/**
 * The first one not met gives the reason. What the customer cannot change comes first, what adding food would fix comes
 * last.
 */
const CONDITIONS: readonly Condition[] = [
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
    says: (coupon, at) => (at.now < windowOf(coupon, at).startsAt ? t.couponNotStarted : null),
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

/** Of a coupon that the database has not loaded. */
const UNKNOWN_STATE: CouponState = { used: 0 };
const stateOf = (coupon: SeedCoupon, at: CouponCase): CouponState => at.states.get(coupon.code) ?? UNKNOWN_STATE;

export function modeLabel(catalogue: CountryCatalogue, id: string): string {
  const mode = catalogue.seeds.payments.modes.find((one) => one.id === id);
  return mode === undefined ? id : labelOfMode(mode);
}

/**
 * Whether a coupon may be used on this cart, and what it gives. Looks at this coupon alone, so that the order of
 * applying coupons does not matter.
 */
export function judge(coupon: SeedCoupon, at: CouponCase): Verdict {
  for (const { says } of CONDITIONS) {
    const message = says(coupon, at);
    if (message !== null) return no(message);
  }
  const found = COUPON_RULES[coupon.type];
  const terms = found?.terms.safeParse(coupon.value);
  // A coupon whose terms cannot be read must not give anything away.
  if (!found || !terms?.success) return no(t.couponUnknown);
  return found.judge(terms.data, coupon, at);
}

/**
 * Everything that would have to change together for a coupon to apply; empty if nothing the customer can do would help.
 * Only for coupons that `judge` turns down.
 */
export function remediesOf(coupon: SeedCoupon, at: CouponCase): Remedy[] {
  const list: Remedy[] = [];
  let mended = at;
  for (const { says, mend } of CONDITIONS) {
    if (says(coupon, at) === null) continue;
    const remedy = mend(coupon, at);
    if (remedy === null) return [];
    list.push(remedy);
    const [type] = remedy.deliveryTypes ?? [];
    if (type !== undefined) mended = { ...mended, deliveryType: type };
  }
  const found = COUPON_RULES[coupon.type];
  const terms = found?.terms.safeParse(coupon.value);
  if (!found || !terms?.success) return [];
  if (found.judge(terms.data, coupon, mended).ok) return list;
  const remedy = found.mend(terms.data, coupon, mended);
  if (remedy === null) return [];
  // If money is missing too, adding any dish covers it, so a second, unspecific "add a dish" is left out.
  return list.some(({ kind }) => kind === 'ADD_AMOUNT') && remedy.categoryIds === undefined ? list : [...list, remedy];
}

/** Ignores case and surrounding spaces. */
export function couponByCode(catalogue: CountryCatalogue, code: string): SeedCoupon | undefined {
  return catalogue.coupons.get(code.trim().toUpperCase());
}

/**
 * The coupons a customer put on a cart, and the automatic ones the customer took off. A code can be both: taken off
 * while it was on by itself, and asked for later.
 */
export interface CouponChoice {
  /** Of a stack group the first usable one applies; those after it wait until it is taken off. */
  readonly coupons: readonly string[];
  readonly declined: readonly string[];
  /** The best permitted offer goes on by itself. */
  readonly bestOffer?: boolean;
}

/**
 * Only one coupon per stack group applies: the new one goes before the others of its group. They stay behind it, so that
 * taking it off again leaves the cart as it was before.
 */
export function putOn(now: CouponChoice, coupon: SeedCoupon, catalogue: CountryCatalogue): CouponChoice {
  const others = now.coupons.filter((own) => own !== coupon.code);
  const first = others.findIndex((own) => couponByCode(catalogue, own)?.stackGroup === coupon.stackGroup);
  return { ...now, coupons: others.toSpliced(first === -1 ? others.length : first, 0, coupon.code) };
}

/**
 * Whether an offer may go on a cart by itself: not one whose sum a login or a payment mode would change, and not one that
 * asks for a proof.
 */
export function mayComeByItself({ usage, paymentModes, asks, autoApply }: SeedCoupon): boolean {
  return !usage.firstOrderOnly && usage.perUser === null && paymentModes === null && asks !== true && !autoApply;
}

/**
 * A coupon that the customer put on leaves its place to what was there before: the cart is never dearer for having tried
 * a code. One that is on by itself stays off from now on, until the customer asks for it.
 */
export function takenOff(now: CouponChoice, { code }: SeedCoupon): CouponChoice {
  return now.coupons.includes(code)
    ? { ...now, coupons: now.coupons.filter((own) => own !== code) }
    : { ...now, declined: [...new Set([...now.declined, code])] };
}

/** A coupon on the cart, with its effect or the reason it has none. */
export interface Outcome {
  readonly coupon: SeedCoupon;
  readonly effect: Effect | null;
  readonly message: string | null;
}

/**
 * What the coupons on a cart do together. Of each stack group only the first usable one applies; the first that cannot be
 * used says why, the ones that wait behind it say nothing. Automatic coupons join if their group is free and the customer
 * did not take them off.
 */
export function outcomes(codes: readonly string[], declined: ReadonlySet<string>, at: CouponCase): Outcome[] {
  const list: Outcome[] = [];
  const taken = new Set<string>();
  const refused = new Set<string>();
  for (const code of codes) {
    const coupon = couponByCode(at.catalogue, code);
    if (!coupon || taken.has(coupon.stackGroup)) continue;
    const verdict = judge(coupon, at);
    if (verdict.ok) {
      taken.add(coupon.stackGroup);
      list.push({ coupon, effect: verdict.effect, message: null });
    } else if (!refused.has(coupon.stackGroup)) {
      refused.add(coupon.stackGroup);
      list.push({ coupon, effect: null, message: verdict.message });
    }
  }
  for (const coupon of at.catalogue.coupons.values()) {
    if (!coupon.autoApply || taken.has(coupon.stackGroup) || declined.has(coupon.code)) continue;
    const verdict = judge(coupon, at);
    if (!verdict.ok) continue;
    taken.add(coupon.stackGroup);
    list.push({ coupon, effect: verdict.effect, message: null });
  }
  return withoutIdle(list, codes, at);
}

/** A step on the way to a reward: it gives nothing yet but is still shown as applied (specification section 4). */
const isProgress = (effect: Effect) => effect.steps !== undefined && effect.discount === 0;

/**
 * "Applied" means that the customer pays less or gets something. A coupon that does not change the total is taken out,
 * the last one first; an automatic one disappears without a message.
 */
function withoutIdle(list: readonly Outcome[], codes: readonly string[], at: CouponCase): Outcome[] {
  let kept = [...list];
  for (const entry of [...list].reverse()) {
    if (entry.effect === null || isProgress(entry.effect) || worthOf(at.catalogue, [entry]) > 0) continue;
    const rest = kept.filter((own) => own !== entry);
    if (totalWith(at, rest) > totalWith(at, kept)) continue;
    kept = codes.includes(entry.coupon.code)
      ? kept.map((own) => (own === entry ? { coupon: entry.coupon, effect: null, message: t.couponNoGain } : own))
      : rest;
  }
  return kept;
}

/** The bill with these coupons. */
function billWith(at: CouponCase, list: readonly Outcome[]): Bill {
  const items = at.lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  return billOf(at.catalogue.country, {
    deliveryType: at.deliveryType,
    items,
    discounts: discountsOf(list),
    given: 0,
    ...at.extras,
  });
}
/** The total to pay with these coupons; minor units. */
const totalWith = (at: CouponCase, list: readonly Outcome[]): number => billWith(at, list).total;

export function discountsOf(list: readonly Outcome[]): Discount[] {
  return list.flatMap(({ coupon, effect }) =>
    effect ? [{ code: coupon.code, title: wordsOf(coupon).title, amount: effect.discount, on: effect.on }] : [],
  );
}

/** What free items would cost; each is on the menu, or it would not be given. */
export function worthOf(catalogue: CountryCatalogue, list: readonly Outcome[]): number {
  return list
    .flatMap(({ effect }) => effect?.free ?? [])
    .reduce(
      (sum, { itemId, quantity }) => sum + quantity * Math.min(...Object.values(catalogue.items.get(itemId)!.prices)),
      0,
    );
}

/** The coupon alone, and the coupons of other stack groups that stay on beside it. */
function besides(coupon: SeedCoupon, effect: Effect, others: readonly Outcome[]) {
  const rest = others.filter((entry) => entry.coupon.stackGroup !== coupon.stackGroup);
  const own: Outcome = { coupon, effect, message: null };
  return { rest, own };
}

/**
 * What the bill says this coupon takes off, plus the worth of free items. Taxes fall with it, which is not counted, so
 * that the offer's card and the bill name the same sum.
 */
export function savingOf(coupon: SeedCoupon, effect: Effect, others: readonly Outcome[], at: CouponCase): Money {
  const { rest, own } = besides(coupon, effect, others);
  const line = billWith(at, [...rest, own]).lines.find(({ id }) => id === `discount:${coupon.code}`);
  return money(-(line?.amount ?? 0) + worthOf(at.catalogue, [own]));
}

/** Whether a coupon would give nothing now although its rules are met. */
export function isIdle(coupon: SeedCoupon, effect: Effect, others: readonly Outcome[], at: CouponCase): boolean {
  const { rest, own } = besides(coupon, effect, others);
  return (
    !isProgress(effect) && worthOf(at.catalogue, [own]) === 0 && totalWith(at, rest) <= totalWith(at, [...rest, own])
  );
}

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
  const limits = limitsOf(coupon, at.catalogue);
  return {
    code: coupon.code,
    title: words.title,
    status,
    messages,
    details: detailsOf(coupon, at.catalogue),
    stackGroup: coupon.stackGroup,
    ...(limits.length === 0 ? {} : { subtitle: limits.join(' · ') }),
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

const fromStores = (storeIds: readonly string[], { stores }: CountryCatalogue) =>
  t.couponFromStore({ stores: eitherOf(storeIds.map((id) => stores.get(id)?.name ?? id)) });

const daysText = (days: readonly number[]) => eitherOf(days.map((day) => t.couponWeekday({ day: WEEKDAYS[day]! })));

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

/**
 * Checks every coupon's terms once at start. Throws an Error with the code of a coupon whose terms cannot be read,
 * since that is a mistake in the data.
 */
export function checkCoupons(coupons: Iterable<SeedCoupon>): void {
  for (const coupon of coupons) {
    if (COUPON_RULES[coupon.type]?.terms.safeParse(coupon.value).success !== true)
      throw new Error(`Coupon ${coupon.code}: its terms cannot be read.`);
  }
}
