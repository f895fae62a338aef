import type { Bill, CartLine } from '../contract/cart.ts';
import type { Diet } from '../contract/group.ts';
import type { Share } from '../contract/shares.ts';
import { money, type Money } from '../contract/money.ts';
import { chargesOf, costOf, type LineCost } from './allocation.ts';
import { add, allocate, multiply, subtract } from './money.ts';
import { latinDigits } from './phone.ts';

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
 * Packaging, bag, delivery and tip, with their taxes, are split equally among those who have dishes; rounding in
 * proportion to what each owes before it. Units that cannot be divided go to the largest remainders. The shares add up to
 * the total exactly, and none is below zero.
 * @param own the costs of each person's lines
 */
export function sharesOf(bill: Bill, own: readonly (readonly LineCost[])[]): Share[] {
  const costs = own.map((lines) => ({
    dishes: add(...lines.map((line) => line.dishes)),
    discount: add(...lines.map((line) => line.discount)),
    tax: add(...lines.map((line) => line.tax)),
  }));
  const sum = (fits: (line: Bill['lines'][number]) => boolean) =>
    add(...bill.lines.filter(fits).map((line) => line.amount));
  const onFee = new Set(chargesOf(bill).onFee);
  const eats = costs.map(({ dishes }) => (dishes > 0 ? 1 : 0));
  const parts = costs.map((cost) => ({ ...cost, charges: cost.tax, total: costOf(cost) }));
  const spread = (amount: Money, weights: readonly number[]) => {
    const isPossible = weights.some((weight) => weight > 0);
    // If nobody has dishes on the bill, the first person, who pays, gets the whole amount.
    for (const [index, part] of allocate(
      amount,
      isPossible ? weights : weights.map((_, at) => (at === 0 ? 1 : 0)),
    ).entries()) {
      const own = parts[index]!;
      own.charges = add(own.charges, part);
      own.total = add(own.total, part);
    }
  };
  const owed = () => parts.map((part) => part.total);
  const taxes = sum((line) => line.kind === 'tax' && line.included !== true);
  spread(
    add(
      sum((line) => line.kind === 'charge' || line.kind === 'tip' || onFee.has(line)),
      subtract(taxes, add(...costs.map(({ tax }) => tax))),
    ),
    eats,
  );
  // Whatever is left on the bill, its rounding, so that the shares add up to the total.
  spread(subtract(bill.total, add(...owed())), owed());
  return parts.map(({ dishes, discount, charges, total }) => ({ dishes, discount, charges, total }));
}

/** Four groups of four letters and digits that cannot be confused: about 79 random bits, made by the server. */
export const GROUP_CODE = /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/;

/** The group code in a typed or pasted text (a link, spaces, capitals), or null. */
export function groupCode(typed: string): string | null {
  const parts = typed.trim().toLowerCase().split(/[?#]/)[0]!.split('/');
  const last = (parts.filter((part) => part !== '').pop() ?? '').replace(/[^a-z0-9]/g, '');
  const code = last.replace(/.{4}(?=.)/g, '$&-');
  return GROUP_CODE.test(code) ? code : null;
}

/**
 * A typed limit in whole currency units, as minor units: null for an empty text, NaN for anything that is not an
 * amount.
 */
export function typedLimit(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return null;
  const digits = latinDigits(text);
  return /^[\p{Nd}\s,]+$/u.test(text) && digits.length <= 6 && Number(digits) > 0
    ? multiply(money(Number(digits)), 100)
    : Number.NaN;
}
