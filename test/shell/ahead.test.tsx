import { expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';
import { deviceWithCart } from '../screens/device.ts';
import { openPage } from '../screens/page.ts';
import { openShop } from '../server/shop.ts';
import { during } from '../kit/during.ts';

/** Scripts that came, and how many calls were under way at each. */
const { came, calls, noted } = vi.hoisted(() => {
  const scripts: [name: string, underway: number][] = [];
  const line = { underway: 0 };
  const note = (name: string) => async (load: () => Promise<object>) => {
    scripts.push([name, line.underway]);
    return await load();
  };
  return { came: scripts, calls: line, noted: note };
});
vi.mock('../../src/shell/journeys/cart.ts', noted('cart'));
vi.mock('../../src/shell/journeys/places.ts', noted('places'));
vi.mock('../../src/shell/journeys/pay.ts', noted('pay'));
vi.mock('../../src/shell/journeys/follow.ts', noted('follow'));

const server = during(() => lentServer(), openShop);

/** Longer than calls that follow one another pause. */
const SLOW_MS = 600;
const wired = globalThis.fetch;
globalThis.fetch = async (...given) => {
  calls.underway += 1;
  try {
    await new Promise((done) => {
      setTimeout(done, SLOW_MS);
    });
    return await wired(...given);
  } finally {
    calls.underway -= 1;
  }
};

test('on a slow line, too, each step of an order has its script before it is wanted, once all calls are answered', async () => {
  const line = Object.assign(new EventTarget(), { saveData: true });
  Object.defineProperty(navigator, 'connection', { configurable: true, value: line });
  await deviceWithCart(server, ['Garden Four']);
  const page = await openPage(server.url, '/menu', { keep: true });
  const next = (...names: string[]) => vi.waitFor(() => expect(came).toEqual(names.map((name) => [name, 0])), 8_000);
  await next('cart');
  page.go('/cart');
  await page.find('link', /^Choose where/);
  await next('cart', 'places');
  page.go('/postorder-ui/searchAddress?from=cart');
  await next('cart', 'places', 'pay');
  page.go('/payment');
  await next('cart', 'places', 'pay', 'follow');
});
