import type { Bill } from '../../../contract/cart.ts';
import type { Remedy } from '../../../contract/coupons.ts';
import { money, type Money } from '../../../contract/price.ts';
import { typedCode } from '../../../domain/typedText.ts';
import { t } from '../../call/language.ts';
import { billOf, type Discount } from '../pricing/bill.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import type { SeedCoupon } from '../../store/seeds.ts';
import { type CouponCase, type Effect, type Verdict, no, wordsOf } from './couponCase.ts';
import { COUPON_RULES, type Rule } from './couponRules.ts';
import { CONDITIONS } from './couponConditions.ts';

/** What was read of each coupon's terms; null where they cannot be read. */
const read = new WeakMap<SeedCoupon, { readonly rule: Rule<unknown>; readonly terms: unknown } | null>();

function ruleOf(coupon: SeedCoupon) {
  const known = read.get(coupon);
  if (known !== undefined) return known;
  const rule = COUPON_RULES[coupon.type];
  const terms = rule?.terms.safeParse(coupon.value);
  const own = rule && terms?.success ? { rule, terms: terms.data } : null;
  read.set(coupon, own);
  return own;
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
  const found = ruleOf(coupon);
  // A coupon whose terms cannot be read must not give anything away.
  return found === null ? no(t.couponUnknown) : found.rule.judge(found.terms, coupon, at);
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
  const found = ruleOf(coupon);
  if (found === null) return [];
  if (found.rule.judge(found.terms, coupon, mended).ok) return list;
  const remedy = found.rule.mend(found.terms, coupon, mended);
  if (remedy === null) return [];
  // If money is missing too, adding any dish covers it, so a second, unspecific "add a dish" is left out.
  return list.some(({ kind }) => kind === 'ADD_AMOUNT') && remedy.categoryIds === undefined ? list : [...list, remedy];
}

/** However the code was typed. */
export function couponByCode(catalogue: CountryCatalogue, code: string): SeedCoupon | undefined {
  return catalogue.coupons.get(typedCode(code));
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

/** Codes of the coupons whose terms cannot be read: a mistake in the data. */
export const unreadable = (coupons: Iterable<SeedCoupon>): string[] =>
  [...coupons].filter((coupon) => ruleOf(coupon) === null).map(({ code }) => code);
