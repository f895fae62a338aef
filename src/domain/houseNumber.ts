import { inLatinDigits } from './typedText.ts';

/** Separators of house, street and area in an address: commas, ends of lines, bars and full stops of Indian scripts, and emoji. */
export const PART_END = /[,;|\n\u2022\u0964\u0965\p{Extended_Pictographic}]/u;
/** Words that a street's name has. */
export const STREET_WORDS: readonly string[] = [
  ...['road', 'rd', 'street', 'st', 'str', 'lane', 'ln', 'bylane', 'marg', 'path', 'gali', 'galli', 'avenue', 'ave'],
  ...['cross', 'main', 'feet', 'ft', 'foot', 'mawatha', 'mw', 'sarani', 'sarak', 'salai', 'veediya', 'drive', 'close'],
  ...['terrace', 'highway', 'bypass', 'boulevard', 'crescent', 'row', 'alley', 'embankment', 'goli', 'gully'],
  ...['mavatha', 'theru', 'veethi'],
  ...[
    'रोड',
    'सड़क',
    'मार्ग',
    'गली',
    'রোড',
    'সড়ক',
    'লেন',
    'গলি',
    'সরণি',
    'পথ',
    'পার',
    'මාවත',
    'පාර',
    'වීදිය',
    'වීථිය',
    'வீதி',
    'தெரு',
    'சாலை',
    'ரோடு',
  ],
];
const STREET: ReadonlySet<string> = new Set(STREET_WORDS.map((word) => word.normalize('NFC')));

const wordsIn = (text: string): string[] =>
  inLatinDigits(text)
    .toLowerCase()
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter(Boolean);

/** Parts of an address. */
const partsOf = (text: string): string[] =>
  text
    .split(PART_END)
    .map((part) => part.trim())
    .filter(Boolean);

/** Whether a text can name a house, a flat or a building: it has a letter or a digit. */
export function isHouse(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** A part as it is compared: 'Near New Delhi - 110017' is 'new delhi'. */
const folded = (part: string) =>
  wordsIn(part.replace(/^near\s/i, ''))
    .join(' ')
    .replace(/ \d{4,6}$/, '');

/**
 * Whether a text says more than which area it is: a part between commas that names a street, or anything with a letter
 * that is not an area's name. A postcode alone says nothing more.
 * @param isArea whether a part, in lower case and without punctuation, is only the name of an area, a town or a region
 */
export function isStreet(text: string, isArea: (part: string) => boolean): boolean {
  return partsOf(text).some(
    (part) =>
      /\p{L}/u.test(part) &&
      (wordsIn(part).some((word, _at, all) => all.length > 1 && STREET.has(word)) || !isArea(folded(part))),
  );
}

/** Tells the names that an area's own text has: 'Indiranagar, Bengaluru, 560038' has three. */
export function areaNames(...texts: readonly string[]): (part: string) => boolean {
  const names = new Set(texts.flatMap(partsOf).map(folded));
  return (part) => names.has(part);
}
