import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { Question } from '../../src/server/call/outside.ts';
import { outside } from '../../src/server/providers/outside.ts';

const silent = { info() {}, warn() {}, error() {} };
afterEach(() => vi.useRealTimers());

test('of a provider that went away it is known that its machine is back before anybody asks it again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let status = 503;
  const heard: Pick<IncomingMessage, 'method' | 'url'>[] = [];
  const server = createServer(({ method, url }, response) => {
    heard.push({ method, url });
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { ask, breakerStates } = outside(silent);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/charges?of=somebody`;
  for (let tries = 0; tries < 5; tries += 1)
    await ask('bank', address, { method: 'POST', deadlineMs: 1_000 }).catch(() => undefined);
  const seen = () => breakerStates().map(({ state, isBack }) => [state, isBack]);
  expect(seen()).toEqual([['open', false]]);
  for (const [next, isBack] of [
    [404, true],
    [502, false],
    [200, true],
  ] as const) {
    status = next;
    vi.advanceTimersByTime(30_000);
    await expect.poll(seen).toEqual([['open', isBack]]);
  }
  // Nothing is meant by a knock, and nobody is named.
  expect(heard.slice(5)).toEqual(Array.from({ length: 3 }, () => ({ method: 'HEAD', url: '/' })));
  server.close();
});

test('an answer that sends elsewhere, stops in its middle, comes too late or is none of HTTP is an error, and no redirect is followed unasked', async () => {
  const heard: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    heard.push(url);
    if (url === '/well') response.writeHead(200, { 'x-own': 'yes' }).end(`as asked: ${headers['x-asked']} नमस्ते`);
    if (url === '/elsewhere') response.writeHead(302, { location: '/well' }).end();
    if (url === '/half') response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy());
    if (url === '/strange') response.socket?.end('HTTP/1.1 999 What\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (path: string, question: Partial<Question> = {}) =>
    outside(silent).ask('bank', origin + path, { deadlineMs: 1_000, ...question });
  const well = await ask('/well', {
    method: 'POST',
    body: new URLSearchParams({ a: 'b' }),
    headers: { 'x-asked': '1' },
  });
  expect([well.status, well.ok, well.headers.get('x-own'), await well.text()]).toEqual([
    200,
    true,
    'yes',
    'as asked: 1 नमस्ते',
  ]);
  await expect(ask('/elsewhere')).rejects.toThrow();
  expect((await ask('/elsewhere', { redirect: 'manual' })).status).toBe(302);
  expect(heard.filter((url) => url === '/well')).toHaveLength(1);
  expect(await (await ask('/elsewhere', { redirect: 'follow' })).text()).toContain('as asked');
  await expect(ask('/half')).rejects.toThrow();
  await expect(ask('/strange')).rejects.toThrow(RangeError);
  await expect(ask('/never', { deadlineMs: 50 })).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(ask('/well', { signal: AbortSignal.abort(new Error('not any more')) })).rejects.toThrow('not any more');
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await expect(ask('/well')).rejects.toThrow();
});
