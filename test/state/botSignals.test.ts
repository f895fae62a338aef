import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/fingerprint.ts';
import { sayAtom } from '../../src/state/consent/consents.ts';
import { botTokenAtom, fingerprintAtom, isForgettingDeviceAtom } from '../../src/state/consent/deviceId.ts';
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
test('after a yes the server gets what the browser says of itself, cut to its limits, and the device keeps its token', async () => {
  const customer = await opened();
  customer.set(deliveryTypeAtom, 'PICKUP');
  const before = Date.now();
  await customer.set(tellDeviceAtom);
  const [one] = await known(customer);
  const uid = customer.get(userAtom)!.userId;
  expect(one!.data).toMatchObject({
    ua: NAVIGATOR.userAgent.trim(),
    av: NAVIGATOR.appVersion.slice(0, 200),
    ww: 390,
    wh: 781,
    pl: 2,
    mt: 1,
    ln: 'en-IN,hi',
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    tp: 5,
    st: '10101',
    ls: 'PICKUP',
    uid: uid.slice(0, 80),
  });
  const held = customer.get(fingerprintAtom)!;
  expect(held).toEqual({ id: one!.id, hash: expect.stringMatching(/^[0-9a-f]{128}$/), uid, at: expect.any(Number) });
  expect(held.at).toBeGreaterThanOrEqual(before);
  expect(customer.get(botTokenAtom)).toBe(`${held.id}:${held.hash}`);
});

test('a browser that says little of itself is told of as it is', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Browser' });
  const customer = await opened();
  await customer.set(tellDeviceAtom);
  expect((await known(customer))[0]!.data).toMatchObject({ ua: 'Browser', av: '', pl: 0, mt: 0, ln: '', tp: 0 });
});

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

test('without a yes nothing is told', async () => {
  const never = openCustomer(server);
  await never.get(apiAtom).ensureSession();
  await never.set(tellDeviceAtom);
  expect([await known(never), never.get(fingerprintAtom)]).toEqual([[], null]);
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

test('the browser is asked when the page has nothing else to do, and one that never has is not waited for', async () => {
  const asked: { readonly timeout: number }[] = [];
  let idle = (): void => {};
  vi.stubGlobal('requestIdleCallback', (done: () => void, options: { timeout: number }) => {
    asked.push(options);
    idle = done;
  });
  const customer = await opened();
  customer.calls.length = 0;
  const telling = customer.set(tellDeviceAtom);
  expect([customer.calls, asked]).toEqual([[], [{ timeout: 2_000 }]]);
  idle();
  await telling;
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
