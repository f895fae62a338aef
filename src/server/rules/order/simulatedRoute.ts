import { createHash } from 'node:crypto';
import { distanceKm, type Point } from '../../../domain/geo.ts';

const TURNS = 5;

/** An invented way from the store to the customer that looks like streets; always the same for the same order. */
export function pathOf(orderId: string, from: Point, to: Point): Point[] {
  const bytes = createHash('sha256').update(orderId).digest();
  const path: Point[] = [from];
  let north = 0;
  let east = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const share = 0.2 + (bytes[turn]! / 255) * 0.5;
    // The legs alternate between north-south and east-west; the last two, added below, cover what is left.
    if ((turn + bytes[31]!) % 2 === 0) north += (1 - north) * share;
    else east += (1 - east) * share;
    path.push(at(from, to, north, east));
  }
  path.push(at(from, to, 1, east), to);
  return path;
}

function at(from: Point, to: Point, north: number, east: number): Point {
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * north,
    longitude: from.longitude + (to.longitude - from.longitude) * east,
  };
}

/** The length of a path in kilometres. */
export function lengthOf(path: readonly Point[]): number {
  return path.slice(1).reduce((sum, to, i) => sum + distanceKm(path[i]!, to), 0);
}

/** The point of a path after this share of its length (0 to 1). */
export function alongPath(path: readonly Point[], progress: number): Point {
  const legs = path.slice(1).map((point, i) => ({ from: path[i]!, to: point, km: distanceKm(path[i]!, point) }));
  let left = lengthOf(path) * Math.min(1, Math.max(0, progress));
  for (const leg of legs) {
    if (left <= leg.km && leg.km > 0) return at(leg.from, leg.to, left / leg.km, left / leg.km);
    left -= leg.km;
  }
  return path.at(-1)!;
}
