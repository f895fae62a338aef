import type { Money } from '../../../contract/price.ts';
import type { Numerals } from '../../store/seeds.ts';

const ONES = [
  ...['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

const GROUPS: Readonly<Record<Numerals, readonly (readonly [size: number, name: string])[]>> = {
  indian: [
    [10_000_000, 'crore'],
    [100_000, 'lakh'],
    [1_000, 'thousand'],
    [100, 'hundred'],
  ],
  international: [
    [1_000_000_000, 'billion'],
    [1_000_000, 'million'],
    [1_000, 'thousand'],
    [100, 'hundred'],
  ],
};

function words(count: number, numerals: Numerals): string {
  const parts: string[] = [];
  let rest = count;
  for (const [size, name] of GROUPS[numerals]) {
    if (rest < size) continue;
    parts.push(`${words(Math.floor(rest / size), numerals)} ${name}`);
    rest %= size;
  }
  if (rest >= 20) parts.push([TENS[Math.floor(rest / 10)], ONES[rest % 10]].filter(Boolean).join('-'));
  else if (rest > 0) parts.push(ONES[rest]!);
  return parts.length === 0 ? 'zero' : parts.join(' ');
}

/**
 * An amount in English words, as invoices write it: 'Rupees one lakh two hundred and fifty paise only'. English whatever
 * the reader's language: it is part of a paper that courts and tax offices read.
 * @throws RangeError for less than nothing
 */
export function amountWords(
  amount: Money,
  { numerals, unit, subunit }: { readonly numerals: Numerals; readonly unit: string; readonly subunit: string },
): string {
  if (amount < 0) throw new RangeError(`No words for ${amount}`);
  const small = amount % 100;
  const whole = `${unit} ${words(Math.floor(amount / 100), numerals)}`;
  return small === 0 ? `${whole} only` : `${whole} and ${words(small, numerals)} ${subunit} only`;
}
