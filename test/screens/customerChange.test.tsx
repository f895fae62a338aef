import { afterEach, expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';
import { freshMobile, logIn } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { newDevice, openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

/** Another tab of this device has logged in, or ended the login. */
function inAnotherTab(host: string, session: unknown): void {
  const [key, newValue] = [`IN/${host}:session`, session === null ? null : JSON.stringify(session)];
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
}
const waiting = () => document.querySelectorAll('main [aria-busy="true"], main [class*="bone"]');
const isThere = () => vi.waitFor(() => expect([...waiting()].map(({ outerHTML }) => outerHTML)).toEqual([]));

const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
afterEach(() => reload.mockClear());

test.each([
  ['/postorder-ui/searchAddress', 'browser'],
  ['/postorder-ui/searchAddress', 'gpay'],
  ['/postorder-ui/myAddresses', 'browser'],
  ['/postorder-ui/profile', 'browser'],
  ['/postorder-ui/profile/details', 'browser'],
  ['/postorder-ui/profile/devices', 'browser'],
  ['/postorder-ui/orderHistory', 'browser'],
  ['/my-data', 'browser'],
  ['/delete-account', 'browser'],
  ['/rewards', 'browser'],
  ['/worldPizzaLeague', 'browser'],
  ['/deliverontrain/orders', 'browser'],
] as const)(
  '%s in %s is loaded when somebody logs in while it is open; for the next customer the page is a new one',
  async (path, host) => {
    await newDevice();
    await openPage(server.url, path, { host, keep: true, ...(host === 'browser' ? {} : { inside: {} }) });
    await isThere();
    const comes = async () => {
      const { credentials, attributes } = (await logIn(server, freshMobile(), `in-${host === 'gpay' ? 'gpay' : 'web'}`))
        .reply;
      inAnotherTab(host, { credentials, attributes });
      // What is asked for by then has begun.
      await new Promise((done) => {
        setTimeout(done);
      });
      await isThere();
    };
    await comes();
    expect(reload).not.toHaveBeenCalled();
    await comes();
    expect(reload).toHaveBeenCalledOnce();
  },
);
