import { expect, test } from 'vitest';
import { fillPath, type Endpoint } from '../../src/contract/endpoint.ts';
import { rawRoutes } from '../../src/server/http/routes.ts';
import { allEndpoints, jsonSchemaOf } from '../kit/contract.ts';
import { exampleOf, withText, type Known, type Place } from '../kit/examples.ts';
import { FILLS, HELD_AT_MOST_MS, heldMs, LONG_TEXT, textsOf } from '../kit/holding.ts';
import { sample } from '../kit/matrix.ts';
import { startServer } from '../kit/server.ts';
import { guest, logIn, type Person } from './people.ts';
import { openShop } from './shop.ts';
import { during } from '../kit/during.ts';

/** Node refuses a request whose head has more than 16 KB. */
const HEAD_TEXT = 12 * 1024;
/** The longest that stays below this length as a part of an address. */
const encoded = (sign: string, length: number) => Math.floor(length / encodeURIComponent(sign).length);

const knownOf = (who: Person | null): Known => ({
  cartId: who?.cartId,
  userId: who?.userId,
  mobNo: who?.reply.attributes.mobile ?? '9876543210',
  mobile: '9876543210',
  storeId: '10101',
  productId: 'PZ001',
  code: 'SAVE15',
  latitude: 28.64,
  longitude: 77.22,
  deliveryType: 'DELIVERY',
  size: 'M',
});

const server = during(() => startServer({ settings: { quiet: true, distDir: null } }), openShop);

interface Wish {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

let calls = 0;
/** The thread's time for this call; of each try another address asks, so that none is refused for what others did. */
async function held(endpoint: Endpoint, who: Person | null, { params, query, body, headers }: Wish): Promise<number> {
  const address = new URL(server.url + fillPath(endpoint.path, params));
  for (const [name, value] of Object.entries(query))
    if (value !== undefined)
      address.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : `${value}`);
  const sent = endpoint.body === undefined || endpoint.method === 'GET' ? undefined : JSON.stringify(body);
  return await heldMs(async () => {
    calls += 1;
    const reply = await fetch(address, {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        api_key: 'in-web',
        'content-type': 'application/json',
        'x-forwarded-for': `10.${(calls >> 16) % 256}.${(calls >> 8) % 256}.${calls % 256}`,
        ...(who === null ? {} : { authToken: who.as.authToken!, userId: who.userId }),
        ...(endpoint.idempotent ? { 'idempotency-key': `held-${calls}` } : {}),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    await reply.arrayBuffer();
    expect([endpoint.path, reply.status < 500 || reply.status === 503]).toEqual([endpoint.path, true]);
  });
}

const endpoints = [...(await allEndpoints())];
const whoFor = async (access: Endpoint['access']) =>
  access === 'development' ? null : access === 'user' ? await logIn(server) : await guest(server);

/** The two that most patterns repeat. */
const COMMON = [FILLS.spaces, FILLS.digits] as const;
/** Each kind in every field; in a run that is not the full matrix each field has one of the two, by turns. */
const fills = sample<readonly [string, readonly string[]]>(
  Object.entries(FILLS).map(([name, sign]) => [name, [sign]]),
  [['spaces or digits', COMMON]],
);

test.each(fills)(
  'no call of the contract holds the process with a text of %s, in whichever field or parameter',
  async (_name, signs) => {
    const slow: unknown[] = [];
    let fields = 0;
    const nextSign = () => signs[fields++ % signs.length]!;
    for (const [name, endpoint] of endpoints) {
      const who = await whoFor(endpoint.access);
      const known = knownOf(who);
      const [inQuery, inBody]: [Place[], Place[]] = [[], []];
      const query = (endpoint.query ? exampleOf(jsonSchemaOf(endpoint.query), known, inQuery) : {}) as Wish['query'];
      const body = endpoint.body ? exampleOf(jsonSchemaOf(endpoint.body), known, inBody) : undefined;
      const params = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, own]) => [own!, `${known[own!] ?? 'x1'}`]),
      );
      const valid = { params, query, body };
      const tried: [string, Wish][] = [];
      const headTexts = () => {
        const sign = nextSign();
        return textsOf(sign, encoded(sign, HEAD_TEXT));
      };
      for (const own of Object.keys(params))
        for (const text of headTexts()) tried.push([own, { ...valid, params: { ...params, [own]: text } }]);
      for (const { path } of inQuery)
        for (const text of headTexts())
          tried.push([path.join('.'), { ...valid, query: withText(query, path, text) as Wish['query'] }]);
      for (const { path, most } of inBody) {
        const sign = nextSign();
        for (const text of most >= LONG_TEXT
          ? textsOf(sign, LONG_TEXT)
          : // And so long that it is taken, and all that is done with it is done.
            [sign.repeat(LONG_TEXT), ...(most > 100 ? textsOf(sign, most) : [])])
          tried.push([path.join('.'), { ...valid, body: withText(body, path, text) }]);
      }
      for (const [place, wish] of tried) {
        const ms = await held(endpoint, who, wish);
        if (ms > HELD_AT_MOST_MS) slow.push([name, place, Math.round(ms)]);
      }
    }
    expect(slow).toEqual([]);
  },
);

