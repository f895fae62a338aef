import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as development from '../../src/contract/development.ts';
import * as favourites from '../../src/contract/favouriteOrders.ts';
import * as history from '../../src/contract/history.ts';
import { engines } from '../kit/server.ts';
import { codeOf, guest, logInByPaytm } from './people.ts';
import { member, openedShop, PICKUP, type Customer, type Shop } from './shop.ts';

const HOUR_MS = 3_600_000;

describe.each(await engines())('what somebody often orders on %s', (engine) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openedShop({ engine });
    await shop.server.switches({ kitchen: 'steady' });
  });
  afterAll(() => shop.close(3 * 3_600));

  /** Moves the clock to the next time that it is this hour in India. */
  async function at(hour: number): Promise<void> {
    const { body } = await shop.server.call(development.clock, {});
    const local = (body.now + 5.5 * HOUR_MS) % (24 * HOUR_MS);
    await shop.server.advance(Math.ceil(((hour * HOUR_MS - local + 24 * HOUR_MS) % (24 * HOUR_MS)) / 1000));
  }
  async function eats(who: Customer, size: 'R' | 'M', hour: number): Promise<string> {
    await at(hour);
    await who.fill(1, size);
    const { body, status } = await who.submit({ paymentMode: 'COD' });
    expect(status).toBe(200);
    return body.order.orderId;
  }

  test('the usual order of this hour is offered; repeated orders are recommended until kept [HIST-16] [HIST-17] [API-41]', async () => {
    const who = await member(shop.server, 'IN', PICKUP);
    const easy = async () => (await who.call(favourites.easy, {})).body.favourite?.orderId ?? null;
    const recommended = async () =>
      (await who.call(favourites.recommendations, {})).body.favourites.map(({ orderId }) => orderId);
    expect([await easy(), await recommended()]).toEqual([null, []]);
    await eats(who, 'R', 13);
    await eats(who, 'M', 20);
    // Once is no habit.
    await at(13);
    expect([await easy(), await recommended()]).toEqual([null, []]);
    const lunch = await eats(who, 'R', 14);
    const dinner = await eats(who, 'M', 21);
    await at(13);
    expect([await easy(), await recommended()]).toEqual([lunch, [lunch, dinner]]);
    await at(20);
    expect([await easy(), await recommended()]).toEqual([dinner, [dinner, lunch]]);

    const keep = await who.call(history.saveFavourite, { favOrderId: dinner, body: { data: { userId: who.userId } } });
    expect(keep.status).toBe(200);
    expect(await recommended()).toEqual([lunch]);
    const { status, orderSummary } = (await who.call(favourites.summary, {})).body;
    expect([status, orderSummary.map(({ orderId, isFavourite }) => [orderId, isFavourite])]).toEqual([
      'SUCCESS',
      [[dinner, true]],
    ]);
    expect(orderSummary[0]!.lines.map(({ product, quantity }) => [product.id, quantity])).toEqual([[who.productId, 1]]);
  });

  test('the same dishes are one habit, in whichever order they and their toppings were put in', async () => {
    const who = await member(shop.server, 'IN', PICKUP);
    const eatsBuilt = async (...dishes: readonly (readonly string[])[]) => {
      await at(13);
      for (const ids of dishes) {
        const toppings = ids.map((id) => ({ id, half: 'WHOLE' as const, amount: 'normal' as const }));
        const line = {
          lineId: randomUUID(),
          productId: who.productId,
          quantity: 1,
          size: 'M' as const,
          build: { toppings },
        };
        await who.call(cart.add, {
          cartId: who.cartId,
          body: { items: [{ operationId: randomUUID(), line }], options: PICKUP },
        });
      }
      const { body, status } = await who.submit({ paymentMode: 'COD' });
      expect(status).toBe(200);
      // Picked up.
      await at(20);
      return body.order.orderId;
    };
    const recommended = async () =>
      (await who.call(favourites.recommendations, {})).body.favourites.map(({ orderId }) => orderId);
    await eatsBuilt(['paneer', 'jalapeno'], ['mushroom']);
    await eatsBuilt(['mushroom'], ['mushroom']);
    expect(await recommended()).toEqual([]);
    const latest = await eatsBuilt(['mushroom'], ['jalapeno', 'paneer']);
    expect(await recommended()).toEqual([latest]);
  });

  test('only for whom is logged in, and not inside a payment app', async () => {
    const visitor = await guest(shop.server);
    const inside = await logInByPaytm(shop.server);
    for (const endpoint of [favourites.easy, favourites.summary, favourites.recommendations] as const) {
      expect((await shop.server.call(endpoint, {}, visitor.as)).status).toBe(403);
      expect(codeOf(await shop.server.call(endpoint, {}, inside.as))).toBe('FEATURE_BLOCKED');
    }
  });
});
