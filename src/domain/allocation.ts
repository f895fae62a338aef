import type { Bill, CartLine } from '../contract/cart.ts';
import { money, type Money } from '../contract/money.ts';
import { add, allocate, subtract, ZERO } from './money.ts';

// What each line of a cart or an order costs. It is decided once, when the cart is priced; bills, refunds and the shares
// of a group read it. Amounts are in minor units.

/** What a line costs: its dishes at their prices, what is taken off them (0 or less), and the tax that comes on top. */
export interface LineCost {
  readonly lineId: string;
  readonly dishes: Money;
  readonly discount: Money;
  readonly tax: Money;
}
export const costOf = ({ dishes, discount, tax }: Omit<LineCost, 'lineId'>): Money => add(dishes, discount, tax);

/** By the id of a bill's discount: how much of it each line was the reason for, by the line's id. */
export type Reasons = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Splits the lines of a bill below its dishes: discounts on the dishes stand above the delivery, those on it below. */
export function chargesOf(bill: Bill): { readonly onDishes: Bill['lines']; readonly onFee: Bill['lines'] } {
  const fee = bill.lines.findIndex((line) => line.id === 'delivery');
  const discounts = bill.lines.map((line, index) => ({ line, index })).filter(({ line }) => line.kind === 'discount');
  const isOnFee = ({ index }: { index: number }) => fee >= 0 && index > fee;
  return {
    onDishes: discounts.filter((one) => !isOnFee(one)).map(({ line }) => line),
    onFee: discounts.filter(isOnFee).map(({ line }) => line),
  };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** Takes an amount off what is left of each line: by these weights first, then by what is left. */
function takeOff(left: number[], amount: number, weights: readonly number[]): void {
  let rest = Math.min(amount, sumOf(left));
  const among = [
    left.map((own, index) => Math.min(own, weights[index] ?? 0)),
    left.map((own, index) => ((weights[index] ?? 0) > 0 ? own : 0)),
    left,
  ];
  for (const each of among) {
    // What the step before has taken is gone from these, too.
    const open = each.map((own, index) => Math.min(own, left[index]!));
    const part = Math.min(rest, sumOf(open));
    if (part <= 0) continue;
    for (const [index, share] of allocate(money(part), open).entries()) left[index]! -= share;
    rest -= part;
  }
}

/**
 * What each line costs. A discount stays on the lines that it was given for; one without a reason is spread over all by
 * what they cost. Taxes go by what is left of each line and of the charges that are taxed. Parts that cannot be divided
 * go to the largest remainders, so that the costs of all lines are the dishes of the bill less their discounts, with
 * their taxes, to the last unit.
 * @param taxed of what the bill's taxes are a part, by the ids of the bill's lines; the dishes are `items`
 */
export function lineCosts(
  bill: Bill,
  lines: readonly Pick<CartLine, 'lineId' | 'lineTotal'>[],
  reasons: Reasons = new Map(),
  taxed: readonly string[] = ['items'],
): LineCost[] {
  const left = lines.map((line): number => line.lineTotal);
  const { onDishes, onFee } = chargesOf(bill);
  for (const { id, amount } of onDishes) {
    const reason = reasons.get(id);
    takeOff(
      left,
      -amount,
      lines.map((line, index) => (reason === undefined ? left[index]! : (reason.get(line.lineId) ?? 0))),
    );
  }
  const charges = bill.lines
    .filter(({ id, kind }) => kind === 'charge' && taxed.includes(id))
    .map(({ id, amount }) => amount + (id === 'delivery' ? sumOf(onFee.map((line) => line.amount)) : 0));
  const weights = [...(taxed.includes('items') ? left : left.map(() => 0)), ...charges.map((own) => Math.max(0, own))];
  const tax = add(
    ...bill.lines.filter((line) => line.kind === 'tax' && line.included !== true).map((one) => one.amount),
  );
  const taxes = sumOf(weights) > 0 ? allocate(tax, weights) : weights.map(() => ZERO);
  return lines.map(({ lineId, lineTotal }, index) => ({
    lineId,
    dishes: lineTotal,
    discount: subtract(money(left[index]!), lineTotal),
    tax: taxes[index]!,
  }));
}

/**
 * What each part of each piece of a line costs, `quantity` pieces of `weights.length` parts, piece by piece: they add up
 * to the line's cost exactly, so that they may be given back in any order.
 * @param weights what each part costs by itself; of equal ones each has the same share
 */
export function pieceCosts(cost: Money, quantity: number, weights: readonly number[]): Money[][] {
  const own = weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
  const all = allocate(cost, Array.from({ length: quantity }, () => own).flat());
  return Array.from({ length: quantity }, (_, piece) => all.slice(piece * own.length, (piece + 1) * own.length));
}
