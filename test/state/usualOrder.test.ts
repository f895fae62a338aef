import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as t from '#text/usual.ts';
import { detailAtom, paymentModeAtom } from '../../src/state/checkout.ts';
import { cartCountAtom } from '../../src/state/first/cart.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { usualLinesAtom } from '../../src/state/first/usual.ts';
import { hasUsualAtom, isUsualOpenAtom } from '../../src/state/usual.ts';
import {
  closeUsualAtom,
  openUsualAtom,
  orderUsualAtom,
  tickTermsAtom,
  usualNewsAtom,
  usualState,
} from '../../src/state/usualOrder.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { openAtStore } from './customer.ts';

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

/** Somebody who comes back and looks at the sheet of what they had: two garlic breads and a pizza, from the counter. */
async function withSheet() {
  const customer = await openAtStore(server);
  expect(customer.get(hasUsualAtom)).toBe(false);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(paymentModeAtom, 'UPI');
  customer.set(usualLinesAtom, [
    { productId: 'PZ004', size: 'M', quantity: 1 },
    { productId: 'SD001', quantity: 2 },
  ]);
  expect(customer.get(hasUsualAtom)).toBe(true);
  await customer.set(openUsualAtom);
  customer.set(tickTermsAtom, true);
  expect(customer.get(usualState.atom).data).toMatchObject({ gone: [], problems: [], paymentMode: 'UPI' });
  return customer;
}

test('a dish that was sold out between the look and the tap: nothing is ordered, the new price is shown, and who closes the sheet hears what is in the cart', async () => {
  const customer = await withSheet();
  const seen = customer.get(usualState.atom).data!.bill.total;
  await server.switches({ soldOut: ['SD001'] });
  try {
    await customer.set(orderUsualAtom);
  } finally {
    await server.switches({ soldOut: [] });
  }
  expect(customer.went).toEqual([]);
  expect(customer.get(isUsualOpenAtom)).toBe(true);
  expect(customer.get(usualNewsAtom)).not.toBe('');
  const now = customer.get(usualState.atom).data!;
  expect(now.gone).toMatchObject([{ productId: 'SD001' }]);
  expect(now.bill.total).toBeLessThan(seen);
  customer.set(closeUsualAtom);
  expect(customer.get(toastAtom)?.message).toBe(t.added);
  expect(customer.get(cartCountAtom)).toBeGreaterThan(0);
});

test('a sheet that is only looked at leaves the cart as it is and says nothing', async () => {
  const customer = await withSheet();
  customer.set(closeUsualAtom);
  expect([customer.get(isUsualOpenAtom), customer.get(toastAtom), customer.get(cartCountAtom)]).toEqual([
    false,
    null,
    0,
  ]);
});

test('the second tap orders what the sheet shows, once', async () => {
  const customer = await withSheet();
  await Promise.all([customer.set(orderUsualAtom), customer.set(orderUsualAtom)]);
  expect(customer.went).toHaveLength(1);
  expect(customer.went[0]).toMatch(/^\/payment\//);
});
