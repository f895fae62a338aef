import * as z from 'zod/mini';
import type { Offer } from '../../contract/cart.ts';
import type { Remedy } from '../../contract/coupons.ts';
import type { DeliveryType } from '../../contract/names.ts';
import { money, type Money } from '../../contract/price.ts';
import { vegType } from '../../domain/cart.ts';
import { DELIVERY_LABELS, pricedAs } from '../../domain/delivery.ts';
import { isWithin, localTime } from '../../domain/hours.ts';
import {
  COUPON_DAY, COUPON_EXPIRED, COUPON_FIRST_ORDER, COUPON_ITEMS, COUPON_NO_GAIN, COUPON_NOT_STARTED, COUPON_PARTNER, COUPON_SOLD_OUT, COUPON_STACK, COUPON_STORE, COUPON_TRAIN,
  COUPON_TIME, COUPON_UNKNOWN, COUPON_USED, COUPON_VEG, couponDeliveryType, couponMinimum, couponPaymentMode,
} from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import { billOf, deliveryFee, type Discount } from './bill.ts';
import type { CountryCatalogue } from './menu.ts';
import { windowText, type PricedLine } from './price.ts';
import type { SeedCoupon } from './seeds.ts';

const HOUR_MS = 3_600_000;

/** What the database knows of a coupon: when it was first loaded (its hours count from then) and how often it was used. */
export interface CouponState { readonly loadedAt: number; readonly used: number }

/** What the database knows of the customer. */
export interface Shopper {
  /** False in a mini-app: partner offers are left out there (product.md C05b). */
  readonly partnerOffers: boolean;
  readonly hasOrdered: boolean;
  readonly used: ReadonlyMap<string, number>;
  /** Days with an order that count towards milestones, without those already rewarded, by coupon. */
  readonly steps: (code: string, stepsRequired: number) => number;
}

/** A cart as the coupons see it. */
export interface CouponCase {
  readonly catalogue: CountryCatalogue;
  readonly lines: readonly PricedLine[];
  readonly deliveryType: DeliveryType;
  readonly storeId: string;
  readonly isAllNight: boolean;
  readonly paymentMode: string | null;
  /** First digits of the card, where they are known. */
  readonly bin: string | null;
  /** Codes that the card behind a token is good for; absent while no card is chosen. */
  readonly cardCodes?: ReadonlySet<string> | undefined;
  /** Payment modes that this host and country have; absent means any. */
  readonly modes?: readonly string[] | undefined;
  /** Codes that the wheel gave to this cart. */
  readonly prizes?: ReadonlySet<string> | undefined;
  /** Codes that the customer put on the cart: of two equal offers they keep theirs. */
  readonly held?: ReadonlySet<string> | undefined;
  /** What the store does (DELIVERY, PICKUP ...); absent means all. */
  readonly services?: readonly string[] | undefined;
  /** What the bill has besides food, so that rounding is the cart's own. */
  readonly extras?: { readonly carryBag: boolean; readonly tip: number } | undefined;
  readonly shopper: Shopper;
  readonly states: ReadonlyMap<string, CouponState>;
  readonly soldOut: ReadonlySet<string>;
  readonly now: number;
}

export interface FreeItem { readonly itemId: string; readonly quantity: number }

/** What a coupon does to this cart; amounts in minor units. */
export interface Effect {
  readonly on: 'items' | 'delivery';
  readonly discount: number;
  readonly free: readonly FreeItem[];
  /** Milestones: how many steps are done. */
  readonly steps?: number;
  readonly note?: string;
}

type Verdict = { readonly ok: true; readonly effect: Effect } | { readonly ok: false; readonly message: string };

const no = (message: string): Verdict => ({ ok: false, message });
const off = (discount: number): Verdict => (discount > 0 ? { ok: true, effect: { on: 'items', discount, free: [] } } : no(COUPON_ITEMS));

