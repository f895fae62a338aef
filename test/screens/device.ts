import { randomUUID } from 'node:crypto';
import * as cart from '../../src/contract/cart.ts';
import * as menu from '../../src/contract/menu.ts';
import type { TestServer } from '../kit/server.ts';
import { visitor, type Where } from '../server/shop.ts';
import { newDevice } from './page.ts';

/**
 * The device of a new guest in India with these dishes in the cart, by their names, one for each time that it is named: as the
 * menu leaves it (cart.test.tsx), but without a page. Opened with `keep`.
 */
export async function deviceWithCart(
  server: TestServer,
  dishes: readonly string[],
  where: Where = { storeId: '10101', deliveryType: 'DELIVERY' },
): Promise<void> {
  const who = await visitor(server, 'IN', where);
  const { storeId, deliveryType } = where;
  const onMenu = (await server.call(menu.byStore, { storeId, query: {} })).body.menu!.items;
  const items = [...new Set(dishes)].map((name) => ({
    operationId: randomUUID(),
    line: {
      lineId: randomUUID(),
      productId: onMenu.find((one) => one.name === name)!.id,
      quantity: dishes.filter((one) => one === name).length,
    },
  }));
  const options = { storeId, deliveryType, bestOffer: true };
  const reply = await who.call(cart.add, { cartId: who.cartId, body: { items, options } });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  await newDevice();
  const { credentials, attributes } = who.person.reply;
  for (const [key, value] of Object.entries({ session: { credentials, attributes }, cart: reply.body.cart }))
    localStorage.setItem(`IN/browser:${key}`, JSON.stringify(value));
}