test('no header that is read holds the process', async () => {
  const read = [
    ...[
      'accept',
      'accept-encoding',
      'accept-language',
      'api_key',
      'authToken',
      'authorization',
      'available-dictionary',
    ],
    ...['content-type', 'cookie', 'host', 'idempotency-key', 'if-none-match', 'origin', 'referer', 'request-id'],
    ...['returnpath', 'traceparent', 'user-agent', 'userId', 'x-forwarded-for', 'x-forwarded-prefix', 'x-host'],
    ...['x-request-id', 'x-simulator'],
  ];
  // A call of a session reads all of them.
  const readers = sample(['session.anonymous', 'menu.byStore', 'cart.byId'], ['cart.byId']);
  const asked = endpoints.filter(([name]) => readers.includes(name));
  expect(asked).toHaveLength(readers.length);
  const signs = [FILLS.spaces, FILLS.digits, ',', FILLS.letters, FILLS.brackets, ';', '-'];
  const slow: unknown[] = [];
  for (const [name, endpoint] of asked) {
    const who = await guest(server);
    const params = { storeId: '10101', cartId: who.cartId };
    for (const header of read)
      for (const sign of sample(signs, signs.slice(0, 3)))
        for (const text of textsOf(sign, HEAD_TEXT)) {
          const ms = await held(endpoint, who, { params, query: {}, body: {}, headers: { [header]: text } });
          if (ms > HELD_AT_MOST_MS) slow.push([name, header, sign, Math.round(ms)]);
        }
  }
  expect(slow).toEqual([]);
});

/** What pages and vendors send to each other: what is read of a form, of a query, of JSON. */
const SAID = [
  ...['CHECKSUMHASH', 'MID', 'ORDERID', 'ORDER_ID', 'STATUS', 'TXNID', 'amount', 'answer', 'behaviour', 'body'],
  ...['client_id', 'code', 'code_challenge', 'credential', 'details', 'email', 'head', 'key', 'name', 'nonce', 'pnr'],
  ...['redirect_uri', 'reference', 'run', 'sheet', 'signature', 'state', 'status', 'token', 'typed', 'vpa'],
];
const SIGNATURES = ['authorization', 'x-bank-signature', 'x-bank-nonce', 'x-partner-signature', 'x-railway-signature'];

