/** Words that stand before or after the number of a house, as people write them here, in lower case. */
export const HOUSE_WORDS: readonly string[] = [
  ...['no', 'nos', 'number', 'h', 'hno', 'house', 'home', 'flat', 'plot', 'door', 'dno', 'floor', 'flr', 'apt', 'unit'],
  ...['apartment', 'apartments', 'room', 'shop', 'office', 'holding', 'building', 'bldg', 'tower', 'wing', 'villa'],
  ...['residency', 'residence', 'society', 'enclave', 'heights', 'ground', 'basa', 'bari'],
  ...['मकान', 'घर', 'फ्लैट', 'बिल्डिंग', 'বাসা', 'বাড়ি', 'ফ্ল্যাট', 'නිවස', 'අංක', 'வீடு', 'எண்'],
];
/** Words that a street's name has. */
export const STREET_WORDS: readonly string[] = [
  ...['road', 'rd', 'street', 'st', 'str', 'lane', 'ln', 'bylane', 'marg', 'path', 'gali', 'galli', 'avenue', 'ave'],
  ...['cross', 'main', 'feet', 'ft', 'foot', 'mawatha', 'mw', 'sarani', 'sarak', 'salai', 'veediya', 'drive', 'close'],
  ...['terrace', 'highway', 'bypass', 'boulevard', 'crescent', 'row', 'alley', 'embankment'],
  ...[
    'रोड',
    'सड़क',
    'मार्ग',
    'गली',
    'রোড',
    'সড়ক',
    'লেন',
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
/** A number directly before one of these belongs to the street: 80 feet road, 27 main. */
const COUNTED = new Set(['feet', 'ft', 'foot', 'cross', 'main']);
const HOUSE = new Set(HOUSE_WORDS);
const STREET = new Set(STREET_WORDS);

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter(Boolean);

/** Parts of an address: what stands between commas or on lines of its own. */
const partsOf = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean);

const isOrdinal = (word: string) => /^\d+(st|nd|rd|th)$/.test(word);
/** A house in a block or a wing, B12; NH44 and SH17 are highways. */
const isLettered = (word: string) => /^(?![ns]h\d)[a-z]{1,2}\d+[a-z]?$/.test(word);

/** How many characters at the beginning of a part name a house: 12 of '12 MG Road', but none of '80 feet road'. */
function houseLength(part: string): number {
  const words = [...part.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  const at = (index: number) => words[index]?.[0].toLowerCase() ?? '';
  let end = 0;
  let count = 0;
  const isHouseAt = (index: number) =>
    HOUSE.has(at(index)) ||
    (/^\d/.test(at(index)) && !isOrdinal(at(index))) ||
    // What stands directly before its kind of street is the street's own name: B7 Road.
    (isLettered(at(index)) && !STREET.has(at(index + 1)));
  while (isHouseAt(count)) count += 1;
  // '12 80 feet road': the last number counts the feet.
  if (/^\d/.test(at(count - 1)) && COUNTED.has(at(count))) count -= 1;
  const last = words[count - 1];
  if (last) end = last.index + last[0].length;
  return end;
}

/** Splits what stands before the area in an address: '12, 80 feet road' is house 12 on 80 feet road. */
export function splitDoor(text: string): { house: string; street: string } {
  const house: string[] = [];
  const street: string[] = [];
  for (const part of partsOf(text)) {
    if (!wordsIn(part).some((word) => STREET.has(word))) {
      (street.length === 0 ? house : street).push(part);
      continue;
    }
    const length = street.length === 0 ? houseLength(part) : 0;
    const own = part.slice(0, length);
    if (own !== '') house.push(own);
    street.push(part.slice(length).replace(/^[\s./-]+/, ''));
  }
  return { house: house.join(', '), street: street.join(', ') };
}

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
