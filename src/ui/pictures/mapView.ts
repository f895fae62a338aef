import type { MapPoint } from './TileMap.tsx';

const TILE = 256;
export const FARTHEST = 5;
export const CLOSEST = 16;
/** Pixels of the map that points are fitted into: what the smallest phone shows. */
const FIT_WIDE = 240;
const FIT_HIGH = 150;

export interface Spot {
  x: number;
  y: number;
}
export interface MapView {
  readonly centre: MapPoint;
  readonly zoom: number;
}

/** Moves points on a map apart until they are `least` pixels from each other; a thread ties each to its true place. */
export function apart(points: readonly Spot[], least: number): Spot[] {
  const spread = points.map((point) => ({ ...point }));
  for (let round = 0; round < 60; round += 1) {
    for (const [index, a] of spread.entries()) {
      for (const b of spread.slice(index + 1)) {
        const gap = Math.hypot(a.x - b.x, a.y - b.y);
        if (gap >= least) continue;
        const push = (least - gap) / 2 + 0.5;
        const angle = gap < 0.01 ? index * 2.4 : Math.atan2(b.y - a.y, b.x - a.x);
        a.x -= Math.cos(angle) * push;
        a.y -= Math.sin(angle) * push;
        b.x += Math.cos(angle) * push;
        b.y += Math.sin(angle) * push;
      }
    }
  }
  return spread;
}

/** The middle of some points, and the closest zoom that shows all of them. */
export function fitted(points: readonly MapPoint[], closest: number): MapView {
  const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [south, north] = ends(points.map((point) => point.latitude));
  const [west, east] = ends(points.map((point) => point.longitude));
  const latitude = (south + north) / 2;
  const wide = ((east - west) / 360) * TILE;
  const high = ((north - south) / 360 / Math.cos((latitude * Math.PI) / 180)) * TILE;
  const zoom = Math.floor(Math.log2(Math.min(FIT_WIDE / Math.max(wide, 1e-6), FIT_HIGH / Math.max(high, 1e-6))));
  return { centre: { latitude, longitude: (west + east) / 2 }, zoom: Math.max(FARTHEST, Math.min(closest, zoom)) };
}

/** A line along the points, cut in two at a share of its length. */
export function cutAt(points: readonly Spot[], share: number): [done: string, ahead: string] {
  const line = (some: readonly Spot[]) => (some.length > 1 ? `M${some.map(({ x, y }) => `${x} ${y}`).join('L')}` : '');
  const lengths = points.slice(1).map(({ x, y }, at) => Math.hypot(x - points[at]!.x, y - points[at]!.y));
  let left = lengths.reduce((sum, length) => sum + length, 0) * Math.min(1, Math.max(0, share));
  const at = lengths.findIndex((length) => {
    if (left <= length) return true;
    left -= length;
    return false;
  });
  const [from, to] = [points[at], points[at + 1]];
  if (!from || !to) return [line(points), ''];
  const part = lengths[at] ? left / lengths[at] : 0;
  const here = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  return [line([...points.slice(0, at + 1), here]), line([here, ...points.slice(at + 1)])];
}
