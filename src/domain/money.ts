import { money, type Money } from '../contract/money.ts';

/** What formatting needs of a country; a Country has it. `locale` is a BCP 47 tag. */
export interface MoneyStyle { readonly CURRENCY_CODE: string; readonly CURRENCY_SYMBOL: string; readonly locale: string }

export const ZERO = 0 as Money;

export function add(...amounts: readonly Money[]): Money {
  return money(amounts.reduce<number>((sum, amount) => sum + amount, 0));
}

export function subtract(from: Money, amount: Money): Money {
  return money(from - amount);
}

/** Throws RangeError when `count` is not a whole number. */
export function multiply(amount: Money, count: number): Money {
  return money(amount * count);
}

export function smaller(a: Money, b: Money): Money {
  return a < b ? a : b;
}

export function larger(a: Money, b: Money): Money {
  return a > b ? a : b;
}

/** `numerator / denominator` of an amount, halves away from zero; exact for every safe integer. Throws RangeError for a denominator of 0. */
export function fraction(amount: Money, numerator: number, denominator: number): Money {
  if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator) || denominator <= 0) {
    throw new RangeError(`Not a fraction: ${numerator}/${denominator}`);
  }
  const product = BigInt(amount) * BigInt(numerator);
  const size = product < 0n ? -product : product;
  const rounded = (size * 2n + BigInt(denominator)) / (BigInt(denominator) * 2n);
  return money(Number(product < 0n ? -rounded : rounded));
}

/** A percentage, half up; `basisPoints` 500 is 5 %. */
export function percent(amount: Money, basisPoints: number): Money {
  return fraction(amount, basisPoints, 10_000);
}

/** The tax contained in an amount that includes it (Sri Lanka), half up. */
export function includedTax(gross: Money, basisPoints: number): Money {
  return fraction(gross, basisPoints, 10_000 + basisPoints);
}

/**
 * Splits an amount by weights so that the parts add up to it exactly: what is left after rounding down goes
 * to the largest remainders, earlier parts first. Weights are whole numbers, not all 0 unless the amount is.
 */
export function allocate(amount: Money, weights: readonly number[]): Money[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (weights.some((weight) => !Number.isSafeInteger(weight) || weight < 0)) throw new RangeError('Weights are whole numbers from 0 up');
  if (total === 0) {
    if (amount !== 0) throw new RangeError('Nothing to allocate to');
    return weights.map(() => ZERO);
  }
  const sign = amount < 0 ? -1 : 1;
  const size = BigInt(Math.abs(amount));
  const shares = weights.map((weight, index) => {
    const product = size * BigInt(weight);
    return { index, minor: Number(product / BigInt(total)), rest: Number(product % BigInt(total)) };
  });
  let left = Math.abs(amount) - shares.reduce((sum, share) => sum + share.minor, 0);
  for (const share of [...shares].sort((a, b) => b.rest - a.rest || a.index - b.index)) {
    if (left <= 0) break;
    share.minor += 1;
    left -= 1;
  }
  return shares.map((share) => money(share.minor === 0 ? 0 : sign * share.minor));
}

/** Parts of a tax by their rates (CGST and SGST); they add up to `tax`. */
export function splitTax<P extends { readonly basisPoints: number }>(tax: Money, parts: readonly P[]): (P & { amount: Money })[] {
  const amounts = allocate(tax, parts.map((part) => part.basisPoints));
  return parts.map((part, index) => ({ ...part, amount: amounts[index] ?? ZERO }));
}

/** What has to be added to reach a multiple of `step` minor units, halves up; may be negative. */
export function rounding(amount: Money, step: number): Money {
  const rest = ((amount % step) + step) % step;
  return money(rest === 0 ? 0 : rest * 2 >= step ? step - rest : -rest);
}

/** Rounds up to whole units of the currency (a half topping costs 50 %, rounded up to one unit). */
export function ceilToUnit(amount: Money): Money {
  return money(Math.ceil(amount / 100) * 100);
}

const formats = new Map<string, Intl.NumberFormat>();

/**
 * An amount for people: the country's own symbol, digits and grouping of the locale, no fraction when it is whole.
 * The symbol's place and distance are the locale's; the symbol itself is the country's ('Rs.', not 'Rs').
 */
export function formatMoney(amount: Money, style: MoneyStyle): string {
  const digits = amount % 100 === 0 ? 0 : 2;
  const key = `${style.locale} ${style.CURRENCY_CODE} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    const made = (currencyDisplay: 'narrowSymbol' | 'symbol') => new Intl.NumberFormat(style.locale, {
      style: 'currency', currency: style.CURRENCY_CODE, currencyDisplay, minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
    try {
      format = made('narrowSymbol');
    } catch {
      // Web views of before 2020 refuse the word.
      format = made('symbol');
    }
    formats.set(key, format);
  }
  return format.formatToParts(amount / 100).map((part) => (part.type === 'currency' ? style.CURRENCY_SYMBOL : part.value)).join('');
}
