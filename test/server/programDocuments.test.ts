import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, isPublicAddress } from '../../src/server/providers/documents.ts';

let port = 0;
let asked = 0;
const ways: Record<string, (response: ServerResponse) => void> = {
  '/right': (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'max-age=5' })
      .end('{"a":1}'),
  '/moved': (response) => response.writeHead(302, { location: 'https://good.example/right' }).end(),
  '/list': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[1]'),
  '/html': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
  '/packed': (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('{}'),
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"a":"${'x'.repeat(100_000)}"}`);
  },
};
ways['/large'] = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":[${'{},'.repeat(20_000)}{}]}`);
const server = createServer((question, response) => {
  asked += 1;
  (ways[(question.url ?? '').replace(/\/\d+$/, '')] ?? ((away) => away.writeHead(500).end()))(response);
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
beforeAll(() => void ({ port } = server.address() as AddressInfo));
afterAll(() => void server.close());

const NAMES: Record<string, string[]> = {
  'good.example': ['8.8.8.8'],
  'inner.example': ['10.0.0.7'],
  'both.example': ['8.8.8.8', '127.0.0.1'],
  'none.example': [],
};
/** Names are looked up as the connection does; only the wire leads to the server of this test, without encryption. */
const here = (most?: number) =>
  documents(
    false,
    {
      resolve: (host) => Promise.resolve((NAMES[host] ?? []).map((address) => ({ address, family: 4 }))),
      send: (url, { lookup, ...options }, done) =>
        request(
          {
            ...options,
            host: url.hostname,
            path: url.pathname,
            port,
            lookup: (host, wanted, found) =>
              lookup!(host, wanted, (error, ...rest) =>
                error === null ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(error, ...rest),
              ),
          },
          done,
        ),
    },
    most,
  );
const reasonOf = (thrown: Promise<unknown>) =>
  thrown.then(
    () => 'read',
    ({ reason }: { reason: string }) => reason,
  );

test('a document is read once, and kept', async () => {
  const own = here();
  const address = 'https://good.example/right';
  const before = asked;
  expect(await Promise.all([own.read(address), own.read(address)])).toEqual([{ a: 1 }, { a: 1 }]);
  expect([await own.read(address), own.isKept(address)]).toEqual([{ a: 1 }, true]);
  expect(asked - before).toBe(1);
});

test.each([
  ['https://inner.example/right', 'address'],
  ['https://both.example/right', 'address'],
  ['https://none.example/right', 'address'],
  ['http://good.example/right', 'address'],
  ['https://good.example:8443/right', 'address'],
  ['https://10.0.0.7/right', 'address'],
  ['https://[::1]/right', 'address'],
  ['https://0x7f.1/right', 'address'],
  ['https://user:word@good.example/right', 'address'],
  ['https://good.example/right#part', 'address'],
  [`https://good.example/${'x'.repeat(300)}`, 'address'],
  ['file:///etc/passwd', 'address'],
  ['http://localhost/right', 'address'],
  ['https://good.example/moved', 'unreachable'],
  ['https://good.example/away', 'unreachable'],
  ['https://good.example/list', 'malformed'],
  ['https://good.example/html', 'malformed'],
  ['https://good.example/packed', 'malformed'],
  ['https://good.example/endless', 'malformed'],
])('%s is not read: %s', async (address, reason) => {
  const own = here();
  expect(await reasonOf(own.read(address))).toBe(reason);
  // Nor is anybody asked twice in a minute for what was not there.
  const before = asked;
  expect(await reasonOf(own.read(address))).toBe(reason);
  expect(asked).toBe(before);
});

test('what is kept has an end: the oldest of many large ones goes', async () => {
  const own = here(130_000);
  const addresses = [1, 2, 3].map((n) => `https://good.example/large/${n}`);
  // 60 KB each; read into objects they take twenty times as much, so they are kept as they came.
  for (const address of addresses) expect(Object.keys(await own.read(address))).toEqual(['a']);
  expect(addresses.map((address) => own.isKept(address))).toEqual([false, true, true]);
  const before = asked;
  expect(Object.keys(await own.read(addresses[2]!))).toEqual(['a']);
  expect(asked).toBe(before);
});

test('however many are named, few are asked', async () => {
  const own = here();
  const all = Array.from({ length: 200 }, (_, n) => reasonOf(own.read(`https://good.example/${n}`)));
  const reasons = await Promise.all(all);
  expect(reasons.filter((reason) => reason === 'busy').length).toBe(192);
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['0.0.0.0', false],
  ['100.64.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::808:808', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['nonsense', false],
])('%s leads to somebody on the open net: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
