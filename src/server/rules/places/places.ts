import { countries } from '../../../../country/index.ts';
import type { Country } from '../../../../country/shape.ts';
import type { DeliveryType } from '../../../contract/names.ts';
import type { Place, Prediction } from '../../../contract/places.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { areaNames, isStreet } from '../../../domain/houseNumber.ts';
import { distanceKm, type Point } from '../../../domain/geo.ts';
import { splitDoor } from '../../../domain/doorText.ts';
import { findPlaces, gazetteerOf, type Delivery, type Gazetteer, type Hit } from './gazetteer.ts';
import { nearestFirst, sameText, serves, storesOfCity, visibleStores } from './stores.ts';
import { catalogueFromDisk } from '../catalogue/catalogue.ts';
import { readTowns, type SeedPlace, type SeedStore } from '../../store/seeds.ts';

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
    const { sounds } = placesOf(catalogueFromDisk(country));
    await new Promise((done) => {
      setImmediate(done);
    });
    sounds();
    await new Promise((done) => {
      setImmediate(done);
    });
  }
}

const deliveries = new WeakMap<CountryCatalogue, readonly Delivery[]>();

/** Whether a store delivers to each place of the gazetteer, by its number. Made once for a catalogue. */
function deliveriesOf(catalogue: CountryCatalogue): readonly Delivery[] {
  const known = deliveries.get(catalogue);
  if (known) return known;
  const stores = visibleStores(catalogue).filter((store) => serves(store, ['DELIVERY']));
  const cities = new Set(stores.map(({ city }) => city.toLowerCase()));
  const made = placesOf(catalogue).places.map((place): Delivery => {
    const isReached = stores.some(
      (store) =>
        Math.abs(place.latitude - store.latitude) * KM_PER_DEGREE <= store.deliveryRadiusKm + 1 &&
        distanceKm(place, store) <= store.deliveryRadiusKm,
    );
    if (isReached) return 'YES';
    return cities.has(place.name.toLowerCase()) && place.name === place.city ? 'PARTLY' : 'NO';
  });
  deliveries.set(catalogue, made);
  return made;
}

/** A store's own locality and those that it delivers to, the nearest first. */
export function localitiesOf(
  { places }: CountryCatalogue,
  store: SeedStore,
): { locality: string; latitude: number; longitude: number }[] {
  const own = { locality: store.locality, latitude: store.latitude, longitude: store.longitude };
  if (!serves(store, ['DELIVERY'])) return [own];
  const around = places
    .filter(({ kind }) => kind === 'locality')
    .map((place) => ({ place, km: distanceKm(place, store) }))
    .filter(({ place, km }) => km <= store.deliveryRadiusKm && place.name !== store.locality)
    .sort((a, b) => a.km - b.km)
    .map(({ place: { name, latitude, longitude } }) => ({ locality: name, latitude, longitude }));
  return [own, ...around];
}

/** A part of a town, and the stores that serve it, the nearest first. */
interface Area extends Point {
  readonly locality: string;
  readonly stores: readonly SeedStore[];
}

/**
 * The localities of a city that stores serve by these types, by name: those that are delivered to, from other cities
 * too, and those that the stores stand in.
 */
export function areasOfCity(catalogue: CountryCatalogue, city: string, types: readonly DeliveryType[]): Area[] {
  const all = visibleStores(catalogue);
  const towns = new Set(all.map((store) => store.city.toLowerCase()));
  const isDelivered = types.includes('DELIVERY');
  const others = types.filter((type) => type !== 'DELIVERY');
  const reaching = (point: Point) =>
    isDelivered
      ? all.filter((store) => serves(store, ['DELIVERY']) && distanceKm(store, point) <= store.deliveryRadiusKm)
      : [];
  const found = new Map<string, Area>();
  const add = (locality: string, { latitude, longitude }: Point, delivering: readonly SeedStore[]) => {
    const standing = all.filter(
      (store) => sameText(store.city, city) && sameText(store.locality, locality) && serves(store, others),
    );
    const by = new Set([...delivering, ...standing]);
    const stores = [...by].sort(
      (a, b) => distanceKm(a, { latitude, longitude }) - distanceKm(b, { latitude, longitude }),
    );
    if (stores.length > 0) found.set(locality.trim().toLowerCase(), { locality, latitude, longitude, stores });
  };
  for (const store of all) if (sameText(store.city, city)) add(store.locality, store, reaching(store));
  for (const place of catalogue.places) {
    if (place.kind !== 'locality') continue;
    const isHere = sameText(place.city, city);
    // A suburb that has no store is found under the town that brings its pizza.
    if (!isHere && towns.has(place.city.toLowerCase())) continue;
    const delivering = reaching(place);
    if (isHere ? delivering.length > 0 : delivering.some((store) => sameText(store.city, city)))
      add(place.name, place, delivering);
  }
  return [...found.values()].sort((a, b) => a.locality.localeCompare(b.locality, 'en'));
}

/**
 * The stores that serve a city, or a part of it, by these types; the nearest first where it is known from where.
 * @throws Refusal 404 NOT_FOUND for a locality that no store serves
 */
