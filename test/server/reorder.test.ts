import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as group from '../../src/contract/group.ts';
import * as reorder from '../../src/contract/reorder.ts';
import { snapshotOf } from '../../src/server/store/orders.ts';
import * as text from '#text/server.ts';
import { engines } from '../kit/server.ts';
import { codeOf, freshMobile, logIn } from './people.ts';
import { member, PICKUP, PLACES, visitor, type Customer } from './shop.ts';
import { shopHere } from './shopHere.ts';

const PIZZA = {
  productId: 'PZ004',
  size: 'M' as const,
  build: { cheese: 'extra' as const, toppings: [{ id: 'onion', half: 'LEFT' as const, amount: 'none' as const }] },
};

describe.each(await engines())('ordering again on %s', (engine) => {
  const shop = shopHere({ engine }, 1);

  /** An order of a built pizza and two plain ones, placed and paid at the door. */
  async function ordered(who: Customer, mode: 'COD' | 'UPI' = 'COD') {
    await who.call(cart.add, {
      cartId: who.cartId,
      body: {
        items: [
          { operationId: randomUUID(), line: { lineId: randomUUID(), quantity: 1, ...PIZZA } },
          { operationId: randomUUID(), line: { lineId: randomUUID(), quantity: 2, productId: 'PZ001', size: 'R' } },
        ],
        options: { storeId: who.where.storeId, deliveryType: who.where.deliveryType },
      },
    });
    const { body, status } = await who.submit({ paymentMode: mode });
    expect(status).toBe(200);
    return body.order;
  }
  const again = (who: Customer, orderId: string, more: object = {}, headers: Record<string, string> = {}) =>
    who.call(reorder.reorder, { orderId, body: { cartId: who.cartId, operationId: randomUUID(), ...more } }, headers);
  const dishes = (lines: readonly { product: { id: string }; quantity: number; free?: boolean | undefined }[] = []) =>
    lines.filter((line) => !line.free).map((line) => [line.product.id, line.quantity]);

  test('its dishes are in the cart as they were built, at its store, and can be ordered [HIST-12] [API-42]', async () => {
    const who = await visitor(shop.server);
    const order = await ordered(who);
    const { status, body } = await again(who, order.orderId);
    expect(status).toBe(200);
    const { cart: now, was, gone } = body.data;
    expect(dishes(now.validItems)).toEqual([
      ['PZ004', 1],
      ['PZ001', 2],
    ]);
    expect(now.validItems[0]!.build).toEqual(order.lines[0]!.build);
    expect(now.validItems[0]!.build?.cheese).toBe('extra');
    expect([now.storeId, now.deliveryType, gone]).toEqual([who.where.storeId, who.where.deliveryType, []]);
    expect(was.lines.map(({ price }) => price)).toEqual(order.lines.slice(0, 2).map(({ product }) => product.price));
    expect([was.placedAt, was.store.id]).toEqual([order.placedAt, order.store.id]);
    expect([was.deliveryType, was.address?.houseNo]).toEqual(['DELIVERY', who.where.address!.houseNo]);
    expect(was.offers).toEqual([{ code: 'FREEDIP', title: 'Free cheesy dip' }]);
    expect(body.data.store).toEqual({ id: order.store.id, name: order.store.name });
    const next = await who.submit({ paymentMode: 'COD' });
    expect([next.status, dishes(next.body.order.lines)]).toEqual([200, dishes(order.lines)]);
  });

  test('the cutlery that was asked for comes again with the dishes, and none with an order without it [CART-X08]', async () => {
    const who = await visitor(shop.server);
    await who.call(cart.change, { cartId: who.cartId, body: { items: [], options: { cutlery: true } } });
    const wanted = await ordered(who);
    const without = await ordered(who);
    expect((await again(who, wanted.orderId)).body.data.cart.options.cutlery).toBe(true);
    expect((await again(who, without.orderId)).body.data.cart.options.cutlery).toBe(false);
  });

  test('the same tap twice is one, another replaces it, and what was in the cart is kept aside [HIST-13]', async () => {
    const who = await visitor(shop.server);
    const order = await ordered(who);
    await who.fill(3);
    const operationId = randomUUID();
    await again(who, order.orderId, { operationId });
    const once = (await again(who, order.orderId, { operationId })).body.data.cart;
    const wanted = [
      ['PZ004', 1],
      ['PZ001', 2],
    ];
    expect([dishes(once.validItems), dishes(once.aside)]).toEqual([wanted, [[who.productId, 3]]]);
    const twice = (await again(who, order.orderId)).body.data.cart;
    expect([dishes(twice.validItems), dishes(twice.aside)]).toEqual([wanted, [[who.productId, 3]]]);
  });

  test('what is sold out stays to be decided on, with what to take instead [HIST-X01]', async () => {
    const who = await visitor(shop.server);
    const order = await ordered(who);
    await shop.server.switches({ soldOut: ['PZ001'] });
    try {
      const { cart: now } = (await again(who, order.orderId)).body.data;
      expect(dishes(now.validItems)).toEqual([['PZ004', 1]]);
      expect(now.invalidItems).toMatchObject([{ productId: 'PZ001', quantity: 2, alternativeId: expect.any(String) }]);
    } finally {
      await shop.server.switches({ soldOut: [] });
    }
  });

  test('a dish that no menu has any more is named, and an order of nothing else is not put in place of the cart', async () => {
    const who = await visitor(shop.server);
    const order = await ordered(who);
    const at = () => shop.db.selectFrom('orders').where('id', '=', order.orderId);
    const row = await at().selectAll().executeTakeFirstOrThrow();
    const snapshot = snapshotOf(row);
    const write = (text: string) =>
      shop.db.updateTable('orders').set({ snapshot: text }).where('id', '=', order.orderId).execute();
    /** As an order of long ago: these were taken off the menu since. */
    const takeOff = (ids: readonly string[]) => {
      const lines = snapshot.lines.map((line) => {
        const { product } = line;
        return ids.includes(product.id) ? { ...line, product: { ...product, id: `${product.id}-OLD` } } : line;
      });
      return write(JSON.stringify({ ...snapshot, lines }));
    };
    try {
      // A size that is not made any more is no dish of today; a topping that has gone is the customer's to decide on.
      const built = { toppings: [{ id: 'truffle', half: 'WHOLE' as const, amount: 'normal' as const }] };
      const [first, second] = snapshot.lines;
      await write(
        JSON.stringify({
          ...snapshot,
          lines: [
            { ...first, build: built },
            { ...second, size: 'ONE' },
          ],
        }),
      );
      const changed = (await again(who, order.orderId)).body.data;
      expect(changed.gone.map(({ productId }) => productId)).toEqual(['PZ001']);
      expect(changed.cart.invalidItems.map(({ productId }) => productId)).toEqual(['PZ004']);
      expect(changed.was.lines.map(({ price }) => price)).toEqual([first!.product.price]);
      await takeOff(['PZ001']);
      const { cart: now, gone } = (await again(who, order.orderId)).body.data;
      expect(dishes(now.validItems)).toEqual([['PZ004', 1]]);
      const { name } = snapshot.lines[1]!.product;
      expect(gone).toEqual([{ productId: 'PZ001-OLD', name, reason: text.itemUnavailable }]);
      await takeOff(['PZ001', 'PZ004']);
      const none = await again(who, order.orderId);
      expect([none.status, codeOf(none)]).toEqual([422, 'REORDER_GONE']);
      expect(dishes((await who.cart()).validItems)).toEqual([['PZ004', 1]]);
    } finally {
      await write(row.snapshot);
    }
  });

  test('the best offer of now is on, and where it goes to now counts', async () => {
    const who = await member(shop.server);
    const order = await ordered(who);
    const { cart: now, was, store } = (await again(who, order.orderId, PICKUP)).body.data;
    expect([now.deliveryType, store.id, was.deliveryType]).toEqual(['PICKUP', PICKUP.storeId, 'DELIVERY']);
    const applied = now.offers.filter(({ status }) => status === 'APPLIED').map(({ code }) => code);
    const open = await who.call(coupons.combined, { cartId: who.cartId, query: { sortOn: 'SAVINGS' } });
    expect(open.status).toBe(200);
    expect(applied.length).toBeGreaterThan(0);
  });

  test('the tip is taken over only when tip_variant asks for it [HIST-12]', async () => {
    const who = await visitor(shop.server);
    await who.fill(2);
    await who.call(cart.change, { cartId: who.cartId, body: { items: [], options: { tip: 2000, bestOffer: true } } });
    const { order } = (await who.submit({ paymentMode: 'COD' })).body;
    expect(order.bill.lines.find(({ kind }) => kind === 'tip')?.amount).toBe(2000);
    expect((await again(who, order.orderId)).body.data.cart.options.tip).toBe(0);
    expect((await again(who, order.orderId, {}, { tip_variant: 'same' })).body.data.cart.options.tip).toBe(2000);
    const collected = { ...PICKUP };
    expect((await again(who, order.orderId, collected, { tip_variant: 'same' })).body.data.cart.options.tip).toBe(0);
  });

  test('a failed order can be ordered again, too; nobody orders from another one’s, nor from another country’s', async () => {
    const who = await visitor(shop.server);
    const order = await ordered(who);
    await who.cancel(order.orderId);
    expect((await again(who, order.orderId)).status).toBe(200);
    const stranger = await visitor(shop.server);
    expect((await again(stranger, order.orderId)).status).toBe(404);
    expect((await again(who, order.orderId, { cartId: stranger.cartId })).status).toBe(404);
    const abroad = await shop.server.call(
      reorder.reorder,
      { orderId: order.orderId, body: { cartId: who.cartId, operationId: randomUUID() } },
      { ...who.person.as, apiKey: PLACES['LK']!.apiKey },
    );
    expect(abroad.status).toBeGreaterThanOrEqual(400);
    const shared = await visitor(shop.server);
    const own = await ordered(shared);
    await shared.fill();
    await shared.call(group.start, {
      cartId: shared.cartId,
      body: { name: 'Asha', diet: [], minutes: 30, limit: null },
    });
    expect(codeOf(await again(shared, own.orderId))).toBe('GROUP_SHARED');
  });

  test('what a guest has ordered is ordered again by the account they have become', async () => {
    const who = await visitor(shop.server);
    const order = await ordered(who);
    const account = await logIn(shop.server, freshMobile(), 'in-web', who.person);
    const { status } = await shop.server.call(
      reorder.reorder,
      { orderId: order.orderId, body: { cartId: account.cartId, operationId: randomUUID() } },
      account.as,
    );
    expect(status).toBe(200);
  });
});
