import { isHeldBy, tagOf } from './tags.ts';
import { Hono, type Context } from 'hono';
import type { Outside } from '../call/outside.ts';
import { CLOSEST_ZOOM, drawTile, FARTHEST_ZOOM } from '../rules/places/tiles.ts';
import { DAY_S } from '../../domain/time.ts';

const KEPT = 600;
const MAX_AGE_S = DAY_S;
/** A map changes slowly: for so long (s) an old tile does while a new one is fetched, or while we are away. */
const STALE_S = 7 * MAX_AGE_S;
/** How long (s) a browser may keep our drawn tile when the real one could not be fetched. */
const STAND_IN_AGE_S = 300;
const SOURCE_TIMEOUT_MS = 4_000;
const LARGEST_BYTES = 1_000_000;

interface Tile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly maxAgeS: number;
  readonly madeAt: number;
}

const tileOf = (type: string, body: Uint8Array<ArrayBuffer>, maxAgeS = MAX_AGE_S): Tile => ({
  type,
  body,
  maxAgeS,
  madeAt: Date.now(),
  etag: tagOf(body),
});

/** Reads a whole number without sign or leading zeros; null for anything else. */
const whole = (text: string) => (/^(?:0|[1-9]\d{0,6})$/.test(text) ? Number(text) : null);

/**
 * Serves map tiles at /tiles/{z}/{x}/{y}. They are drawn here, or fetched from `source`
 * ('https://host/{z}/{x}/{y}.png'), so the source never learns who looks at the map. When the source fails, the drawn
 * tile is sent instead.
 */
export function tiles(source: string, outside: Outside): Hono {
  const kept = new Map<string, Promise<Tile>>();

  async function fetched(z: number, x: number, y: number): Promise<Tile | null> {
    try {
      const address = source.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
      const reply = await outside.ask('tiles', address, { redirect: 'follow', deadlineMs: SOURCE_TIMEOUT_MS });
      const type = reply.headers.get('content-type') ?? '';
      if (!reply.ok || !/^image\/(?:png|jpeg|webp|avif)$/.test(type)) return null;
      const body = new Uint8Array(await reply.arrayBuffer());
      return body.length > LARGEST_BYTES ? null : tileOf(type, body);
    } catch {
      return null;
    }
  }

  async function tile(z: number, x: number, y: number): Promise<Tile> {
    const key = `${z}/${x}/${y}`;
    let made = kept.get(key);
    if (made && Date.now() - (await made).madeAt < MAX_AGE_S * 1_000) {
      // Removed and added again below, so that the tile unused for longest is dropped first.
      kept.delete(key);
    } else {
      const drawn = (maxAgeS?: number) => tileOf('image/svg+xml', new TextEncoder().encode(drawTile(z, x, y)), maxAgeS);
      made =
        source === ''
          ? Promise.resolve().then(() => drawn())
          : fetched(z, x, y).then((found) => {
              if (found) return found;
              // Not kept, so that the next request tries the source again.
              kept.delete(key);
              return drawn(STAND_IN_AGE_S);
            });
      made.catch(() => kept.delete(key));
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
    }
    kept.set(key, made);
    return await made;
  }

  const app = new Hono();
  app.on(['GET', 'HEAD'], '/tiles/:z/:x/:y', async (c: Context) => {
    const [z, x, y] = (['z', 'x', 'y'] as const).map((name) => whole(c.req.param(name) ?? ''));
    const isThere =
      z !== null &&
      x !== null &&
      y !== null &&
      z !== undefined &&
      x !== undefined &&
      y !== undefined &&
      z >= FARTHEST_ZOOM &&
      z <= CLOSEST_ZOOM &&
      x < 2 ** z &&
      y < 2 ** z;
    c.header('X-Content-Type-Options', 'nosniff');
    // Allows pages of other origins to show the map, for example a chain's own site that frames the app.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    if (!isThere) return c.text('There is no such tile.', 404, { 'Cache-Control': 'no-store' });
    const { type, body, etag, maxAgeS } = await tile(z, x, y);
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    const stale = maxAgeS < MAX_AGE_S ? '' : `, stale-while-revalidate=${STALE_S}, stale-if-error=${STALE_S}`;
    c.header('Cache-Control', `public, max-age=${maxAgeS}${stale}`);
    if (isHeldBy(c, etag)) return c.body(null, 304);
    c.header('Content-Type', type);
    c.header('Content-Length', String(body.length));
    return c.req.method === 'HEAD' ? c.body(null) : c.body(body);
  });
  return app;
}