/** One piece of the cart that a coupon may touch. */
interface Unit { readonly price: number; readonly categoryIds: readonly string[]; readonly size: string | undefined; readonly kind: string }

/** `excludes` names product types, or DEALS: they count neither towards the minimum nor for the discount. */
function isExcluded(coupon: SeedCoupon, line: PricedLine): boolean {
  return (line.isDeal && coupon.excludes.includes('DEALS')) || coupon.excludes.includes(line.productType);
}

function countedSum(coupon: SeedCoupon, lines: readonly PricedLine[]): number {
  return lines.reduce((sum, line) => (isExcluded(coupon, line) ? sum : sum + line.price * line.quantity), 0);
}

function eligibleSum(coupon: SeedCoupon, lines: readonly PricedLine[]): number {
  const categories = coupon.appliesTo?.categories;
  return countedSum(coupon, lines.filter((line) => !categories || line.categoryIds.some((id) => categories.includes(id))));
}

/** Single pieces, dearest first, of certain categories and a size. */
function units(coupon: SeedCoupon, lines: readonly PricedLine[], wanted: { category: readonly string[]; size?: string | undefined }): Unit[] {
  return lines.filter((line) => !isExcluded(coupon, line) && line.categoryIds.some((id) => wanted.category.includes(id))
    && (wanted.size === undefined || line.size === wanted.size))
    .flatMap((line) => Array.from({ length: line.quantity }, (): Unit => line))
    .sort((a, b) => b.price - a.price);
}

const capped = (coupon: SeedCoupon, amount: number, maxDiscount: number | null = coupon.maxDiscount) => (maxDiscount === null ? amount : Math.min(amount, maxDiscount));
/** Per cent of an amount, half up. */
const share = (amount: number, percent: number) => Math.floor((amount * percent + 50) / 100);

const Pieces = z.object({ category: z.array(z.string()), size: z.string(), qty: z.int() });

interface Rule<T> {
  /** What `value` of such a coupon looks like. */
  readonly terms: z.ZodMiniType<T>;
  judge(value: T, coupon: SeedCoupon, at: CouponCase): Verdict;
  /** What to put into the cart so that it gives something; null: nothing would. */
  mend(value: T, coupon: SeedCoupon, at: CouponCase): Remedy | null;
}
const rule = <T>(terms: z.ZodMiniType<T>, judge: Rule<T>['judge'], mend: Rule<T>['mend'] = addSome): Rule<unknown> => ({ terms, judge, mend } as Rule<unknown>);

const labelsOf = (catalogue: CountryCatalogue, ids: readonly string[]) => ids.map((id) => catalogue.country.categories.find((row) => row.id === id)?.label ?? id).join(' or ');

/** Something it counts for. */
function addSome(_: unknown, coupon: SeedCoupon, at: CouponCase): Remedy {
  const categoryIds = coupon.appliesTo?.categories;
  return categoryIds ? { kind: 'ADD_ITEMS', message: `Add something from ${labelsOf(at.catalogue, categoryIds)}`, categoryIds } : { kind: 'ADD_ITEMS', message: 'Add something it counts for' };
}

interface Wanted { readonly category: readonly string[]; readonly size?: string | undefined; readonly qty: number }

/** So many more pieces of a size and kind. */
function addPieces(coupon: SeedCoupon, at: CouponCase, wanted: readonly Wanted[]): Remedy {
  const parts = wanted.filter(({ qty }) => qty > 0).map(({ category, size, qty }) => {
    const name = at.catalogue.builder.sizes.find((entry) => entry.id === size)?.name;
    return `${qty} more ${name === undefined ? '' : `${name} `}from ${labelsOf(at.catalogue, category)}`;
  });
  return { kind: 'ADD_ITEMS', message: `Add ${parts.join(' and ')}`, categoryIds: [...new Set(wanted.flatMap(({ category }) => category))] };
}

