import type { Bill, CartLine } from '../contract/cart.ts';
import type { Diet } from '../contract/group.ts';
import type { GroupShares, Share } from '../contract/shares.ts';
import { money, type Money } from '../contract/money.ts';
import { chargesOf, exactCostOf, type LineCost, type TaxRule } from './allocation.ts';
import { add, allocate, multiply, smaller, subtract } from './money.ts';
import { latinDigits, typedCode, typedNumber } from './typedText.ts';

type Eaten = Pick<CartLine, 'allergens'> & {
  readonly product: Pick<CartLine['product'], 'foodType'>;
  readonly jain?: boolean | undefined;
};
const without =
  (...allergens: readonly string[]) =>
  (line: Eaten) =>
    !line.allergens.some((one) => allergens.includes(one));

/** Which dishes suit each diet. */
const SUITS: Readonly<Record<Diet, (line: Eaten) => boolean>> = {
  VEG: (line) => line.product.foodType === 'VEG',
  JAIN: (line) => line.jain === true,
  NO_EGG: without('egg'),
  NO_NUTS: (line) => !line.allergens.some((one) => /nut/.test(one)),
  NO_MILK: without('milk'),
  NO_GLUTEN: without('gluten'),
  NO_SOY: without('soy'),
  NO_MUSTARD: without('mustard'),
  NO_SESAME: without('sesame'),
  NO_SEAFOOD: without('fish', 'crustacean', 'mollusc', 'molluscs'),
};

/** All diets, in the order in which they are offered. */
export const DIETS = Object.keys(SUITS) as readonly Diet[];

/**
 * Which of a person's diets a finished dish does not suit. Nothing is guessed: a dish that is not known to be Jain is
 * not Jain.
 */
export function clashesOf(line: Eaten, diet: readonly Diet[]): Diet[] {
  return DIETS.filter((one) => diet.includes(one) && !SUITS[one](line));
}

/**
 * Each person's share of a bill: what their own lines cost, with the discounts that these were given and their taxes.
 * Packaging, bag, delivery and tip, with their taxes, are split equally among those who have dishes. What the bill was
 * rounded by is the host's, or the first one's who has dishes: what a guest owes for them does not change with the dishes
 * of others. Units that cannot be divided go to the largest remainders. The shares add up to the total exactly, and none
 * is below zero.
 * @param own the costs of each person's lines, the host's first
 */
export function sharesOf(bill: Bill, own: readonly (readonly LineCost[])[], tax: TaxRule): Share[] {
  const parts = own.map((lines) => ({
    dishes: add(...lines.map((line) => line.dishes)),
    discount: add(...lines.map((line) => line.discount)),
    charges: add(...lines.map((line) => line.tax)),
    total: add(...lines.map(exactCostOf)),
  }));
  const spread = (amount: Money, weights: readonly number[]) => {
    const isPossible = weights.some((weight) => weight > 0);
    // If nobody has dishes on the bill, the first person, who pays, gets the whole amount.
    const all = allocate(amount, isPossible ? weights : weights.map((_, at) => (at === 0 ? 1 : 0)));
    for (const [index, part] of all.entries()) {
      parts[index]!.charges = add(parts[index]!.charges, part);
      parts[index]!.total = add(parts[index]!.total, part);
    }
  };
  const tips = bill.lines.filter(({ kind }) => kind === 'tip').map(({ amount }) => amount);
  spread(
    add(chargesOf(bill, tax), ...tips),
    parts.map(({ dishes }) => (dishes > 0 ? 1 : 0)),
  );
  const rounding = subtract(bill.total, add(...parts.map(({ total }) => total)));
  const first = parts.findIndex(({ dishes, total }) => dishes > 0 && total + rounding >= 0);
  spread(
    rounding,
    parts.map(({ total }, index) => (first < 0 ? total : index === first ? 1 : 0)),
  );
  return parts;
}

/** What went back of an order: for dishes, by what these have cost each person; null: of all of it, by what they owe. */
export interface Back {
  readonly amount: number;
  readonly worths: ReadonlyMap<string, number> | null;
}
/** The shares of an order once that went back. None falls below nothing: what is left of it is everybody's. */
export const sharesAfter = (shares: GroupShares, backs: readonly Back[]): GroupShares =>
  backs.reduce((now, back) => (back.amount > 0 ? { ...now, people: lessBack(now.people, back) } : now), shares);

function lessBack(people: GroupShares['people'], { amount, worths }: Back): GroupShares['people'] {
  const owed = people.map(({ share }) => share.total);
  const named = people.map(({ personId }) => worths?.get(personId) ?? 0);
  const isNamed = named.some((worth) => worth > 0);
  const taken = (isNamed ? allocate(money(amount), named) : owed.map(() => money(0))).map((part, at) =>
    smaller(part, owed[at]!),
  );
  const left = owed.map((total, at) => subtract(total, taken[at]!));
  const rest = allocate(smaller(subtract(money(amount), add(money(0), ...taken)), add(money(0), ...left)), left);
  return people.map((one, at) => {
    const part = add(taken[at]!, rest[at]!);
    const { discount, total } = one.share;
    return { ...one, share: { ...one.share, discount: subtract(discount, part), total: subtract(total, part) } };
  });
}

/** Four groups of four letters and digits that cannot be confused: about 79 random bits, made by the server. */
export const GROUP_CODE = /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/;

/** The group code in a typed or pasted text (a link, spaces, capitals), or null. */
export function groupCode(typed: string): string | null {
  const parts = typedCode(typed).toLowerCase().split(/[?#]/)[0]!.split('/');
  const last = (parts.filter((part) => part !== '').pop() ?? '').replace(/[^a-z0-9]/g, '');
  const code = last.replace(/.{4}(?=.)/g, '$&-');
  return GROUP_CODE.test(code) ? code : null;
}

/**
 * A typed limit in whole currency units, as minor units: null for an empty text, NaN for anything that is not an
 * amount.
 */
export function typedLimit(typed: string): number | null {
  const text = typedNumber(typed);
  if (text === '') return null;
  const digits = latinDigits(text);
  return /^[\d\s,]+$/.test(text) && digits.length <= 6 && Number(digits) > 0
    ? multiply(money(Number(digits)), 100)
    : Number.NaN;
}
