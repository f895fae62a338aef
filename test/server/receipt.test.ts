import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as payments from '../../src/contract/payments.ts';
import * as tracking from '../../src/contract/tracking.ts';
import { codeFor } from './people.ts';
import { openedShop, pay, PICKUP, visitor, type Customer, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openedShop();
});
afterAll(() => shop.server.stop());

const receipts = async ({ mobile }: Customer) =>
  (await shop.server.inbox(`+91${mobile}`)).filter((text) => text.includes('your order'));

test("an order is confirmed by SMS: number, dishes with sizes, amount, and a link that shows how far it is without anybody's login", async () => {
  const { server } = shop;
  const customer = await visitor(server, 'IN', PICKUP);
  await customer.fill(2, 'L');
  const { order, next } = (await customer.submit()).body;
  // Nothing is confirmed before it is paid.
  expect(await receipts(customer)).toEqual([]);
  await pay(server, next);
  await customer.confirm(order);
  const [text = ''] = await vi.waitFor(async () => {
    const all = await receipts(customer);
    expect(all).toHaveLength(1);
    return all;
  });
  expect(text).toContain(`your order ${order.orderNumber} is placed. 2 × ${order.lines[0]!.product.name} (Large, `);
  expect(text).toMatch(/\. ₹[\d,]+ paid\. Follow it here: http:\/\/localhost:\d+\/in\/shared\/[\w-]{40,}$/);
  const token = text.split('/').at(-1)!;
  const shared = await server.call(tracking.shared, { token }, { apiKey: 'in-web' });
  expect(shared.body.order).toMatchObject({ orderType: 'PICKUP', storeName: order.store.name });
  // However often the work is done again, it is said once.
  await customer.confirm(order);
  await server.advance(60);
  expect(await receipts(customer)).toHaveLength(1);
});

test("a guest's order in cash is confirmed after the code, with what is to be paid on receipt", async () => {
  const { server } = shop;
  const customer = await visitor(server, 'IN', PICKUP);
  const { order } = await customer.order({ paymentMode: 'COD' });
  expect(await receipts(customer)).toEqual([]);
  const { status } = await customer.call(payments.codOtp, {
    transactionId: order.transactionId,
    body: { code: await codeFor(server, customer.mobile) },
  });
  expect(status).toBe(200);
  await vi.waitFor(async () =>
    expect(await receipts(customer)).toEqual([
      expect.stringMatching(new RegExp(`order ${order.orderNumber} is placed\\. .+ to pay when you receive it\\. `)),
    ]),
  );
});