function freeItem(coupon: SeedCoupon, at: CouponCase, free: FreeItem): Verdict {
  const item = at.catalogue.items.get(free.itemId);
  if (!item || at.soldOut.has(free.itemId) || Object.keys(item.prices).length === 0) return no(COUPON_STORE);
  if (countedSum(coupon, at.lines) === 0) return no(COUPON_ITEMS);
  return { ok: true, effect: { on: 'items', discount: 0, free: [free] } };
}

/** Uses of a step's own gift are counted beside those of the coupon. */
export const stepCode = (code: string, step: number) => `${code}:${step}`;

/** The gift that waits half-way to a reward: of the last step that was reached, until it was given on this way. */
export function giftOf(coupon: SeedCoupon, steps: number, used: ReadonlyMap<string, number>): { step: number; label: string; itemId: string } | null {
  const found = coupon.offerOptions?.findLast((option) => option.itemId !== undefined && option.step <= steps);
  if (found?.itemId === undefined || (used.get(stepCode(coupon.code, found.step)) ?? 0) > (used.get(coupon.code) ?? 0)) return null;
  return { step: found.step, label: found.label, itemId: found.itemId };
}

/** One entry per type of coupon: its terms and what it gives. To add a type, add an entry. */
export const COUPON_RULES: Readonly<Record<string, Rule<unknown>>> = {
  PERCENT: rule(z.number(), (percent, coupon, at) => off(capped(coupon, share(eligibleSum(coupon, at.lines), percent)))),
  FLAT: rule(z.int(), (amount, coupon, at) => off(capped(coupon, Math.min(amount, eligibleSum(coupon, at.lines))))),
  BOGO: rule(z.object({ buy: Pieces, get: z.extend(Pieces, { cheapestFree: z.optional(z.boolean()) }) }), ({ buy, get }, coupon, at) => {
    const bought = units(coupon, at.lines, buy);
    const got = units(coupon, at.lines, get);
    const isSamePool = buy.size === get.size;
    if (bought.length < buy.qty || got.length < get.qty + (isSamePool ? buy.qty : 0)) return no(COUPON_ITEMS);
    return off(capped(coupon, got.slice(-get.qty).reduce((sum, unit) => sum + unit.price, 0)));
  }, ({ buy, get }, coupon, at) => {
    const has = (wanted: { category: string[]; size: string }) => units(coupon, at.lines, wanted).length;
    if (buy.size === get.size) return addPieces(coupon, at, [{ ...buy, qty: buy.qty + get.qty - has(buy) }]);
    return addPieces(coupon, at, [{ ...buy, qty: buy.qty - has(buy) }, { ...get, qty: get.qty - has(get) }]);
  }),
  NTH_PERCENT: rule(z.object({ category: z.array(z.string()), size: z.string(), n: z.int(), percent: z.number() }), (value, coupon, at) => {
    const nth = units(coupon, at.lines, value)[value.n - 1];
    return nth ? off(capped(coupon, share(nth.price, value.percent))) : no(COUPON_ITEMS);
  }, (value, coupon, at) => addPieces(coupon, at, [{ ...value, qty: value.n - units(coupon, at.lines, value).length }])),
  FREE_ITEM: rule(z.object({ itemId: z.string(), qty: z.int() }), ({ itemId, qty }, coupon, at) => freeItem(coupon, at, { itemId, quantity: qty }),
    // The gift itself being sold out is nothing the customer can mend.
    ({ itemId }, coupon, at) => (at.soldOut.has(itemId) || !at.catalogue.items.has(itemId) ? null : addSome(null, coupon, at))),
  FREE_DELIVERY: rule(z.number(), (_, __, at) => {
    const fee = deliveryFee(at.catalogue.country, at.deliveryType, at.lines.reduce((sum, line) => sum + line.price * line.quantity, 0));
    return fee > 0 ? { ok: true, effect: { on: 'delivery', discount: fee, free: [] } } : no('Your delivery is free already');
  }, (_, coupon, at) => (at.lines.length === 0 ? addSome(null, coupon, at) : null)),
  MILESTONE: rule(z.object({
    stepsRequired: z.int(),
    reward: z.object({
      type: z.string(), category: z.optional(z.array(z.string())), size: z.optional(z.string()),
      value: z.optional(z.number()), maxDiscount: z.optional(z.nullable(z.number())),
    }),
  }), ({ stepsRequired, reward }, coupon, at) => {
    const steps = Math.min(stepsRequired, at.shopper.steps(coupon.code, stepsRequired));
    const progress = (discount: number, note?: string): Verdict => ({ ok: true, effect: { on: 'items', discount, free: [], steps, ...(note === undefined ? {} : { note }) } });
    if (at.lines.length === 0) return no(COUPON_ITEMS);
    if (steps < stepsRequired) {
      const missing = stepsRequired - steps;
      const gift = giftOf(coupon, steps, at.shopper.used);
      const given = gift === null ? null : freeItem(coupon, at, { itemId: gift.itemId, quantity: 1 });
      if (gift !== null && given?.ok) return { ok: true, effect: { ...given.effect, steps, note: `${gift.label}. ${missing} more to your reward` } };
      return progress(0, `${missing} more ${missing === 1 ? 'order' : 'orders'} to your reward`);
    }
    if (reward.type === 'PERCENT') return progress(capped(coupon, share(eligibleSum(coupon, at.lines), reward.value ?? 0), reward.maxDiscount ?? null));
    const cheapest = units(coupon, at.lines, { category: reward.category ?? [], size: reward.size }).at(-1);
    return cheapest ? progress(cheapest.price) : progress(0, 'Your reward is ready: add a pizza of that size and it is free');
  }),
};