export function storesServing(
  catalogue: CountryCatalogue,
  city: string,
  types: readonly DeliveryType[],
  { locality, point }: { readonly locality: string | undefined; readonly point: Point | null },
): { readonly area: Area | null; readonly from: Point | null; readonly stores: readonly SeedStore[] } {
  const area =
    locality === undefined
      ? null
      : (areasOfCity(catalogue, city, types).find((one) => sameText(one.locality, locality)) ??
        refuse(404, 'NOT_FOUND', errors.notFound, { field: 'locality' }));
  // What is delivered is carried from the store to the locality.
  const from = point ?? (types.includes('DELIVERY') ? area : null);
  const stores = area?.stores ?? storesOfCity(catalogue, city).filter((store) => serves(store, types));
  return { area, from, stores: from === null ? stores : nearestFirst(catalogue, stores, from) };
}

/**
 * A postcode as people read it: in Colombo the district has a number (Colombo 03), and nobody writes 00300.
 * @returns '' where the place has none
 */
function postcodeText({ postcode = '' }: SeedPlace, { postalDistrict }: Country): string {
  return postalDistrict ? postcode.replace(new RegExp(postalDistrict.pattern), postalDistrict.text) : postcode;
}

/** A place that was found by another name is shown with that name too, so that it is recognised. */
function predictionOf({ place, alias, delivery, beside, landmark }: Hit, country: Country): Prediction {
  const code = postcodeText(place, country);
  const town = code.startsWith(place.city) ? code : place.city;
  const around = place.name === place.city ? (place.region ?? code) : town;
  const { house, street } = splitDoor(beside);
  return {
    place_id: place.id,
    main_text: place.name,
    secondary_text: [...new Set([alias, around])].filter(Boolean).join(', '),
    delivery,
    ...(house === '' ? {} : { house }),
    ...(street === '' ? {} : { street }),
    ...(landmark === '' ? {} : { landmark }),
  };
}

/** @param within the country that the search is limited to; the catalogue's where it is not given */
export function suggest(
  catalogue: CountryCatalogue,
  input: string,
  from: Point | null,
  within = catalogue.country.GOOGLE_MAP_COUNTRY,
): Prediction[] {
  if (within !== catalogue.country.GOOGLE_MAP_COUNTRY) return [];
  const delivery = deliveriesOf(catalogue);
  return findPlaces(placesOf(catalogue), input, from, SHOWN_AT_MOST, (index) => delivery[index] ?? 'NO').map((hit) =>
    predictionOf(hit, catalogue.country),
  );
}

function addressOf(place: SeedPlace, country: Country): string {
  const code = postcodeText(place, country);
  const parts = [place.name, place.city, place.region, code].filter((part) => part !== undefined && part !== '');
  // 'Kollupitiya, Colombo 03': the district names the town already.
  return [...new Set(parts)].filter((part) => part === code || !code.startsWith(`${part} `)).join(', ');
}

function placeOf(place: SeedPlace, country: Country): Place {
  return {
    place_id: place.id,
    name: place.name,
    formatted_address: addressOf(place, country),
    geometry: { location: { lat: place.latitude, lng: place.longitude } },
  };
}

export function placeById(catalogue: CountryCatalogue, id: string): Place | null {
  const found = placesOf(catalogue).byId.get(id);
  return found ? placeOf(found, catalogue.country) : null;
}

/**
 * Factors for the distance: a kind that says less about a point has to be this much nearer, such as a whole town, or an
 * area that is only as exact as its postcode.
 */
const WEIGHTS: Readonly<Record<string, number>> = { city: 3, town: 1.5, area: 2 };

/** In km: an address may name any area, town or region that is not farther away. */
const AREAS_WITHIN_KM = 30;

/** Whether an address says more than its area: a street, or a landmark where streets have no names. */
export function saysStreet(
  catalogue: CountryCatalogue,
  at: Point & { readonly address: string; readonly area?: string | undefined; readonly landmark?: string | undefined },
): boolean {
  const { country } = catalogue;
  const around = placesOf(catalogue).places.filter(
    (place) =>
      Math.abs(place.latitude - at.latitude) * KM_PER_DEGREE <= AREAS_WITHIN_KM &&
      distanceKm(at, place) <= AREAS_WITHIN_KM,
  );
  const isArea = areaNames(
    country.label,
    at.area ?? '',
    ...around.flatMap((place) => [addressOf(place, country), ...place.aliases]),
  );
  return isStreet(at.address, isArea) || isStreet(at.landmark ?? '', isArea);
}

/** The nearest named place, with the point's own position; null when none is near. */
export function placeAt(catalogue: CountryCatalogue, point: Point): Place | null {
  const { places } = placesOf(catalogue);
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
  const named = placeOf(best.place, catalogue.country);
  const isNear = best.weighed > AT_KM;
  return {
    ...named,
    ...(isNear ? { isNear } : {}),
    formatted_address: isNear ? t.placeNear({ place: named.formatted_address }) : named.formatted_address,
    geometry: { location: { lat: point.latitude, lng: point.longitude } },
  };
}

/** Reads a position from two query values; null when both are missing. @throws Refusal 400 INVALID_INPUT */
export function pointOf(latitude: string | undefined, longitude: string | undefined): Point | null {
  if ((latitude ?? '') === '' && (longitude ?? '') === '') return null;
  const read = (text: string | undefined, most: number, field: string) => {
    const value = text === undefined || text.trim() === '' ? NaN : Number(text);
    return Number.isFinite(value) && Math.abs(value) <= most
      ? value
      : refuse(400, 'INVALID_INPUT', t.badInput, { field });
  };
  return { latitude: read(latitude, 90, 'latitude'), longitude: read(longitude, 180, 'longitude') };
}
