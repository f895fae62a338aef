import * as z from 'zod/mini';
import type { Remedy } from '../../../contract/coupons.ts';
import { money } from '../../../contract/price.ts';
import type { Reason } from '../../../domain/allocation.ts';
import { allocate } from '../../../domain/money.ts';
import { t } from '../../call/language.ts';
import { deliveryFee } from '../pricing/bill.ts';
import type { PricedLine } from '../pricing/price.ts';
import { allOf } from './lists.ts';
import type { SeedCoupon } from '../../store/seeds.ts';
import {
  type CouponCase,
  type FreeItem,
  type Effect,
  type Verdict,
  no,
  isExcluded,
  sumOfLines,
  counted,
  countedSum,
  labelsOf,
  wordsOf,
} from './couponCase.ts';

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

/** A count of nothing would give all: `slice(-0)`. */
const Count = z.int().check(z.positive());
const Percent = z.number().check(z.positive(), z.maximum(100));
const Pieces = z.object({ category: z.array(z.string()), size: z.string(), qty: Count });

export interface Rule<T> {
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

/** Asks for any dish that the coupon counts. */
function addSome(_: unknown, coupon: SeedCoupon, at: CouponCase): Remedy {
  const categoryIds = coupon.appliesTo?.categories;
  return categoryIds
    ? { kind: 'ADD_ITEMS', message: t.couponAddFrom({ categories: labelsOf(at.catalogue, categoryIds) }), categoryIds }
    : { kind: 'ADD_ITEMS', message: t.couponAddAny };
}

interface DishQuery {
  readonly category: readonly string[];
  readonly size?: string | undefined;
  readonly qty: number;
}

/** Asks for this many more pieces of a size and category. */
function addPieces(at: CouponCase, wanted: readonly DishQuery[]): Remedy {
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
export const COUPON_RULES: Readonly<Record<string, Rule<unknown>>> = {
  PERCENT: rule(Percent, (percent, coupon, at) =>
    offEligible(coupon, at.lines, (sum) => capped(coupon, share(sum, percent))),
  ),
  FLAT: rule(Count, (amount, coupon, at) =>
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
    z.object({ category: z.array(z.string()), size: z.string(), n: Count, percent: Percent }),
    (value, coupon, at) => {
      const nth = units(coupon, at.lines, value)[value.n - 1];
      if (nth === undefined) return no(t.couponItems);
      const discount = capped(coupon, share(nth.price, value.percent));
      return off(discount, () => spread(discount, [nth]));
    },
    (value, coupon, at) => addPieces(at, [{ ...value, qty: value.n - units(coupon, at.lines, value).length }]),
  ),
  FREE_ITEM: rule(
    z.object({ itemId: z.string(), qty: Count }),
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
      stepsRequired: Count,
      reward: z.object({
        type: z.string(),
        category: z.optional(z.array(z.string())),
        size: z.optional(z.string()),
        value: z.optional(Percent),
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
