import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { map, readEnvironment } from '../../src/server/environment.ts';
import { makeLog } from '../../src/server/http/log.ts';
import { tiles } from '../../src/server/http/tiles.ts';
import { outside } from '../../src/server/providers/outside.ts';
import { startServer, type TestServer } from '../kit/server.ts';

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
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
  });
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

  test('out at sea there is nothing but water', async () => {
    expect(await (await get(over(10, 87, 9))).text()).toMatch(/<rect class="w"[^>]*\/><\/svg>$/);
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
