import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { map, readEnvironment } from '../../src/server/environment.ts';
import { makeLog } from '../../src/server/http/log.ts';
import { tiles } from '../../src/server/http/tiles.ts';
import { outside } from '../../src/server/providers/outside.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { placesOf } from '../../src/server/rules/places/places.ts';
import { drawTile } from '../../src/server/rules/places/tiles.ts';
import { startServer } from '../kit/server.ts';
import { during } from '../kit/during.ts';

/** The tile that a point lies in. */
function over(latitude: number, longitude: number, zoom: number): string {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return [
    zoom,
    Math.floor((longitude / 360 + 0.5) * 2 ** zoom),
    Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom),
  ].join('/');
}

describe('tiles', () => {
  const server = during(() => startServer());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}/tiles/${path}`, { headers });

  test('draws land, places, stores and where they deliver, without a border and without a script', async () => {
    const reply = await get(over(28.5285, 77.219, 12));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(reply.headers.get('content-security-policy')).toContain('sandbox');
    const picture = await reply.text();
    expect(picture).toMatch(/<text[^>]*>Saket<\/text>/);
    expect(picture).toContain('class="p"');
    expect(picture).toContain('class="z"');
    expect(picture).not.toMatch(/<script|href/);
    for (const [name, at] of [
      ['Colombo', [6.93, 79.85]],
      ['Dhaka', [23.71, 90.4]],
    ] as const)
      expect(await (await get(over(at[0], at[1], 8))).text()).toContain(`>${name}<`);
  });

  test('no name lies on another one or below the number of a store, across tiles too [LOC-10]', () => {
    const overlaps: string[] = [];
    for (const [latitude, longitude] of [
      [19.1197, 72.8464],
      [28.6315, 77.2167],
      [6.9105, 79.851],
      [23.78, 90.4],
    ] as const)
      for (let zoom = 9; zoom <= 16; zoom += 1) {
        const [, x, y] = over(latitude, longitude, zoom).split('/').map(Number) as [number, number, number];
        const drawn = [-1, 0, 1].flatMap((dx) =>
          [-1, 0, 1].map((dy) => ({ dx, dy, svg: drawTile(zoom, x + dx, y + dy) })),
        );
        const all = drawn.flatMap(({ dx, dy, svg }) => [
          ...[...svg.matchAll(/<text(?: class="(\w)")? x="([-\d.]+)" y="([-\d.]+)">([^<]*)</g)].map(
            ([, weight, px, py, name]) => ({
              name: name!,
              px: Number(px) + dx * 256,
              py: Number(py) + dy * 256 - 4,
              half: (name!.length * (weight === 'b' ? 7.6 : weight === 's' ? 5.4 : 6.3)) / 2,
              high: 8,
            }),
          ),
          // The list of stores puts numbers of 32 pixels there; they may lie on each other, and are moved apart.
          ...[...svg.matchAll(/translate\(([-\d.]+) ([-\d.]+)\)/g)].map(([, px, py]) => ({
            ...{ name: '', px: Number(px) + dx * 256, py: Number(py) + dy * 256, half: 16, high: 16 },
          })),
        ]);
        for (const [at, one] of all.entries())
          for (const other of all.slice(at + 1))
            if (
              one.name !== other.name &&
              Math.abs(one.px - other.px) < one.half + other.half &&
              Math.abs(one.py - other.py) < one.high + other.high
            )
              overlaps.push(`${zoom}: ${one.name || 'store'} on ${other.name || 'store'}`);
      }
    expect([...new Set(overlaps)]).toEqual([]);
  });

  test('out at sea there is nothing but water', async () => {
    for (const zoom of [7, 9, 13])
      expect(await (await get(over(10, 87, zoom))).text()).toMatch(/<rect class="w"[^>]*\/><\/svg>$/);
  });

  test('a tile is kept for a day and asked for again with its tag', async () => {
    const path = over(23.78, 90.4, 13);
    const first = await get(path);
    expect(first.headers.get('cache-control')).toBe(
      'public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800',
    );
    expect((await get(path, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
  });

  test.each(['2/0/0', '19/1/1', '5/32/0', '5/0/-1', '5/1.5/2', '5/1/x', '05/1/2'])('%s is no tile', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe('another source of tiles', () => {
  let source: Server;
  let asked: string[] = [];
  beforeAll(async () => {
    source = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url?.startsWith('/5/')) response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
      else if (request.url?.startsWith('/6/'))
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in');
      else response.writeHead(500).end();
    });
    await new Promise<void>((done) => {
      source.listen(0, '127.0.0.1', done);
    });
  });
  afterAll(() => {
    source.close();
  });

  test('its tiles pass through us, so that it learns nothing of who looks; ours stand in when it fails', async () => {
    asked = [];
    const app = tiles(
      `http://127.0.0.1:${(source.address() as AddressInfo).port}/{z}/{x}/{y}.png`,
      outside(makeLog({ development: true, quiet: true })),
    );
    const replies = await Promise.all(
      ['5/22/13', '5/22/13', '6/44/26', '7/88/52'].map(async (path) => app.request(`/tiles/${path}`)),
    );
    expect(replies.map(({ headers }) => headers.get('content-type'))).toEqual([
      'image/png',
      'image/png',
      'image/svg+xml',
      'image/svg+xml',
    ]);
    // What stands in does not stay for a day.
    expect(replies.map(({ headers }) => headers.get('cache-control'))).toEqual([
      'public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800',
      'public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800',
      'public, max-age=300',
      'public, max-age=300',
    ]);
    expect(asked.sort()).toEqual(['/5/22/13.png', '/6/44/26.png', '/7/88/52.png']);
  });

  test('an address without its three places is named at the start', () => {
    expect(() => readEnvironment({ TILES_URL: 'https://tiles.example/{z}/{x}' })).toThrow(
      /TILES_URL must be .* with \{z\}, \{x\} and \{y\}/,
    );
    expect(readEnvironment({ TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png' }).read(map)?.url).toContain('{y}');
  });
});

describe('a drawn tile', () => {
  const SAKET = { latitude: 28.5285, longitude: 77.219 };
  const numbers = (text: string) => text.split('/').map(Number) as [zoom: number, x: number, y: number];
  const at = (zoom: number, { latitude, longitude } = SAKET) => numbers(over(latitude, longitude, zoom));
  /** Names with their positions in the world, in pixels. */
  const namesOn = (zoom: number, x: number, y: number) =>
    new Map(
      [...drawTile(zoom, x, y).matchAll(/<text[^>]* x="([-\d.]+)" y="([-\d.]+)">([^<]*)</g)].map(
        ([, px, py, name]) => [name!, [Number(px) + x * 256, Number(py) + y * 256]] as const,
      ),
    );
  /** The names within a tile, as they are on it and its neighbours around. */
  const around = (zoom: number) => {
    const [, x, y] = at(zoom);
    return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => namesOn(zoom, x + dx, y + dy)));
  };

  test('has the names of its neighbours where they reach into it, at the same places', () => {
    for (const zoom of [8, 11, 13]) {
      const all = around(zoom);
      const met = new Map<string, readonly number[]>();
      let shared = 0;
      for (const names of all)
        for (const [name, [px, py]] of names) {
          const before = met.get(name);
          if (before === undefined) met.set(name, [px, py]);
          else if (Math.abs(before[0]! - px) < 1 && Math.abs(before[1]! - py) < 1) shared += 1;
        }
      expect(shared, String(zoom)).toBeGreaterThan(0);
    }
  });
  test('says how big a place is: cities and towns by a dot and the weight of their names, and long names are cut', () => {
    const { places } = placesOf(catalogueFromDisk(countryConfig('IN')));
    /** What is drawn of a place on the tile that it lies in, and how far below it its name stands. */
    const drawn = (id: string, zoom: number) => {
      const { name, latitude, longitude } = places.find((one) => one.id === id)!;
      const [, x, y] = at(zoom, { latitude, longitude });
      const sine = Math.sin((latitude * Math.PI) / 180);
      const py = ((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom - y) * 256;
      const px = ((longitude / 360 + 0.5) * 2 ** zoom - x) * 256;
      const picture = drawTile(zoom, x, y);
      const circles = [...picture.matchAll(/<circle class="d" cx="([-\d.]+)" cy="([-\d.]+)" r="(\d)"/g)];
      const dot = circles.find(([, cx, cy]) => Math.abs(Number(cx) - px) < 0.2 && Math.abs(Number(cy) - py) < 0.2)?.[3];
      const begin = name.slice(0, 20);
      const text = [...picture.matchAll(/<text(?: class="(\w)")? x="[-\d.]+" y="([-\d.]+)">([^<]*)</g)].find((one) =>
        one[3]!.startsWith(begin),
      );
      return [text?.[3], text?.[1], dot, text && Math.round(Number(text[2]) - py)];
    };
    expect(drawn('in-kolkata', 8)).toEqual(['Kolkata', 'b', '3', -7]);
    const airport = 'in-rajiv-gandhi-international-airport-hyderabad';
    expect(drawn(airport, 11)).toEqual(['Rajiv Gandhi Internatio…', undefined, '2', -7]);
    // From close by its name stands for a part of a city, but a town is still a dot.
    expect(drawn(airport, 13)).toEqual(['Rajiv Gandhi Internatio…', undefined, undefined, 4]);
    expect(drawn('in-campbell-bay-701-9389', 13)).toEqual(['Campbell Bay', 's', '2', -7]);
    // Where a store has its sign, the name stands below it.
    const cp = places.find(({ name }) => name === 'Connaught Place')!.id;
    expect(drawn(cp, 13)).toEqual(['Connaught Place', undefined, undefined, 34]);
  });
  test('says in its style how all that is drawn looks, by day and in the dark', () => {
    const pictures = [7, 9, 12, 13].map((zoom) => drawTile(...at(zoom)));
    const [style] = /<style>(.*?)<\/style>/s.exec(pictures[0]!)!.slice(1) as [string];
    const [day, dark] = style.split('@media(prefers-color-scheme:dark)') as [string, string];
    const drawn = new Set(pictures.flatMap((one) => [...one.matchAll(/ class="(\w+)"/g)].map(([, name]) => name!)));
    expect([...drawn].toSorted()).toEqual(expect.arrayContaining(['a', 'b', 'd', 'g', 'l', 'p', 's', 'w', 'y', 'z']));
    for (const name of drawn)
      for (const [when, rules] of Object.entries({ day, dark }))
        expect([name, when, rules.includes(`.${name}{`)]).toEqual([name, when, true]);
    // A store has the sign of a shop.
    expect(pictures[2]).toMatch(/<circle class="p" r="11"\/><path class="g" d="M-?\d[^"]{40,}z"\/>/);
  });
  test('leaves a name out only where a more important one stands in its way', () => {
    const { places } = placesOf(catalogueFromDisk(countryConfig('IN')));
    const sizes: Readonly<Record<string, number>> = { city: 5.6, locality: 4.6, landmark: 4.2, town: 3, area: 2.5 };
    for (const [zoom, least] of [
      [6, 5.8],
      [9, 4.6],
      [11, 4],
    ] as const) {
      // Around Patna there is no store, whose number would be in the way.
      const [, x, y] = at(zoom, { latitude: 25.6, longitude: 85.1 });
      const seen = new Set<string>();
      const near = places.flatMap((place) => {
        const spot = `${place.latitude},${place.longitude}`;
        if (seen.has(spot)) return [];
        seen.add(spot);
        const sine = Math.sin((place.latitude * Math.PI) / 180);
        const px = ((place.longitude / 360 + 0.5) * 2 ** zoom - x) * 256;
        const py = ((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom - y) * 256;
        const size = Math.max(sizes[place.kind] ?? 0, Math.log10(place.population ?? 0));
        return size < least || Math.abs(px - 128) > 340 || Math.abs(py - 128) > 340 ? [] : [{ place, px, py, size }];
      });
      // Big names are wide; a dot that is named stands below its name.
      const half = ({ place, size }: (typeof near)[number]) =>
        (Math.min(place.name.length, 24) * (size >= 5.6 ? 8.2 : size < 4 ? 6 : 6.9)) / 2 + 6;
      const middle = ({ place, py }: (typeof near)[number]) => py - (zoom < 12 || place.kind === 'town' ? 11 : 0);
      const isFree = (one: (typeof near)[number]) =>
        !near.some(
          (other) =>
            other !== one &&
            (other.size > one.size || (other.size === one.size && other.place.id < one.place.id)) &&
            Math.abs(other.px - one.px) < half(other) + half(one) &&
            Math.abs(middle(other) - middle(one)) < 20,
        );
      const inside = near.filter(({ px, py }) => px >= 0 && px <= 256 && py >= 0 && py <= 256);
      const drawn = namesOn(zoom, x, y);
      const wanted = inside.filter(isFree);
      expect(wanted.length, String(zoom)).toBeGreaterThan(0);
      expect(wanted.filter(({ place }) => !drawn.has(place.name) && place.name.length <= 24)).toEqual([]);
      const shown = inside.filter(
        ({ place, px }) => Math.abs((drawn.get(place.name)?.[0] ?? -1e9) - x * 256 - px) < 0.1,
      );
      expect(shown.filter((one) => !isFree(one))).toEqual([]);
    }
  });
  test('has no ground of neighbourhoods where a place is alone', () => {
    const lonely = drawTile(...at(12, { latitude: 7.01, longitude: 93.89 }));
    expect(lonely).toContain('>Campbell Bay<');
    expect(lonely).toContain('class="l"');
    expect(lonely).not.toContain('<clipPath');
  });
  test('names more the closer it is, the big towns first', () => {
    const wide = (zoom: number) => new Set(around(zoom).flatMap((names) => [...names.keys()]));
    expect([...wide(4)].some((name) => /delhi/i.test(name))).toBe(true);
    expect(wide(4).has('Saket')).toBe(false);
    expect(wide(7).has('Saket')).toBe(false);
    expect(wide(13).has('Saket')).toBe(true);
    const here = [4, 5, 6, 7, 8, 9].map((zoom) => wide(zoom).size);
    expect(here.every((count) => count > 0)).toBe(true);
  });
  test('draws the ground of a neighbourhood from close by only, stores a little earlier, and their circles in scale', () => {
    const has = (zoom: number, what: string) => drawTile(...at(zoom)).includes(what);
    expect([11, 12].map((zoom) => has(zoom, '<clipPath'))).toEqual([false, true]);
    expect([8, 9].map((zoom) => has(zoom, 'class="p"'))).toEqual([false, true]);
    expect([8, 9].map((zoom) => has(zoom, 'class="z"'))).toEqual([false, true]);
    expect([11, 12].map((zoom) => has(zoom, 'scale(1)'))).toEqual([false, true]);
    const zoom = 12;
    const [, x, y] = at(zoom);
    const scale = 256 * 2 ** zoom;
    const px = (SAKET.longitude / 360 + 0.5) * scale - x * 256;
    const circle = [...drawTile(zoom, x, y).matchAll(/class="z" cx="([-\d.]+)" cy="([-\d.]+)" r="([\d.]+)"/g)]
      .map(([, cx, cy, r]) => [cx, cy, r].map(Number))
      .find(([cx]) => Math.abs(cx! - px) < 0.2)!;
    // 4 km at this latitude.
    const metre = scale / (40_075_017 * Math.cos((SAKET.latitude * Math.PI) / 180));
    expect(Math.abs(circle[2]! - 4000 * metre)).toBeLessThan(0.06);
    const sine = Math.sin((SAKET.latitude * Math.PI) / 180);
    const py = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * scale - y * 256;
    expect(Math.abs(circle[1]! - py)).toBeLessThan(0.06);
  });
  test('fills itself with the ground of its places, each in one of five tints, the same on every tile', () => {
    const [zoom, x, y] = at(13);
    const cells = (dx: number) => {
      const picture = drawTile(zoom, x + dx, y);
      return [...picture.matchAll(/<path class="c([0-4])" d="(M[^"]+)"/g)].map(([, tint, d]) => ({
        tint,
        corners: [...d!.matchAll(/([-\d.]+) ([-\d.]+)/g)].map(([, a, b]) => [Number(a), Number(b)] as const),
      }));
    };
    const own = cells(0);
    expect(own.length).toBeGreaterThan(1);
    const area = (corners: readonly (readonly [number, number])[]) =>
      Math.abs(
        corners.reduce((sum, [a, b], n) => {
          const [c, d] = corners[(n + 1) % corners.length]!;
          return sum + a * d - c * b;
        }, 0) / 2,
      );
    const whole = own.reduce((sum, { corners }) => sum + area(corners), 0);
    expect(Math.abs(whole - 336 * 336)).toBeLessThan(336 * 3);
    for (const { corners } of own)
      for (const [a, b] of corners) expect(a >= -40.1 && a <= 296.1 && b >= -40.1 && b <= 296.1).toBe(true);
    // What is drawn of the seam from both sides has the same tint there.
    const tintAt = (list: ReturnType<typeof cells>, px: number, py: number) =>
      list.find(({ corners }) =>
        corners.every(([a, b], n) => {
          const [c, d] = corners[(n + 1) % corners.length]!;
          return (c - a) * (py - b) - (d - b) * (px - a) >= -0.5;
        }),
      )?.tint;
    const next = cells(1);
    const seen = [20, 60, 100, 140, 180, 220].map((py) => [tintAt(own, 270, py), tintAt(next, 14, py)]);
    expect(seen.filter(([left, right]) => left !== undefined && left === right).length).toBeGreaterThanOrEqual(5);
  });
});
