import type net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { serve, type RunningServer } from '../../src/server/app.ts';
import { AS_CALLERS, BODY, line as connect, MODES, type Line } from '../kit/crowd.ts';
import { controls, testDatabase, type TestServer } from '../kit/server.ts';
import { follow } from './follow.ts';
import { member, openShop, PICKUP } from './shop.ts';

/** Connections of one address; an eighth may be late bodies, half of them streams. */
const MOST = 64;
/** So many look around at once: more than may wait. */
const TOWN = 700;

describe('one address that wants the whole server', () => {
  let running: RunningServer;
  let shop: TestServer;
  const sockets = new Set<net.Socket>();
  beforeAll(async () => {
    // In development this machine's addresses are proxies; here they are callers.
    const database = await testDatabase();
    running = await serve({
      port: 0,
      database: database.target,
      distDir: null,
      quiet: true,
      environment: { ...AS_CALLERS, ADDRESS_CONNECTIONS: String(MOST) },
    });
    const stop = async () => {
      await running.stop();
      await database.drop();
    };
    shop = { ...controls(running.url), url: running.url, database, stop };
    await shop.switches({ kitchen: 'steady' });
    await openShop(shop);
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  afterAll(async () => shop.stop());

  function line(text: string, options: Parameters<typeof connect>[2] = {}): Line {
    const own = connect(running.port, text, options);
    sockets.add(own.socket);
    return own;
  }
  const isRefused = ({ said, isClosed }: Line) => isClosed || /^HTTP\/1\.1 (429|503) /.test(said);

  /** What somebody else does meanwhile. @throws where any call of it is not answered well */
  async function journey(): Promise<string> {
    for (const path of ['/health', '/ready', '/content/ve1/stores/10101/menu'])
      expect((await fetch(shop.url + path, { headers: { api_key: 'in-web' } })).status).toBe(200);
    const who = await member(shop, 'IN', PICKUP);
    await who.fill();
    const placed = await who.submit({ paymentMode: 'COD' });
    expect(placed.status).toBe(200);
    return (await who.read(placed.body.order.orderId)).orderStatus;
  }
  /** The server is asked how it is, from the crowded address itself. */
  async function healthThere(): Promise<string> {
    const asked = line('GET /health HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n');
    await expect.poll(() => asked.isClosed).toBe(true);
    return asked.said.split('\r\n')[0]!;
  }

  test.each(MODES)('$mode: everybody else orders, and the attacker is refused', async ({ text, lines, reads }) => {
    const kept = text === BODY ? MOST / 8 : MOST;
    const attack = Array.from({ length: lines }, () => line(text, { reads }));
    expect(await journey()).toBe('ORDER PLACED');
    // Only who reads hears that it was cut off.
    for (const { socket } of attack) socket.resume();
    await expect.poll(() => attack.filter(isRefused).length).toBeGreaterThanOrEqual(lines - kept);
    expect(await healthThere()).toBe('HTTP/1.1 200 OK');
    expect(await journey()).toBe('ORDER PLACED');
  });

  test('a town that looks around waits while somebody orders; too many who wait are told to come again', async () => {
    const places = '/locator-service/ve2/autocomplete?input=koramngala&latitude=12.9&longitude=77.6';
    const look = `GET ${places} HTTP/1.1\r\nhost: shop\r\napi_key: in-web\r\n`;
    const who = await member(shop, 'IN', PICKUP);
    await who.fill();
    const town = Array.from({ length: TOWN }, (_, at) => line(look, { from: `127.0.1.${1 + (at % 32)}` }));
    const isAnswered = ({ said }: Line) => said !== '';
    await expect.poll(() => town.every(({ socket }) => !socket.connecting)).toBe(true);
    for (const { socket } of town) socket.write('\r\n');
    expect((await who.submit({ paymentMode: 'COD' })).status).toBe(200);
    expect(town.every(isAnswered)).toBe(false);
    await expect.poll(() => town.every(isAnswered)).toBe(true);
    const refused = town.filter(({ said }) => !said.startsWith('HTTP/1.1 200 '));
    expect(refused.length).toBeGreaterThan(0);
    for (const { said } of refused) expect(said).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 2\r\n/s);
    expect(town.length - refused.length).toBeGreaterThan(TOWN / 2);
  });

  test('bodies of slow phones that come within a second are no crowd, however many share their address', async () => {
    const slow = Array.from({ length: MOST / 2 }, () => line(BODY));
    // Whoever calls after them is answered after they were read.
    expect(await healthThere()).toBe('HTTP/1.1 200 OK');
    for (const { socket } of slow) socket.write('x'.repeat(4095));
    // The bank's signature is missing; that is heard once the body was read.
    await expect.poll(() => slow.every(({ said }) => /^HTTP\/1\.1 4(?!29)/.test(said))).toBe(true);
  });

  test('streams have a budget, too, and one that ends makes room', async () => {
    const url = shop.url;
    const statuses: number[] = [];
    const open: (() => void)[] = [];
    for (let at = 0; statuses.length < MOST / 2 + 1; at += 1) {
      const who = await member(shop, 'IN', PICKUP);
      const { order } = await who.order({ paymentMode: 'COD' });
      for (let own = 0; own < 6 && statuses.length < MOST / 2 + 1; own += 1) {
        const stream = await follow(url, who, order.orderId);
        statuses.push(stream.answer.status);
        open.push(() => stream.stop());
      }
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(MOST / 2);
    expect(statuses.at(-1)).toBe(429);
    for (const stop of open) stop();
  });

  test('a body that is broken off is no error', async () => {
    const log = running.services.log as typeof running.services.log & { debug: () => void };
    const debug = vi.spyOn(log, 'debug');
    const error = vi.spyOn(log, 'error');
    const half = line(BODY, { from: '127.0.0.1' });
    // Whoever calls after it is answered after it was read.
    await expect.poll(() => half.socket.bytesWritten).toBe(BODY.length);
    await journey();
    half.socket.destroy();
    const gone = () => debug.mock.calls.filter(([, says]: unknown[]) => /went away/.test(String(says))).length;
    await expect.poll(gone).toBeGreaterThan(0);
    expect(error).not.toHaveBeenCalled();
  });

  test('a body over the limit is refused before it is there, and its connection ends', async () => {
    const large = line(BODY.replace('4096', '9000000'), { from: '127.0.0.1' });
    await expect.poll(() => large.said).toMatch(/^HTTP\/1\.1 413 /);
    await expect.poll(() => large.isClosed).toBe(true);
  });
});
