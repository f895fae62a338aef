import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/fingerprint.ts';
import { sayAtom } from '../../src/state/consent/consents.ts';
import { fingerprintAtom, isForgettingDeviceAtom } from '../../src/state/consent/deviceId.ts';
import { deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { renewSessionAtom, userAtom } from '../../src/state/base/session.ts';
import { tellDeviceAtom, tellForgottenAtom } from '../../src/state/consent/botSignals.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { guest } from '../server/people.ts';
import { fails, meanwhile, openCustomer, type Customer } from './customer.ts';

let server: TestServer;
let db: Root;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  ({ db } = await openDb(server.database.target));
});
afterAll(async () => {
  await db.destroy();
  await server.stop();
});
const NAVIGATOR = {
  userAgent: ' Mozilla/5.0 (Linux; Android 14) Mobile ',
  appVersion: `5.0 ${'x'.repeat(300)}`,
  plugins: [{}, {}],
  mimeTypes: [{}],
  languages: ['en-IN', 'hi'],
  maxTouchPoints: 5,
};
beforeEach(() => {
  vi.stubGlobal('navigator', NAVIGATOR);
  vi.stubGlobal('innerWidth', 390.4);
  vi.stubGlobal('innerHeight', 780.6);
});
afterEach(() => void vi.unstubAllGlobals());

async function opened(): Promise<Customer> {
  const customer = openCustomer(server);
  await customer.set(sayAtom, 'device', true);
  return customer;
}
/** What the server knows of this customer's devices. */
async function known(customer: Customer) {
  const userId = customer.get(userAtom)?.userId ?? '';
  const rows = await db.selectFrom('fingerprints').selectAll().where('user_id', '=', userId).execute();
  return rows.map(({ id, data }) => ({ id, data: JSON.parse(data) as contract.Fingerprint }));
}
test('told again, it takes the place of what was known of the device; two at once are one', async () => {
  const customer = await opened();
  await customer.set(tellDeviceAtom);
  const { id } = customer.get(fingerprintAtom)!;
  customer.set(deliveryTypeAtom, 'PICKUP');
  customer.calls.length = 0;
  await Promise.all([customer.set(tellDeviceAtom), customer.set(tellDeviceAtom)]);
  expect(customer.calls.filter((path) => path === contract.send.path)).toHaveLength(1);
  const now = await known(customer);
  expect(now.map((one) => one.id)).toEqual([customer.get(fingerprintAtom)!.id]);
  expect(now[0]!.id).not.toBe(id);
});

test.each<[string, (customer: Customer) => unknown]>([
  ['the yes is taken back', (customer) => customer.set(sayAtom, 'device', false)],
  ['somebody else has come', async (customer) => customer.set(renewSessionAtom, (await guest(server)).reply)],
])('where %s while it is told, nothing of it stays, neither here nor there', async (_what, act) => {
  const customer = await opened();
  await customer.get(apiAtom).ensureSession();
  const { userId } = customer.get(userAtom)!;
  meanwhile(customer, contract.send, () => act(customer));
  await customer.set(tellDeviceAtom);
  expect([customer.get(fingerprintAtom), await known(customer)]).toEqual([null, []]);
  expect(await db.selectFrom('fingerprints').selectAll().where('user_id', '=', userId).execute()).toEqual([]);
});

test("what goes wrong is nobody's trouble, and is tried again", async () => {
  const customer = await opened();
  const mend = fails(customer, contract.send, new Failure('offline'));
  await customer.set(tellDeviceAtom);
  expect(customer.get(fingerprintAtom)).toBeNull();
  mend();
  await customer.set(tellDeviceAtom);
  expect(await known(customer)).toHaveLength(1);
});

test('the server is asked to forget the device until it has heard it', async () => {
  const customer = await opened();
  await customer.set(tellDeviceAtom);
  customer.set(isForgettingDeviceAtom, true);
  const mend = fails(customer, contract.forget, new Failure('offline'));
  await customer.set(tellForgottenAtom);
  expect([customer.get(isForgettingDeviceAtom), (await known(customer)).length]).toEqual([true, 1]);
  mend();
  await customer.set(tellForgottenAtom);
  expect(customer.get(isForgettingDeviceAtom)).toBe(false);
});
