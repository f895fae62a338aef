import { PART_END, STREET_WORDS } from './houseNumber.ts';
import { HOUSE_WORDS } from './houseWords.ts';
import { withoutPersons } from './personNames.ts';
import { trimmedEnd } from './trimmedEnd.ts';
import { inLatinDigits } from './typedText.ts';

// House, street and landmark in an address, as people write them here. The page needs none of it.

/** Of these, the words that say no more than that a number follows: a street may have it, too. */
const NUMBER_WORDS: ReadonlySet<string> = new Set([
  'no',
  'nos',
  'number',
  'नंबर',
  'नं',
  'নং',
  'নম্বর',
  'අංක',
  'නො',
  'எண்',
  'இல',
]);
/** Words for a part of an area, which stand before or after its number or letter, with other spellings: they are no house. */
export const BLOCK_WORDS: Readonly<Record<string, readonly string[]>> = {
  sector: ['sec', 'सेक्टर', 'সেক্টর'],
  block: ['blk', 'bk', 'ब्लॉक', 'ব্লক'],
  phase: ['ph', 'फेज', 'ফেজ'],
  section: ['সেকশন'],
  stage: [],
  pocket: [],
};
/** Streets and blocks as Dhaka writes them, R-5, Blk#D: no comma stands before. */
const SHORT_ROAD = /^r\s{0,2}[-.#:]\s{0,2}\d/i;
const BEFORE_SHORT = /\s(?=(?:r|rd|road|sec|sector|blk|block)\s{0,2}[-.#:]\s{0,2}[a-z\d])/i;
/** Words that a street's name has where it stands behind a house; areas have them, too. */
const PERHAPS_STREET = new Set(['place', 'circus']);
/** What says that a landmark is near: before its name, or behind it. */
export const NEAR_WORDS: { readonly before: readonly string[]; readonly behind: readonly string[] } = {
  before: [
    ...['near', 'nr', 'near by', 'nearby', 'close to', 'opp', 'opp to', 'opposite', 'opposite to', 'behind', 'beside'],
    ...['besides', 'next to', 'adjacent to', 'adj to', 'adj', 'in front of', 'infront of', 'front of', 'back of'],
    ...['above', 'landmark', 'land mark', 'लैंडमार्क', 'ল্যান্ডমার্ক'],
  ],
  behind: [
    ...['के पास', 'के सामने', 'के पीछे', 'के बगल में', 'के बगल', 'के निकट', 'के नज़दीक', 'के साथ'],
    ...['ke paas', 'ke pas', 'ke samne', 'ke saamne', 'ke peeche', 'ke piche', 'ke bagal mein', 'ke bagal me'],
    ...['কাছে', 'এর কাছে', 'ধারে', 'পাশে', 'এর পাশে', 'সামনে', 'এর সামনে', 'পেছনে', 'এর পেছনে', 'পিছনে', 'বিপরীতে', 'নিকটে'],
    ...['er kache', 'er kachhe', 'er pashe', 'er samne', 'er pichone'],
    ...['அருகில்', 'அருகே', 'எதிரில்', 'எதிரே', 'பின்னால்', 'பின்புறம்', 'பக்கத்தில்', 'முன்னால்', 'கிட்ட'],
    ...['ළඟ', 'අසල', 'ඉදිරිපිට', 'ඉස්සරහ', 'පිටුපස', 'එහා', 'ළඟින්'],
  ],
};
/** Those that a sentence of ours says already: Near {landmark}. */
const SAID_BEFORE = /^(?:(?:near(?: ?by)?|nr|close to|land ?mark|लैंडमार्क|ল্যান্ডমার্ক)(?![\p{L}\p{M}])[ .:-]*){1,3}/iu;
const SAID_BEHIND = /(?:के (?:पास|निकट|नज़दीक)|ke paa?s|அருகில்|அருகே|ළඟ| near(?: ?by)?)$/iu;

/** A landmark as its field has it: 'Near the metro' is the metro; what stands opposite to something stays so. */
export const landmarkName = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(SAID_BEFORE, '').replace(SAID_BEHIND, '').trim();

/** A number directly before one of these belongs to the street: 80 feet road, 27 main. */
const COUNTED = new Set(['feet', 'ft', 'foot', 'cross', 'main']);
const setOf = (words: readonly string[]): ReadonlySet<string> => new Set(words.map((word) => word.normalize('NFC')));
const HOUSE = setOf(HOUSE_WORDS);
const STREET = setOf(STREET_WORDS);
const BLOCK = setOf(Object.entries(BLOCK_WORDS).flat(2));

/** Parts of an address. */
const partsOf = (text: string): string[] =>
  text
    .split(PART_END)
    .flatMap((part) => part.split(BEFORE_SHORT))
    .map((part) => part.replace(/^[\s\p{DI}.:-]+/u, '').trim())
    .filter(Boolean);
/** A piece of a part, without what joined it to the next one. */
const pieceOf = (part: string): string => trimmedEnd(part, /[\s./:#-]/);

/** A word of a part, in lower case with the digits 0-9, and where it stands. 12/A and B-204 are one word. */
interface Word {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}
const WORD =
  /(?:\p{N}[\p{L}\p{M}\p{N}]*|\p{L}\p{M}*)(?:[/-](?!\d+(?:st|nd|rd|th))(?:\p{N}[\p{L}\p{M}\p{N}]*|\p{L}\p{M}*(?![\p{L}\p{M}])))+|[\p{L}\p{M}\p{N}]+/giu;
const tokensOf = (part: string): Word[] =>
  [...inLatinDigits(part).matchAll(WORD)].map(({ 0: word, index }) => ({
    word: word.toLowerCase().normalize('NFC'),
    from: index,
    to: index + word.length,
  }));

const isOrdinal = (word: string) => /^\d+(?:st|nd|rd|th)$/.test(word);
/** A house in a block or a wing, B12, B-12; NH44 and SH17 are highways, R-5 is a road. */
const isLettered = (word: string) => /^(?:(?![ns]h\d)[a-z]{1,2}\d+[a-z]?|(?!r-)\p{L}\p{M}*[/-]\d.*)$/u.test(word);
const isHouseNumber = (word: string) => (/^\d/.test(word) && !isOrdinal(word)) || isLettered(word);
const isLetter = (word: string) => /^\p{L}\p{M}*$/u.test(word);
const isStreetWord = (word: string) => STREET.has(word) || PERHAPS_STREET.has(word);

/** Whether a word at `at` is one of a house: its number, what says so, or the letter behind its number. */
function isOfHouse(words: readonly Word[], at: number): boolean {
  const { word } = words[at]!;
  const next = words[at + 1]?.word ?? '';
  if (HOUSE.has(word)) return true;
  // What stands directly before its kind of street is the street's own name: B7 Road.
  if (isLettered(word)) return !STREET.has(next);
  return isHouseNumber(word) || (isLetter(word) && isHouseNumber(words[at - 1]?.word ?? '') && !isStreetWord(next));
}

/**
 * How many words at the beginning are those before a street, with its house: 1 of '12 MG Road', none of '80 feet road', 4 of
 * 'Silver Court no 12 High Level Road'.
 */
function houseIn(words: readonly Word[]): number {
  const at = (index: number) => words[index]?.word ?? '';
  const isStart = (index: number) =>
    HOUSE.has(at(index)) ? isHouseNumber(at(index + 1)) : isHouseNumber(at(index)) && !isStreetWord(at(index + 1));
  let from = 0;
  if (words.length > 0 && !isOfHouse(words, 0)) {
    const first = words.findIndex(({ word }, index) => isStreetWord(word) || BLOCK.has(word) || isStart(index));
    if (first < 0 || !isStart(first)) return 0;
    from = first;
  }
  let to = from;
  while (to < words.length && isOfHouse(words, to)) to += 1;
  // '12 80 feet road': the last number counts the feet. '12 Main Street' and 'Shop 5 Main Market' have names.
  const isNamed = ['main', 'cross'].includes(at(to)) && /^\p{L}/u.test(at(to + 1)) && !HOUSE.has(at(to + 1));
  if (/^\d+$/.test(at(to - 1)) && COUNTED.has(at(to)) && !isNamed) to -= 1;
  return to > from ? to : 0;
}

/**
 * Where the words of a house begin behind a street: 3 of 'CDA Avenue house 12', 2 of 'MG Road 45'. The number of a road
 * without a name is its own: Road 5.
 * @returns the number of words where there is none, and whether something says that it is a house
 */
function houseBehind(words: readonly Word[], from: number): { readonly at: number; readonly isSaid: boolean } {
  const isNumbered = (index: number) => /\d/.test(words[index]?.word ?? '');
  let street = words.length - 1;
  while (street >= from && !isStreetWord(words[street]!.word)) street -= 1;
  // The name stands directly before: the block of 'Banasree Block C Road 4' is none.
  let name = street;
  while (name > from && !isNumbered(name - 1) && !BLOCK.has(words[name - 1]!.word)) name -= 1;
  if (BLOCK.has(words[name - 1]?.word ?? '') && isLetter(words[name]?.word ?? '')) name += 1;
  const isNamed = name < street;
  let at = street + 1;
  if (!isNamed) {
    if (NUMBER_WORDS.has(words[at]?.word ?? '')) at += 1;
    if (isNumbered(at)) at += 1;
  }
  const rest = words.slice(at);
  const isHere =
    street >= from &&
    rest.some(({ word }) => /\d/.test(word)) &&
    rest.every((_, index) => isOfHouse(words, at + index));
  return {
    at: isHere ? at : words.length,
    isSaid: rest.some(({ word }) => HOUSE.has(word) && !NUMBER_WORDS.has(word)),
  };
}

/** Where the words of a house begin behind a block: 2 of 'J Block House No 45'. */
function houseAfter(words: readonly Word[]): number {
  const at = words.findIndex(({ word }, index) => index > 0 && HOUSE.has(word));
  const isHouse = at > 0 && words.slice(at).every((_, index) => isOfHouse(words, at + index));
  return isHouse && words.slice(at).some(({ word }) => isHouseNumber(word)) && !NUMBER_WORDS.has(words[at]!.word)
    ? at
    : words.length;
}

/** Where a part of an area begins behind a house, and no street is named: 2 of 'plot 15 sector 7'. */
function blockBehind(words: readonly Word[]): number {
  const at = words.findIndex(({ word }) => BLOCK.has(word));
  const isNumbered = (index: number) => /^(?:\d+|[a-z]|[ivx]+)$/.test(words[index]?.word ?? '');
  if (at < 1 || !words.slice(0, at).some((_, index) => isOfHouse(words, index))) return words.length;
  if (isOrdinal(words[at - 1]!.word)) return at > 1 ? at - 1 : words.length;
  return at > 1 && isNumbered(at + 1) ? at : words.length;
}

/** What the parts of an address say so far. */
interface Door {
  readonly house: string[];
  readonly street: string[];
  /** The number behind a street, MG Road 45: a house's, unless the address has another one. */
  behind: { readonly at: number; readonly street: string; readonly number: string } | null;
}

/** Adds a part that has a word of streets: what stands before or behind the street may be a house. */
function addStreet(door: Door, part: string, words: readonly Word[]): void {
  const { house, street } = door;
  const to = street.length === 0 || HOUSE.has(words[0]!.word) ? houseIn(words) : 0;
  const start = words[to - 1]?.to ?? 0;
  if (to > 0) house.push(part.slice(0, start));
  const { at, isSaid } = houseBehind(words, to);
  const end = words[at]?.from ?? part.length;
  const own = part.slice(start).replace(/^[\s./:-]+/, '');
  const rest = pieceOf(part.slice(start, end).replace(/^[\s./:-]+/, ''));
  if (end === part.length) street.push(own);
  else if (isSaid) {
    house.push(part.slice(end));
    street.push(rest);
  } else {
    door.behind ??= { at: street.length, street: rest, number: part.slice(end) };
    street.push(own);
  }
}

/** Adds a part that has no word of streets. */
function addOther(door: Door, part: string, words: readonly Word[]): void {
  const { house, street } = door;
  const startOf = (at: number) => words[at]?.from ?? part.length;
  const isOfArea = words.slice(0, 2).some(({ word }) => BLOCK.has(word)) || SHORT_ROAD.test(part);
  const isHouse = street.length === 0 || words.some(({ word }) => HOUSE.has(word));
  const at = startOf(isOfArea ? houseAfter(words) : blockBehind(words));
  const [before, behind] = at === part.length ? [part, ''] : [pieceOf(part.slice(0, at)), part.slice(at)];
  if (isOfArea) {
    street.push(before);
    if (behind !== '') house.push(behind);
  } else if (isHouse) {
    house.push(before);
    if (behind !== '') street.push(behind);
  } else {
    if (words.length === 1 && isHouseNumber(words[0]!.word))
      door.behind ??= { at: street.length, street: '', number: part };
    street.push(part);
  }
}

/** Splits what stands before the area in an address: '12, 80 feet road' is house 12 on 80 feet road. */
export function splitDoor(text: string): { house: string; street: string } {
  const door: Door = { house: [], street: [], behind: null };
  for (const part of withoutPersons(partsOf(text))) {
    const words = tokensOf(part);
    const add = words.some(({ word }) => isStreetWord(word)) ? addStreet : addOther;
    add(door, part, words);
  }
  const { house, street, behind } = door;
  // A floor alone is no house: Galle Road 45, 2nd floor.
  if (behind !== null && !house.some((part) => tokensOf(part).some(({ word }) => isHouseNumber(word)))) {
    house.unshift(behind.number);
    street.splice(behind.at, 1, ...(behind.street === '' ? [] : [behind.street]));
  }
  return { house: house.join(', '), street: street.join(', ') };
}
