export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export const EARTH_RADIUS_KM = 6371;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle distance in kilometres, not rounded. */
export function distanceKm(a: Point, b: Point): number {
  const dLat = radians(b.latitude - a.latitude);
  const dLng = radians(b.longitude - a.longitude);
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(dLng / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Kilometres as shown: one decimal (specification section 9). */
export function shownKm(km: number): number {
  return Math.round(km * 10) / 10;
}

/** Nearest first, each with its distance as shown; places at equal distance keep their order. */
export function byDistance<T extends Point>(places: readonly T[], from: Point): (T & { distanceKm: number })[] {
  return places
    .map((place) => ({ place, km: distanceKm(from, place) }))
    .sort((a, b) => a.km - b.km)
    .map(({ place, km }) => ({ ...place, distanceKm: shownKm(km) }));
}
