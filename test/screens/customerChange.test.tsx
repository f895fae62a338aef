import { afterEach, expect, test, vi } from 'vitest';
import * as session from '../../src/contract/session.ts';
import { lentServer } from '../kit/lentServer.ts';
import { freshMobile, logIn } from '../server/people.ts';
import { openShop, PICKUP } from '../server/shop.ts';
import { deviceWithCart, logInOn } from './device.ts';
import { newDevice, notingCalls, openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

/** Another tab of this device has logged in, or ended the login. */
function inAnotherTab(host: string, session: unknown): void {
  const [key, newValue] = [`IN/${host}:session`, session === null ? null : JSON.stringify(session)];
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
}
/** What keeps the room of something that is loaded (ui/page/Skeleton.tsx). */
const waiting = () =>
  document.querySelectorAll('main [aria-busy="true"], main span[aria-hidden="true"][style*="height"]');
const isThere = () => vi.waitFor(() => expect([...waiting()].map(({ outerHTML }) => outerHTML)).toEqual([]));

const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
afterEach(() => reload.mockClear());

test.each([
  ['/postorder-ui/searchAddress', 'browser', 'Start with your city', /\/address/],
  ['/postorder-ui/searchAddress', 'gpay', 'Start with your city', /\/address/],
  ['/postorder-ui/myAddresses', 'browser', 'No address saved yet', /\/address/],
  ['/postorder-ui/profile', 'browser', 'You are here as a guest', /\/profile|user-profile|\/user\/[^/]*$/],
  ['/postorder-ui/profile/edit', 'browser', 'Log in to have a profile', /\/profile|user-profile|\/user\/[^/]*$/],
  ['/postorder-ui/profile/devices', 'browser', 'Log in to have a profile', /device|session/],
  ['/postorder-ui/orderHistory', 'browser', 'No orders yet', /orders/],
  ['/my-data', 'browser', 'You are here as a guest', /copy|data/],
  ['/delete-account', 'browser', 'You are here as a guest', /deletion/],
  ['/rewards', 'browser', 'Log in and join', /loyalty/],
  ['/worldPizzaLeague', 'browser', 'Log in to play', /worldPizzaLeague\/season/],
] as const)(
  '%s in %s is loaded when somebody logs in while it is open; for the next customer the page is a new one',
  async (path, host, guestSees, asks) => {
    await newDevice();
    const page = await openPage(server.url, path, { host, keep: true, ...(host === 'browser' ? {} : { inside: {} }) });
    await page.sees(guestSees);
    await isThere();
    const comes = async () => {
      const { credentials, attributes } = (await logIn(server, freshMobile(), `in-${host === 'gpay' ? 'gpay' : 'web'}`))
        .reply;
      await notingCalls(async (asked) => {
        inAnotherTab(host, { credentials, attributes });
        await vi.waitFor(() =>
          expect(asked.map((one) => new URL(one).pathname)).toContainEqual(expect.stringMatching(asks)),
        );
        await isThere();
      });
    };
    await comes();
    expect(reload).not.toHaveBeenCalled();
    await comes();
    expect(reload).toHaveBeenCalledOnce();
  },
);

test('a login that the server ends under the page of offers leaves what runs at the store, and not its bones', async () => {
  await deviceWithCart(server, ['Garden Four', 'Double Cheese Melt'], PICKUP);
  const mobile = freshMobile();
  const login = await openPage(server.url, '/login', { keep: true });
  await logInOn(login, server, mobile);
  await login.sees('You are logged in');
  const page = await openPage(server.url, '/offers', { keep: true });
  await page.find('link', 'GO TO CART');
  const { credentials, attributes } = JSON.parse(localStorage.getItem('IN/browser:session')!);
  await server.call(session.logout, {}, { authToken: credentials.accessToken, userId: attributes.userId });
  await page.type('Have an offer code?', 'WELCOME50');
  await page.press('button', 'Apply');
  await page.sees('You have been logged out.');
  await page.press('button', 'Not now');
  await page.find('heading', 'Offers running now');
  await isThere();
});
