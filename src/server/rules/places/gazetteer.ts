import { distanceKm, type Point } from '../../../domain/geo.ts';
import { forgiven, slips } from '../../../domain/slips.ts';
import { PART_END, STREET_WORDS } from '../../../domain/houseNumber.ts';
import { landmarksIn, postcodesIn, type TypedPostcode } from './addressText.ts';
import { HOUSE_WORDS } from '../../../domain/houseWords.ts';
import { BLOCK_WORDS, landmarkName, NEAR_WORDS } from '../../../domain/doorText.ts';
import { isIndic, latinOf, placeWords, placeSound } from './scripts.ts';
import type { SeedPlace } from '../../store/seeds.ts';

/** A name or an alias, each word as its number. */
type Words = readonly number[];
interface Entry {
  readonly place: SeedPlace;
  readonly names: readonly Words[];
  readonly rest: Words;
  /** How likely it is meant: 0 to 1.3. */ readonly weight: number;
}

/**
 * All places of a country, to be found by their words: each different word once, sorted, with the places that have it.
 * A typed word is compared with all of them in one pass, which does the work for common beginnings only once.
 */
export interface Gazetteer {
  readonly places: readonly SeedPlace[];
  readonly byId: ReadonlyMap<string, SeedPlace>;
  readonly postcodes: ReadonlySet<string>;
  /** Words of states and provinces that are in no town's name: an address may have them. */
  readonly regions: ReadonlySet<string>;
  /** The names of big towns that are one word. */
  readonly towns: ReadonlySet<string>;
  readonly entries: readonly Entry[];
  readonly words: readonly string[];
  /** For each word, how many first letters it shares with the one before. */
  readonly shared: Uint8Array;
  /** For each word, the numbers of the entries that have it. */
  readonly having: readonly (readonly number[])[];
  /** The words in Latin letters with their sounds, sorted by sound. */
  readonly sounds: () => readonly Sound[];
}
type Sound = readonly [sound: string, word: number];

const WEIGHTS: Readonly<Record<string, number>> = { city: 0.9, locality: 0.85, landmark: 0.8, area: 0.45, town: 0.25 };
/** Kinds whose names are also found when they are typed in one word. */
const JOINED: ReadonlySet<string> = new Set(['city', 'locality', 'landmark']);
const weightOf = ({ kind, population = 0 }: SeedPlace) => Math.max(WEIGHTS[kind] ?? 0, Math.log10(population) / 6);

export function gazetteerOf(places: readonly SeedPlace[]): Gazetteer {
  // Plain loops: a quarter of a million small arrays would delay the first pages of a server that starts.
  const met = new Map<string, number>();
  const meet = (list: readonly string[]): number[] =>
    list.map((word) => {
      let number = met.get(word);
      if (number === undefined) met.set(word, (number = met.size));
      return number;
    });
  // 'Koramangala Bangalore': an area is found by every name of its town.
  const aliases = new Map(places.filter(({ kind }) => kind === 'city').map((city) => [city.name, city.aliases]));
  const towns = new Map<string, number[]>();
  const meetTown = (town: string, region: string) => {
    const key = `${town}, ${region}`;
    let known = towns.get(key);
    if (!known) towns.set(key, (known = meet([key, ...(aliases.get(town) ?? [])].flatMap(placeWords))));
    return known;
  };
  const entries = places.map((place) => {
    const around = meetTown(place.city, place.region ?? '');
    const names = [meet(placeWords(place.name))];
    for (const alias of place.aliases) names.push(meet(placeWords(alias)));
    // 'HSR Layout' is typed in one word too.
    const parts = JOINED.has(place.kind) ? placeWords(place.name) : [];
    if (parts.length > 1) names.push(meet([parts.join('')]));
    // 'Colombo 5' by every name of its town.
    const district = place.aliases.find((alias) => /\d$/.test(alias) && alias.startsWith(`${place.city} `));
    if (district !== undefined)
      for (const town of aliases.get(place.city) ?? [])
        names.push(meet(placeWords(district.replace(place.city, town))));
    return {
      place,
      names,
      rest: place.postcode === undefined ? around : [...around, ...meet([place.postcode])],
      weight: weightOf(place),
    };
  });
  const words = [...met.keys()].sort();
  const rank = new Uint32Array(words.length);
  for (const [number, word] of words.entries()) rank[met.get(word) as number] = number;
  const having: number[][] = words.map(() => []);
  const sortedIn = new Set<number[]>();
  const sortIn = (list: number[]) => {
    if (sortedIn.has(list)) return;
    sortedIn.add(list);
    for (let at = 0; at < list.length; at += 1) list[at] = rank[list[at]!]!;
  };
  for (const [index, { names, rest }] of entries.entries()) {
    const had = (list: number[]) => {
      sortIn(list);
      for (const number of list) {
        const those = having[number]!;
        if (those.at(-1) !== index) those.push(index);
      }
    };
    names.forEach(had);
    had(rest);
  }
  const shared = new Uint8Array(words.length);
  for (const [number, word] of words.entries()) {
    const before = words[number - 1] ?? '';
    let same = 0;
    while (same < word.length && word[same] === before[same]) same += 1;
    shared[number] = Math.min(same, 255);
  }
  let heard: Sound[] | null = null;
  // Needed only when somebody types in another script.
  const sounds = () =>
    (heard ??= words
      .flatMap((word, number) => (/^[a-z]{3,}$/.test(word) ? [[placeSound(word), number] as Sound] : []))
      .sort((a, b) => (a[0] < b[0] ? -1 : 1)));
  const postcodes = new Set(places.flatMap(({ postcode }) => postcode ?? []));
  const ofTowns = new Set([...aliases].flatMap(([name, others]) => [name, ...others]).flatMap(placeWords));
  const regionNames = new Set(places.flatMap(({ region }) => region ?? []));
  const regions = new Set([...regionNames].flatMap(placeWords).filter((word) => !ofTowns.has(word)));
  return {
    places,
    byId: new Map(places.map((place) => [place.id, place])),
    postcodes,
    regions,
    towns: new Set(
      places
        .filter(({ kind, population = 0 }) => kind === 'city' || population >= BIG_TOWN)
        .flatMap(({ name }) => (placeWords(name).length === 1 ? placeWords(name) : [])),
    ),
    entries,
    words,
    shared,
    having,
    sounds,
  };
}

