import { afterEach, describe, expect, test, vi } from 'vitest';
import { randomUUID } from 'node:crypto';
import { lentServer } from '../kit/lentServer.ts';

import { openAs, remember, sessionOf } from '../screens/device.ts';
import { newDevice, openPage } from '../screens/page.ts';
import { freshMobile, logIn } from '../server/people.ts';
import { openShop, pay, press, visitor, type Customer } from '../server/shop.ts';
import { countCalls } from './quiet.ts';
import { during } from '../kit/during.ts';

// A screen with a fault, in place of a real one.
vi.mock('../../src/screens/location/ManualScreen.tsx', () => ({
  default: () => {
    throw new Error('a fault of this screen');
  },
}));

// A part around the screen, in place of the real one, with a fault where a test wishes for it.
const foot = vi.hoisted(() => ({ isBroken: false }));
vi.mock('../../src/shell/around/Foot.tsx', () => ({
  Foot: () => {
    if (foot.isBroken) throw new Error('a fault of the foot');
    return <footer>The foot of the page</footer>;
  },
}));

const server = during(() => lentServer(), openShop);
const settled = countCalls();
afterEach(async () => {
  await settled();
  await server.switches({ faults: [] });
});

const HOME = 'Your pizza, hot from the oven';
const cartOf = () => localStorage.getItem('IN/browser:cart') ?? '';

test('a screen with a fault says so, its button reloads the page, and the cart is kept [NAV-73] [NAV-78] [ERR-50]', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('reportError', () => {});
  const menu = await openPage(server.url, '/menu/sides');
  await menu.press('button', 'Add Garlic Bread Sticks');
  await vi.waitFor(() => expect(cartOf()).toContain('SD001'));
  const page = await openPage(server.url, '/manualSelector', { keep: true });
  await page.find('heading', 'Something went wrong!');
  expect(document.querySelector('[role=alert]')?.textContent).toBe('Something went wrong!Please try again.');
  expect(document.querySelectorAll('main')).toHaveLength(1);
  await page.sees('Unexpected Application Error!');
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  await page.press('button', 'Refresh');
  expect(reload).toHaveBeenCalledOnce();
  expect(cartOf()).toContain('SD001');
  // The fault is this screen's alone.
  history.replaceState(null, '', `${server.url}/in/cart`);
  await page.find('heading', 'Your cart');
  vi.unstubAllGlobals();
});

test('a part around the screen with a fault is left out, and the page goes on without it [NAV-73]', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (thrown: unknown) => reported.push(thrown));
  const whole = await openPage(server.url, '/');
  await whole.sees('The foot of the page');
  foot.isBroken = true;
  try {
    const page = await openPage(server.url, '/');
    await vi.waitFor(() => expect(String(reported)).toContain('a fault of the foot'));
    await page.press('button', 'Add Tomato Basil Classic');
    await page.press('link', /^Cart, 1 item/);
    await page.find('heading', 'Your cart');
    expect(page.text()).not.toContain('The foot of the page');
  } finally {
    foot.isBroken = false;
    vi.unstubAllGlobals();
  }
});

test('offline a strip says so; dishes put into the cart wait, and are sent and priced once online [NAV-70] [NAV-71] [CART-X03]', async () => {
  const page = await openPage(server.url, '/menu/sides');
  await page.find('button', 'Add Garlic Bread Sticks');
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const wired = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  window.dispatchEvent(new Event('offline'));
  await page.sees('There is no internet connection');
  await vi.waitFor(() => expect(document.documentElement.hasAttribute('data-offline')).toBe(true));
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.find('group', 'Quantity of Garlic Bread Sticks');
  expect([cartOf(), localStorage.getItem('IN/browser:cart-operations')]).toEqual([
    '',
    expect.stringContaining('SD001'),
  ]);
  globalThis.fetch = wired;
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(cartOf()).toContain('"displayNetPrice":10900'));
  expect(page.text()).not.toContain('There is no internet connection');
  expect(document.documentElement.hasAttribute('data-offline')).toBe(false);
  online.mockRestore();
});

test.each([
  ['browser', true],
  ['gpay', false],
] as const)(
  'in %s a tap outside closes the alert: %s; its button always does [NAV-74] [NAV-75] [MINI-22]',
  async (host, closes) => {
    await server.switches({ faults: [{ match: '/items', status: 500 }] });
    const page = await openPage(server.url, '/menu/sides', { host });
    await page.press('button', 'Add Garlic Bread Sticks');
    await page.find('heading', 'Oops');
    const alert = document.querySelector<HTMLElement>('dialog[role=alertdialog]')!;
    alert.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    if (closes) return await page.gone('heading', 'Oops');
    await settled();
    expect(page.get('heading', 'Oops')).not.toBeNull();
    await page.press('button', 'OK');
    await page.gone('heading', 'Oops');
  },
);

