import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillPath } from '../../src/contract/endpoint.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { allEndpoints, arbitraryOf, jsonSchemaOf, mutated } from '../kit/contract.ts';
import { IS_ALL } from '../kit/matrix.ts';
import { engines, startServer } from '../kit/server.ts';

import { guest, logIn } from './people.ts';
import type { Person } from './people.ts';
import { during } from '../kit/during.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? (IS_ALL ? 25 : 3));
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);
const settings = { quiet: true, distDir: null };
const endpoints = await allEndpoints();
/** They change the world of all other tests; their input has tests of its own. */
const APART = ['development.setSwitches', 'development.advanceClock'];
const fuzzed = [...endpoints].filter(([name]) => !APART.includes(name));

const paramsOf = (endpoint: Endpoint) => [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

describe.each(await engines())('any input to any endpoint on %s', (engine) => {
  const server = during(() => startServer({ engine, settings }));

  async function send(
    endpoint: Endpoint,
    who: Person | null,
    input: { params: Record<string, string>; query: unknown; body: unknown; key: string },
  ) {
    const address = new URL(server.url + fillPath(endpoint.path, input.params));
    if (typeof input.query === 'object' && input.query !== null)
      for (const [name, value] of Object.entries(input.query))
        if (value !== undefined)
          address.searchParams.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    const response = await fetch(address, {
      method: endpoint.method,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
      headers: {
        api_key: who?.as.apiKey ?? 'in-web',
        'content-type': 'application/json',
        ...(who === null ? {} : { authToken: who.as.authToken!, userId: who.userId }),
        ...(endpoint.idempotent ? { 'idempotency-key': input.key } : {}),
      },
      ...(endpoint.body === undefined || endpoint.method === 'GET' ? {} : { body: JSON.stringify(input.body) ?? '' }),
    });
    const text = await response.text();
    const body = JSON.parse(text) as { status?: string; errors?: { displayMsg?: string; code?: string }[] };
    if (response.status >= 500) throw new Error(`${response.status} ${text}`);
    if (response.status !== 200) {
      expect(body.status).toBe('FAILED');
      expect(body.errors?.[0]?.displayMsg).toBeTruthy();
      expect(body.errors?.[0]?.code).toBeTruthy();
    }
    return response.status;
  }

  test.each(fuzzed)('%s answers every valid and every broken input with less than 500', async (_name, endpoint) => {
    const who =
      endpoint.access === 'user' ? await logIn(server) : endpoint.access === 'development' ? null : await guest(server);
    const pools: Record<string, readonly unknown[]> = {
      cartId: [who?.cartId ?? 'cart_none', 'cart_none'],
      userId: [who?.userId ?? 'u'],
      mobNo: [who?.reply.attributes.mobile ?? '9876543210'],
      storeId: ['10101', '10102', '20101', '99999'],
      code: ['WELCOME50', 'NONE', '123456'],
      vendor: ['gpay', 'paytm', 'other'],
      mobile: ['9876543210', '123'],
      city: ['Bengaluru', 'Delhi', 'Nowhere'],
      latitude: [12.97, 28.61, '28.61', 'x'],
      longitude: [77.59, 77.2, '77.2', 'y'],
      productId: ['margherita', 'farmhouse', 'none'],
      deliveryType: ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN'],
    };
    const params = fc.record(
      Object.fromEntries(
        paramsOf(endpoint).map((name) => [
          name,
          fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...((pools[name] ?? ['x1']) as string[]).map(String)) },
            {
              weight: 1,
              arbitrary: fc.constantFrom(
                '%',
                '%00',
                '..',
                'a b',
                'ä',
                '\u0000',
                'x'.repeat(200),
                '-1',
                '1e9',
                '{}',
                '\ud83c\udf55',
                "'--",
                '9'.repeat(30),
              ),
            },
          ),
        ]),
      ),
    );
    const query = endpoint.query === undefined ? fc.constant({}) : arbitraryOf(jsonSchemaOf(endpoint.query), pools);
    const body = endpoint.body === undefined ? fc.constant(undefined) : arbitraryOf(jsonSchemaOf(endpoint.body), pools);
    const key = fc.stringMatching(/^[a-z0-9]{4,12}$/);
    const well = fc.record({ params, query, body, key });
    const broken = fc.record({ params, query: mutated(query), body: mutated(body), key });
    for (const inputs of [well, broken])
      await fc.assert(
        fc.asyncProperty(inputs, async (input) => {
          await send(endpoint, who, input);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
  });

  test('the server is still well', async () => {
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect((await guest(server)).userId).toBeTruthy();
  });
});
