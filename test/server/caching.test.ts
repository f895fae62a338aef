import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import { setSoldOut } from '../../src/server/store/stores.ts';
import { now } from '../../src/server/store/system.ts';
import { allEndpoints } from '../kit/contract.ts';
import { openedShop, member, visitor, type Customer, type Shop } from './shop.ts';

/** Every read of the contract. */
const READS = [...(await allEndpoints()).values()].filter(
  ({ method, stream, access }) => method === 'GET' && !stream && access !== 'development',
);

/** What stands for the parameters of a path. */
const PARAMS = { storeId: '10101', dealId: 'DL001', name: 'bestsellers', city: 'New Delhi', document: 'terms' };
const QUERY = '?storeId=10101&place_id=x&input=Delhi&key=x&code=x&guests=6';

/** What one build's callers are all told, which a shared cache may keep. */
const SHARED = [
  '/content/ve1/stores/{storeId}/menu',
  '/content/ve1/stores/{storeId}/toppings',
  '/catalog-service/ve1/stores/{storeId}/deals',
  '/catalog-service/ve1/stores/{storeId}/deals/{dealId}',
  '/catalog-service/ve1/stores/{storeId}/leftMenu',
  '/catalog-service/ve1/stores/{storeId}/widget',
  '/content/ve1/stores/{storeId}/widgets/{name}',
  '/content/ve1/stores/{storeId}/home',
  '/catalog-service/ve1/stores/{storeId}/potp',
  '/content/ve1/{document}',
  '/content/ve1/loyalty/programme',
  '/locator-service/ve2/stores/{storeId}/advanceorder-time',
  '/locator-service/ve2/stores/{storeId}/localities',
  '/locator-service/ve2/cities',
  '/locator-service/ve2/cities/{city}/localities',
  '/api/ve1/pwa-config',
  '/alert-service/ve1/alerts',
  '/server-side/settings',
  '/order-service/ve1/delivery-instructions',
  '/order-service/ve1/irctc/terms',
];

describe('what caches may keep', () => {
  let shop: Shop;
  let one: Customer;
  let other: Customer;
  beforeAll(async () => {
    shop = await openedShop();
    [one, other] = [await member(shop.server), await visitor(shop.server)];
    await one.order();
  });
  afterAll(() => shop.stop());

  async function read({ path }: Endpoint, who: Customer | null, headers: Record<string, string> = {}) {
    const answer = await fetch(
      shop.server.url + fillPath(path, { ...PARAMS, orderId: 'x', transactionId: 'x' }) + QUERY,
      {
        headers: {
          api_key: 'in-web',
          ...(who === null ? {} : { authToken: who.person.as.authToken!, userId: who.userId }),
          ...headers,
        },
      },
    );
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  }
  const kept = (headers: Headers) => /public|max-age/.test(headers.get('cache-control') ?? '');

  test('of all reads only these, and no refusal: whatever is for somebody is never stored [API-63]', async () => {
    const found: string[] = [];
    for (const endpoint of READS) {
      const { status, headers, body } = await read(endpoint, one);
      if (!kept(headers)) expect([endpoint.path, headers.get('cache-control')]).toEqual([endpoint.path, 'no-store']);
      else found.push(endpoint.path);
      expect([endpoint.path, kept(headers), status]).toEqual([endpoint.path, status === 200 && kept(headers), status]);
      if (kept(headers)) expect(body).not.toMatch(new RegExp([one.mobile, one.userId, one.cartId].join('|')));
    }
    expect(found.sort()).toEqual([...SHARED].sort());
    const [menu] = READS.filter(({ path }) => path === SHARED[0]);
    expect((await read(menu!, null, { api_key: 'nobody' })).headers.get('cache-control')).toBe('no-store');
  });

  test('are the same for everybody with one api_key, have a tag, and tell neither a time nor a request', async () => {
    for (const endpoint of READS.filter(({ path }) => SHARED.includes(path))) {
      const first = await read(endpoint, one, { 'accept-encoding': 'identity' });
      const at = [endpoint.path, first.headers.get('vary')] as const;
      expect([...at, (await read(endpoint, other)).body]).toEqual([...at, first.body]);
      expect([...at, (await read(endpoint, null)).body]).toEqual([...at, first.body]);
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=0, s-maxage=(10|300)$/);
      expect(first.headers.get('cdn-cache-control')).toMatch(
        /^max-age=(10|300), stale-while-revalidate=60, stale-if-error=86400$/,
      );
      for (const name of ['x-server-time', 'x-request-id', 'set-cookie'])
        expect([...at, first.headers.get(name)]).toEqual([...at, null]);
      const again = await read(endpoint, other, { 'if-none-match': first.headers.get('etag') ?? 'none' });
      expect([...at, again.status, again.headers.get('cache-control'), again.headers.get('vary')]).toEqual([
        ...at,
        304,
        first.headers.get('cache-control'),
        first.headers.get('vary'),
      ]);
      // What a cache is told to tell apart is what makes a difference, and nothing that is written in many ways.
      const spoken = await read(endpoint, null, { 'accept-language': 'hi' });
      const varies = first.headers.get('vary')!.split(', ');
      expect(varies.slice(0, 2)).toEqual(['api_key', 'Accept-Encoding']);
      expect([...at, varies.slice(2)]).toEqual([...at, varies.length > 2 ? ['Accept-Language'] : []]);
      if (spoken.body !== first.body)
        expect([...at, varies]).toContainEqual(expect.arrayContaining(['Accept-Language']));
    }
  });

  test('are new as soon as something is sold out, for those who ask us', async () => {
    const [menu] = READS.filter(({ path }) => path === SHARED[0]);
    const before = (await read(menu!, null)).headers.get('etag');
    await setSoldOut(shop.db, '10101', 'PZ003', true, await now(shop.db));
    const after = await read(menu!, null, { 'if-none-match': before ?? '' });
    expect([after.status, after.headers.get('etag') === before]).toEqual([200, false]);
  });
});
