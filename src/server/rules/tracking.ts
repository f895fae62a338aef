import { createHash } from 'node:crypto';
import { distanceKm, shownKm, type Point } from '../../domain/geo.ts';

const TURNS = 5;

/** A way from the store to the customer that looks like streets: the same for every look at the same order. */
export function pathOf(orderId: string, from: Point, to: Point): Point[] {
  const bytes = createHash('sha256').update(orderId).digest();
  const path: Point[] = [from];
  let north = 0;
  let east = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const share = (0.2 + (bytes[turn]! / 255) * 0.5);
    // Alternately along one axis; the last leg closes what is left.
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

/** The point a share of the way (0 to 1) along a path. */
export function alongPath(path: readonly Point[], progress: number): Point {
  const legs = path.slice(1).map((point, i) => ({ from: path[i]!, to: point, km: distanceKm(path[i]!, point) }));
  let left = legs.reduce((sum, leg) => sum + leg.km, 0) * Math.min(1, Math.max(0, progress));
  for (const leg of legs) {
    if (left <= leg.km && leg.km > 0) return at(leg.from, leg.to, left / leg.km, left / leg.km);
    left -= leg.km;
  }
  return path.at(-1)!;
}

const RIDERS: Readonly<Record<string, readonly string[]>> = {
  IN: ['Ravi', 'Sunil', 'Meena', 'Imran', 'Kavya', 'Joseph'],
  LK: ['Nuwan', 'Kumari', 'Ruwan', 'Fathima', 'Tharindu'],
  BG: ['Rahim', 'Shathi', 'Kamal', 'Nasrin', 'Tanvir'],
};

export function riderOf(orderId: string, country: string): string {
  const names = RIDERS[country] ?? ['Your rider'];
  return names[createHash('sha256').update(orderId).digest()[0]! % names.length]!;
}

/** Where the rider is between leaving and arriving (epoch ms), with a sentence that says the same as the map. */
export function riderAt(order: { id: string; country: string }, store: Point, customer: Point, leftAt: number, arrivesAt: number, now: number) {
  const progress = Math.min(1, Math.max(0, (now - leftAt) / Math.max(1, arrivesAt - leftAt)));
  const path = pathOf(order.id, store, customer);
  const point = alongPath(path, progress);
  const total = path.slice(1).reduce((sum, to, i) => sum + distanceKm(path[i]!, to), 0);
  const km = shownKm(total * (1 - progress));
  const minutes = Math.max(1, Math.ceil((arrivesAt - now) / 60_000));
  const name = riderOf(order.id, order.country);
  const text = progress >= 1 ? `${name} is at your door.` : `${name} is ${km === 0 ? 'close by' : `${km} km away`}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return { ...point, name, progress, text };
}
