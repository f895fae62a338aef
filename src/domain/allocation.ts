import type { Bill, CartLine } from '../contract/cart.ts';
import { money, type Money } from '../contract/money.ts';
import { add, allocate, percent, subtract, ZERO } from './money.ts';

// The cost of each line of a cart or an order. It is decided once, when the cart is priced; bills, refunds and the shares
// of a group read it. Amounts are in minor units.

/** What a line costs: its dishes at their prices, what is taken off them (0 or less), and the tax that comes on top. */
export interface LineCost {
  readonly lineId: string;
  readonly dishes: Money;
  readonly discount: Money;
  readonly tax: Money;
  /** What the bill was rounded by, on the one line that it stands on. */
  readonly rounding: Money;
  /** The price of each piece without tax and rounding, dearest first: a discount may be for one of several alike. */
  readonly pieces: readonly number[];
}
/** The cost of a line's dishes and their tax, without its share of the bill's rounding. */
export const exactCostOf = ({ dishes, discount, tax }: Pick<LineCost, 'dishes' | 'discount' | 'tax'>): Money =>
  add(dishes, discount, tax);
export const costOf = (line: LineCost): Money => add(exactCostOf(line), line.rounding);

/** How much of a discount a line was the reason for, and for how many of its pieces it was given. */
export interface Reason {
  readonly amount: number;
  readonly pieces: number;
}
/** By the id of a bill's discount: for which lines it was given, by the line's id. */
export type Reasons = ReadonlyMap<string, ReadonlyMap<string, Reason>>;

/** How a country taxes; a Country has it. */
export interface TaxRule {
  /** Of what the tax is a part, by the ids of a bill's lines; the dishes are `items`. */
  readonly base: readonly string[];
  readonly basisPoints: number;
  /** The tax is inside the prices, and nothing comes on top. */
  readonly included: boolean;
}

