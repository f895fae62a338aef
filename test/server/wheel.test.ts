import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as wheel from '../../src/contract/wheel.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { drawn, slotsOf } from '../../src/server/rules/offers/wheel.ts';

import { engines } from '../kit/server.ts';
import { codeOf, freshMobile, logIn } from './people.ts';
import { type Customer, member, openShop, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const COUNTRIES = ['IN', 'LK', 'BG'];

describe('the wheel itself', () => {
  test.each(COUNTRIES)('of %s: the odds come to 100, and every prize is a coupon or points [CART-17]', (code) => {
    const { seeds, coupons: known } = catalogueFromDisk(countryConfig(code));
    const slots = slotsOf(seeds.content.spinWheel);
    expect(slots.reduce((sum, { chance }) => sum + chance, 0)).toBe(100);
    for (const [index, slot] of seeds.content.spinWheel.slots.entries()) {
      expect(slots[index]!.isPrize).toBe(slot.label !== 'Try again');
      if (slot.code !== undefined)
        expect(known.get(slot.code)).toMatchObject({ wheel: true, stackGroup: 'wheel', autoApply: true });
    }
  });

  test('draws every part exactly as often as its weight says [CART-17]', () => {
    const uneven = {
      slots: [
        { label: 'a', weight: 1 },
        { label: 'b', weight: 3 },
        { label: 'c', weight: 4 },
      ],
    };
    expect(Array.from({ length: 8 }, (_, value) => drawn(uneven, () => value))).toEqual([0, 1, 1, 1, 2, 2, 2, 2]);
    expect(slotsOf(uneven).map(({ chance }) => chance)).toEqual([12.5, 37.5, 50]);
    const seen = new Set(Array.from({ length: 400 }, () => drawn(uneven)));
    expect(seen).toEqual(new Set([0, 1, 2]));
  });
});

describe.each(await engines())('spinning on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  const spin = async (who: Customer) => await who.call(wheel.spin, { body: { cartId: who.cartId } });
  const look = async (who: Customer) => (await who.call(wheel.wheel, { query: { cartId: who.cartId } })).body;
  /** As if the wheel had stopped there. */
  const rig = async (who: Customer, code: string | null, points: number | null = null) => {
    await db
      .updateTable('cart_spins')
      .set({ code, points, label: code ?? 'points' })
      .where('cart_id', '=', who.cartId)
      .execute();
  };
  /** The coupons of the wheel that are on a cart. */
  const prizes = (body: cart.Cart) =>
    body.offers.filter(({ code, status }) => code.startsWith('WHEEL') && status === 'APPLIED').map(({ code }) => code);

  test('shows the odds first; once per cart: the second spin, and twenty at once, answer the first result [CART-17] [API-24]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    expect(codeOf(await spin(who))).toBe('CART_EMPTY');
    await who.fill(2, 'M');
    const before = await look(who);
    expect(before.result).toBeNull();
    expect(before.slots).toHaveLength(8);
    const all = (await Promise.all(Array.from({ length: 20 }, () => spin(who)))).map(({ body }) => body);
    expect(all.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    expect(new Set(all.map(({ result }) => JSON.stringify(result))).size).toBe(1);
    const [{ result }] = all as [(typeof all)[number]];
    expect(result.label).toBe(before.slots[result.slot]!.label);
    expect(result.isPrize).toBe(before.slots[result.slot]!.isPrize);
    expect((await look(who)).result).toEqual(result);
    // Free delivery waits until something is delivered.
    expect(prizes(all[0]!.cart)).toEqual(result.code === undefined || result.code === 'WHEELDEL' ? [] : [result.code]);
  });

  test('a code that brings nothing beside what was won is refused with that reason, and so is its offer [OFF-X04]', async () => {
    const who = await visitor(server);
    await who.fill(1, 'L');
    await spin(who);
    await rig(who, 'WHEELDEL');
    const { version, bill } = await who.cart();
    const message = 'This coupon would not lower your total now';
    const checked = (await who.call(coupons.validate, { code: 'FREEDEL', query: { cartId: who.cartId } })).body;
    const entered = await who.coupon('FREEDEL');
    for (const answer of [checked, entered])
      expect(answer).toMatchObject({
        status: 'FAILED',
        errors: [{ code: 'COUPON_REJECTED', displayMsg: message }],
        coupons: [{ code: 'FREEDEL', status: 'REJECTED', messages: [{ messageType: 'error', message }] }],
      });
    expect(entered.cart).toMatchObject({ version, bill: { total: bill.total } });
  });

  test('every part, and what was won, is called in the language of whoever looks', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(2, 'M');
    await spin(who);
    const seen = async (language: string) =>
      (
        await server.call(
          wheel.wheel,
          { query: { cartId: who.cartId } },
          { ...who.person.as, headers: { 'accept-language': language } },
        )
      ).body;
    const [english, hindi] = [await seen('en-IN'), await seen('hi-IN')];
    const part = hindi.result!.slot;
    expect(hindi.result!.label).toBe(hindi.slots[part]!.label);
    expect(hindi.result!.message).toContain(hindi.result!.isPrize ? hindi.slots[part]!.label : '');
    for (const [index, { label }] of hindi.slots.entries()) {
      expect(label).not.toBe(english.slots[index]!.label);
      expect(label).toMatch(/[\u0900-\u097f]/);
    }
  });

  test('a fresh guest on the same device draws what the last one drew; an order, an account or another day draws anew [CART-17]', async () => {
    const device = { 'user-agent': `phone of ${engine}` };
    const guests = await Promise.all(Array.from({ length: 5 }, () => visitor(server, 'IN', PICKUP)));
    const slots = [];
    for (const who of guests) {
      await who.fill(1, 'M');
      slots.push((await who.call(wheel.spin, { body: { cartId: who.cartId } }, device)).body.result.slot);
    }
    expect(new Set(slots).size).toBe(1);
    // One row for that phone today; another phone has its own.
    const rows = async () => (await db.selectFrom('wheel_draws').selectAll().execute()).length;
    const before = await rows();
    const other = await visitor(server, 'IN', PICKUP);
    await other.fill(1, 'M');
    await other.call(wheel.spin, { body: { cartId: other.cartId } }, { 'user-agent': `another phone of ${engine}` });
    expect(await rows()).toBe(before + 1);
  });

  test('a prize is a real offer on that cart alone: priced, listed, redeemed with its order [CART-17]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const bare = await who.fill(2, 'M');
    expect((await who.coupon('WHEEL10')).errors?.[0]?.displayMsg).toBe('Invalid coupon code');
    await spin(who);
    await rig(who, 'WHEEL10');
    const won = await who.cart();
    expect(prizes(won)).toEqual(['WHEEL10']);
    expect(won.bill.lines.find(({ id }) => id === 'discount:WHEEL10')?.amount).toBe(
      -Math.min(10_000, Math.floor((won.bill.lines[0]!.amount * 10 + 50) / 100)),
    );
    expect(won.bill.total).toBeLessThan(bare.bill.total);
    // It stands beside another coupon, and can be taken off and put back.
    await who.coupon('FLAT100');
    expect(prizes(await who.cart())).toEqual(['WHEEL10']);
    expect(prizes((await who.call(coupons.remove, { cartId: who.cartId, code: 'WHEEL10' })).body.cart!)).toEqual([]);
    expect(prizes((await who.coupon('WHEEL10')).cart!)).toEqual(['WHEEL10']);
    const other = await visitor(server, 'IN', PICKUP);
    await other.fill(2, 'M');
    const { offers } = (await other.call(coupons.forCart, { cartId: other.cartId, query: {} })).body;
    expect(offers.some(({ code }) => code.startsWith('WHEEL'))).toBe(false);

    const {
      body: { order },
    } = await who.submit({ paymentMode: 'UPI' });
    expect(order.bill.lines.map(({ id }) => id)).toContain('discount:WHEEL10');
    await who.fill(1, 'M');
    expect(prizes(await who.cart())).toEqual([]);
    expect((await look(who)).result).toMatchObject({ code: 'WHEEL10', state: 'TAKEN' });
    expect((await spin(who)).body).toMatchObject({ isFirst: false, result: { code: 'WHEEL10', state: 'TAKEN' } });
    // An order that comes to nothing gives it back; one that was handed over opens the next round.
    await db.updateTable('orders').set({ status: 'FAILED' }).where('id', '=', order.orderId).execute();
    expect(prizes(await who.cart())).toEqual(['WHEEL10']);
    await db.updateTable('orders').set({ status: 'DELIVERED' }).where('id', '=', order.orderId).execute();
    expect((await look(who)).result).toBeNull();
    expect((await spin(who)).body.isFirst).toBe(true);
  });

  test.each([
    ['WHEELDIP', 'SD007'],
    ['WHEELCUP', 'DS001'],
  ])('%s puts the food itself into the cart [CART-17]', async (code, productId) => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(1, 'M');
    await spin(who);
    await rig(who, code);
    expect((await who.cart()).validItems.find(({ lineId }) => lineId === `free:${code}`)).toMatchObject({
      free: true,
      lineTotal: 0,
      product: { id: productId, price: 0 },
    });
  });

  test('a prize that does not fit the cart yet waits there and says why [CART-17]', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(1, 'M');
    await spin(who);
    await rig(who, 'WHEELDEL');
    expect((await look(who)).result?.message).toBe(
      'You won: WHEELDEL. It waits on this cart as WHEELDEL: This coupon is not valid for takeaway.',
    );
    const delivered = (
      await who.call(cart.change, { cartId: who.cartId, body: { items: [], options: { deliveryType: 'DELIVERY' } } })
    ).body.cart;
    expect(prizes(delivered)).toEqual(['WHEELDEL']);
    expect(delivered.bill.lines.find(({ id }) => id === 'discount:WHEELDEL')?.amount).toBe(-3900);
  });

  test('points won on the wheel come once the order has arrived, to members alone, and not if it is cancelled [CART-17] [LOY-06]', async () => {
    const won = async (who: Customer) => (await look(who)).result;
    const ledger = async (who: Customer) =>
      (await who.call(loyalty.transactions, { query: {} })).body.entries.map(({ title, amount, reason, orderId }) => ({
        title,
        amount,
        reason: reason.replace(/\d+/, 'N'),
        orderId,
      }));
    const spun = async (who: Customer) => {
      await who.fill(1, 'M');
      await spin(who);
      await rig(who, null, 50);
    };
    const who = await member(server, 'IN', PICKUP);
    const other = await member(server, 'IN', PICKUP);
    await spun(who);
    await spun(other);
    expect(await won(who)).toMatchObject({ points: 50, isPrize: true });
    expect((await won(who))?.message).toBe(
      'You won: points. They are for members of Pizza Pals: join in Rewards before you order, and you get them.',
    );
    await who.call(loyalty.register, { query: { enroll: 'true' } });
    const promise = 'You won: points. They go to your rewards when this order has arrived.';
    expect((await won(who))?.message).toBe(promise);
    const { order: first } = (await who.submit({ paymentMode: 'COD' })).body;
    expect((await won(who))?.state).toBe('TAKEN');
    await who.cancel(first.orderId);
    expect(await won(who)).toMatchObject({ state: 'FREE', message: promise });

    if ((await who.cart()).validItems.length === 0) await who.fill(1, 'M');
    const { order } = (await who.submit({ paymentMode: 'COD' })).body;
    const without = (await other.submit({ paymentMode: 'COD' })).body.order;
    expect((await won(other))?.message).toBe('You won: points. They are for members of Pizza Pals alone.');
    await server.advance(2 * 3_600);
    expect((await who.read(order.orderId)).orderStatus).toBe('PICKED');
    expect((await other.read(without.orderId)).orderStatus).toBe('PICKED');
    const entry = {
      title: 'Promo Points',
      amount: 50,
      reason: 'Won on the wheel with order N',
      orderId: order.orderId,
    };
    expect(await ledger(who)).toEqual([entry]);
    await other.call(loyalty.register, { query: { enroll: 'true' } });
    expect(await ledger(other)).toEqual([]);
    await openShop(server);
  });

  test("goes along at login; another person's cart is not to be found [CART-17] [CART-X09]", async () => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(1, 'M');
    await spin(who);
    await rig(who, 'WHEELDIP');
    const stranger = await visitor(server, 'IN', PICKUP);
    expect((await stranger.call(wheel.spin, { body: { cartId: who.cartId } })).status).toBe(404);
    expect((await stranger.call(wheel.wheel, { query: { cartId: who.cartId } })).status).toBe(404);
    const account = await logIn(server, freshMobile('in-web'), 'in-web', who.person);
    const { body } = await server.call(wheel.wheel, { query: { cartId: account.cartId } }, account.as);
    expect(body.result).toMatchObject({ code: 'WHEELDIP', state: 'FREE' });
  });
});
