import type { Bill, CartLine } from '../contract/cart.ts';
import type { Diet } from '../contract/group.ts';
import type { Share } from '../contract/shares.ts';
import { money, type Money } from '../contract/money.ts';
import { add, allocate, multiply, subtract, ZERO } from './money.ts';
import { latinDigits } from './phone.ts';

type Eaten = Pick<CartLine, 'allergens'> & { readonly product: Pick<CartLine['product'], 'foodType'>; readonly jain?: boolean | undefined };
interface DietRule { readonly id: Diet; readonly label: string; readonly clash: string; readonly suits: (line: Eaten) => boolean }

const without = (...allergens: readonly string[]) => (line: Eaten) => !line.allergens.some((one) => allergens.includes(one));

/** Every mark with its label, and what is said of a dish that does not go with it. */
export const DIETS: readonly DietRule[] = [
  { id: 'VEG', label: 'Vegetarian', clash: 'not vegetarian', suits: (line) => line.product.foodType === 'VEG' },
  { id: 'JAIN', label: 'Jain', clash: 'not Jain', suits: (line) => line.jain === true },
  { id: 'NO_EGG', label: 'No egg', clash: 'has egg', suits: without('egg') },
  { id: 'NO_NUTS', label: 'No nuts', clash: 'has nuts', suits: (line) => !line.allergens.some((one) => /nut/.test(one)) },
  { id: 'NO_MILK', label: 'No milk', clash: 'has milk', suits: without('milk') },
  { id: 'NO_GLUTEN', label: 'No gluten', clash: 'has gluten', suits: without('gluten') },
  { id: 'NO_SOY', label: 'No soy', clash: 'has soy', suits: without('soy') },
  { id: 'NO_MUSTARD', label: 'No mustard', clash: 'has mustard', suits: without('mustard') },
  { id: 'NO_SESAME', label: 'No sesame', clash: 'has sesame', suits: without('sesame') },
  { id: 'NO_SEAFOOD', label: 'No seafood', clash: 'has seafood', suits: without('fish', 'crustacean', 'mollusc', 'molluscs') },
];

/** Why a finished dish does not go with somebody's marks; empty when it does. Nothing is guessed: what is not known to be Jain is not. */
export function clashesOf(line: Eaten, diet: readonly Diet[]): string[] {
  return DIETS.filter((rule) => diet.includes(rule.id) && !rule.suits(line)).map((rule) => rule.clash);
}

/**
 * Each one's part of a bill; `dishes` is what each one's lines cost, in minor units. Discounts follow the dishes; packaging,
 * bag, delivery and tip are shared equally by those who have dishes; taxes and rounding follow what each owes before them.
 * What does not divide goes to the largest remainders. The parts add up to the total exactly, and none is below zero.
 */
export function sharesOf(bill: Bill, dishes: readonly Money[]): Share[] {
  const sum = (fits: (line: Bill['lines'][number]) => boolean) => add(...bill.lines.filter((line) => line.included !== true && fits(line)).map((line) => line.amount));
  // Before the delivery's line a discount is on the dishes, after it on the delivery.
  const fee = bill.lines.findIndex((line) => line.id === 'delivery');
  const onFee = new Set(fee < 0 ? [] : bill.lines.slice(fee).filter((line) => line.kind === 'discount'));
  const eats = dishes.map((own) => (own > 0 ? 1 : 0));
  const parts = dishes.map((own) => ({ discount: ZERO, charges: ZERO, total: own }));
  const spread = (amount: Money, into: 'discount' | 'charges', weights: readonly number[]) => {
    const isPossible = weights.some((weight) => weight > 0);
    // With nobody's dishes on the bill there is nothing to go by: the first, who pays, has it.
    for (const [index, part] of allocate(amount, isPossible ? weights : weights.map((_, at) => (at === 0 ? 1 : 0))).entries()) {
      const own = parts[index]!;
      own[into] = add(own[into], part);
      own.total = add(own.total, part);
    }
  };
  const owed = () => parts.map((part) => part.total);
  spread(sum((line) => line.kind === 'discount' && !onFee.has(line)), 'discount', dishes);
  spread(sum((line) => line.kind === 'charge' || line.kind === 'tip' || onFee.has(line)), 'charges', eats);
  spread(sum((line) => line.kind === 'tax'), 'charges', owed());
  // Whatever else a bill may hold, the parts come to its total.
  spread(subtract(bill.total, add(...owed())), 'charges', owed());
  return parts.map((part, index) => ({ dishes: dishes[index] ?? ZERO, ...part }));
}

/** The sum of a person's lines. */
export function dishesOf(lines: readonly Pick<CartLine, 'lineTotal'>[]): Money {
  return money(lines.reduce((total, line) => total + line.lineTotal, 0));
}

/** Four times four letters and digits that nobody mixes up: 80 bits, made by the server. */
export const GROUP_CODE = /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/;

/** The code in whatever was typed or pasted (a link, spaces, capitals), or null. */
export function groupCode(typed: string): string | null {
  const last = typed.trim().toLowerCase().split(/[?#]/)[0]!.replace(/\/+$/, '').split('/').at(-1)!.replace(/[^a-z0-9]/g, '');
  const code = last.match(/.{1,4}/g)?.join('-') ?? '';
  return GROUP_CODE.test(code) ? code : null;
}

/** A limit as typed, in whole units of the currency: null for none, NaN for what is no amount. Minor units. */
export function typedLimit(typed: string): number | null {
  const text = typed.trim();
  if (text === '') return null;
  const digits = latinDigits(text);
  return /^[\p{Nd}\s,]+$/u.test(text) && digits !== '' && digits.length <= 6 && Number(digits) > 0 ? multiply(money(Number(digits)), 100) : Number.NaN;
}