interface Condition {
  /** The one sentence, or null when it is met. */
  readonly says: (coupon: SeedCoupon, at: CouponCase) => string | null;
  /** What the customer could change; null: nothing. Asked only when it is not met. */
  readonly mend: (coupon: SeedCoupon, at: CouponCase) => Remedy | null;
}
const never = () => null;

export function startsAt(coupon: SeedCoupon, state: CouponState): number { return state.loadedAt + coupon.validFromHours * HOUR_MS; }
export function endsAt(coupon: SeedCoupon, state: CouponState): number { return state.loadedAt + coupon.validToHours * HOUR_MS; }

/** Which food does not count. */
function withoutText(coupon: SeedCoupon): string {
  const names = [coupon.excludes.includes('PIZZA-MANIA') ? 'minis' : null, coupon.excludes.includes('DEALS') ? 'combos' : null].filter((name) => name !== null);
  return names.length === 0 ? '' : `; ${names.join(' and ')} do not count`;
}

const isIn = (list: readonly string[] | null | undefined, value: string) => !list || list.includes(value);
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY_NAMES = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
const ALL_TYPES: readonly DeliveryType[] = ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN'];

/** Delivery types that would do at this store. */
function typesFor(coupon: SeedCoupon, at: CouponCase): DeliveryType[] {
  return ALL_TYPES.filter((type) => coupon.deliveryTypes.includes(pricedAs(type)) && (at.services === undefined || at.services.includes(type)));
}

/** Payment modes of this host that would do. */
const modesFor = (coupon: SeedCoupon, at: CouponCase) => (coupon.paymentModes ?? []).filter((mode) => at.modes === undefined || at.modes.includes(mode));

/** Whether the payment is the wrong one: false while neither mode nor card is chosen. */
export function paymentSays(coupon: SeedCoupon, at: Pick<CouponCase, 'catalogue' | 'paymentMode' | 'bin' | 'cardCodes' | 'modes'>): string | null {
  if (!coupon.paymentModes) return null;
  const needed = () => couponPaymentMode(coupon.paymentModes!.map((id) => modeLabel(at.catalogue, id)).join(' or '));
  if (at.paymentMode === null) return at.modes !== undefined && !coupon.paymentModes.some((mode) => at.modes!.includes(mode)) ? needed() : null;
  if (!coupon.paymentModes.includes(at.paymentMode)) return needed();
  if (!coupon.bins) return null;
  if (at.cardCodes !== undefined) return at.cardCodes.has(coupon.code) ? null : couponPaymentMode('an eligible card');
  return at.bin !== null && !fitsBin(coupon, at.bin) ? couponPaymentMode('an eligible card') : null;
}

