import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as session from '../../src/contract/session.ts';
import * as stores from '../../src/contract/stores.ts';
import * as contract from '../../src/contract/trains.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { takeSessionAtom } from '../../src/state/cart/cart.ts';
import { deliveryTypeAtom } from '../../src/state/first/location.ts';
import { cartIdAtom } from '../../src/state/base/session.ts';
import { boardAtom } from '../../src/state/trains/station.ts';
import { checkTrainPhoneAtom, trainCode } from '../../src/state/trains/trainPhone.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { codeFor, freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { PNR } from '../server/trainShop.ts';
import { openCustomer, type Customer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
  vi.stubGlobal('location', { host: 'pizza.example' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

/** A guest whose cart goes to a train, with a phone that nobody has checked. */
async function aboard(): Promise<{ customer: Customer; mobile: string }> {
  const customer = openCustomer(server);
  const mobile = freshMobile();
  customer.set(deliveryTypeAtom, 'DELIVERY');
  const { call } = customer.get(apiAtom);
  customer.set(takeSessionAtom, await call(session.anonymous, {}));
  const cartId = customer.get(cartIdAtom)!;
  const { train } = await call(contract.save, { body: { cartId, pnr: PNR.mumbai, stationId: 'NDLS' } });
  const { store } = await call(stores.byId, { storeId: '10104', query: {} });
  const { trainOrderId, station } = train;
  const { arrivesAt } = station;
  customer.set(
    boardAtom,
    {
      trainOrderId,
      stationId: 'NDLS',
      storeId: '10104',
      latitude: 28.6,
      longitude: 77.2,
      text: 'NDLS',
      arrivesAt,
      orderUntil: arrivesAt,
    },
    store,
  );
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: mobile, email: '' });
  return { customer, mobile };
}

test('the phone that a train order is called at is shown to be theirs by a code, another of which can be sent [TRN-08]', async () => {
  const { customer, mobile } = await aboard();
  expect(await customer.set(checkTrainPhoneAtom)).toBe(false);
  const first = await codeFor(server, mobile);
  expect([
    customer.get(trainCode.sentAtom),
    customer.get(trainCode.typedAtom),
    customer.get(trainCode.atom),
  ]).toMatchObject([{ mobile }, '', { is: 'idle' }]);
  expect(customer.get(trainCode.sentAtom)!.resendAt).toBeGreaterThan(Date.now());

  // Too soon for another one: it is said, and when there is one.
  await customer.set(trainCode.again);
  expect(customer.get(trainCode.problemsAtom).code).toMatch(/\d+ second/);
  expect([await codeFor(server, mobile), customer.get(trainCode.busyAtom)]).toEqual([first, '']);

  await server.advance(31);
  const sending = customer.set(trainCode.again);
  expect(customer.get(trainCode.busyAtom)).toBe('again');
  await sending;
  expect(customer.get(trainCode.atom)).toEqual({ is: 'idle' });
  const messages = await server.inbox(`+91${mobile}`);
  expect(messages).toHaveLength(2);
  // The last line of the SMS names the page that may take the code from it.
  expect(messages[0]).toContain('@localhost #');

  const wrong = first === '111111' ? '222222' : '111111';
  expect(await customer.set(trainCode.type, wrong)).toBe(false);
  expect([customer.get(trainCode.typedAtom), customer.get(trainCode.problemsAtom)]).toEqual([
    wrong,
    { code: expect.stringMatching(/code/i) },
  ]);
  expect(await customer.set(trainCode.type, await codeFor(server, mobile))).toBe(true);
  expect(customer.get(trainCode.sentAtom)).toBeNull();
  expect(await customer.set(checkTrainPhoneAtom)).toBe(true);
});
