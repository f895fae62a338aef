import { countries } from '../../../../country/index.ts';
import type { Country } from '../../../../country/shape.ts';
import type { Place, Prediction } from '../../../contract/places.ts';
import { t } from '../../call/language.ts';
import { distanceKm, type Point } from '../../../domain/geo.ts';
import { findPlaces, gazetteerOf, type Gazetteer, type Hit } from './gazetteer.ts';
import { catalogueFromDisk } from '../catalogue/catalogue.ts';
import { readTowns, type SeedPlace } from '../../store/seeds.ts';

const SHOWN_AT_MOST = 8;
/** In weighted km: a point nearer than this is called at the place, one farther away near it. */
const AT_KM = 1.2;
/** In km: beyond this the nearest name says nothing about where a point is. */
const NAMED_WITHIN_KM = 60;
const KM_PER_DEGREE = 111;

const gazetteers = new Map<string, Gazetteer>();

/** The places of a country, from its seeds. Made once per process; the same with every database engine. */
export function placesOf({
  country,
  places,
}: {
  readonly country: Country;
  readonly places: readonly SeedPlace[];
}): Gazetteer {
  let made = gazetteers.get(country.COUNTRY_CODE);
  if (!made) {
    made = gazetteerOf([...places, ...readTowns(country.COUNTRY_CODE)]);
    gazetteers.set(country.COUNTRY_CODE, made);
  }
  return made;
}

/** Makes every country's index, with a pause after each in which waiting requests are served. */
export async function preparePlaces(): Promise<void> {
  for (const country of countries) {
    placesOf(catalogueFromDisk(country));
    await new Promise((done) => {
      setImmediate(done);
    });
  }
}

/** A place that was found by another name is shown with that name too, so that it is recognised. */
function predictionOf({ place, alias }: Hit): Prediction {
  const around = place.name === place.city ? (place.region ?? place.postcode) : place.city;
  return { place_id: place.id, main_text: place.name, secondary_text: [alias, around].filter(Boolean).join(', ') };
}

export function suggest(gazetteer: Gazetteer, input: string, from: Point | null): Prediction[] {
  return findPlaces(gazetteer, input, from, SHOWN_AT_MOST).map(predictionOf);
}

const addressOf = (place: SeedPlace) =>
  [
    ...new Set(
      [place.name, place.city, place.region, place.postcode].filter((part) => part !== undefined && part !== ''),
    ),
  ].join(', ');

function placeOf(place: SeedPlace): Place {
  return {
    place_id: place.id,
    name: place.name,
    formatted_address: addressOf(place),
    geometry: { location: { lat: place.latitude, lng: place.longitude } },
  };
}

export function placeById(gazetteer: Gazetteer, id: string): Place | null {
  const found = gazetteer.byId.get(id);
  return found ? placeOf(found) : null;
}

/**
 * Factors for the distance: a kind that says less about a point has to be this much nearer, such as a whole town, or an
 * area that is only as exact as its postcode.
 */
const WEIGHTS: Readonly<Record<string, number>> = { city: 3, town: 1.5, area: 2 };

/** The nearest named place, with the point's own position; null when none is near. */
export function placeAt({ places }: Gazetteer, point: Point): Place | null {
  let best: { place: SeedPlace; km: number; weighed: number } | null = null;
  for (const place of places) {
    // Most places are far away, and the latitude alone shows it.
    const within = Math.min(NAMED_WITHIN_KM, best?.weighed ?? Infinity);
    if (Math.abs(place.latitude - point.latitude) * KM_PER_DEGREE > within) continue;
    const km = distanceKm(point, place);
    const weighed = km * (WEIGHTS[place.kind] ?? 1);
    if (km <= NAMED_WITHIN_KM && (best === null || weighed < best.weighed)) best = { place, km, weighed };
  }
  if (!best) return null;
  const named = placeOf(best.place);
  return {
    ...named,
    formatted_address:
      best.weighed <= AT_KM ? named.formatted_address : t.placeNear({ place: named.formatted_address }),
    geometry: { location: { lat: point.latitude, lng: point.longitude } },
  };
}
