import { randomUUID } from 'node:crypto';
import * as cart from '../../src/contract/cart.ts';
import * as menu from '../../src/contract/menu.ts';
import type { TestServer } from '../kit/server.ts';
import * as stores from '../../src/contract/stores.ts';
import { codeFor, freshMobile, type Person } from '../server/people.ts';
import { visitor, type Where } from '../server/shop.ts';
import { newDevice, openPage, type AppPage } from './page.ts';

type Opened = NonNullable<Parameters<typeof openPage>[2]>;
/** Which app's storage it is. */
type App = Pick<Opened, 'country' | 'host'>;

/** Puts something into the device's storage, as the app keeps it. */
export function remember(key: string, value: unknown, { country = 'in', host = 'browser' }: App = {}): void {
  localStorage.setItem(`${country.toUpperCase()}/${host}:${key}`, JSON.stringify(value));
}
/** What of a session the device keeps. */
export const sessionOf = ({ reply: { credentials, attributes } }: Person) => ({ credentials, attributes });

/** A page on a device of its own, on which this person is logged in (or a guest) and which knows `device`. */
export async function openAs(
  server: TestServer,
  { person }: { readonly person: Person },
  path: string,
  { device = {}, ...app }: Opened & { readonly device?: Readonly<Record<string, unknown>> } = {},
): Promise<AppPage> {
  await newDevice();
  for (const [key, value] of Object.entries({ session: sessionOf(person), ...device })) remember(key, value, app);
  return await openPage(server.url, path, { ...app, keep: true });
}

/** Logs in on a page that asks for a number. */
export async function logInOn(page: AppPage, server: TestServer, mobile: string): Promise<void> {
  await page.type('Mobile number', mobile);
  await page.press('button', 'Send me a code');
  await page.find('button', /^Log in|^Check/);
  await page.type('Code', await codeFor(server, mobile));
}

/** The device collects at this store from now on, and knows by which name and number. */
export async function collectsAt(
  server: TestServer,
  storeId: string,
  { mobile, fName = 'Asha', ...app }: App & { readonly mobile?: string; readonly fName?: string } = {},
): Promise<void> {
  const apiKey = `${app.country ?? 'in'}-web`;
  const { store } = (await server.call(stores.byId, { storeId, query: {} }, { apiKey })).body;
  const detail = { fName, lName: '', mobNo: mobile ?? freshMobile(apiKey), email: '' };
  for (const [key, value] of Object.entries({
    'delivery-type': 'PICKUP',
    'takeaway-store': store,
    'checkout-detail': detail,
  }))
    remember(key, value, app);
}

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
  remember('session', sessionOf(who.person));
  remember('cart', reply.body.cart);
}
