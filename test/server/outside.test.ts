import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
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