const SLIP = 3;
/** The cost when only the beginning of the word was typed. */
const BEGINNING = 0.25;
/** The cost of a slip after which the word still sounds the same. */
const ALIKE = 0.6;
/** The cost of writing one word as two. */
const JOIN = 0.3;
const JOINED_SLIPS = 3;
/** The cost when the word was written as it sounds, in another script. */
const HEARD = 0.6;
/** The cost of each letter that is then written differently. */
const HEARD_SLIP = 0.4;
/** A word with consonants that scripts do not tell apart written as one: what still differs are vowels and doubling. */
const vowelsOf = (word: string) =>
  word.replace(/w/g, 'v').replace(/d/g, 't').replace(/g/g, 'k').replace(/b/g, 'p').replace(/y$/, 'i');

/** Index of the first value of a sorted list that does not come before the wanted one. */
function firstFrom<T>(list: readonly T[], comesBefore: (value: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const WIDEST = 82;
const LONGEST = 82;
/**
 * The numbers of typing mistakes for the word that is compared, one row for each of its letters. Shared by all
 * searches: one runs at a time.
 */
const table = new Uint8Array(WIDEST * LONGEST);
/**
 * For each of those letters, the fewest mistakes that the typed word has against the word up to there, or a beginning
 * of it.
 */
const best = new Uint8Array(LONGEST);

/**
 * Fills the table's row for the letter at `at` of a word, and `best` for that letter.
 * @returns the fewest mistakes in the row
 */
function fillRow(word: string, at: number, typed: string, length: number, most: number): number {
  const letter = word[at];
  const row = (at + 1) * WIDEST;
  const before = row - WIDEST;
  // Cells farther from the diagonal than the allowed mistakes cannot matter.
  const low = Math.max(1, at + 1 - most);
  const high = Math.min(length, at + 1 + most);
  table[row + low - 1] = low === 1 ? at + 1 : 255;
  let least = table[row + low - 1]!;
  for (let j = low; j <= high; j += 1) {
    let cost = table[before + j - 1]! + (letter === typed[j - 1] ? 0 : 1);
    if (table[row + j - 1]! + 1 < cost) cost = table[row + j - 1]! + 1;
    if (j < at + 1 + most && table[before + j]! + 1 < cost) cost = table[before + j]! + 1;
    if (at > 0 && j > 1 && letter === typed[j - 2] && word[at - 1] === typed[j - 1])
      cost = Math.min(cost, table[before - WIDEST + j - 2]! + 1);
    table[row + j] = cost;
    if (cost < least) least = cost;
  }
  // What is typed is often only the beginning of a word.
  best[at + 1] = Math.min(best[at]!, high === length ? table[row + length]! : 255);
  return least;
}

/** Reports the words from number `from` on that equal the typed one, or begin with it, with at most `most` mistakes. */
function walk(
  { words, shared }: Gazetteer,
  typed: string,
  most: number,
  from: number,
  isWanted: (word: string) => boolean,
  note: (number: number, cost: number) => void,
): void {
  const length = Math.min(typed.length, WIDEST - 1);
  for (let j = 0; j <= length; j += 1) table[j] = j;
  best[0] = 255;
  /** The last word was given up after this many letters. A word that shares them cannot come closer. */
  let dead = LONGEST;
  for (let number = from; number < words.length; number += 1) {
    const word = words[number]!;
    if (!isWanted(word)) return;
    const same = number === from ? 0 : shared[number]!;
    if (same >= dead) {
      if (best[dead]! <= most) note(number, best[dead]! * SLIP + BEGINNING);
      continue;
    }
    dead = LONGEST;
    const end = Math.min(word.length, LONGEST - 1);
    let at = same;
    while (at < end && dead === LONGEST) {
      const least = fillRow(word, at, typed, length, most);
      at += 1;
      if (least > most) dead = at;
    }
    if (best[at]! > most) continue;
    // In the row of a word that was given up nothing is as good as its best beginning.
    const isWhole = Math.abs(at - length) <= most && table[at * WIDEST + length] === best[at];
    note(number, best[at]! * SLIP + (isWhole ? 0 : BEGINNING));
  }
}

/** The sound of each word by its number, as far as it was needed. */
const heardWords = new WeakMap<readonly string[], string[]>();
function soundAt(words: readonly string[], number: number): string {
  let known = heardWords.get(words);
  if (!known) heardWords.set(words, (known = []));
  return (known[number] ??= placeSound(words[number]!));
}

/** What it costs to take each word for the typed one; words that differ too much are missing. */
function fits(gazetteer: Gazetteer, { word: typed, written, isExact, isPlain }: TypedWord): Map<number, number> {
  const { words, sounds } = gazetteer;
  const costs = new Map<number, number>();
  const note = (number: number, cost: number) => {
    if (cost < (costs.get(number) ?? Infinity)) costs.set(number, cost);
  };
  for (const same of SAME_WORDS.get(typed) ?? []) {
    const number = firstFrom(words, (word) => word < same);
    if (words[number] === same) note(number, 0);
  }
  for (
    let number = firstFrom(words, (word) => word < typed);
    isExact ? words[number] === typed : words[number]?.startsWith(typed);
    number += 1
  )
    note(number, words[number] === typed ? 0 : BEGINNING);

  const most = isPlain ? 0 : forgiven(typed.length);
  const sound = placeSound(typed);
  const noteSlips = (number: number, cost: number) => {
    // Vowels, doubled letters and the h are written in many ways: indranagar and Indiranagar sound alike.
    const wrong = Math.floor(cost / SLIP);
    const isAlike = sound.length >= 3 && soundAt(words, number).startsWith(sound);
    note(number, isAlike ? cost - wrong * (SLIP - ALIKE) : cost);
  };
  // Hardly anybody mistypes the first letter, except by swapping it with the second.
  for (const first of most === 0 ? [] : new Set(typed.slice(0, 2))) {
    walk(
      gazetteer,
      typed,
      most,
      firstFrom(words, (word) => word < first),
      (word) => word.startsWith(first),
      noteSlips,
    );
  }

  if (isIndic(typed)) {
    const list = sounds();
    // A dot below makes another sound of a letter: the same one is an r in Ghorashal, and a d in Bhiwadi.
    for (const latin of new Set([latinOf(written), latinOf(typed)])) {
      const spoken = placeSound(latin);
      if (spoken.length < 2) continue;
      for (let at = firstFrom(list, ([one]) => one < spoken); list[at]?.[0].startsWith(spoken); at += 1) {
        const [one, number] = list[at]!;
        note(number, HEARD + (one === spoken ? slips(vowelsOf(latin), vowelsOf(words[number]!), 6) * HEARD_SLIP : 1.5));
      }
    }
  }
  return costs;
}

/** Adds words that two typed ones make together: 'indira nagar' is Indiranagar. */
function join({ words, sounds }: Gazetteer, one: Fit, two: Fit): void {
  const joined = one.word + two.word;
  const sound = placeSound(joined);
  if (sound.length < 4) return;
  const list = sounds();
  for (let at = firstFrom(list, ([heard]) => heard < sound); list[at]?.[0] === sound; at += 1) {
    const number = list[at]![1];
    const wrong = slips(joined, words[number]!, JOINED_SLIPS);
    // 'Rao Saket' sounds like Rajkot, and is spelled too differently.
    if (wrong > JOINED_SLIPS) continue;
    const cost = JOIN + wrong * ALIKE;
    if (cost < (one.costs.get(number) ?? Infinity)) one.costs.set(number, cost);
    two.costs.set(number, 0);
  }
}

const leastOf = (words: Words, costs: ReadonlyMap<number, number>) => {
  let least = Infinity;
  for (const word of words) least = Math.min(least, costs.get(word) ?? Infinity);
  return least;
};

/** A typed word, and where it stands in the text. */
interface TypedWord {
  readonly word: string;
  /** As it was typed, with the dots of Indian scripts. */ readonly written: string;
  readonly start: number;
  readonly end: number;
  /** Only the whole word counts: a house number is not the beginning of a postcode. */ readonly isExact: boolean;
  /** A number, or a word of houses and streets: an address has it, a place seldom. */ readonly isPlain: boolean;
  /** The cost of leaving it out. */ readonly skip: number;
  /** A word of a state or a province: nothing of it stands at a door. */ readonly isRegion: boolean;
  /** A postcode or a phone number: nothing of it stands at a door. */ readonly isCode: boolean;
  /** The landmark that it stands in: its number, or -1. */ readonly landmark: number;
  /** One of the first words of a landmark, which hardly say where it is. */ readonly isNear: boolean;
  /** Behind 'house' or 'flat': no number of an area. */ readonly isOfHouse: boolean;
  /** Behind "road": the road's own number, and no area's. */ readonly isOfRoad: boolean;
  readonly isFloor: boolean;
  /** A big town's name: an address in it is in no other one. */ readonly isTown: boolean;
  /** It belongs to its landmark, even if the place has it. */ readonly isSure: boolean;
  /** Part of a street's name: the number of the word that says so, 'road' for 'linking' in 'linking road bandra'. */
  readonly streetWord: number | null;
}
interface Fit extends TypedWord {
  readonly costs: Map<number, number>;
}

/** A whole address that somebody sent has about forty. */
const WORDS_READ = 48;
const DOOR_WORDS: ReadonlySet<string> = new Set(HOUSE_WORDS.flatMap(placeWords));
const ROADS: ReadonlySet<string> = new Set(STREET_WORDS.flatMap(placeWords));
/** Other words of addresses, which are part of an area's name in one town and of an address in another. */
const LOOSE: ReadonlySet<string> = new Set(
  [
    ...Object.entries(BLOCK_WORDS).flat(2),
    ...NEAR_WORDS.before,
    'zone',
    'ward',
    'next',
    'to',
    'the',
    'at',
    'ka',
    'ki',
    'ke',
    'er',
  ].flatMap(placeWords),
);
/** What a landmark is, behind its name. */
const LANDMARK_KINDS: ReadonlySet<string> = new Set([
  ...['metro', 'station', 'mall', 'signal', 'temple', 'mandir', 'masjid', 'mosque', 'church', 'kovil', 'gurudwara'],
  ...['school', 'college', 'hospital', 'clinic', 'pharmacy', 'bank', 'atm', 'park', 'lake', 'bus', 'stand', 'stop'],
  ...['gate', 'market', 'bazaar', 'circle', 'junction', 'tower', 'hotel', 'petrol', 'pump', 'police', 'post', 'office'],
  ...['cinema', 'theatre', 'library', 'store', 'club', 'ground', 'stadium', 'pillar', 'flyover', 'bridge'],
]);
/** What an area is, behind its name: 'Zzyx Colony' is not Arera Colony. */
const AREA_KINDS: ReadonlySet<string> = new Set([
  ...['colony', 'layout', 'enclave', 'extension', 'nagar', 'vihar', 'garden', 'gardens', 'estate', 'society'],
  ...['town', 'city', 'east', 'west', 'north', 'south'],
]);
const BLOCKS: ReadonlySet<string> = new Set(Object.entries(BLOCK_WORDS).flat(2).flatMap(placeWords));
/** Other spellings of words of areas, in the data and as they are typed: Sec 18 is Sector 18, the 6th Block is VI Bk. */
const SAME_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Object.entries(BLOCK_WORDS).map((all) => all.flat().flatMap(placeWords)),
    ...['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'].map((roman, at) => [
      ...[roman, `${at + 1}`, `${at + 1}${['st', 'nd', 'rd'][at] ?? 'th'}`],
    ]),
  ].flatMap((all) => all.map((one): [string, string[]] => [one, all.filter((other) => other !== one)])),
);
/** Behind the name of an area: residential, commercial. */
const AREA_SIGNS: ReadonlySet<string> = new Set(['r/a', 'c/a']);
/** Behind the name of an area: Andheri (W). */
const SIDES: Readonly<Record<string, string>> = { w: 'west', e: 'east', n: 'north', s: 'south' };
const AREA_NUMBER = /^(?:\d|[iv]+$)/;
const SKIP_NUMBER = 0.3;
/** The number of an area: 3 in 'Colombo 3'. */
const SKIP_AREA_NUMBER = 1.2;
const SKIP_DOOR = 0.4;
const SKIP_LAST_STREET = 1;
/** A postcode says less than the name of an area, which may have several. */
const SKIP_POSTCODE = 1;
/** The cost of a word that names the place only in what it is near to, and of a house's number as that of an area. */
const IN_LANDMARK = 0.5;
/** The cost of a word that stands before a street as its name, and is taken for that of an area. */
const IN_STREET = 1;
/** An ordinary word is left out more easily the earlier it stands: the place comes last in an address. */
const SKIP_FIRST = 1.5;
const SKIP_LATER = 2;