/** By the first six digits. */
export function fitsBin(coupon: SeedCoupon, bin: string): boolean {
  return coupon.bins?.includes(bin.slice(0, 6)) ?? true;
}

/** In the order in which a reason is named: first what can never be helped, last what adding food would mend. */
const CONDITIONS: readonly Condition[] = [
  // A prize of the wheel is nobody else's.
  { says: (coupon, at) => (coupon.wheel === true && at.prizes?.has(coupon.code) !== true ? COUPON_UNKNOWN : null), mend: never },
  { says: (coupon, at) => (coupon.partner !== null && !at.shopper.partnerOffers ? COUPON_PARTNER : null), mend: never },
  {
    says: (coupon, at) => (at.now < startsAt(coupon, stateOf(coupon, at)) ? COUPON_NOT_STARTED : null),
    mend: (coupon, at) => ({ kind: 'WAIT', message: 'Wait until it starts', at: startsAt(coupon, stateOf(coupon, at)) }),
  },
  { says: (coupon, at) => (at.now >= endsAt(coupon, stateOf(coupon, at)) ? COUPON_EXPIRED : null), mend: never },
  { says: (coupon, at) => (coupon.usage.total !== null && stateOf(coupon, at).used >= coupon.usage.total ? COUPON_SOLD_OUT : null), mend: never },
  { says: (coupon, at) => (coupon.usage.perUser !== null && (at.shopper.used.get(coupon.code) ?? 0) >= coupon.usage.perUser ? COUPON_USED : null), mend: never },
  { says: (coupon, at) => (coupon.usage.firstOrderOnly && at.shopper.hasOrdered ? COUPON_FIRST_ORDER : null), mend: never },
  {
    says: (coupon, at) => (isIn(coupon.storeIds, at.storeId) ? null : COUPON_STORE),
    mend: (coupon, at) => ({
      kind: 'STORE', storeIds: [...coupon.storeIds ?? []],
      message: `Order from ${(coupon.storeIds ?? []).map((id) => at.catalogue.stores.get(id)?.name ?? id).join(' or ')}`,
    }),
  },
  {
    says: (coupon, at) => (coupon.deliveryTypes.includes(pricedAs(at.deliveryType)) ? null : coupon.deliveryTypes.every((type) => !(type in DELIVERY_LABELS)) ? COUPON_TRAIN : couponDeliveryType(DELIVERY_LABELS[at.deliveryType].toLowerCase())),
    mend: (coupon, at) => {
      const deliveryTypes = typesFor(coupon, at);
      return deliveryTypes.length === 0 ? null : { kind: 'DELIVERY_TYPE', deliveryTypes, message: `Choose ${deliveryTypes.map((type) => DELIVERY_LABELS[type].toLowerCase()).join(' or ')}` };
    },
  },
  {
    says: (coupon, at) => (!coupon.daysOfWeek || coupon.daysOfWeek.includes(WEEKDAYS.indexOf(localTime(at.now, at.catalogue.country.timeZone).weekday)) ? null : COUPON_DAY),
    mend: (coupon) => ({ kind: 'WAIT', message: `Use it on ${(coupon.daysOfWeek ?? []).map((day) => DAY_NAMES[day]).join(' or ')}` }),
  },
  {
    says: (coupon, at) => (coupon.timeOfDay && !isWithin(localTime(at.now, at.catalogue.country.timeZone).minutes, ...coupon.timeOfDay) ? COUPON_TIME : null),
    mend: (coupon) => ({ kind: 'WAIT', message: `Use it from ${windowText(...coupon.timeOfDay ?? ['00:00', '00:00'])}` }),
  },
  {
    // A window past midnight means the all-night stores.
    says: (coupon, at) => (coupon.timeOfDay && coupon.timeOfDay[1] < coupon.timeOfDay[0] && !at.isAllNight ? COUPON_STORE : null),
    mend: () => ({ kind: 'STORE', message: 'Order from a store that is open all night' }),
  },
  {
    says: paymentSays,
    mend: (coupon, at) => {
      const paymentModes = modesFor(coupon, at);
      const names = paymentModes.map((id) => modeLabel(at.catalogue, id)).join(' or ');
      return paymentModes.length === 0 ? null : { kind: 'PAYMENT_MODE', paymentModes, message: coupon.bins !== undefined ? `Pay with ${names}, with an eligible card` : `Pay with ${names}` };
    },
  },
  {
    says: (coupon, at) => (coupon.requiresCartVeg === undefined || vegType(at.lines.map((line) => line.view)) === coupon.requiresCartVeg ? null : COUPON_VEG),
    mend: (coupon, at) => (at.lines.length === 0 ? addSome(null, coupon, at) : { kind: 'VEG_ONLY', message: 'Keep only vegetarian dishes in the cart' }),
  },
  {
    says: (coupon, at) => {
      const missing = (coupon.minCart ?? 0) - countedSum(coupon, at.lines);
      return missing > 0 ? couponMinimum(formatMoney(money(missing), at.catalogue.country)) : null;
    },
    mend: (coupon, at) => {
      const amount = money((coupon.minCart ?? 0) - countedSum(coupon, at.lines));
      return { kind: 'ADD_AMOUNT', amount, message: `Add items worth ${formatMoney(amount, at.catalogue.country)}${withoutText(coupon)}` };
    },
  },
];