test.each(fills)(
  'no webhook and no route of a vendor holds the process with a text of %s, in whichever form',
  async (_name, [sign = '']) => {
    const slow: unknown[] = [];
    const raw = rawRoutes();
    expect(raw.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/webhooks/bank', '/webhooks/paytm', '/bank/answer', '/vendors/oidc/consent']),
    );
    for (const { method, path } of raw) {
      const address = server.url + path.replaceAll(/:\w+/g, 'x1');
      const sentAs = async (what: string, at: string, init: { headers?: Record<string, string>; body?: string }) => {
        const ms = await heldMs(async () => {
          const reply = await fetch(at, { method, redirect: 'manual', ...init });
          await reply.arrayBuffer();
          expect([path, what, reply.status < 500 || reply.status === 503]).toEqual([path, what, true]);
        });
        if (ms > HELD_AT_MOST_MS) slow.push([method, path, what, Math.round(ms)]);
      };
      const [headText] = textsOf(sign, encoded(sign, HEAD_TEXT));
      if (path.includes(':'))
        await sentAs('path', server.url + path.replaceAll(/:\w+/g, encodeURIComponent(headText!)), {});
      const asked = new URLSearchParams(
        SAID.map((name) => [name, headText!.slice(0, headText!.length / SAID.length / 2)]),
      );
      await sentAs('query', `${address}?${asked.toString()}`, {});
      if (method === 'GET') continue;
      for (const text of textsOf(sign, LONG_TEXT)) {
        const part = text.slice(0, LONG_TEXT / SAID.length);
        const fields = Object.fromEntries(SAID.map((name) => [name, part]));
        const headers = Object.fromEntries(SIGNATURES.map((name) => [name, encodeURIComponent(part).slice(0, 2_000)]));
        for (const [type, body] of [
          ['multipart/form-data; boundary=7', text],
          ['application/x-www-form-urlencoded', text],
          ['application/x-www-form-urlencoded', SAID.map((name) => `${name}=${part}`).join('&')],
          ['application/json', JSON.stringify(text)],
          ['application/json', JSON.stringify(fields)],
        ] as const)
          await sentAs(type, address, { headers: { ...headers, 'content-type': type }, body });
      }
    }
    expect(slow).toEqual([]);
  },
);

/** What is read before the contract is the same for all; of these each noun has lists or texts in texts. */
const ALIKE = ['cart', 'orders', 'experiments', 'help', 'memory'];
const withBody = endpoints.filter(([, { body }]) => body !== undefined);
const ofNoun = (noun: string) => withBody.filter(([name]) => name.startsWith(`${noun}.`));

test('no JSON holds the process by its form: deep, wide, or of long numbers and names', async () => {
  const long = (part: string) => part.repeat(LONG_TEXT / part.length);
  const forms = [
    long('['),
    `${'['.repeat(LONG_TEXT / 2)}${']'.repeat(LONG_TEXT / 2)}`,
    `${'{"a":'.repeat(LONG_TEXT / 6)}1${'}'.repeat(LONG_TEXT / 6)}`,
    `${'{"\\u0061":'.repeat(LONG_TEXT / 12)}1${'}'.repeat(LONG_TEXT / 12)}`,
    `${'{"__proto__":'.repeat(LONG_TEXT / 14)}1${'}'.repeat(LONG_TEXT / 14)}`,
    `[${long('4,')}4]`,
    `[${long('{},')}4]`,
    `[${long('"4 4 4 4 4 4",')}4]`,
    `[${long('"\\u202e",')}4]`,
    `{${Array.from({ length: 5_000 }, (_, at) => `"4000 ${at}":"4"`).join()}}`,
    long('9'),
    `{"a":"${long('44 ')}"}`,
    `{"a":"${long('①')}"}`,
  ];
  const slow: unknown[] = [];
  for (const [name, endpoint] of sample(
    ALIKE.flatMap(ofNoun),
    ALIKE.flatMap((noun) => ofNoun(noun).slice(0, 1)),
  )) {
    const who = await whoFor(endpoint.access);
    const known = knownOf(who);
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, own]) => [own!, `${known[own!] ?? 'x1'}`]),
    );
    const fields = Object.keys(jsonSchemaOf(endpoint.body!).properties ?? {});
    const address = server.url + fillPath(endpoint.path, params);
    for (const [index, form] of forms.entries())
      for (const body of [form, ...fields.slice(0, 1).map((field) => `{${JSON.stringify(field)}:${form}}`)]) {
        const ms = await heldMs(async () => {
          calls += 1;
          const reply = await fetch(address, {
            method: endpoint.method,
            headers: {
              api_key: 'in-web',
              'content-type': 'application/json',
              'x-forwarded-for': `10.${(calls >> 16) % 256}.${(calls >> 8) % 256}.${calls % 256}`,
              ...(who === null ? {} : { authToken: who.as.authToken!, userId: who.userId }),
              'idempotency-key': `held-${calls}`,
            },
            body,
          });
          await reply.arrayBuffer();
          expect([name, index, reply.status < 500]).toEqual([name, index, true]);
        });
        if (ms > HELD_AT_MOST_MS) slow.push([name, index, Math.round(ms)]);
      }
  }
  expect(slow).toEqual([]);
});
