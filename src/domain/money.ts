import { money, type Money } from '../contract/money.ts';
import { isKnown } from './locales.ts';

/** The fields of a country that formatting needs; a Country has them. `locale` is a BCP 47 tag. */
export interface MoneyStyle {
  readonly CURRENCY_CODE: string;
  readonly CURRENCY_SYMBOL: string;
  readonly locale: string;
}

export const ZERO = 0 as Money;

export function add(...amounts: readonly Money[]): Money {
  return money(amounts.reduce<number>((sum, amount) => sum + amount, 0));
}

export function subtract(from: Money, amount: Money): Money {
  return money(from - amount);
}

/** Throws RangeError if the result is not a whole number. */
export function multiply(amount: Money, count: number): Money {
  return money(amount * count);
}

/** The length of a bar that stands for an amount, in CSS: '100%' for the largest of them all. */
export function barLength(amount: Money, all: readonly Money[]): string {
  const most = Math.max(1, ...all);
  return `${(100 * Math.max(0, amount)) / most}%`;
}

export function smaller(a: Money, b: Money): Money {
  return money(Math.min(a, b));
}

/**
 * `numerator / denominator` of an amount, halves rounded away from zero; exact for every safe integer. Throws
 * RangeError unless both are whole numbers and the denominator is above 0.
 */
export function fraction(amount: Money, numerator: number, denominator: number): Money {
  if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator) || denominator <= 0) {
    throw new RangeError(`Not a fraction: ${numerator}/${denominator}`);
  }
  const twice = BigInt(amount) * BigInt(numerator) * 2n;
  const half = BigInt(twice < 0n ? -denominator : denominator);
  return money(Number((twice + half) / (BigInt(denominator) * 2n)));
}

/** A share of an amount, halves rounded away from zero; 500 basis points are 5 %. */
export function percent(amount: Money, basisPoints: number): Money {
  return fraction(amount, basisPoints, 10_000);
}

/**
 * Splits an amount by weights so that the parts add up to it exactly: after rounding down, what is left goes to the
 * largest remainders, earlier parts first. Throws RangeError if a weight is negative or not a whole number, or if all
 * are 0 and the amount is not.
 */
export function allocate(amount: Money, weights: readonly number[]): Money[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (weights.some((weight) => !Number.isSafeInteger(weight) || weight < 0))
    throw new RangeError('Weights are whole numbers from 0 up');
  if (total === 0) {
    if (amount !== 0) throw new RangeError('Nothing to allocate to');
    return weights.map(() => ZERO);
  }
  const size = BigInt(Math.abs(amount));
  const shares = weights.map((weight) => {
    const product = size * BigInt(weight);
    return { minor: Number(product / BigInt(total)), rest: Number(product % BigInt(total)) };
  });
  let left = Math.abs(amount) - shares.reduce((sum, share) => sum + share.minor, 0);
  for (const share of [...shares].sort((a, b) => b.rest - a.rest)) {
    if (left <= 0) break;
    share.minor += 1;
    left -= 1;
  }
  return shares.map((share) => money(share.minor === 0 ? 0 : Math.sign(amount) * share.minor));
}

/** The amount to add to reach the nearest multiple of `step` minor units, halves up; may be negative. */
export function rounding(amount: Money, step: number): Money {
  const rest = ((amount % step) + step) % step;
  return money(rest === 0 ? 0 : rest * 2 >= step ? step - rest : -rest);
}

/** These languages write an amount below a lakh alike; Intl takes 33 to 54 ms to get ready for its first amount. */
const ALIKE = /^(?:en|hi|si|ta)-(?:IN|LK|BD)$/;
const LAKH = 10_000_000;
const formats = new Map<string, Intl.NumberFormat>();

/**
 * An amount for people: digits and grouping of the locale, no fraction if it is whole. The symbol's place and spacing
 * are the locale's; the symbol itself is the country's ('Rs.', not 'Rs'). A browser that does not know the locale writes
 * as English does in its country.
 */
export function formatMoney(amount: Money, style: MoneyStyle): string {
  const size = Math.abs(amount);
  const symbol = style.CURRENCY_SYMBOL;
  if (size < LAKH && ALIKE.test(style.locale)) {
    const written = decimal(size)
      .replace('.00', '')
      .replace(/\d(?=\d{3}(?:\.|$))/, '$&,');
    return `${amount < 0 ? '-' : ''}${symbol}${/\w/.test(symbol) ? '\u00A0' : ''}${written}`;
  }
  const digits = amount % 100 === 0 ? 0 : 2;
  const key = `${style.locale} ${style.CURRENCY_CODE} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    const locale = isKnown(style.locale, Intl.NumberFormat) ? style.locale : style.locale.replace(/^\w+/, 'en');
    const made = (currencyDisplay: 'narrowSymbol' | 'symbol') =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: style.CURRENCY_CODE,
        currencyDisplay,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
    try {
      format = made('narrowSymbol');
    } catch {
      // Web views from before 2020 do not know 'narrowSymbol'.
      format = made('symbol');
    }
    formats.set(key, format);
  }
  return format
    .formatToParts(amount / 100)
    .map((part) => (part.type === 'currency' ? symbol : part.value))
    .join('');
}

/** An amount as banks and gateways write it: '399.00' for 39900. */
export function decimal(minor: number): string {
  const sign = minor < 0 ? '-' : '';
  const size = Math.abs(minor);
  return `${sign}${Math.trunc(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}

/** The reverse of decimal: 39900 for '399.00'; null for anything else. */
export function minorOf(text: string): number | null {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0') || '0');
}