const UNKNOWN_STATE: CouponState = { loadedAt: 0, used: 0 };
const stateOf = (coupon: SeedCoupon, at: CouponCase): CouponState => at.states.get(coupon.code) ?? UNKNOWN_STATE;

function modeLabel(catalogue: CountryCatalogue, id: string): string {
  return catalogue.seeds.payments.modes.find((mode) => mode.id === id)?.label ?? id;
}

/** Whether a coupon may be used on this cart and what it gives; looked at alone, so that the order of applying is of no matter. */
export function judge(coupon: SeedCoupon, at: CouponCase): Verdict {
  for (const { says } of CONDITIONS) {
    const message = says(coupon, at);
    if (message !== null) return no(message);
  }
  const found = COUPON_RULES[coupon.type];
  const terms = found?.terms.safeParse(coupon.value);
  // A coupon we cannot read must not give anything away.
  if (!found || !terms?.success) return no(COUPON_UNKNOWN);
  return found.judge(terms.data, coupon, at);
}

/**
 * Everything that would have to change, together, for a coupon to apply; empty when it would not help whatever was done.
 * Ask it only of a coupon that `judge` turns down.
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
  // Whatever is missing in money comes with the dishes that are missing anyway, if there is nothing else to say of them.
  return list.some(({ kind }) => kind === 'ADD_AMOUNT') && remedy.categoryIds === undefined ? list : [...list, remedy];
}

/** Codes are compared without case and spaces. */
export function couponByCode(catalogue: CountryCatalogue, code: string): SeedCoupon | undefined {
  return catalogue.coupons.get(code.trim().toUpperCase());
}

/** What a customer put on a cart, and the automatic ones taken off it. */
export interface CouponChoice { readonly coupons: readonly string[]; readonly declined: readonly string[] }

/** One per stack group: the new one takes the place of the old one. */
export function putOn(now: CouponChoice, coupon: SeedCoupon, catalogue: CountryCatalogue): CouponChoice {
  const others = now.coupons.filter((own) => own !== coupon.code && couponByCode(catalogue, own)?.stackGroup !== coupon.stackGroup);
  return { coupons: [...others, coupon.code], declined: now.declined.filter((own) => own !== coupon.code) };
}

