import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillPath, type Endpoint } from '../../src/contract/endpoint.ts';
import { allEndpoints, arbitraryOf, jsonSchemaOf } from '../kit/contract.ts';
import { FILLS, HELD_AT_MOST_MS, heldMs, LONG_TEXT, textsOf } from '../kit/holding.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { guest, logIn, type Person } from './people.ts';
import { openShop } from './shop.ts';

/** Node refuses a request whose head has more than 16 KB. */
const HEAD_TEXT = 12 * 1024;
/** The longest that stays below this length as a part of an address. */
const encoded = (sign: string, length: number) => Math.floor(length / encodeURIComponent(sign).length);

type Schema = ReturnType<typeof jsonSchemaOf>;
interface Place {
  readonly path: readonly (string | number)[];
  /** How long a text may be to be read on. */
  readonly most: number;
}

/** One valid value with all that may be left out, and each place in it that takes a text which is not one of a list. */
function exampleOf(schema: Schema, known: Known, places: Place[], path: Place['path'] = []): unknown {
  const name = path.at(-1);
  const all = schema.allOf === undefined ? schema : (Object.assign({}, schema, ...schema.allOf) as Schema);
  const branches = all.anyOf ?? all.oneOf;
  if (branches !== undefined) {
    const [first, ...others] = branches.map((branch) => {
      const own: Place[] = [];
      return { own, value: exampleOf(branch, known, own, path) };
    });
    const best = [first!, ...others].reduce((one, other) => (other.own.length > one.own.length ? other : one));
    places.push(...best.own);
    return best.value;
  }
  if (all.properties !== undefined)
    return Object.fromEntries(
      Object.entries(all.properties).map(([key, inner]) => [key, exampleOf(inner, known, places, [...path, key])]),
    );
  const type = Array.isArray(all.type) ? all.type[0] : all.type;
  if (type === 'array') return [exampleOf(all.items ?? {}, known, places, [...path, 0])];
  if (type === 'object' && typeof all.additionalProperties === 'object')
    return { key: exampleOf(all.additionalProperties, known, places, [...path, 'key']) };
  if (type === 'string' && all.enum === undefined && all.const === undefined)
    places.push({ path, most: all.maxLength ?? Infinity });
  if (typeof name === 'string' && known[name] !== undefined) return known[name];
  return fc.sample(arbitraryOf(all), { seed: 1, numRuns: 1 })[0];
}

function withText(value: unknown, [step, ...rest]: Place['path'], text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((one, at) => (at === step ? withText(one, rest, text) : (one as unknown)));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: withText(object[step], rest, text) };
}

type Known = Readonly<Record<string, string | number | undefined>>;
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

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { quiet: true, distDir: null } });
  await openShop(server);
});
afterAll(() => server.stop());

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

test.each(Object.entries(FILLS))(
  'no call of the contract holds the process with a text of %s, in whichever field or parameter',
  async (_name, sign) => {
    const slow: unknown[] = [];
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
      const headText = textsOf(sign, encoded(sign, HEAD_TEXT));
      for (const own of Object.keys(params))
        for (const text of headText) tried.push([own, { ...valid, params: { ...params, [own]: text } }]);
      for (const { path } of inQuery)
        for (const text of headText)
          tried.push([path.join('.'), { ...valid, query: withText(query, path, text) as Wish['query'] }]);
      for (const { path, most } of inBody)
        for (const text of most >= LONG_TEXT
          ? textsOf(sign, LONG_TEXT)
          : // And so long that it is taken, and all that is done with it is done.
            [sign.repeat(LONG_TEXT), ...(most > 100 ? textsOf(sign, most) : [])])
          tried.push([path.join('.'), { ...valid, body: withText(body, path, text) }]);
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
  const asked = endpoints.filter(([name]) => ['session.anonymous', 'menu.byStore', 'cart.byId'].includes(name));
  expect(asked).toHaveLength(3);
  const slow: unknown[] = [];
  for (const [name, endpoint] of asked) {
    const who = await guest(server);
    const params = { storeId: '10101', cartId: who.cartId };
    for (const header of read)
      for (const sign of [FILLS.spaces, FILLS.letters, FILLS.digits, FILLS.brackets, ',', ';', '-'])
        for (const text of textsOf(sign, HEAD_TEXT)) {
          const ms = await held(endpoint, who, { params, query: {}, body: {}, headers: { [header]: text } });
          if (ms > HELD_AT_MOST_MS) slow.push([name, header, sign, Math.round(ms)]);
        }
  }
  expect(slow).toEqual([]);
});
