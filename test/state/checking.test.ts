import * as t from '#text/payment.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as orders from '../../src/contract/orders.ts';
import { checkAnswerAtom, checkPaidAtom } from '../../src/state/checking.ts';
import { syncCartAtom } from '../../src/state/cart.ts';
import { serverClockAtom } from '../../src/state/clock.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openAtStore, placeOrder } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

const HOUR_MS = 3_600_000;

test('whoever says that they have paid hears what is known, with the time of the shop; a second tap meanwhile asks nobody', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 1 });
  await customer.set(syncCartAtom);
  const orderId = await placeOrder(customer);
  const { order } = await customer.get(apiAtom).call(orders.byId, { orderId });
  // The phone's own clock is seven hours behind.
  customer.set(serverClockAtom, Date.now() + 7 * HOUR_MS);
  const clock = new Intl.DateTimeFormat('en-IN', {
    timeZone: 'Asia/Kolkata',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  });
  const from = Date.now();
  expect(await Promise.all([customer.set(checkPaidAtom, order), customer.set(checkPaidAtom, order)])).toEqual([
    true,
    false,
  ]);
  const sentences = Array.from({ length: Math.ceil((Date.now() - from) / 1000) + 2 }, (_, second) =>
    t.checkNothing({ time: clock.format(from + 7 * HOUR_MS + (second - 1) * 1000) }),
  );
  expect(sentences).toContain(customer.get(checkAnswerAtom)(orderId));
  expect(customer.get(checkAnswerAtom)('another')).toBe('');
  // Nobody can be asked: that is said, too.
  await server.switches({ faults: [{ match: 'confirm', status: 500, times: 5 }] });
  expect(await customer.set(checkPaidAtom, order)).toBe(false);
  await server.switches({ faults: [] });
  expect(customer.get(checkAnswerAtom)(orderId)).toMatch(new RegExp(`^${t.checkUnasked({ time: 'x' }).split('x')[0]}`));
});