/** Discounts on the dishes stand above the delivery on a bill, those on its fee below. */
function discountsOf(bill: Bill): { readonly onDishes: Bill['lines']; readonly onFee: Bill['lines'] } {
  const fee = bill.lines.findIndex((line) => line.id === 'delivery');
  const discounts = bill.lines.map((line, index) => ({ line, index })).filter(({ line }) => line.kind === 'discount');
  const isOnFee = ({ index }: { index: number }) => fee >= 0 && index > fee;
  return {
    onDishes: discounts.filter((one) => !isOnFee(one)).map(({ line }) => line),
    onFee: discounts.filter(isOnFee).map(({ line }) => line),
  };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

const taxOn = (amount: number, { basisPoints, included }: TaxRule): Money =>
  included ? ZERO : percent(money(Math.max(0, amount)), basisPoints);

/** Charges of a bill besides dishes: packaging, bag and delivery, with their discounts and taxes. */
export function chargesOf(bill: Bill, tax: TaxRule): Money {
  const off = sumOf(discountsOf(bill).onFee.map((line) => line.amount));
  const charges = bill.lines
    .filter(({ kind }) => kind === 'charge')
    .map(({ id, amount }) => ({ id, amount: amount + (id === 'delivery' ? off : 0) }));
  const taxed = charges.filter(({ id }) => tax.base.includes(id));
  const sum = (of: typeof charges) => sumOf(of.map(({ amount }) => amount));
  return add(money(sum(charges)), taxOn(sum(taxed), tax));
}

/** Takes an amount off what is left of each: by these weights first, then by what is left. @returns how much of each */
function takeOff(left: readonly number[], amount: number, weights: readonly number[]): number[] {
  const taken = left.map(() => 0);
  let rest = Math.min(amount, sumOf(left));
  const among = [
    left.map((own, index) => Math.min(own, weights[index] ?? 0)),
    left.map((own, index) => ((weights[index] ?? 0) > 0 ? own : 0)),
    left,
  ];
  for (const each of among) {
    // What the step before has taken is gone from these, too.
    const open = each.map((own, index) => Math.min(own, left[index]! - taken[index]!));
    const part = Math.min(rest, sumOf(open));
    if (part <= 0) continue;
    for (const [index, share] of allocate(money(part), open).entries()) taken[index]! += share;
    rest -= part;
  }
  return taken;
}

/** The dearest pieces of a line pay less; pieces are sorted, dearest first. */
function lessFor(pieces: readonly number[], amount: number, count: number): number[] {
  // Of pieces that cost the same the last are meant, so that the first one stays dear.
  const dearest = pieces.map((own, index) => ({ own, index })).sort((a, b) => b.own - a.own || b.index - a.index);
  const meant = new Set(dearest.slice(0, count).map(({ index }) => index));
  const taken = takeOff(
    pieces,
    amount,
    pieces.map((own, index) => (meant.has(index) ? own : 0)),
  );
  return pieces.map((own, index) => own - taken[index]!).sort((a, b) => b - a);
}

/** Tax at one rate, line by line: together what the rate gives on their sum, and no line a whole unit beside its own. */
function taxesOn(amounts: readonly number[], rule: TaxRule): Money[] {
  if (rule.included || !rule.base.includes('items')) return amounts.map(() => ZERO);
  const exact = amounts.map((amount) => amount * rule.basisPoints);
  const taxes = exact.map((tax) => Math.floor(tax / 10_000));
  let rest = taxOn(sumOf(amounts), rule) - sumOf(taxes);
  const largest = exact.map((tax, index) => ({ rest: tax % 10_000, index })).sort((a, b) => b.rest - a.rest);
  for (const { index } of largest) {
    if (rest <= 0) break;
    taxes[index]! += 1;
    rest -= 1;
  }
  return taxes.map(money);
}

/**
 * The line that the bill's rounding stands on: of those with a discount, whose sum is no menu price any more, the dearest;
 * without any, the dearest of all. So a dish at its full price costs that and its tax.
 */
function roundedLine(lines: readonly Omit<LineCost, 'rounding'>[], rounding: number): string | undefined {
  const able = lines
    .filter((line) => exactCostOf(line) > 0 && exactCostOf(line) + rounding >= 0)
    .sort((a, b) => exactCostOf(b) - exactCostOf(a));
  return (able.find(({ discount }) => discount < 0) ?? able[0])?.lineId;
}

/**
 * What each line costs. A discount stays on the lines, and the pieces of them, that it was given for; one without a
 * reason is spread over all by what they cost. Tax is what the rate gives on a line. What cannot be divided goes to the
 * largest remainders. What the bill was rounded by, and what its taxes were (central and state tax each by itself),
 * belongs to its charges; where it has none, all lines together are what is paid for it, without a tip.
 */
export function lineCosts(
  bill: Bill,
  lines: readonly Pick<CartLine, 'lineId' | 'lineTotal' | 'quantity'>[],
  tax: TaxRule,
  reasons: Reasons = new Map(),
): LineCost[] {
  const pieces = lines.map(({ lineTotal, quantity }): number[] =>
    lineTotal === 0 ? Array.from({ length: quantity }, () => 0) : allocate(lineTotal, Array(quantity).fill(1)),
  );
  for (const { id, amount } of discountsOf(bill).onDishes) {
    const reason = reasons.get(id);
    const left = pieces.map(sumOf);
    const taken = takeOff(
      left,
      -amount,
      lines.map((line, index) => (reason === undefined ? left[index]! : (reason.get(line.lineId)?.amount ?? 0))),
    );
    for (const [index, line] of lines.entries())
      pieces[index] = lessFor(pieces[index]!, taken[index]!, reason?.get(line.lineId)?.pieces ?? line.quantity);
  }
  const left = pieces.map(sumOf);
  const taxes = taxesOn(left, tax);
  const exact = lines.map(({ lineId, lineTotal }, index) => ({
    lineId,
    dishes: lineTotal,
    discount: subtract(money(left[index]!), lineTotal),
    tax: taxes[index]!,
    pieces: pieces[index]!,
  }));
  const charges = chargesOf(bill, tax);
  const tips = bill.lines.filter(({ kind }) => kind === 'tip').map(({ amount }) => amount);
  const rounding = subtract(bill.total, add(charges, ...tips, ...exact.map(exactCostOf)));
  const on = charges > 0 && charges + rounding >= 0 ? undefined : roundedLine(exact, rounding);
  return exact.map((line) => ({ ...line, rounding: line.lineId === on ? rounding : ZERO }));
}

/**
 * What each part of each piece of a line costs, piece by piece: they add up to the line's cost exactly, so that they may
 * be given back in any order.
 * @param pieces what the pieces cost, one against the other
 * @param parts what each part of a piece costs by itself; of equal ones each has the same share
 */
export function pieceCosts(cost: Money, pieces: readonly number[], parts: readonly number[]): Money[][] {
  const isSome = (weights: readonly number[]) => weights.some((weight) => weight > 0);
  const own = isSome(parts) ? parts : parts.map(() => 1);
  const each = isSome(pieces) ? pieces : pieces.map(() => 1);
  const all = allocate(
    cost,
    each.flatMap((piece) => own.map((part) => piece * part)),
  );
  return each.map((_, piece) => all.slice(piece * own.length, (piece + 1) * own.length));
}
