import { distanceKm, type Point } from '../../../domain/geo.ts';
import { slips } from '../../../domain/search.ts';
import { isIndic, latinOf, placeWords, soundOf } from './scripts.ts';
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
const weightOf = ({ kind, population = 0 }: SeedPlace) =>
  Math.max(WEIGHTS[kind] ?? 0, population > 0 ? Math.log10(population) / 6 : 0);

export function gazetteerOf(places: readonly SeedPlace[]): Gazetteer {
  // Plain loops: a quarter of a million small arrays would delay the first pages of a server that starts.
  const met = new Map<string, number>();
  const meet = (list: readonly string[]): number[] =>
    list.map((word) => {
      let number = met.get(word);
      if (number === undefined) met.set(word, (number = met.size));
      return number;
    });
  const towns = new Map<string, number[]>();
  const meetTown = (town: string, region: string) => {
    const key = `${town}, ${region}`;
    let known = towns.get(key);
    if (!known) towns.set(key, (known = meet(placeWords(key))));
    return known;
  };
  const entries = places.map((place) => {
    const around = meetTown(place.city, place.region ?? '');
    const names = [meet(placeWords(place.name))];
    for (const alias of place.aliases) names.push(meet(placeWords(alias)));
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
      .flatMap((word, number) => (/^[a-z]{3,}$/.test(word) ? [[soundOf(word), number] as Sound] : []))
      .sort((a, b) => (a[0] < b[0] ? -1 : 1)));
  return { places, byId: new Map(places.map((place) => [place.id, place])), entries, words, shared, having, sounds };
}

/** How many typing mistakes are forgiven in a word of this length. */
const forgiven = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2);

const SLIP = 3;
/** The cost when only the beginning of the word was typed. */
const BEGINNING = 0.25;
/** The cost when the word was written as it sounds, in another script. */
const HEARD = 0.6;

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
    const isWhole =
      at === word.length &&
      dead === LONGEST &&
      Math.abs(at - length) <= most &&
      table[at * WIDEST + length] === best[at];
    note(number, best[at]! * SLIP + (isWhole ? 0 : BEGINNING));
  }
}

/** What it costs to take each word for the typed one; words that differ too much are missing. */
function fits(gazetteer: Gazetteer, typed: string): Map<number, number> {
  const { words, sounds } = gazetteer;
  const costs = new Map<number, number>();
  const note = (number: number, cost: number) => {
    if (cost < (costs.get(number) ?? Infinity)) costs.set(number, cost);
  };
  for (let number = firstFrom(words, (word) => word < typed); words[number]?.startsWith(typed); number += 1)
    note(number, words[number] === typed ? 0 : BEGINNING);

  const most = forgiven(typed.length);
  // Hardly anybody mistypes the first letter, except by swapping it with the second.
  for (const first of most === 0 ? [] : new Set(typed.slice(0, 2))) {
    walk(
      gazetteer,
      typed,
      most,
      firstFrom(words, (word) => word < first),
      (word) => word.startsWith(first),
      note,
    );
  }

  if (isIndic(typed)) {
    const latin = latinOf(typed);
    const sound = soundOf(latin);
    if (sound.length >= 2) {
      const list = sounds();
      for (let at = firstFrom(list, ([one]) => one < sound); list[at]?.[0].startsWith(sound); at += 1) {
        const [one, number] = list[at]!;
        note(number, HEARD + (one === sound ? slips(latin, words[number]!, 6) * 0.15 : 1.5));
      }
    }
  }
  return costs;
}

const leastOf = (words: Words, costs: ReadonlyMap<number, number>) => {
  let least = Infinity;
  for (const word of words) {
    const cost = costs.get(word);
    if (cost !== undefined && cost < least) least = cost;
  }
  return least;
};

/**
 * What an entry costs, and the number of its best name; null when a typed word occurs nowhere in it. It costs less when
 * the first typed word is the first of the name.
 */
function scored(typed: readonly ReadonlyMap<number, number>[], entry: Entry): { cost: number; name: number } | null {
  let best: { cost: number; name: number } | null = null;
  const around = typed.map((costs) => leastOf(entry.rest, costs));
  for (const [name, words] of entry.names.entries()) {
    let cost = name === 0 ? 0 : 0.2;
    let inName = 0;
    for (const [index, costs] of typed.entries()) {
      const own = leastOf(words, costs);
      const least = Math.min(own, around[index]!);
      cost += least;
      if (own === least) inName += 1;
    }
    if (cost === Infinity) continue;
    if (inName === 0) cost += 2;
    else if (leastOf(words.slice(0, 1), typed[0]!) > BEGINNING) cost += 0.5;
    // A whole name is more likely meant than the beginning of a longer one.
    if (inName === typed.length && words.length > typed.length) cost += 0.1;
    if (best === null || cost < best.cost) best = { cost, name };
  }
  return best;
}

export interface Hit {
  readonly place: SeedPlace;
  /** The alias that was typed, or null when it was the name. */ readonly alias: string | null;
}

const WORDS_READ = 6;
/** How much the distance counts: its cost grows with its logarithm, up to FARTHEST. */
const NEARNESS = 0.4;
const NEAR_KM = 5;
const FARTHEST = 1.2;

/**
 * The places that the typed text may mean, best first. It finds beginnings of words, local names, and names in Indian
 * scripts as they are written or as they sound, and forgives small mistakes. Among equally good places the nearer and
 * bigger ones come first. An empty text finds nothing.
 */
export function findPlaces(gazetteer: Gazetteer, input: string, from: Point | null, limit: number): Hit[] {
  const typed = placeWords(input)
    .slice(0, WORDS_READ)
    .map((word) => fits(gazetteer, word));
  if (typed.length === 0) return [];
  let candidates: Set<number> | null = null;
  for (const costs of [...typed].sort((a, b) => a.size - b.size)) {
    const having: Set<number> = new Set();
    for (const word of costs.keys())
      for (const entry of gazetteer.having[word]!) if (candidates === null || candidates.has(entry)) having.add(entry);
    candidates = having;
  }
  const hits: { place: SeedPlace; name: number; rank: number }[] = [];
  for (const index of candidates ?? []) {
    const entry = gazetteer.entries[index]!;
    const found = scored(typed, entry);
    if (found === null) continue;
    const far = from === null ? 0 : Math.min(FARTHEST, NEARNESS * Math.log1p(distanceKm(from, entry.place) / NEAR_KM));
    hits.push({ place: entry.place, name: found.name, rank: found.cost + far - entry.weight });
  }
  hits.sort(
    (a, b) => a.rank - b.rank || a.place.name.length - b.place.name.length || (a.place.id < b.place.id ? -1 : 1),
  );
  const shown: Hit[] = [];
  const said = new Set<string>();
  for (const { place, name } of hits) {
    const label = `${place.name}, ${place.city}`.toLowerCase();
    if (said.has(label)) continue;
    said.add(label);
    shown.push({ place, alias: name === 0 ? null : (place.aliases[name - 1] ?? null) });
    if (shown.length === limit) break;
  }
  // The last word may be unfinished, or missing in our data: try again without it.
  return shown.length === 0 && typed.length > 1
    ? findPlaces(
        gazetteer,
        placeWords(input)
          .slice(0, typed.length - 1)
          .join(' '),
        from,
        limit,
      )
    : shown;
}
