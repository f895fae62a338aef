import type { Bill, CartLine } from '../contract/cart.ts';
import type { Diet } from '../contract/group.ts';
import type { Share } from '../contract/shares.ts';
import { money, type Money } from '../contract/money.ts';
import { add, allocate, multiply, subtract, ZERO } from './money.ts';
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
 * Each person's share of a bill; `dishes` is what each person's lines cost, in minor units. Discounts are split in
 * proportion to the dishes. Packaging, bag, delivery and tip are split equally among those who have dishes. Taxes and
 * rounding are split together, in proportion to what each person owes before them. Units that cannot be divided go to the largest
 * remainders. The shares add up to the total exactly, and none is below zero.
 */
export function sharesOf(bill: Bill, dishes: readonly Money[]): Share[] {
  const sum = (fits: (line: Bill['lines'][number]) => boolean) =>
    add(...bill.lines.filter(fits).map((line) => line.amount));
  // A discount listed before the delivery line is on the dishes, one after it is on the delivery.
  const fee = bill.lines.findIndex((line) => line.id === 'delivery');
  const onFee = new Set(fee < 0 ? [] : bill.lines.slice(fee).filter((line) => line.kind === 'discount'));
  const eats = dishes.map((own) => (own > 0 ? 1 : 0));
  const parts = dishes.map((own) => ({ discount: ZERO, charges: ZERO, total: own }));
  const spread = (amount: Money, into: 'discount' | 'charges', weights: readonly number[]) => {
    const isPossible = weights.some((weight) => weight > 0);
    // If nobody has dishes on the bill, the first person, who pays, gets the whole amount.
    for (const [index, part] of allocate(
      amount,
      isPossible ? weights : weights.map((_, at) => (at === 0 ? 1 : 0)),
    ).entries()) {
      const own = parts[index]!;
      own[into] = add(own[into], part);
      own.total = add(own.total, part);
    }
  };
  const owed = () => parts.map((part) => part.total);
  spread(
    sum((line) => line.kind === 'discount' && !onFee.has(line)),
    'discount',
    dishes,
  );
  spread(
    sum((line) => line.kind === 'charge' || line.kind === 'tip' || onFee.has(line)),
    'charges',
    eats,
  );
  // Whatever is left on the bill, taxes and rounding, so that the shares add up to the total.
  spread(subtract(bill.total, add(...owed())), 'charges', owed());
  return parts.map((part, index) => ({ dishes: dishes[index] ?? ZERO, ...part }));
}

/** What a person's lines cost together; minor units. */
export function dishesOf(lines: readonly Pick<CartLine, 'lineTotal'>[]): Money {
  return money(lines.reduce((total, line) => total + line.lineTotal, 0));
}

/** Four groups of four letters and digits that cannot be confused: about 79 random bits, made by the server. */
export const GROUP_CODE = /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/;

/** The group code in a typed or pasted text (a link, spaces, capitals), or null. */
export function groupCode(typed: string): string | null {
  const last = typed
    .trim()
    .toLowerCase()
    .split(/[?#]/)[0]!
    .replace(/\/+$/, '')
    .replace(/.*\//s, '')
    .replace(/[^a-z0-9]/g, '');
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
