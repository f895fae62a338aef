import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as serverText from '#text/server.ts';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import { money } from '../../src/contract/price.ts';
import * as stores from '../../src/contract/stores.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import { madeOf } from '../../src/domain/madeOf.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { dayText } from '../../src/server/call/language.ts';
import { UNPROVEN_A_DAY } from '../../src/server/rules/order/textAbout.ts';
import { codeFor, freshMobile } from './people.ts';
import { member, openedShop, pay, PICKUP, visitor, type Customer, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openedShop();
});
afterAll(() => shop.server.stop());

const receipts = async ({ mobile }: Customer) =>
  (await shop.server.inbox(`+91${mobile}`)).filter((text) => text.includes('your order'));

test("an SMS confirms an order: number, dishes, amount, and a link that shows its progress without anybody's login", async () => {
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

test('whoever orders and cancels without end sends a number that is not theirs ten messages a day, and their own one each', async () => {
  const { server } = shop;
  const [someone, owner] = [await visitor(server, 'IN', PICKUP), await member(server, 'IN', PICKUP)];
  const order = async (who: Customer, mobile: string) => {
    await who.fill();
    const { body } = await who.submit({ body: { customer: { firstName: 'Asha', lastName: 'Rao', mobile } } });
    await pay(server, body.next);
    await who.confirm(body.order);
    expect((await who.cancel(body.order.orderId)).status).toBe(200);
  };
  const stranger = freshMobile();
  const to = async (mobile: string) => (await server.inbox(`+91${mobile}`)).filter((text) => !/^\d{6} /.test(text));
  for (let at = 0; at < UNPROVEN_A_DAY + 2; at += 1) await order(at % 2 ? someone : owner, stranger);
  for (let at = 0; at < UNPROVEN_A_DAY + 2; at += 1) await order(owner, owner.mobile);
  // Jobs that are due have run when this answers.
  await server.advance(60);
  expect(await to(stranger)).toHaveLength(UNPROVEN_A_DAY);
  expect(await to(owner.mobile)).toHaveLength(UNPROVEN_A_DAY + 2);
  await server.advance(24 * 3_600);
  await order(someone, stranger);
  await server.advance(60);
  expect(await to(stranger)).toHaveLength(UNPROVEN_A_DAY + 1);
});

const country = countryConfig('IN');
/** What the receipt of an order says of it: of at most four of its dishes each. */
const said = ({ orderNumber: number, lines }: OrderView, way: 'DOOR' | 'PAID', total: number, link: string) => ({
  app: country.appName,
  number,
  dishes: [
    ...lines.slice(0, 4).map((line) => {
      const [of, made] = [{ quantity: line.quantity, dish: line.product.name }, madeOf(line)];
      return made.length === 0
        ? serverText.receiptDish(of)
        : serverText.receiptDishMade({ ...of, made: made.join(', ') });
    }),
    ...(lines.length > 4 ? [serverText.receiptMore({ lines: lines.length - 4 })] : []),
  ].join('; '),
  way,
  total: formatMoney(money(total), country),
  link,
});
const linkOf = (text: string) => /http\S+$/.exec(text)![0];
const arrived = async (customer: Customer) => {
  await expect.poll(() => receipts(customer)).toHaveLength(1);
  return (await receipts(customer))[0]!;
};

test.each([
  ['four dishes are named', 4, ['PZ001', 'SD001', 'BV001']],
  ['of six dishes four are named, and how many more there are', 6, ['PZ001', 'SD001', 'BV001', 'BV002', 'SD002']],
])('%s', async (_, count, productIds) => {
  const { server } = shop;
  const customer = await visitor(server, 'IN', PICKUP);
  for (const productId of productIds) {
    const line = { lineId: randomUUID(), productId, quantity: 1 };
    const { storeId, deliveryType } = PICKUP;
    const items = [{ operationId: randomUUID(), line }];
    await customer.call(cart.add, { cartId: customer.cartId, body: { items, options: { storeId, deliveryType } } });
  }
  const { order, next } = (await customer.submit()).body;
  // With the gift of an offer.
  expect(order.lines).toHaveLength(count);
  await pay(server, next);
  await customer.confirm(order);
  const text = await arrived(customer);
  expect(text).toBe(serverText.receiptPlaced(said(order, 'PAID', order.bill.total, linkOf(text))));
});

test('an order for later is booked for its day and hour, and at the door is paid what an e-voucher has not', async () => {
  const { server } = shop;
  const { where } = await visitor(server);
  const query = { timeSlots: 'true' as const };
  const { timeSlots } = (await server.call(stores.byId, { storeId: where.storeId, query })).body;
  const slot = timeSlots![1]!;
  const customer = await member(server, 'IN', { ...where, slotId: slot.id });
  const { number, pin } = (await server.call(vouchers.issue, { body: { amount: 5_000 } })).body;
  const { voucherId } = (await customer.call(vouchers.link, { body: { number, pin } })).body.voucher;
  await customer.fill();
  const funds = { vouchers: [{ voucherId, amount: 5_000 }] };
  const { order } = (await customer.submit({ paymentMode: 'COD', body: { funds } })).body;
  const text = await arrived(customer);
  const at = new Date(slot.startsAt + 5.5 * 3_600_000);
  const [hour, minute] = [at.getUTCHours(), at.getUTCMinutes()];
  const time = `${hour % 12 === 0 ? 12 : hour % 12}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${hour < 12 ? 'AM' : 'PM'}`;
  expect(text).toBe(
    serverText.receiptBooked({
      ...said(order, 'DOOR', order.bill.total - 5_000, linkOf(text)),
      day: dayText(slot.startsAt, country),
      time,
    }),
  );
});
