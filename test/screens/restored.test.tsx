import { expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';

import { openShop, pay, PICKUP, visitor } from '../server/shop.ts';
import { openAs, sessionOf } from './device.ts';
import { notingCalls } from './page.ts';
import { during } from '../kit/during.ts';

// A page that the browser holds while another one is open, and shows again when somebody goes back. It hears of nothing
// that others write meanwhile.

const server = during(() => lentServer(), openShop);

const put = (key: string, value: unknown) => {
  const name = `IN/browser:${key}`;
  if (value === null) localStorage.removeItem(name);
  else localStorage.setItem(name, JSON.stringify(value));
};
/** The page is left for another one, and comes back as it was. */
async function held(meanwhile: () => Promise<unknown> | void): Promise<void> {
  window.dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }));
  await meanwhile();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
}

test('a page that was held says that its order was placed from another page meanwhile', async () => {
  const who = await visitor(server, 'IN', PICKUP);
  const page = await openAs(server, who, '/cart');
  await page.sees('Your cart is empty');
  await notingCalls(async (asked) => {
    await held(async () => {
      const { order, next } = await who.order();
      await pay(server, next);
      put('journal', { key: 'key', orderId: order.orderId, step: 'watching', at: Date.now() });
    });
    await page.sees(/Order \d{4}/);
    // It is among the orders under way, and not asked for once more by itself.
    expect(asked.filter((call) => call.includes('/orders/ord_'))).toEqual([]);
    expect(asked.filter((call) => call.includes('/orders/recent'))).toHaveLength(1);
  });
});

test('a page that was held is loaded anew once somebody else, or nobody, is logged in, and only then', async () => {
  const who = await visitor(server, 'IN', PICKUP);
  const page = await openAs(server, who, '/cart');
  await page.sees('Your cart is empty');
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined);
  const { credentials, attributes } = sessionOf(who.person);
  await held(() => put('session', { credentials: { ...credentials, accessToken: 'renewed' }, attributes }));
  expect(reload).not.toHaveBeenCalled();
  await held(() => put('session', null));
  expect(reload).toHaveBeenCalledTimes(1);
});
