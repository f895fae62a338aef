import bn from '../text/bn/words/numbers.json' with { type: 'json' };
import en from '../text/en/words/numbers.json' with { type: 'json' };
import hi from '../text/hi/words/numbers.json' with { type: 'json' };
import si from '../text/si/words/numbers.json' with { type: 'json' };
import ta from '../text/ta/words/numbers.json' with { type: 'json' };
import { wordsOf } from './slips.ts';

// Numbers as people type them in words: two hundred, do sau, dhai sau, দুইশ, இருநூறு, පන්සියය. Known on every page, as all words of search.

const VALUES = new Map<string, number>();
for (const catalogue of [en, hi, bn, si, ta])
  for (const [value, list] of Object.entries(catalogue))
    for (const word of list.split(', ')) VALUES.set(wordsOf(word).join(' '), Number(value));

const HUNDRED = 100;
const THOUSAND = 1000;
/** What Indian languages add to a number: පන්සියයට, இருநூறுக்குள். */
const MOST_ENDING = 8;
const LEAST_STEM = 4;
/** A Tamil word in -am has -att before an ending, and a Sinhala one there a vowel after its last letter. */
const bare = (stem: string) => stem.replace(/\u0bae\u0bcd$/, '\u0ba4\u0bcd\u0ba4').replace(/\u0dca$/, '');
/** What a number begins with that has an ending; every word of a question is looked for among all. */
const inflected = ([stem, value]: readonly [string, number]) => ({ stems: [stem, bare(stem)], value });
const isMany = (value: number) => value === HUNDRED || value === THOUSAND;
const UNITS = [...VALUES].filter(([, value]) => value >= 1 && value < 10);
/** Of which a word before it may say how many there are. */
const HUNDREDS = [...VALUES].filter(([, value]) => isMany(value)).map(inflected);
const LARGE = [...VALUES].filter(([stem, value]) => value >= HUNDRED && stem.length >= LEAST_STEM).map(inflected);

/** The value of one word, with the hundred that stands on it and an ending; undefined where it is no number. */
function valueOf(word: string): number | undefined {
  const own = VALUES.get(word);
  if (own !== undefined) return own;
  if (/^[a-z]/.test(word)) {
    const stems = LATIN_ENDINGS.flatMap((ending) => (word.endsWith(ending) ? [word.slice(0, -ending.length)] : []));
    return stems.flatMap((stem) => (stem.length < LEAST_STEM ? [] : (VALUES.get(stem) ?? [])))[0];
  }
  for (const [unit, value] of UNITS) {
    const rest = word.startsWith(unit) ? word.slice(unit.length) : '';
    const most = rest && HUNDREDS.find(({ stems }) => isInflected(rest, stems));
    if (most) return value * most.value;
  }
  return LARGE.find(({ stems }) => isInflected(word, stems))?.value;
}
/** The same in Latin letters: dahakata, noorukku, hazarer. */
const LATIN_ENDINGS = ['ta', 'ata', 'kku', 'ukku', 'ku', 'er'];
const isInflected = (word: string, stems: readonly string[]) =>
  stems.some((one) => word.startsWith(one) && word.length - one.length <= MOST_ENDING);
/** The Tamil ending for "within". */
const WITHIN = '\u0b95\u0bcd\u0b95\u0bc1\u0bb3\u0bcd';

/**
 * The number that begins at a word, and how many words it has: "two hundred and fifty", "saadhe teen sau". A number in
 * digits may stand before a hundred.
 */
export const numberAt = (words: readonly string[], from: number): FoundNumber | undefined =>
  partedAt(words, from) ?? spelledAt(words, from);

interface FoundNumber {
  readonly value: number;
  readonly length: number;
  readonly isWithin: boolean;
}
/** One word for hundreds that is typed as two: pan siyayata. */
function partedAt(words: readonly string[], from: number): FoundNumber | undefined {
  const [one = '', two] = words.slice(from, from + 2);
  const value = two === undefined || valueOf(one) !== undefined ? undefined : valueOf(one + two);
  return value === undefined || value < HUNDRED ? undefined : { value, length: 2, isWithin: false };
}
function spelledAt(words: readonly string[], from: number): FoundNumber | undefined {
  let [total, part, at] = [0, 0, from];
  for (; at < words.length; at += 1) {
    const isDigits = /^\d{1,2}$/.test(words[at]!);
    const value = isDigits ? (at === from ? Number(words[at]) : undefined) : valueOf(words[at]!);
    if (value === undefined) {
      const isAnd = words[at] === 'and' && part >= HUNDRED && part % HUNDRED === 0;
      if (isAnd && (valueOf(words[at + 1] ?? '') ?? HUNDRED) < HUNDRED) continue;
      break;
    }
    if (at === from) part = value;
    else if (isMany(value) && part < HUNDRED) part *= value;
    else if (value === THOUSAND || !isAdded(part, value)) break;
    else part += value;
    if (part >= THOUSAND) [total, part] = [total + part, 0];
  }
  const isOnlyDigits = at === from + 1 && /^\d/.test(words[from]!);
  if (at === from || isOnlyDigits) return undefined;
  const isWithin = words[at - 1]!.includes(WITHIN);
  return { value: Math.round(total + part), length: at - from, isWithin };
}
/** Whether a number goes on with a smaller one: two hundred fifty, fifty five, saadhe teen. */
const isAdded = (part: number, value: number) =>
  (part < 1 && value < 10) ||
  (part % HUNDRED === 0 && (part === 0 ? value < THOUSAND : value < HUNDRED)) ||
  (part >= 20 && part % 10 === 0 && value < 10);
