import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { refreshConfigAtom } from '../../src/state/base/config.ts';
import { sayAtom } from '../../src/state/consent/consents.ts';
import { deliverAtom } from '../../src/state/telemetry/telemetryOutbox.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { pathAtom } from '../../src/state/first/seams.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { isQuietAtom } from '../../src/state/orders/quiet.ts';
import { userAtom } from '../../src/state/base/session.ts';
import { trackCartAtom } from '../../src/state/telemetry/telemetry.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer, type CustomerOptions } from './customer.ts';

let server: TestServer;
let db: Root;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null, environment: { ANALYTICS: 'on' } } });
  ({ db } = await openDb(server.database.target));
  await openShop(server);
});
afterAll(async () => {
  await db.destroy();
  await server.stop();
});
const page = globalThis as { dataLayer?: unknown };
beforeEach(() => {
  vi.stubGlobal('document', { visibilityState: 'visible', baseURI: 'https://pizza.example/in/' });
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 14) Mobile' });
  vi.stubGlobal('innerWidth', 390);
  vi.stubGlobal('innerHeight', 780);
  vi.stubGlobal('screen', { width: 1080, height: 2400 });
  delete page.dataLayer;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A page whose server lets visits be counted, with the customer's word about it, if they have given one. */
async function opened(isAgreed: boolean | null = true, options: CustomerOptions = {}): Promise<Customer> {
  const customer = openCustomer(server, options);
  await customer.set(refreshConfigAtom);
  if (isAgreed !== null) await customer.set(sayAtom, 'usage', isAgreed);
  return customer;
}
type Told = { readonly user: Record<string, string>; readonly properties: Record<string, unknown> };
/** What the server keeps of this customer's events, by their names. */
async function told(customer: Customer): Promise<Record<string, Told>> {
  await customer.set(deliverAtom);
  const userId = customer.get(userAtom)?.userId ?? '';
  const rows = await db.selectFrom('activity').selectAll().where('user_id', '=', userId).execute();
  return Object.fromEntries(
    rows.filter(({ kind }) => kind === 'event').map(({ name, data }) => [name, JSON.parse(data) as Told]),
  );
}

test.each([
  ['/home?x=1', null, true],
  ['/menu/sides', null, true],
  ['/cart', null, false],
  ['/order/ord_1', null, false],
  ['/login?redirectUrl=/payment', null, false],
  ['/', 'submitting', false],
  ['/menu', 'paying', false],
  ['/', 'watching', true],
] as const)(
  'the moment on %s, with an order that is %s, is quiet enough for the question: %s',
  async (path, step, isQuiet) => {
    const customer = await opened(null);
    customer.set(pathAtom, path);
    if (step) customer.set(journalAtom, { key: 'k', orderId: 'ord_1', step, at: 1 });
    expect(customer.get(isQuietAtom)).toBe(isQuiet);
    customer.set(popupAtom, { message: 'Your order is cancelled.' });
    expect(customer.get(isQuietAtom)).toBe(false);
  },
);

test('an event of the cart says what it comes to, and nothing where there is none', async () => {
  const customer = await opened();
  customer.set(trackCartAtom, 'empty');
  customer.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await customer.set(syncCartAtom);
  customer.set(trackCartAtom, 'full');
  const { empty, full } = await told(customer);
  expect(Object.keys(empty!.properties).sort()).toEqual(['currency', 'orderCurrency']);
  expect(full!.properties).toMatchObject({ items: 1, value: expect.any(Number) });
});