/** An automatic one stays off until it is asked for. */
export function takenOff(now: CouponChoice, coupon: SeedCoupon): CouponChoice {
  return { coupons: now.coupons.filter((own) => own !== coupon.code), declined: coupon.autoApply ? [...now.declined, coupon.code] : now.declined };
}

/** A coupon on the cart with what became of it. */
export interface Outcome { readonly coupon: SeedCoupon; readonly effect: Effect | null; readonly message: string | null }

/**
 * What the coupons on a cart do together: at most one per stack group, the first that may be used; those that may not are
 * kept with their reason; automatic ones join where their group is free and the customer did not take them off.
 */
export function outcomes(codes: readonly string[], declined: ReadonlySet<string>, at: CouponCase): Outcome[] {
  const list: Outcome[] = [];
  const taken = new Set<string>();
  for (const code of codes) {
    const coupon = couponByCode(at.catalogue, code);
    if (!coupon) continue;
    const verdict = judge(coupon, at);
    if (!verdict.ok) list.push({ coupon, effect: null, message: verdict.message });
    else if (taken.has(coupon.stackGroup)) list.push({ coupon, effect: null, message: COUPON_STACK });
    else {
      taken.add(coupon.stackGroup);
      list.push({ coupon, effect: verdict.effect, message: null });
    }
  }
  for (const coupon of at.catalogue.coupons.values()) {
    if (!coupon.autoApply || taken.has(coupon.stackGroup) || declined.has(coupon.code) || codes.includes(coupon.code)) continue;
    const verdict = judge(coupon, at);
    if (!verdict.ok) continue;
    taken.add(coupon.stackGroup);
    list.push({ coupon, effect: verdict.effect, message: null });
  }
  return withoutIdle(list, codes, at);
}

/** A step on the way to a reward: it gives nothing yet and is shown as applied all the same (specification section 4). */
const isProgress = (effect: Effect) => effect.steps !== undefined && effect.discount === 0;

/**
 * "Applied" means that the customer pays less or gets something: a coupon without which the total would be the same is taken
 * out again, the last one first. Automatic ones go without a word.
 */
function withoutIdle(list: readonly Outcome[], codes: readonly string[], at: CouponCase): Outcome[] {
  let kept = [...list];
  for (const entry of [...list].reverse()) {
    if (entry.effect === null || isProgress(entry.effect) || worthOf(at.catalogue, [entry]) > 0) continue;
    const rest = kept.filter((own) => own !== entry);
    if (totalWith(at, rest) > totalWith(at, kept)) continue;
    kept = codes.includes(entry.coupon.code) ? kept.map((own) => (own === entry ? { coupon: entry.coupon, effect: null, message: COUPON_NO_GAIN } : own)) : rest;
  }
  return kept;
}

/** The total to pay with these coupons; minor units. */
export function totalWith(at: CouponCase, list: readonly Outcome[]): number {
  const items = at.lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  return billOf(at.catalogue.country, { deliveryType: at.deliveryType, items, discounts: discountsOf(list), given: 0, carryBag: false, tip: 0, ...at.extras }).total;
}

export function discountsOf(list: readonly Outcome[]): Discount[] {
  return list.flatMap(({ coupon, effect }) => (effect && effect.discount > 0 ? [{ code: coupon.code, title: coupon.title, amount: effect.discount, on: effect.on }] : []));
}

/** What free items would cost. */
export function worthOf(catalogue: CountryCatalogue, list: readonly Outcome[]): number {
  return list.flatMap(({ effect }) => effect?.free ?? [])
    .reduce((sum, { itemId, quantity }) => sum + quantity * Math.min(...Object.values(catalogue.items.get(itemId)?.prices ?? { ONE: 0 })), 0);
}

