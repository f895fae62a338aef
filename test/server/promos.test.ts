import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import type { Bill } from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import * as group from '../../src/contract/group.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import type { PaymentMode } from '../../src/contract/names.ts';
import * as payments from '../../src/contract/payments.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as wheel from '../../src/contract/wheel.ts';
import * as serverText from '#text/server.ts';

import { snapshotOf } from '../../src/server/store/orders.ts';
import { engines } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { type Customer, member, pay, PICKUP, PLACES, visitor } from './shop.ts';
import { CARD, enteredCard } from './typed.ts';
import { shopHere } from './shopHere.ts';

describe.each(await engines())('offers on a transaction on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 1200);

  type Query = { paymentMode?: PaymentMode; cardToken?: string; look?: 'true' };
  const send =
    (endpoint: typeof payments.applyPromo, key: string = randomUUID()) =>
    (who: Customer, transactionId: string, promo: string, query: Query = {}) =>
      who.call(endpoint, { transactionId, promo, query }, { 'idempotency-key': key });
  const apply = send(payments.applyPromo);
  const remove = send(payments.removePromo);
  async function unpaid(coupon: string | null, paymentMode: PaymentMode = 'UPI') {
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(4, 'M');
    if (coupon !== null) await who.coupon(coupon);
    const { status, body } = await who.submit({ paymentMode });
    expect(status, JSON.stringify(body)).toBe(200);
    return { who, ...body };
  }
  const usesOf = async (orderId: string) =>
    (await db.selectFrom('coupon_redemptions').select('code').where('order_id', '=', orderId).execute()).map(
      ({ code }) => code,
    );

  test('a code lowers an unpaid order: a new attempt asks for the new total, and the old one cannot be paid [PAY-17] [API-36]', async () => {
    const { who, order, next } = await unpaid(null);
    const look = await send(payments.applyPromo)(who, order.transactionId, 'upi75', { look: 'true' });
    expect(look.body).toMatchObject({ status: 'SUCCESS', total: { before: order.bill.total } });
    expect((await who.read(order.orderId)).bill).toEqual(order.bill);
    const key = randomUUID();
    const done = await send(payments.applyPromo, key)(who, order.transactionId, 'upi75');
    expect(done.body).toMatchObject({
      status: 'SUCCESS',
      total: look.body.total,
      payment: { amount: look.body.total!.after, state: 'SENT' },
      next: { kind: 'upi' },
    });
    expect(look.body.total!.after).toBeLessThan(order.bill.total);
    // Its answer was lost: the same again, and no third attempt.
    expect((await send(payments.applyPromo, key)(who, order.transactionId, 'upi75')).body).toEqual(done.body);
    await expect(pay(server, next)).rejects.toThrow();
    await pay(server, done.body.next!);
    const after = (await who.confirm(order, done.body.payment!.transactionId)).order;
    expect(after).toMatchObject({
      orderStatus: 'ORDER PLACED',
      bill: { total: look.body.total!.after },
      payment: { state: 'CAPTURED', amount: look.body.total!.after },
    });
    expect(await usesOf(order.orderId)).toContain('UPI75');
    expect(codeOf(await apply(who, after.transactionId, 'SAVE15'))).toBe('ALREADY_PAID');
  });

  test('a code that does not fit is said so, and nothing moves: the open attempt is there as it was [PAY-17]', async () => {
    const { who, order } = await unpaid('SAVE15');
    for (const [code, says] of [
      ['NOSUCHCODE', serverText.couponUnknown],
      ['SAKETONLY', serverText.couponStore],
    ] as const) {
      const { body } = await apply(who, order.transactionId, code);
      expect(body).toMatchObject({ status: 'FAILED', errors: [{ displayMsg: says }] });
    }
    const now = await who.read(order.orderId);
    expect([now.bill, now.payment.state]).toEqual([order.bill, 'SENT']);
    expect(await usesOf(order.orderId)).toEqual(expect.arrayContaining(['SAVE15']));
    expect(codeOf(await remove(who, order.transactionId, 'UPI75'))).toBe('NOT_FOUND');
  });

  test("a customer's own code replaces an automatic offer, in the cart and on an order that waits for its payment [PAY-17]", async () => {
    const offersOn = ({ lines }: Bill) =>
      lines.flatMap(({ id }) => (id.startsWith('discount:') ? [id.replace('discount:', '')] : []));
    async function withBest() {
      const who = await visitor(server, 'IN', PICKUP);
      await who.fill(4, 'M');
      const { body } = await who.call(cart.change, {
        cartId: who.cartId,
        body: { items: [], options: { bestOffer: true } },
      });
      const [automatic] = offersOn(body.cart.bill);
      expect(automatic).toBeDefined();
      return { who, automatic: automatic! };
    }
    const { who: early, automatic: usual } = await withBest();
    const { status, cart: changed } = await early.coupon('UPI75');
    expect([status, offersOn(changed!.bill)]).toEqual(['SUCCESS', ['UPI75']]);
    // And leaves its place again: the cart costs no more than before the code was tried.
    const { body: back } = await early.call(coupons.remove, { code: 'UPI75', cartId: early.cartId });
    expect(offersOn(back.cart!.bill)).toEqual([usual]);

    const { who, automatic } = await withBest();
    const { order } = (await who.submit()).body;
    expect(offersOn(order.bill)).toEqual([automatic]);
    const { body } = await apply(who, order.transactionId, 'UPI75');
    expect(body).toMatchObject({ status: 'SUCCESS', total: { before: order.bill.total } });
    // Less than the best offer takes off: the customer decides, not the sum.
    expect(body.total!.after).toBeGreaterThan(order.bill.total);
    const now = await who.read(order.orderId);
    expect([now.bill.total, offersOn(now.bill)]).toEqual([body.total!.after, ['UPI75']]);
    const uses = await usesOf(order.orderId);
    expect([uses.includes('UPI75'), uses.includes(automatic)]).toEqual([true, false]);
    await pay(server, body.next!);
    const paid = (await who.confirm(order, body.payment!.transactionId)).order;
    expect(paid).toMatchObject({ orderStatus: 'ORDER PLACED', payment: { amount: body.total!.after } });
  });

  test('an offer tied to a failed payment mode is taken off, and another mode pays the full price [PAY-17] [OFF-16]', async () => {
    const { who, order, next } = await unpaid('UPI75');
    await pay(server, next, 'decline');
    await who.confirm(order);
    const blocked = await who.call(
      payments.retry,
      { body: { orderId: order.orderId, paymentMode: 'NETBANKING' } },
      { 'idempotency-key': randomUUID() },
    );
    expect(blocked.body.errors).toMatchObject([{ code: 'COUPON_PAYMENT_MODE', field: 'UPI75' }]);
    const look = await remove(who, order.transactionId, 'UPI75', { paymentMode: 'NETBANKING', look: 'true' });
    expect(look.body.total!.after - look.body.total!.before).toBeGreaterThan(0);
    const { body } = await remove(who, order.transactionId, 'UPI75', { paymentMode: 'NETBANKING' });
    expect(body).toMatchObject({
      status: 'SUCCESS',
      payment: { mode: 'NETBANKING', amount: look.body.total!.after },
      next: { kind: 'redirect' },
    });
    await pay(server, body.next!);
    expect((await who.confirm(order, body.payment!.transactionId)).order).toMatchObject({
      orderStatus: 'ORDER PLACED',
      payment: { amount: look.body.total!.after },
    });
    // Used by nobody: it is there for the next order.
    expect(await usesOf(order.orderId)).not.toContain('UPI75');
  });

  test('a code that is on already stays on, and an order keeps its charged tip, bag and price of a sold-out dish [PAY-17]', async () => {
    const who = await visitor(server);
    await who.fill(4, 'M');
    await who.call(cart.change, { cartId: who.cartId, body: { items: [], options: { tip: 3_000, carryBag: true } } });
    const { order } = (await who.submit()).body;
    const charged = (bill: Bill) =>
      bill.lines.filter(({ id }) => ['items', 'tip', 'carryBag'].includes(id)).map(({ id, amount }) => [id, amount]);
    expect(charged(order.bill).map(([id]) => id)).toEqual(expect.arrayContaining(['items', 'tip', 'carryBag']));
    await server.switches({ soldOut: [who.productId] });
    try {
      const { body } = await send(payments.applyPromo)(who, order.transactionId, 'UPI75');
      expect(body, JSON.stringify(body)).toMatchObject({ status: 'SUCCESS' });
      const now = await who.read(order.orderId);
      expect(charged(now.bill)).toEqual(charged(order.bill));
      const same = (await send(payments.applyPromo)(who, body.payment!.transactionId, 'UPI75')).body;
      expect(same, JSON.stringify(same)).toMatchObject({
        status: 'SUCCESS',
        total: { before: now.bill.total, after: now.bill.total },
      });
      expect((await who.read(order.orderId)).bill).toEqual(now.bill);
    } finally {
      await server.switches({ soldOut: [] });
    }
    await who.cancel(order.orderId);
  });

  test('a code whose time has ended since the order was placed is refused, and the order stays as it was [PAY-17]', async () => {
    const { body: at } = await server.call(development.clock, {});
    // Lunch is over at three.
    const three = new Date(at.now + 5.5 * 3_600_000).setUTCHours(15, 0, 0, 0) - 5.5 * 3_600_000;
    await server.advance(Math.round((three - at.now) / 1000) - 5 * 60);
    const { who, order } = await unpaid(null);
    const tried = () => send(payments.applyPromo)(who, order.transactionId, 'LUNCH20', { look: 'true' });
    expect((await tried()).body).toMatchObject({ status: 'SUCCESS', total: { before: order.bill.total } });
    await server.advance(10 * 60);
    const late = (await tried()).body;
    expect(late.errors?.[0], JSON.stringify(late)).toMatchObject({ code: 'COUPON', field: 'LUNCH20' });
    expect((await who.read(order.orderId)).bill).toEqual(order.bill);
  });

  const amountOf = ({ lines }: Bill, id: string) => lines.find((line) => line.id === id)?.amount;

  test('the store is told each new total beside what it was told first [PAY-17]', async () => {
    const { who, order } = await unpaid(null);
    const told = async () => {
      await server.advance(1);
      const rows = await db
        .selectFrom('outbox')
        .selectAll()
        .where('order_id', '=', order.orderId)
        .where('kind', 'like', 'order.priced:%')
        .orderBy('created_at')
        .execute();
      expect(rows.map(({ sent_at }) => typeof sent_at)).toEqual(rows.map(() => 'number'));
      return rows.map(({ payload }) => JSON.parse(payload) as object);
    };
    expect(await told()).toEqual([]);
    const on = (await apply(who, order.transactionId, 'UPI75')).body;
    const lower = { number: order.orderNumber, total: on.total!.after, currency: 'INR' };
    expect(await told()).toEqual([lower]);
    const off = (await remove(who, on.payment!.transactionId, 'UPI75')).body;
    expect(off.total).toEqual({ before: on.total!.after, after: order.bill.total });
    expect(await told()).toEqual([lower, { ...lower, total: order.bill.total }]);
  });

  test('an offer that is on has to stay: another is not taken off for a mode that the first one does not allow [PAY-17]', async () => {
    const { who, order } = await unpaid('UPI75');
    expect(order.lines.filter(({ free }) => free)).toHaveLength(1);
    const lost = await remove(who, order.transactionId, 'FREEDIP', { paymentMode: 'NETBANKING' });
    expect(lost.body.errors).toEqual([
      { code: 'COUPON_PAYMENT_MODE', displayMsg: 'This coupon needs UPI', field: 'UPI75' },
    ]);
    expect((await who.read(order.orderId)).lines).toEqual(order.lines);
    const { body } = await remove(who, order.transactionId, 'FREEDIP');
    expect(body).toMatchObject({ status: 'SUCCESS', total: { before: order.bill.total, after: order.bill.total } });
    const now = await who.read(order.orderId);
    expect([now.lines.filter(({ free }) => free), now.bill.total]).toEqual([[], order.bill.total]);
    expect(await usesOf(order.orderId)).toEqual(['UPI75']);
    await who.cancel(order.orderId);
    expect((await who.cart()).offers.map(({ code }) => code)).toContain('UPI75');
  });

  test('a pizza that points have paid, and a prize of the wheel, stay on an order whose offers change [PAY-17]', async () => {
    const who = await member(server, 'IN', PICKUP);
    await who.call(loyalty.register, { query: { enroll: 'true' } });
    await who.call(loyalty.grant, { body: { mobile: who.mobile, points: 600 } });
    await who.fill(1, 'R');
    await who.fill(4, 'M');
    await who.call(loyalty.useReward, { cartId: who.cartId });
    await who.call(wheel.spin, { body: { cartId: who.cartId } });
    await db
      .updateTable('cart_spins')
      .set({ code: 'WHEEL10', points: null })
      .where('cart_id', '=', who.cartId)
      .execute();
    const { order } = (await who.submit()).body;
    const kept = ['discount:REWARD', 'discount:WHEEL10'];
    const off = kept.map((id) => amountOf(order.bill, id)!);
    expect(off.every((amount) => amount < 0)).toBe(true);
    const { body } = await apply(who, order.transactionId, 'UPI75');
    expect(body.status, JSON.stringify(body)).toBe('SUCCESS');
    const { bill } = await who.read(order.orderId);
    expect([...kept, 'discount:UPI75'].map((id) => amountOf(bill, id))).toEqual([...off, -7500]);
    await who.cancel(order.orderId);
  });

  test('an offer for certain cards is put on for such a card alone [PAY-17] [CART-16]', async () => {
    const { who, order } = await unpaid(null);
    const cardOf = (number: string) => enteredCard(who, { ...CARD, number });
    const [good, bad] = [await cardOf('4111111111111111'), await cardOf('4000000000000002')];
    const paying = (cardToken?: string): Query => ({ paymentMode: 'CARD', ...(cardToken ? { cardToken } : {}) });
    for (const query of [paying(bad), paying()])
      expect((await apply(who, order.transactionId, 'CARD10', query)).body.errors).toEqual([
        { code: 'COUPON', displayMsg: serverText.couponCard, field: 'CARD10' },
      ]);
    expect((await apply(who, order.transactionId, 'CARD10', { paymentMode: 'UPI' })).body.errors).toMatchObject([
      { code: 'COUPON', field: 'CARD10' },
    ]);
    const { body } = await apply(who, order.transactionId, 'CARD10', paying(good));
    expect(body).toMatchObject({ status: 'SUCCESS', payment: { mode: 'CARD', amount: body.total!.after } });
    expect(amountOf((await who.read(order.orderId)).bill, 'discount:CARD10')).toBe(
      amountOf(order.bill, 'items')! / -10,
    );
  });

  test('what balances have paid of an order leaves something to pay, or its offers stay as they are [PAY-17]', async () => {
    const held = async (rest: number) => {
      const who = await member(server, 'IN', PICKUP);
      const { version, bill } = await who.fill(4, 'M');
      await server.call(wallet.credit, { body: { mobile: who.mobile, amount: bill.total } });
      const funds = { wallet: bill.total - rest };
      const { order } = (await who.submit({ cartVersion: version, total: bill.total, body: { funds } })).body;
      expect(order.payment.amount).toBe(rest);
      return { who, order, paid: funds.wallet };
    };
    const most = await held(7000);
    expect((await apply(most.who, most.order.transactionId, 'UPI75')).body.errors).toMatchObject([
      { code: 'PROMO_FIXED', displayMsg: serverText.promoFixed },
    ]);
    const kept = await most.who.read(most.order.orderId);
    expect([kept.bill, kept.payment.state, kept.payment.amount]).toEqual([most.order.bill, 'SENT', 7000]);
    const less = await held(20_000);
    const { body } = await apply(less.who, less.order.transactionId, 'UPI75');
    expect(body).toMatchObject({ status: 'SUCCESS', payment: { amount: body.total!.after - less.paid } });
    for (const { who, order } of [most, less]) await who.cancel(order.orderId);
  });

  test('an offer for a first order is counted by who ordered and where it goes, and a guest logs in for it [PAY-17]', async () => {
    const { who: guest, order: theirs } = await unpaid(null);
    expect((await apply(guest, theirs.transactionId, 'WELCOME50')).body.errors).toMatchObject([
      { code: 'COUPON_LOGIN', field: 'WELCOME50' },
    ]);
    const countedFor = async (where = PICKUP) => {
      const who = await member(server, 'IN', where);
      await who.fill(4, 'M');
      const { order } = (await who.submit()).body;
      expect((await apply(who, order.transactionId, 'WELCOME50')).body.status).toBe('SUCCESS');
      const rows = await db.selectFrom('first_orders').selectAll().where('order_id', '=', order.orderId).execute();
      await who.cancel(order.orderId);
      return rows.length;
    };
    // The account and its number; the door and the spot.
    expect([await countedFor(), await countedFor(PLACES['IN']!.where)]).toEqual([2, 4]);
  });

  test('an order in Hindi keeps all its names in English for its papers, also when its offers change', async () => {
    const hindi = { 'accept-language': 'hi' };
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(4, 'M');
    for (const line of [
      { productId: 'DL001', quantity: 1 },
      { productId: 'PZ005', quantity: 1, size: 'M' as const, build: { secondHalf: 'PZ004', cheese: 'extra' as const } },
    ])
      await who.call(cart.add, {
        cartId: who.cartId,
        body: { items: [{ operationId: randomUUID(), line: { ...line, lineId: randomUUID() } }] },
      });
    const keptOf = async (orderId: string) =>
      snapshotOf(await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow());
    const labels = ({ lines }: Bill) => Object.fromEntries(lines.map(({ id, label }) => [id, label]));
    const plain = await who.cart();
    const { order } = (await who.submit({ headers: hindi })).body;
    expect(order.bill.lines[0]!.label).toMatch(/\p{Script=Devanagari}/u);
    const kept = await keptOf(order.orderId);
    expect(kept.english).toEqual(
      plain.validItems.map(({ lineId, product, sizeName, crustName, choices, slots = [] }) => ({
        ...{ lineId, name: product.name, choices, slots: slots.map(({ name }) => name) },
        ...(sizeName && { sizeName, crustName }),
      })),
    );
    expect(kept.english!.map(({ slots }) => slots.length)).toEqual([0, 3, 0, 0]);
    expect(kept.englishBill).toEqual(labels(plain.bill));
    const promo = { transactionId: order.transactionId, promo: 'UPI75', query: {} };
    const on = await who.call(payments.applyPromo, promo, { 'idempotency-key': randomUUID(), ...hindi });
    expect(on.body.status).toBe('SUCCESS');
    const after = await keptOf(order.orderId);
    expect(after.english).toEqual(kept.english);
    expect(after.englishBill).toMatchObject({ ...labels(plain.bill), 'discount:UPI75': expect.stringMatching(/^₹75/) });
    await who.cancel(order.orderId);
    const english = (await who.submit()).body.order;
    expect(await keptOf(english.orderId)).not.toHaveProperty('english');
    expect(await keptOf(english.orderId)).not.toHaveProperty('englishBill');
    await who.cancel(english.orderId);
  });

  test('what a group was told that each of them owes is not changed by a code [PAY-17]', async () => {
    const host = await visitor(server, 'IN', PICKUP);
    await host.fill(4, 'M');
    const { status } = await host.call(group.start, {
      cartId: host.cartId,
      body: { name: 'Asha', diet: [], minutes: 30, limit: null },
    });
    expect(status).toBe(200);
    const { order } = (await host.submit()).body;
    const { body } = await send(payments.applyPromo)(host, order.transactionId, 'UPI75');
    expect(body.errors).toMatchObject([{ code: 'PROMO_FIXED', displayMsg: serverText.promoFixed }]);
    expect((await host.read(order.orderId)).bill).toEqual(order.bill);
  });

  test('an order whose total differs from its dishes’ prices, as of another store, keeps its offers as they are [PAY-17]', async () => {
    const { who, order } = await unpaid('SAVE15');
    await db
      .updateTable('orders')
      .set({ total: order.bill.total - 100 })
      .where('id', '=', order.orderId)
      .execute();
    const fixed = await send(payments.applyPromo)(who, order.transactionId, 'UPI75');
    await db.updateTable('orders').set({ total: order.bill.total }).where('id', '=', order.orderId).execute();
    expect(codeOf(fixed)).toBe('PROMO_FIXED');
    expect((await who.read(order.orderId)).payment.state).toBe('SENT');
  });

  test("not while the bank is deciding, not on an older attempt, and on nobody else's [PAY-17]", async () => {
    const { who, order, next } = await unpaid(null);
    await pay(server, next, 'pending');
    expect(codeOf(await apply(who, order.transactionId, 'UPI75'))).toBe('PAYMENT_UNKNOWN');
    expect(codeOf(await apply(await visitor(server), order.transactionId, 'UPI75'))).toBe('NOT_FOUND');
    const other = await unpaid(null);
    const { body } = await apply(other.who, other.order.transactionId, 'UPI75');
    expect(body.status).toBe('SUCCESS');
    expect(codeOf(await remove(other.who, other.order.transactionId, 'UPI75'))).toBe('PAYMENT_CLOSED');
    // Given up, its dishes come back with the code that was put on.
    await other.who.cancel(other.order.orderId);
    expect((await other.who.cart()).offers.map(({ code }) => code)).toContain('UPI75');
  });
});