/** Which floor, before the word for one. */
const FLOORS: ReadonlySet<string> = new Set(['floor', 'flr', 'fl', 'मंजिल', 'তলা', 'මහල', 'மாடி'].flatMap(placeWords));
const isNumber = (word: string) => /^(?:\d{1,4}[a-z]{0,2}|[^/]+\/.+)$/.test(word);
const isStreetOrHouse = (word: string) => DOOR_WORDS.has(word) || ROADS.has(word);

/** A word as it stands in a text; the number of a house is one word: 12/A. */
const WRITTEN =
  /(?:\p{Nd}[\p{L}\p{M}\p{N}]*|(?<![\p{L}\p{M}\p{N}])\p{L}\p{M}*)(?:\/(?:\p{Nd}[\p{L}\p{M}\p{N}]*|\p{L}\p{M}*(?![\p{L}\p{M}])))+|[\p{L}\p{M}\p{N}'’\u200b-\u200d]+/gu;

/**
 * For each word, the number of the street word that it belongs to, in the same part of the address; null for words of no
 * street, and where nothing follows the street that could be the place.
 */
function streetWords(words: readonly { readonly word: string; readonly part: number }[]): (number | null)[] {
  const streets: (number | null)[] = words.map(() => null);
  for (const [index, { word, part }] of words.entries()) {
    if (!ROADS.has(word)) continue;
    const isLast = words.slice(index).every((one) => isNumber(one.word) || isStreetOrHouse(one.word));
    if (isLast && !words.some((one) => one.part !== part && !isNumber(one.word) && !isStreetOrHouse(one.word)))
      continue;
    for (let at = index - 1; at >= 0; at -= 1) {
      const one = words[at]!;
      if (one.part !== part || isNumber(one.word) || isStreetOrHouse(one.word) || LOOSE.has(one.word)) break;
      streets[at] = index;
    }
  }
  return streets;
}

/** The words of a typed text. A house's number may have letters: 12, 12A, 5th, 12/A. */
function typedWords({ regions, towns }: Gazetteer, text: string, codes: readonly TypedPostcode[]): TypedWord[] {
  const found: { word: string; written: string; start: number; end: number; part: number }[] = [];
  let part = 0;
  let before = 0;
  const oneOf = (word: string, start: number) => (text[start - 1] === '(' ? SIDES[word] : undefined) ?? word;
  for (const { 0: written, index } of text.matchAll(WRITTEN)) {
    const code = codes.find(({ start, end }) => index >= start && index < end);
    if (code !== undefined && index > code.start) continue;
    if (PART_END.test(text.slice(before, index))) part += 1;
    before = code?.end ?? index + written.length;
    const own = placeWords(written);
    for (const word of code !== undefined
      ? [code.code]
      : written.includes('/') && /\p{Nd}/u.test(written)
        ? [own.join('/')]
        : own)
      found.push({ word: oneOf(word, index), written, start: index, end: before, part });
  }
  const read = found.slice(0, WORDS_READ);
  const isAlone = read.length === 1;
  const streets = streetWords(read);
  const isDoor = (word: string) => word.length === 1 || DOOR_WORDS.has(word) || ROADS.has(word) || LOOSE.has(word);
  // 'Metro gate 3 ke paas'
  const isOfLandmark = (index: number) =>
    isNumber(read[index]!.word) && LANDMARK_KINDS.has(read[index - 1]?.word ?? '') && read[index]!.word.length < 3;
  const landmarks = landmarksIn(
    read,
    (index) => !isOfLandmark(index) && (isNumber(read[index]!.word) || isStreetOrHouse(read[index]!.word)),
  );
  const landmarkAt = (index: number) => landmarks.findIndex(({ from, to }) => index >= from && index <= to);
  const isNear = (index: number) =>
    landmarks.some(
      ({ from, to, sure }) => index >= from && index <= to && (index <= sure || LANDMARK_KINDS.has(read[index]!.word)),
    );
  // Behind "house" it is the house's own number.
  const isCode = (index: number): boolean => {
    const { word, start } = read[index]!;
    if (DOOR_WORDS.has(read[index - 1]?.word ?? '')) return false;
    return codes.some((code) => code.start === start) || /^\d{5,}$/.test(word);
  };
  // 'H-34 R-11'
  const isRoad = (index: number): boolean => {
    const word = read[index]?.word ?? '';
    return ROADS.has(word) || (word === 'r' && read.slice(0, index).some((one) => one.word === 'h'));
  };
  const isOfRoad = (index: number): boolean =>
    isNumber(read[index]!.word) && read[index - 1]?.part === read[index]!.part && isRoad(index - 1);
  const isTown = (index: number): boolean => {
    const { word } = read[index]!;
    return index > 0 && towns.has(word) && !regions.has(word) && streets[index] === null && landmarkAt(index) < 0;
  };
  const skipOf = (index: number): number => {
    const { word, part: own } = read[index]!;
    const last = read[index - 1];
    if (isCode(index)) return /^\d{4,6}$/.test(word) ? SKIP_POSTCODE : SKIP_NUMBER;
    if (isNear(index)) return SKIP_DOOR;
    if (isNumber(word)) {
      const isOfArea =
        last !== undefined &&
        last.part === own &&
        (BLOCKS.has(last.word) || (!isNumber(last.word) && !isDoor(last.word)));
      return isOfArea ? SKIP_AREA_NUMBER : SKIP_NUMBER;
    }
    return isDoor(word) || regions.has(word) ? SKIP_DOOR : SKIP_FIRST + (SKIP_LATER * index) / read.length;
  };
  return read.map(({ word, written, start, end }, index) => ({
    // 'Colombo 03' is Colombo 3.
    word: /^0\d$/.test(word) ? word.slice(1) : word,
    written,
    start,
    end,
    isExact:
      !isAlone &&
      (isCode(index)
        ? codes.some(({ start: at }) => at === start)
        : isNumber(word)
          ? word.length < 4
          : index < read.length - 1 && (word.length === 1 || DOOR_WORDS.has(word) || LOOSE.has(word))),
    isPlain: !isAlone && !isCode(index) && (isNumber(word) || isDoor(word)),
    isCode: !isAlone && isCode(index),
    isRegion: regions.has(word),
    landmark: landmarkAt(index),
    isNear: isNear(index),
    isOfHouse: isNumber(word) && DOOR_WORDS.has(read[index - 1]?.word ?? ''),
    isOfRoad: isOfRoad(index),
    isFloor: isNumber(word) && FLOORS.has(read[index + 1]?.word ?? ''),
    isTown: isTown(index),
    isSure: landmarks.some(({ from, sure }) => index >= from && index <= sure),
    skip: skipOf(index),
    streetWord: streets[index] ?? null,
  }));
}

interface Score {
  readonly cost: number;
  /** Number of the entry's best name. */ readonly name: number;
  /** For each typed word, whether the place has it. */ readonly has: readonly boolean[];
}

/** 'Galle' in 'Galle Road, Colombo 03' is no town; but Park Street is a place, too. */
const isInStreet = ({ streetWord }: TypedWord, typed: readonly Fit[], own: Words) =>
  streetWord !== null && leastOf(own, typed[streetWord]!.costs) === Infinity;

/** What it costs besides to take a word for that of a place which may say something else. */
const unlikely = ({ isNear, isOfHouse, isOfRoad, streetWord }: TypedWord, mayBeStreet: boolean) =>
  (isNear || isOfHouse || isOfRoad ? IN_LANDMARK : 0) + (mayBeStreet && streetWord !== null ? IN_STREET : 0);

/**
 * The cost of leaving out a street, from its word on. What stands last in an address is rather the place: the street Galle
 * Road is left out, the area Brigade Road is not.
 */
const streetLeft = (rest: readonly TypedWord[]) => (rest.every(({ word }) => ROADS.has(word)) ? SKIP_LAST_STREET : 0);

/** What the typed words cost in a name and in what stands around it; null when one is missing that may not be. */
function read(
  typed: readonly Fit[],
  own: Words,
  around: readonly number[],
  maySkip: boolean,
  mayBeStreet: boolean,
): { cost: number; inName: number; has: boolean[] } | null {
  let cost = 0;
  let inName = 0;
  let isNamed = false;
  const has: boolean[] = [];
  // "Temple" begins "Temple of the Tooth", and is not all of it.
  const isKind = ({ word }: TypedWord) => LANDMARK_KINDS.has(word) || AREA_KINDS.has(word);
  const isWhole = own.every((word) =>
    typed.some((one) => one.costs.has(word) && (one.costs.get(word) === 0 || !isKind(one))),
  );
  const isOnlyNear = typed.every(({ landmark, isPlain: one }) => landmark >= 0 || one);
  // 'Opp. Narada Gana Sabha' is at no Hindi Prachar Sabha.
  const isAside = ({ landmark }: TypedWord) => landmark >= 0 && !isWhole && !isOnlyNear;
  // Any circle is one: 'Zzyx Circle' names no Benz Circle.
  const canName = (one: TypedWord) => !one.isPlain && !isAside(one) && (isWhole || !isKind(one));
  for (const [index, { costs, skip, streetWord }] of typed.entries()) {
    const named = leastOf(own, costs);
    const least = Math.min(named, around[index]!);
    const isOfStreet = maySkip && !(mayBeStreet && named < Infinity) && isInStreet(typed[index]!, typed, own);
    const isLeft = isOfStreet || (maySkip && least > skip);
    has.push(!isLeft);
    if (isLeft) cost += isOfStreet ? streetLeft(typed.slice(streetWord ?? 0)) : skip;
    else {
      const price = least + unlikely(typed[index]!, mayBeStreet);
      const isBeside = isAside(typed[index]!);
      cost += isBeside ? Math.max(price, skip) : price;
      if (named === least && !isBeside) inName += 1;
      isNamed ||= canName(typed[index]!);
    }
  }
  return cost === Infinity || (maySkip && !isNamed) ? null : { cost, inName, has };
}

/**
 * What it costs that words of a name are not typed in an address: any of a landmark's or of another name, as 'Prestige Tech
 * Park, Marathahalli' is not the International Tech Park; of an area the first one: 'Mohakhali DOHS' is not Baridhara DOHS.
 */
function missingIn(typed: readonly Fit[], own: Words, which: 'any' | 'first' | 'none'): number {
  const isMissing = (word: number) => !typed.some(({ costs }) => costs.has(word));
  const isLacking = which === 'any' ? own.some(isMissing) : which === 'first' && own.length > 1 && isMissing(own[0]!);
  return isLacking ? PARTLY_NAMED : 0;
}

/**
 * What an entry costs; null when a typed word occurs nowhere in it and may not be left out, or when only words are left
 * that an address has. It costs less when the first typed word is the first of the name.
 */
function scored(
  typed: readonly Fit[],
  { names, rest, place }: Entry,
  maySkip: boolean,
  mayBeStreet: boolean,
  words: readonly string[],
): Score | null {
  let best: Score | null = null;
  const around = typed.map(({ costs }) => leastOf(rest, costs));
  const isOther = (word: number) =>
    AREA_NUMBER.test(words[word]!) && !typed.some(({ costs, isOfRoad }) => costs.has(word) && !isOfRoad);
  for (const [name, own] of names.entries()) {
    // 'Indiranagar Zzyx Road 45' is a street, or an area and a street.
    const found =
      read(typed, own, around, maySkip, false) ?? (mayBeStreet ? read(typed, own, around, maySkip, true) : null);
    if (found === null) continue;
    const { inName, has } = found;
    const first = typed[has.indexOf(true)];
    const count = has.filter(Boolean).length;
    let cost = found.cost + (name === 0 ? 0 : 0.2);
    if (inName === 0) cost += typed.some(({ isCode }, index) => isCode && has[index]) ? BY_POSTCODE : 2;
    else if (first && leastOf(own.slice(0, 1), first.costs) > BEGINNING) cost += 0.5;
    // A whole name is more likely meant than the beginning of a longer one.
    if (inName === count && own.length > count) cost += 0.1;
    cost += missingIn(typed, own, maySkip ? (name > 0 || place.kind === 'landmark' ? 'any' : 'first') : 'none');
    if (typed.some(({ isTown }, at) => isTown && has[at] === false)) cost += OTHER_TOWN;
    // Sector 7 is not Sector 3.
    if (count < typed.length && own.some(isOther)) cost += OTHER_NUMBER;
    if (best === null || cost < best.cost) best = { cost, name, has };
  }
  return best;
}

/** Whether a store delivers to a place: to all of it, to some of a town's areas, or not. */
export type Delivery = 'YES' | 'PARTLY' | 'NO';

export interface Hit {
  readonly place: SeedPlace;
  /** The alias that was typed, or null when it was the name. */ readonly alias: string | null;
  readonly delivery: Delivery;
  /** What was typed beside the place: '12, 80 feet road'. */ readonly beside: string;
  /** What it is near to, as typed; '' where nothing is said of it. */ readonly landmark: string;
}

/** The cost when only its postcode was typed of a place. */
const BY_POSTCODE = 0.3;
/** The cost of a landmark, or of another name of a place, in an address that lacks a word of it. */
const PARTLY_NAMED = 2;
/** The cost of a number in the name when another one was typed. */
const OTHER_NUMBER = 1;
/** The cost of a place in another town than the one that was typed. */
const OTHER_TOWN = 2;
/** How much the distance counts: its cost grows with its logarithm, up to FARTHEST. */
const NEARNESS = 0.4;
const NEAR_KM = 5;
const FARTHEST = 1.2;
/** The cost of a place where nobody delivers: less than that of a slip, so that a name typed well still wins. */
const UNSERVED = 1.2;
/** The cost when a big town's name was typed in full: it is meant, wherever the stores are. */
const UNSERVED_TOWN = 0.1;
const BIG_TOWN = 100_000;
/** A place that costs more than this was hardly meant: the text may be an address. */
const DOUBTFUL = 2;

/** Entries that have all typed words. */
function withAll({ having }: Gazetteer, typed: readonly Fit[]): ReadonlySet<number> {
  let all: Set<number> | null = null;
  for (const { costs } of [...typed].sort((a, b) => a.costs.size - b.costs.size)) {
    const those = new Set<number>();
    for (const word of costs.keys())
      for (const entry of having[word]!) if (all === null || all.has(entry)) those.add(entry);
    all = those;
  }
  return all ?? new Set();
}

/** Entries that have a typed word which is not one of houses and streets. */
function withAny({ having }: Gazetteer, typed: readonly Fit[]): ReadonlySet<number> {
  const any = new Set<number>();
  for (const { costs, isPlain } of typed)
    if (!isPlain) for (const word of costs.keys()) for (const entry of having[word]!) any.add(entry);
  return any;
}

/**
 * What of the text is not the place: each run of words that it does not have. Words behind the place count only if they
 * name a house or street; a street that is called like the place has its whole name.
 */
function besideOf(input: string, typed: readonly Fit[], has: readonly boolean[], { place, rest }: Entry): string {
  const isBeside = (at: number) =>
    has[at] === false &&
    typed[at]!.landmark < 0 &&
    !typed[at]!.isCode &&
    !typed[at]!.isRegion &&
    !AREA_SIGNS.has(typed[at]!.written.toLowerCase());
  const isSamePart = (at: number) =>
    at > 0 && !PART_END.test(input.slice(typed[at - 1]!.end, typed[at]!.start)) && typed[at - 1]!.landmark < 0;
  const isTown = (at: number) => place.city !== place.name && leastOf(rest, typed[at]!.costs) < Infinity;
  const first = has.indexOf(true);
  const runs: string[] = [];
  for (let at = 0; at < typed.length; at += 1) {
    if (!isBeside(at)) continue;
    let to = at;
    while (isBeside(to + 1)) to += 1;
    const run = typed.slice(at, to + 1);
    // Of 'Colombo 11' and 'Chennai-90' the number is the town's.
    const isOfTown = run.length === 1 && /^\d{1,3}$/.test(run[0]!.word) && isSamePart(at) && isTown(at - 1);
    let from = at;
    // 'Koramangala Main Road' has the area's name, but Road 11 of Banani has a number.
    const isNumbered = run
      .slice(1, 3)
      .some(({ word }, index) => isNumber(word) && (index === 0 || DOOR_WORDS.has(run[1]!.word)));
    if (ROADS.has(run[0]!.word) && !isNumbered)
      while (isSamePart(from) && has[from - 1] === true && !typed[from - 1]!.isPlain) from -= 1;
    if (!isOfTown && (at < first || run.some(({ isPlain }) => isPlain))) {
      const text = input.slice(typed[from]!.start, typed[to]!.end);
      runs.push(text.lastIndexOf('(') > text.lastIndexOf(')') ? `${text})` : text);
    }
    at = to;
  }
  return runs.join(', ').replace(/ {2,}/g, ' ');
}

/** Where no comma stands, a landmark ends before the place: 'behind bus stand vashi sec 17'. */
const withLandmarks = (typed: readonly Fit[], has: readonly boolean[]): Fit[] =>
  typed.map((one, at) => {
    const isBeyond = (index: number) =>
      typed[index]!.landmark === one.landmark && has[index] === true && !typed[index]!.isSure;
    return one.landmark >= 0 && typed.slice(0, at + 1).some((_, index) => isBeyond(index))
      ? { ...one, landmark: -1 }
      : one;
  });

/** The landmarks of the text, each without words of the place at its outer end: 'near the metro' of 'near the metro Saket'. */
function landmarkOf(input: string, typed: readonly TypedWord[], has: readonly boolean[]): string {
  const names: string[] = [];
  for (let number = 0; typed.some(({ landmark }) => landmark === number); number += 1) {
    let from = typed.findIndex(({ landmark }) => landmark === number);
    let to = typed.findLastIndex(({ landmark }) => landmark === number);
    const isOut = (at: number) => has[at] === true || typed[at]!.isCode;
    while (to > from && isOut(to)) to -= 1;
    while (from < to && isOut(from)) from += 1;
    const name = landmarkName(input.slice(typed[from]!.start, typed[to]!.end));
    if (typed.slice(from, to + 1).some(({ isPlain }) => !isPlain) && name !== '') names.push(name);
  }
  return names.join(', ');
}

/**
 * 'Baner Road, Pune' is in Baner, and 'Koregaon Park Lane 7, 411001' in no other area with that postcode: the areas that
 * give a street or a landmark its name, where of the best place only the town or the postcode was typed.
 */
function areasNamed(
  gazetteer: Gazetteer,
  typed: readonly Fit[],
  best: (Pick<Hit, 'place' | 'delivery'> & { readonly has: readonly boolean[] }) | undefined,
) {
  // In a town that is delivered to as a whole the street may lead to such an area: Peradeniya Road, Kandy.
  if (best === undefined || (best.place.kind === 'city' && best.delivery === 'YES')) return [];
  const { kind, city, postcode } = best.place;
  const isTown = kind === 'city';
  if (
    !isTown &&
    !typed.every(
      ({ isCode, isRegion, word }, at) => isCode || isRegion || word === placeWords(city)[0] || best.has[at] !== true,
    )
  )
    return [];
  const hasExact = ({ costs }: Fit, own: Words) => own.some((word) => costs.get(word) === 0);
  // 'New Eskaton Road' has more in its name than the area.
  const isOf = (one: Fit, own: Words) =>
    hasExact(one, own) &&
    (one.landmark >= 0 ||
      (one.streetWord !== null && typed.every((other) => other.streetWord !== one.streetWord || hasExact(other, own))));
  return [...withAny(gazetteer, typed)].flatMap((index) => {
    const entry = gazetteer.entries[index]!;
    const { place, names } = entry;
    if (place.kind !== 'locality' || place.city !== city || (!isTown && place.postcode !== postcode)) return [];
    const name = names.findIndex((own) =>
      own.every((word) => typed.some((one) => isOf(one, own) && one.costs.get(word) === 0)),
    );
    if (name < 0) return [];
    const has = typed.map((one, at) => best.has[at] === true || isOf(one, names[name]!));
    return [{ entry, place, name, has }];
  });
}

/**
 * The places that the typed text may mean, best first. It finds beginnings of words, local names, and names in Indian
 * scripts as they are written or as they sound, and forgives small mistakes. Of a whole address it leaves out the house
 * and the street. Among equally good places those come first where somebody delivers, then the nearer and bigger ones.
 * An empty text finds nothing.
 * @param deliveryTo by the place's number in the gazetteer
 */
export function findPlaces(
  gazetteer: Gazetteer,
  input: string,
  from: Point | null,
  limit: number,
  deliveryTo: (index: number) => Delivery = () => 'YES',
): Hit[] {
  const { text, codes } = postcodesIn(input, (code) => gazetteer.postcodes.has(code));
  const words = typedWords(gazetteer, text, codes);
  // 'Mirpur-10, house 10': each number counts once.
  const isAgain = ({ isOfHouse, word }: TypedWord) =>
    isOfHouse && words.some((other) => !other.isOfHouse && !other.isFloor && other.word === word);
  const typed: Fit[] = words.map((one) => ({
    ...one,
    costs: one.isFloor || isAgain(one) ? new Map<number, number>() : fits(gazetteer, one),
  }));
  for (const [index, one] of typed.entries())
    if (typed[index + 1] && ![one, typed[index + 1]!].some(({ word }) => isStreetOrHouse(word)))
      join(gazetteer, one, typed[index + 1]!);
  const found = (among: ReadonlySet<number>, maySkip: boolean, mayBeStreet = false) => {
    const hits: (Score & { entry: Entry; place: SeedPlace; rank: number; delivery: Delivery })[] = [];
    for (const index of among) {
      const entry = gazetteer.entries[index]!;
      const one = scored(typed, entry, maySkip, mayBeStreet, gazetteer.words);
      if (one === null) continue;
      const { place, weight } = entry;
      const far = from === null ? 0 : Math.min(FARTHEST, NEARNESS * Math.log1p(distanceKm(from, place) / NEAR_KM));
      const delivery = deliveryTo(index);
      const isTown = one.cost === 0 && (place.population ?? 0) >= BIG_TOWN;
      const missing = delivery !== 'NO' ? 0 : isTown ? UNSERVED_TOWN : UNSERVED;
      hits.push({ ...one, entry, place, delivery, rank: one.cost + far - weight + missing });
    }
    return hits;
  };
  let hits = found(withAll(gazetteer, typed), false);
  const isDoubtful = () => typed.length > 1 && !hits.some(({ cost }) => cost < DOUBTFUL);
  if (isDoubtful()) hits = found(withAny(gazetteer, typed), true);
  if (isDoubtful() && typed.some(({ streetWord }) => streetWord !== null))
    hits = found(withAny(gazetteer, typed), true, true);
  hits.sort(
    (a, b) => a.rank - b.rank || a.place.name.length - b.place.name.length || (a.place.id < b.place.id ? -1 : 1),
  );
  hits = [...areasNamed(gazetteer, typed, hits[0]).map((one) => ({ ...hits[0]!, ...one })), ...hits];
  const shown: Hit[] = [];
  const said = new Set<string>();
  for (const { entry, place, name, has, delivery } of hits) {
    const label = `${place.name}, ${place.city}`.toLowerCase();
    if (said.has(label)) continue;
    said.add(label);
    const alias = name === 0 ? null : (place.aliases[name - 1] ?? null);
    const near = withLandmarks(typed, has);
    shown.push({
      place,
      alias,
      delivery,
      beside: besideOf(text, near, has, entry),
      landmark: landmarkOf(text, near, has),
    });
    if (shown.length === limit) break;
  }
  return shown;
}
