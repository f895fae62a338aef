import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/activity.ts';
import { sayAtom } from '../../src/state/consent/consents.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { pathAtom } from '../../src/state/first/seams.ts';
import { userAtom } from '../../src/state/base/session.ts';
import { isUsageTrackedAtom, trackPageAtom } from '../../src/state/telemetry/usage.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { fails, openCustomer, type Customer } from './customer.ts';

let server: TestServer;
let db: Root;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null, environment: { ANALYTICS: 'on' } } });
  ({ db } = await openDb(server.database.target));
});
afterAll(async () => {
  await db.destroy();
  await server.stop();
});
let now = Date.now();
const AGENT = 'Mozilla/5.0 (Linux; Android 14) Mobile';
beforeEach(() => {
  vi.stubGlobal('navigator', { userAgent: AGENT });
  vi.stubGlobal('document', { referrer: 'https://search.example/', baseURI: 'https://pizza.example/in/' });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A page of a country whose production has its pages tracked, with the customer's word about it. */
async function opened({ code = 'bg', tracking = 'true', isAgreed = true } = {}): Promise<Customer> {
  const customer = openCustomer(server);
  const country = countryConfig(code);
  const { production } = country.ENVIRONMENTS;
  const ENVIRONMENTS = { ...country.ENVIRONMENTS, production: { ...production, USER_ACTIVITY_TRACKING: tracking } };
  customer.set(countryAtom, { ...country, ENVIRONMENTS });
  await customer.set(sayAtom, 'usage', isAgreed);
  return customer;
}
async function visit(customer: Customer, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    // A moment later, so that the order of what is kept is that of the visit.
    vi.spyOn(Date, 'now').mockReturnValue((now += 1_000));
    customer.set(pathAtom, path);
    await customer.set(trackPageAtom);
  }
}
/** What the server keeps of this customer's pages, in the order in which they were told. */
async function pagesOf(customer: Customer) {
  const userId = customer.get(userAtom)?.userId ?? '';
  const rows = await db
    .selectFrom('activity')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'page')
    .execute();
  const views = rows.map(({ data }) => JSON.parse(data) as { timestamp: number; pageName: string; referrer: string });
  return views.toSorted((one, other) => one.timestamp - other.timestamp);
}
test.each([
  ['the country does not want it', { tracking: 'false' }],
  ["India's data want it, where only Bangladesh may [EXP-21]", { code: 'in' }],
  ["Sri Lanka's data want it, where only Bangladesh may [EXP-21]", { code: 'lk' }],
  ['the customer does not want it', { isAgreed: false }],
])('where %s, no page is told of', async (_what, options) => {
  const customer = await opened(options);
  customer.calls.length = 0;
  await visit(customer, '/menu', '/cart');
  expect([customer.get(isUsageTrackedAtom), customer.calls]).toEqual([false, []]);
});

test('each page is told of once, with what it is, where it was come from and nothing of its query in its name', async () => {
  const customer = await opened();
  expect(customer.get(isUsageTrackedAtom)).toBe(true);
  await visit(customer, '/cart', '/cart', '/menu/sides?q=x', '/', '/cart');
  const userId = customer.get(userAtom)!.userId;
  const same = { userAgent: AGENT, platform: 'PWA', action: 'view', actionType: 'page' };
  expect(await pagesOf(customer)).toEqual(
    [
      { pageName: 'cart', referrer: 'https://search.example/', properties: { path: '/cart', query: '' } },
      { pageName: 'menu categories', referrer: '/cart', properties: { path: '/menu/sides', query: 'q=x' } },
      { pageName: 'home', referrer: '/menu/sides?q=x', properties: { path: '/', query: '' } },
      { pageName: 'cart', referrer: '/', properties: { path: '/cart', query: '' } },
    ].map((one) => ({ ...same, userId, timestamp: expect.any(Number) as number, ...one })),
  );
});

test('a page without a name is not told of, but the next one was come to from it', async () => {
  const customer = await opened();
  await visit(customer, '/about-us-somewhere', '/cart');
  expect(await pagesOf(customer)).toMatchObject([{ pageName: 'cart', referrer: '/about-us-somewhere' }]);
});

test('no more of an address is told than the server takes', async () => {
  const customer = await opened();
  const long = 'q'.repeat(500);
  await visit(customer, `/search?${long}`, '/cart');
  expect(await pagesOf(customer)).toMatchObject([
    { pageName: 'search', properties: { query: 'q'.repeat(400) } },
    { pageName: 'cart', referrer: `/search?${long}`.slice(0, 400) },
  ]);
});

test('a page that could not be told of is only logged, and not told of again; the next one is', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const customer = await opened();
  const mend = fails(customer, contract.savePageView, new Failure('offline'));
  await visit(customer, '/cart');
  expect(logged.mock.calls).toEqual([[expect.any(Failure)]]);
  mend();
  await visit(customer, '/cart', '/menu');
  expect(await pagesOf(customer)).toMatchObject([{ pageName: 'menu categories', referrer: '/cart' }]);
});
