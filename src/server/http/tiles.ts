import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { CLOSEST_ZOOM, drawTile, FARTHEST_ZOOM } from '../rules/tiles.ts';

const KEPT = 600;
const MAX_AGE_S = 86_400;
/** Of a tile that stands in for another one. */
const STAND_IN_AGE_S = 300;
const SOURCE_TIMEOUT_MS = 4_000;
const LARGEST_BYTES = 1_000_000;

interface Tile { readonly type: string; readonly body: Uint8Array<ArrayBuffer>; readonly etag: string; readonly maxAgeS: number }

const tileOf = (type: string, body: Uint8Array<ArrayBuffer>, maxAgeS = MAX_AGE_S): Tile => ({ type, body, maxAgeS, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` });

/** A whole number without frills, or null. */
const whole = (text: string) => (/^(?:0|[1-9]\d{0,6})$/.test(text) ? Number(text) : null);

/**
 * The map's tiles at /tiles/{z}/{x}/{y}: drawn here, or fetched from `source` ('https://host/{z}/{x}/{y}.png'), which never
 * learns who looks at the map. A source that fails is stood in for by the drawn tile.
 */
export function tiles(source: string): Hono {
  const kept = new Map<string, Promise<Tile>>();

  async function fetched(z: number, x: number, y: number): Promise<Tile | null> {
    try {
      const reply = await fetch(source.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y)), { signal: AbortSignal.timeout(SOURCE_TIMEOUT_MS) });
      const type = reply.headers.get('content-type') ?? '';
      if (!reply.ok || !/^image\/(?:png|jpeg|webp|avif)$/.test(type)) return null;
      const body = new Uint8Array(await reply.arrayBuffer());
      return body.length > LARGEST_BYTES ? null : tileOf(type, body);
    } catch {
      return null;
    }
  }

  function tile(z: number, x: number, y: number): Promise<Tile> {
    const key = `${z}/${x}/${y}`;
    let made = kept.get(key);
    if (made) {
      // The longest unused goes first.
      kept.delete(key);
    } else {
      const drawn = (maxAgeS?: number) => tileOf('image/svg+xml', new TextEncoder().encode(drawTile(z, x, y)), maxAgeS);
      made = source === '' ? Promise.resolve().then(() => drawn()) : fetched(z, x, y).then((found) => {
        if (found) return found;
        // Asked for again next time.
        kept.delete(key);
        return drawn(STAND_IN_AGE_S);
      });
      made.catch(() => kept.delete(key));
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
    }
    kept.set(key, made);
    return made;
  }

  const app = new Hono();
  app.on(['GET', 'HEAD'], '/tiles/:z/:x/:y', async (c: Context) => {
    const [z, x, y] = (['z', 'x', 'y'] as const).map((name) => whole(c.req.param(name) ?? ''));
    const isThere = z !== null && x !== null && y !== null && z !== undefined && x !== undefined && y !== undefined
      && z >= FARTHEST_ZOOM && z <= CLOSEST_ZOOM && x < 2 ** z && y < 2 ** z;
    c.header('X-Content-Type-Options', 'nosniff');
    // Pages of other origins draw the map too, where a chain's own site frames us.
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    if (!isThere) return c.text('There is no such tile.', 404, { 'Cache-Control': 'no-store' });
    const { type, body, etag, maxAgeS } = await tile(z, x, y);
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    c.header('Cache-Control', `public, max-age=${maxAgeS}`);
    c.header('ETag', etag);
    if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304);
    c.header('Content-Type', type);
    c.header('Content-Length', String(body.length));
    return c.req.method === 'HEAD' ? c.body(null) : c.body(body);
  });
  return app;
}