test('features switched off stay off offline or with an unreadable list, and that list is logged [CFG-40] [CFG-37] [CFG-X03]', async () => {
  await server.switches({ features: JSON.stringify({ features: [{ name: 'offers', value: 'D' }] }) });
  const page = await openPage(server.url, '/');
  await vi.waitFor(() =>
    expect(JSON.parse(localStorage.getItem('IN/browser:app-config') ?? '{}')).toMatchObject({
      timestamp: expect.any(Number),
      features: expect.stringContaining('offers'),
    }),
  );
  await page.find('heading', HOME);
  await page.gone('link', 'Coupons');
  await server.switches({ faults: [{ match: 'app-config', status: 500 }] });
  const again = await openPage(server.url, '/offers', { keep: true });
  await again.find('heading', HOME);
  expect(again.path()).toBe('/');
  const timeOf = () => (JSON.parse(localStorage.getItem('IN/browser:app-config')!) as { timestamp: number }).timestamp;
  const before = timeOf();
  await server.switches({ features: '{broken', faults: [] });
  const reported: unknown[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((thrown: unknown) => void reported.push(thrown));
  const broken = await openPage(server.url, '/', { keep: true });
  await vi.waitFor(() => expect(timeOf()).toBeGreaterThan(before));
  expect(reported.map(String)).toContain('Error: The features of the app config cannot be read.');
  log.mockRestore();
  await broken.find('heading', HOME);
  expect(broken.get('link', 'Coupons')).toBeNull();
  await server.switches({ features: JSON.stringify({ features: [] }) });
  const open = await openPage(server.url, '/', { keep: true });
  await open.find('link', 'Coupons');
});

/** Opens the app on the device of somebody who orders through the same server. */
const open = (customer: Customer, path: string) => openAs(server, customer, path);

describe('payment pages of the web, and what a country lacks', () => {
  test.each([
    ['/upiForm', 'UPI', 'Pay with UPI'],
    ['/paytmForm', 'PAYTM', 'Pay with Paytm'],
  ] as const)('%s takes the %s payment of an order: "%s" [NAV-66, NAV-67]', async (path, paymentMode, title) => {
    const customer = await visitor(server);
    const { order } = await customer.order({ paymentMode });
    const page = await open(customer, `${path}?order=${order.orderId}`);
    expect((await page.find('heading', title)).tagName).toBe('H1');
    await page.sees(`Order ${order.orderNumber}`);
    expect(page.path()).toBe(`${path}?order=${order.orderId}`);
  });
  test("Paytm's own page asks for the amount of the order, and what is paid there places it [PAY-07]", async () => {
    const customer = await visitor(server);
    const { order } = await customer.order({ paymentMode: 'PAYTM' });
    const page = await open(customer, `/paytmForm?order=${order.orderId}`);
    const leave = await page.find('button', 'Continue to Paytm');
    const followed = vi.fn<(event: Event) => void>();
    leave.addEventListener('click', followed);
    await page.press('button', 'Continue to Paytm');
    // Nothing holds the tap up; this document itself cannot go anywhere.
    expect(followed.mock.calls[0]![0].defaultPrevented).toBe(false);
    const { href } = leave as HTMLAnchorElement;
    const theirs = await (await fetch(href)).text();
    expect(theirs).toContain('Paytm');
    expect(theirs).toContain(`You pay</p><h1 translate="no">₹ ${(order.payment.amount / 100).toFixed(2)}</h1>`);
    const back = await press(server, href.slice(server.url.length), 'approve');
    expect(back).toContain(order.orderId);
    const paid = await open(customer, `/order/${order.orderId}`);
    await paid.find('heading', 'Thank you! Your order is placed.');
  });

  test('a customer is led to all of it in India, and to nothing of it where the country lacks it [CFG-16, CFG-31, CFG-33]', async () => {
    const LACKED = ['wallet', 'chatbot', 'deliverontrain', 'worldPizzaLeague', 'irctc', 'upiForm', 'paytmForm'];
    const MET = [
      ['/', 'heading', HOME],
      ['/help', 'heading', 'Help'],
      ['/postorder-ui/searchAddress', 'heading', 'Where should we deliver?'],
      ['/postorder-ui/profile', 'button', /^Log out/],
    ] as const;
    /** What of it the links of these screens lead to. */
    const ledTo = async (country: string) => {
      const apiKey = `${country}-web`;
      await newDevice();
      remember('session', sessionOf(await logIn(server, freshMobile(apiKey), apiKey)), { country });
      const found = new Set<string>();
      for (const [path, role, name] of MET) {
        const page = await openPage(server.url, path, { country, keep: true });
        await page.find(role, name);
        await settled();
        for (const link of document.querySelectorAll('a[href]')) {
          const [to = ''] = link
            .getAttribute('href')!
            .replace(/^postorder-ui\//, '')
            .split(/[/?]/);
          if (LACKED.includes(to)) found.add(to);
        }
      }
      return [...found].sort();
    };
    expect(await ledTo('in')).toEqual(['chatbot', 'deliverontrain', 'wallet', 'worldPizzaLeague']);
    for (const country of ['lk', 'bg']) expect(await ledTo(country), country).toEqual([]);
  });
});

describe('the page of an order says what happened to it and to the money', () => {
  test('not paid yet: pending, and it cannot be followed [ORD-03] [ORD-07] [ERR-18]', async () => {
    const customer = await visitor(server);
    const { order } = await customer.order();
    const page = await open(customer, `/order/${order.orderId}`);
    await page.find('heading', 'Pending confirmation');
    await page.sees('No payment has reached us yet. If your app says that you paid, please wait and do not pay again.');
    const track = await open(customer, `/track/${order.orderId}`);
    await track.sees('Tracking Information is not available for this order yet.');
  });

  test('a declined payment took nothing and can be retried; a late one fails, with the time to retry [ORD-08] [ERR-09] [ERR-15]', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next, 'decline');
    await customer.confirm(order);
    const page = await open(customer, `/order/${order.orderId}`);
    await page.find('heading', 'Payment Failed. Please try again.');
    await page.sees('No money was taken. You can pay again safely.');
    await page.find('button', /^Try UPI.* again$/);
    await server.advance(901);
    await customer.read(order.orderId);
    const late = await open(customer, `/order/${order.orderId}`);
    await late.find('heading', 'Unable to process your order - Please try again after 15 minutes');
    await late.sees(/You can try again at \d/);
  });

  test('failed with the money at the bank: when to try again by the clock, and between which days the money is back [PAY-23]', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await server.switches({ bankOutcome: 'pending-then-failure' });
    await pay(server, next);
    await customer.confirm(order);
    await server.advance(31);
    await server.advance(900);
    await server.switches({ bankOutcome: null });
    const { refund, retryAt } = await customer.read(order.orderId);
    const page = await open(customer, `/order/${order.orderId}`);
    await page.find('heading', 'Unable to process your order - Please try again after 15 minutes');
    const on = (at: number, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-IN', { timeZone: 'Asia/Kolkata', ...options }).format(at);
    const minutes = on(retryAt!, { minute: '2-digit' }).padStart(2, '0');
    await page.sees(new RegExp(`You can try again at \\d{1,2}(:${minutes})? [AP]M`, 'i'));
    const day = (at: number) => on(at, { day: 'numeric' });
    await page.sees(
      new RegExp(`arrives between .*\\b${day(refund!.expectedFrom)}\\b.* and .*\\b${day(refund!.expectedTo)}\\b`, 'i'),
    );
    expect(refund!.expectedTo).toBeGreaterThan(refund!.expectedFrom);
  });

  test('a refund goes from us to the bank and back onto what was paid with, each step with its day [ORD-09] [PAY-X07]', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    await customer.cancel(order.orderId, randomUUID());
    const steps = () =>
      [...document.querySelectorAll('ol[aria-label="Progress of your refund"] li')].map((step) => [
        step.textContent,
        step.getAttribute('aria-current'),
      ]);
    const page = await open(customer, `/order/${order.orderId}`);
    await page.find('heading', 'Order cancelled');
    await page.sees(/arrives in 4-10 business days.*arrives between .+ and /);
    await page.find('heading', /^₹ ?[\d.]+ comes back to you$/);
    expect(steps()).toEqual([
      [expect.stringMatching(/^Done: We have sent it back.*\d/), null],
      [expect.stringMatching(/^With the bankIt arrives between .*\d.* and .*\d/), 'step'],
      ['Still to come: Back on your UPI', null],
    ]);
    await server.advance(8 * 86_400);
    await openShop(server);
    const paid = await open(customer, `/track/${order.orderId}`);
    await paid.find('heading', /^₹ ?[\d.]+ came back to you$/);
    expect(paid.path()).toBe(`/order/${order.orderId}`);
    expect(steps()).toEqual([
      [expect.stringMatching(/^Done: We have sent it back.*\d/), null],
      ['Done: With the bank', null],
      [expect.stringMatching(/^Done: Back on your UPI.*\d/), null],
    ]);
  });

  test('the tracker without a network says how far the order was when it was last heard of', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    const page = await open(customer, `/track/${order.orderId}`);
    await page.find('heading', 'Order placed');
    await server.switches({
      faults: [
        { match: '/order', status: 503 },
        { match: '/tracker', status: 503 },
      ],
    });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const again = await openPage(server.url, `/track/${order.orderId}`, { keep: true });
    await again.sees(
      /At \d{1,2}(:\d\d)? [AP]M: Order placed\. Expected \d.+ to .+\. ?We are still making your order\./,
    );
    vi.restoreAllMocks();
  });

  test('paid: thanks, and the way to its tracking, which says stage, time, way, address, code and dishes [ORD-02] [ORD-04] [ORD-05]', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    const page = await open(customer, `/order/${order.orderId}`);
    await page.find('heading', 'Thank you! Your order is placed.');
    await page.sees('12, Barakhamba Road');
    await page.sees(/1 × [\w ]+Regular · Hand Tossed/);
    await page.sees('Payment: UPI');
    const way = (await page.find('link', 'Track your order')).getAttribute('href');
    expect(way).toBe(`track/${order.orderId}`);
    const tracker = await openPage(server.url, `/${way}`, { keep: true });
    await tracker.find('heading', 'Order placed');
    expect(tracker.path()).toBe(`/track/${order.orderId}`);
    // Thanks are said once, on the page of the order.
    expect(tracker.get('heading', /^Thank you/)).toBeNull();
    await tracker.sees(/Arrives\d{1,2}(:\d\d)? [AP]M to \d{1,2}(:\d\d)? [AP]M/);
    await tracker.sees(/\d(\.\d)? km to you, about \d+ minutes on the road\./);
    for (const said of ['12, Barakhamba Road', (await customer.read(order.orderId)).handOverCode!, 'Payment: UPI'])
      await tracker.sees(said);
    await tracker.sees(/1 × [\w ]+Regular · Hand Tossed/);
    // A map without streets is none.
    expect(document.querySelector('figure')).toBeNull();
    expect(tracker.text()).not.toMatch(/(?<!Still to come: )Confirmed/);
  });

  test('cancelling names its rule, the loss and the refund; Enter keeps the order, and only the button for it cancels [ORD-X04]', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    const page = await open(customer, `/order/${order.orderId}`);
    await page.sees(
      'You can cancel for free until 60 seconds after the store has confirmed your order. After that, please call the store.',
    );
    await page.press('button', 'Cancel the order');
    await page.find('heading', 'Cancel this order?');
    await page.sees(/1 × [\w ]+ will not be made\. ₹[\d,]+ goes back to your UPI and arrives in 4-10 business days\./);
    await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Keep it'));
    await page.press('button', 'Keep it');
    await page.gone('heading', 'Cancel this order?');
    expect((await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
    await page.press('button', 'Cancel the order');
    const question = await page.find('heading', 'Cancel this order?');
    const yes = [...question.closest('dialog')!.querySelectorAll('button')].find(
      (one) => one.textContent === 'Cancel the order',
    )!;
    yes.click();
    await page.find('heading', 'Order cancelled');
    expect((await customer.read(order.orderId)).orderStatus).toBe('CANCELLED');
  });

  test('reloaded without a network, a placed order is said to go on, and nothing is said of a payment', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    await open(customer, '/menu');
    const journal = { key: order.orderId, orderId: order.orderId, step: 'watching', at: Date.now() };
    localStorage.setItem('IN/browser:journal', JSON.stringify(journal));
    await server.switches({
      faults: [
        { match: '/order', status: 503 },
        { match: '/app-config', drop: true },
      ],
    });
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const page = await openPage(server.url, '/menu', { keep: true });
    await page.sees('We are still making your order. Once you are online, you see how far it is.');
    expect(page.text()).not.toMatch(/payment/i);
    vi.restoreAllMocks();
  });
});
