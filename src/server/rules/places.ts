import type { Place, Prediction } from '../../contract/places.ts';
import { distanceKm, type Point } from '../../domain/geo.ts';
import { slips, wordsOf } from '../../domain/search.ts';
import type { SeedPlace } from './seeds.ts';

const SHOWN_AT_MOST = 8;
/** Nearer than this a point is at the place, farther away it is near it. */
const AT_KM = 1.2;
/** Beyond this the nearest name says nothing about where a point is. */
const NAMED_WITHIN_KM = 60;

interface Entry { readonly place: SeedPlace; readonly name: readonly string[]; readonly aliases: readonly (readonly string[])[]; readonly rest: readonly string[] }
const indexes = new WeakMap<readonly SeedPlace[], readonly Entry[]>();

function indexOf(places: readonly SeedPlace[]): readonly Entry[] {
  let index = indexes.get(places);
  if (!index) {
    index = places.map((place) => ({
      place, name: wordsOf(place.name), aliases: place.aliases.map(wordsOf), rest: [...wordsOf(place.city), ...(place.postcode === undefined ? [] : [place.postcode])],
    }));
    indexes.set(places, index);
  }
  return index;
}

/** Slips that are forgiven in a word of this length. */
const forgiven = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** 0 for a word that begins like this, more for slips, null for another word. */
function fit(typed: string, words: readonly string[]): number | null {
  let best: number | null = null;
  for (const word of words) {
    if (word.startsWith(typed)) return 0;
    const most = forgiven(typed.length);
    if (most === 0) continue;
    // What is typed is often only the beginning of a word.
    for (const part of [word, word.slice(0, typed.length), word.slice(0, typed.length + 1)]) {
      const count = slips(typed, part, most);
      if (count <= most && (best === null || count < best)) best = count;
    }
  }
  return best;
}

/** Lower is better; null when a typed word is nowhere. The first word has to be of the name or of an alias, or of the town. */
function score(typed: readonly string[], entry: Entry): number | null {
  let best: number | null = null;
  for (const [index, words] of [entry.name, ...entry.aliases].entries()) {
    let sum = index === 0 ? 0 : 0.2;
    let inName = 0;
    for (const word of typed) {
      const own = fit(word, words);
      const around = own === 0 ? null : fit(word, entry.rest);
      const least = own === null ? around : around === null ? own : Math.min(own, around);
      if (least === null) { sum = Infinity; break; }
      if (own !== null && own === least) inName += 1;
      sum += least * 3;
    }
    if (sum === Infinity) continue;
    if (inName === 0) sum += 2;
    else if (fit(typed[0] ?? '', words.slice(0, 1)) !== 0) sum += 0.5;
    if (best === null || sum < best) best = sum;
  }
  return best;
}

const predictionOf = (place: SeedPlace): Prediction => ({ place_id: place.id, main_text: place.name, secondary_text: place.name === place.city ? place.postcode ?? '' : place.city });

/**
 * Suggestions of one country's gazetteer: beginnings of words, local names, small slips forgiven. Equally good ones nearest
 * first when the position is known. Nothing typed gives nothing.
 */
export function suggest(places: readonly SeedPlace[], input: string, from: Point | null): Prediction[] {
  const typed = wordsOf(input);
  if (typed.length === 0) return [];
  const hits = indexOf(places).flatMap((entry) => {
    const points = score(typed, entry);
    return points === null ? [] : [{ place: entry.place, points: Math.floor(points), exact: points, km: from === null ? 0 : distanceKm(from, entry.place) }];
  });
  hits.sort((a, b) => a.points - b.points || a.km - b.km || a.exact - b.exact || a.place.name.length - b.place.name.length);
  return hits.slice(0, SHOWN_AT_MOST).map(({ place }) => predictionOf(place));
}

const addressOf = (place: SeedPlace) => [...new Set([place.name, place.city, place.postcode].filter((part) => part !== undefined && part !== ''))].join(', ');

export function placeOf(place: SeedPlace): Place {
  return { place_id: place.id, name: place.name, formatted_address: addressOf(place), geometry: { location: { lat: place.latitude, lng: place.longitude } } };
}

export function placeById(places: readonly SeedPlace[], id: string): Place | null {
  const found = places.find((place) => place.id === id);
  return found ? placeOf(found) : null;
}

/** The name of a whole town says less than that of a quarter: it has to be this much nearer. */
const TOWN_WEIGHT = 3;

/** The nearest named place with the point's own position, or null in the middle of nowhere. */
export function placeAt(places: readonly SeedPlace[], point: Point): Place | null {
  let best: { place: SeedPlace; km: number; weighed: number } | null = null;
  for (const place of places) {
    const km = distanceKm(point, place);
    const weighed = place.kind === 'city' ? km * TOWN_WEIGHT : km;
    if (km <= NAMED_WITHIN_KM && (best === null || weighed < best.weighed)) best = { place, km, weighed };
  }
  if (!best) return null;
  const named = placeOf(best.place);
  return {
    ...named, formatted_address: best.km <= AT_KM ? named.formatted_address : `Near ${named.formatted_address}`,
    geometry: { location: { lat: point.latitude, lng: point.longitude } },
  };
}