/** What the customer gains by one coupon in its group: how much the total falls, and the worth of what is given free. */
export function savingOf(coupon: SeedCoupon, effect: Effect, others: readonly Outcome[], at: CouponCase): Money {
  const rest = others.filter((entry) => entry.coupon.stackGroup !== coupon.stackGroup && entry.coupon.code !== coupon.code);
  const own: Outcome = { coupon, effect, message: null };
  return money(Math.max(0, totalWith(at, rest) - totalWith(at, [...rest, own])) + worthOf(at.catalogue, [own]));
}

/** Whether using it would give nothing now, although its rules are met. */
export function isIdle(coupon: SeedCoupon, effect: Effect, others: readonly Outcome[], at: CouponCase): boolean {
  return !isProgress(effect) && savingOf(coupon, effect, others, at) === 0;
}

/** Offer of the specification (sections 3 and 4) for the wire. */
export function offerOf(coupon: SeedCoupon, status: Offer['status'], at: CouponCase, more: { message?: string | null; effect?: Effect | null; saving?: Money | undefined }): Offer {
  const state = stateOf(coupon, at);
  const end = endsAt(coupon, state);
  const messages: Offer['messages'] = [];
  if (more.message) messages.push({ messageType: 'error', message: more.message });
  else for (const entry of coupon.messages ?? []) if (entry.messageType !== 'error') messages.push(entry);
  if (more.effect?.note !== undefined) messages.push({ messageType: 'info', message: more.effect.note });
  const steps = more.effect?.steps ?? 0;
  return {
    code: coupon.code, title: coupon.title, status, messages, details: detailsOf(coupon, at.catalogue), stackGroup: coupon.stackGroup,
    ...(coupon.minCart === null ? {} : { subtitle: `On orders from ${formatMoney(money(coupon.minCart), at.catalogue.country)}` }),
    ...(coupon.labelType === null ? {} : { labelType: coupon.labelType }),
    ...(coupon.offerOptions ? { offerOptions: coupon.offerOptions.map(({ step, label }) => ({ step, label, reached: steps >= step })) } : {}),
    ...(coupon.timer ? { expiryTimer: { endTime: end, showTimerBefore: end - coupon.timer.showTimerBeforeHours * HOUR_MS } } : {}),
    timestamp: at.now,
    ...(coupon.paymentId === undefined ? {} : { paymentId: coupon.paymentId }),
    ...(more.saving === undefined ? {} : { saving: more.saving }),
    tncHref: `/promo-service/ve1/promo/${encodeURIComponent(coupon.code)}/tnc`,
    ...(coupon.partner === null ? {} : { partner: coupon.partner }),
  };
}

/** Everything a customer should know before using a coupon, from its rules and its own terms. */
export function detailsOf(coupon: SeedCoupon, catalogue: CountryCatalogue): string[] {
  const amount = (minor: number) => formatMoney(money(minor), catalogue.country);
  const list: string[] = [];
  if (coupon.minCart !== null) list.push(`Order at least ${amount(coupon.minCart)}`);
  if (coupon.maxDiscount !== null) list.push(`At most ${amount(coupon.maxDiscount)} off`);
  if (coupon.excludes.includes('PIZZA-MANIA')) list.push('Minis do not count');
  if (coupon.excludes.includes('DEALS')) list.push('Combos do not count');
  if (coupon.deliveryTypes.length < 4) {
    const names = coupon.deliveryTypes.map((type) => DELIVERY_LABELS[type as DeliveryType] ?? 'Train orders');
    list.push(`For ${names.join(', ').toLowerCase()}`);
  }
  return [...list, ...coupon.tnc];
}

/** Reads every coupon's terms once at start: a coupon nobody can read is a mistake in the data. Throws with its code. */
export function checkCoupons(coupons: Iterable<SeedCoupon>): void {
  for (const coupon of coupons) {
    if (COUPON_RULES[coupon.type]?.terms.safeParse(coupon.value).success !== true) throw new Error(`Coupon ${coupon.code}: its terms cannot be read.`);
  }
}
