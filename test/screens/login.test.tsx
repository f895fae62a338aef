import { expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';

import { codeFor, freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

const leads = (page: AppPage, path: string) => vi.waitFor(() => expect(page.path()).toBe(path));
const errorOf = (id: string) => document.getElementById(`${id}-error`)?.textContent;

test('a number is asked for, and a code leads back to the page before [NAV-59] [AUTH-06]', async () => {
  const mobile = freshMobile();
  const page = await openPage(server.url, '/postorder-ui/login?redirectUrl=%2Fmenu');
  await page.find('heading', 'Log in');
  expect(document.getElementById('login-mobile')?.getAttribute('autocomplete')).toBe('tel-national');
  await page.sees('We send a code by SMS. The rider calls this number');
  // The page forgets an earlier message when it opens: a press before that is pressed again.
  await vi.waitFor(
    async () => {
      await page.press('button', 'Send me a code');
      expect(errorOf('login-mobile')).toBe('This field cannot be left empty');
    },
    { timeout: 45_000, interval: 50 },
  );
  await page.type('Mobile number', mobile);
  await page.press('button', 'Send me a code');
  await leads(page, '/postorder-ui/login-otp?redirectUrl=%2Fmenu');
  await page.sees(/Ask again in 00:\d\d/);
  expect(document.getElementById('login-code')?.getAttribute('autocomplete')).toBe('one-time-code');
  expect(document.querySelectorAll('form input')).toHaveLength(1);
  await page.type('Code', await codeFor(server, mobile));
  await leads(page, '/menu');
});

test('the code page opens once a code is sent, stays on a wrong one, goes on after the right one [AUTH-10] [AUTH-11] [NAV-28]', async () => {
  const mobile = freshMobile();
  const page = await openPage(server.url, '/login?redirectUrl=%2Fmenu%2Fsides');
  await page.find('heading', 'Log in');
  expect(document.getElementById('login-code')).toBeNull();
  await page.type('Mobile number', mobile);
  await page.press('button', 'Send me a code');
  await page.sees(/Ask again in/);
  expect(document.getElementById('login-code')).not.toBeNull();
  const code = await codeFor(server, mobile);
  await page.type('Code', code === '000000' ? '111111' : '000000');
  await vi.waitFor(() => expect(errorOf('login-code')).toBe('That code is not right. Please check it and try again.'));
  expect(page.path()).toBe('/login-otp?redirectUrl=%2Fmenu%2Fsides');
  const asked: unknown[] = [];
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (input instanceof Request && input.url.endsWith('/validatecode')) asked.push(await input.clone().json());
    return await plain(input, init);
  };
  try {
    await page.type('Code', code);
    await leads(page, '/menu/sides');
  } finally {
    globalThis.fetch = plain;
  }
  expect(asked).toEqual([{ mobile, code, screenName: 'login-otp' }]);
  await page.sees('You are logged in');
  expect(document.getElementById('login-code')).toBeNull();
});

test('a number that does not look mobile is warned about and taken all the same [AUTH-07] [CFG-47]', async () => {
  const page = await openPage(server.url, '/login');
  await page.type('Mobile number', `11${freshMobile().slice(2)}`);
  await page.sees('This does not look like a mobile number of this country. Please check it.');
  await page.press('button', 'Send me a code');
  await leads(page, '/login-otp');
});

test.each([
  ['lk', '+94', '0', /We sent 6 digits to 07\d \d{3} \d{4}/],
  ['in', '+91', '', /We sent 6 digits to [6-9]\d{4} \d{5}/],
])(
  'in %s the number stands behind %s, with or without its leading 0, and then as the country writes it [AUTH-07]',
  async (country, prefix, zero, written) => {
    const page = await openPage(server.url, '/login', { country });
    const mobile = freshMobile(`${country}-web`);
    await page.sees(prefix);
    await page.type('Mobile number', zero + mobile);
    await page.press('button', 'Send me a code');
    await page.sees(written);
  },
);

test('whatever keeps a code from being sent is said, with the way on as a guest, until one is sent [ERR-27] [AUTH-12]', async () => {
  const page = await openPage(server.url, '/login');
  await page.find('heading', 'Log in');
  const asGuest = 'You can continue as a guest: an order needs no login.';
  expect(page.text()).not.toContain(asGuest);
  await page.type('Mobile number', freshMobile());
  await server.switches({ faults: [{ match: '/loginhandler/login', status: 502, times: 1 }] });
  await page.press('button', 'Send me a code');
  await page.sees('Something Went Wrong. Please Try Again.');
  await page.sees(asGuest);
  await server.switches({ faults: [] });
  await page.press('button', 'Send me a code');
  await leads(page, '/login-otp');
  const back = await openPage(server.url, '/login', { keep: true });
  await back.find('heading', 'Log in');
  expect(back.text()).not.toContain(asGuest);
});

test('a browser that reads the SMS hands its code over, and nobody types it [AUTH-X01] [CFG-47]', async () => {
  const mobile = freshMobile();
  const heard: { code: (code: string) => void; asked: object }[] = [];
  vi.stubGlobal('OTPCredential', true);
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: (asked: object) =>
        new Promise((done) => {
          heard.push({ asked, code: (code) => done({ code }) });
        }),
    },
  });
  try {
    const page = await openPage(server.url, '/login?redirectUrl=%2Fmenu');
    await page.type('Mobile number', mobile);
    await page.press('button', 'Send me a code');
    await leads(page, '/login-otp?redirectUrl=%2Fmenu');
    // What reads no SMS by itself, as a keyboard does, knows by this what to offer.
    await vi.waitFor(() =>
      expect(document.querySelector('#login-code')?.getAttribute('autocomplete')).toBe('one-time-code'),
    );
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]!.asked).toMatchObject({ otp: { transport: ['sms'] }, signal: expect.any(AbortSignal) });
    // The last line of the message binds the code to the page that may have it.
    const sms = (await server.inbox(`+91${mobile}`))[0]!;
    const [, host, code] = /\n@(\S+) #(\d{6})$/.exec(sms)!;
    expect(host).toBe(location.hostname);
    heard[0]!.code(code!);
    await leads(page, '/menu');
    await page.sees('You are logged in');
  } finally {
    vi.unstubAllGlobals();
    delete (navigator as { credentials?: unknown }).credentials;
  }
});

test('a login link never leads to another site: it leads home, after the code and for a customer already logged in [NAV-59]', async () => {
  const been: string[] = [];
  const note = () => been.push(location.href);
  for (const move of ['pushState', 'replaceState']) addEventListener(move, note);
  const isHome = async (page: AppPage, wanted: string) => {
    await leads(page, '/');
    await page.find('heading', 'Bestsellers');
    expect(
      been.splice(0).filter((one) => !one.includes('/login') && one !== `${server.url}/in/`),
      wanted,
    ).toEqual([]);
  };
  try {
    const mobile = freshMobile();
    const out = '/..//evil.example/menu';
    const page = await openPage(server.url, `/postorder-ui/login?redirectUrl=${encodeURIComponent(out)}`);
    await page.type('Mobile number', mobile);
    await page.press('button', 'Send me a code');
    await page.sees(/Ask again in/);
    await page.type('Code', await codeFor(server, mobile));
    await page.sees('You are logged in');
    await isHome(page, out);
    const wanted = '//evil.example/menu';
    const query = `redirectUrl=${encodeURIComponent(wanted)}`;
    const again = await openPage(server.url, `/postorder-ui/login?${query}`, { keep: true });
    await again.press('button', 'Continue');
    await isHome(again, wanted);
  } finally {
    for (const move of ['pushState', 'replaceState']) removeEventListener(move, note);
  }
});

test('the code page without a code leads to the number [NAV-59]', async () => {
  const page = await openPage(server.url, '/postorder-ui/login-otp?from=Address');
  await page.find('heading', 'No code is on its way');
  expect((await page.find('link', 'Enter your number')).getAttribute('href')).toBe('postorder-ui/login?from=Address');
});

test("a payment app's page in a plain tab says so and lets everyone look around [MINI-X05]", async () => {
  const page = await openPage(server.url, '/login', { host: 'gpay' });
  await page.sees('This page belongs to a payment app.');
  expect(document.querySelector('input')).toBeNull();
  await page.find('link', 'See the menu');
});

test('after a login older dishes of the account are offered by name; put off, they are offered again in the cart [CART-X09]', async () => {
  await openShop(server);
  const mobile = freshMobile();
  const logIn = async (page: AppPage, to: string) => {
    await page.type('Mobile number', mobile);
    await page.press('button', 'Send me a code');
    await page.find('button', /^Log in|^Check/);
    await page.type('Code', await codeFor(server, mobile));
    await leads(page, to);
  };
  const orders = async (dish: string, to: string) => {
    const page = await openPage(server.url, '/menu/veg-pizza');
    await page.press('button', `Add ${dish}`);
    await page.find('link', /^Cart, 1 item ?₹/);
    return await openPage(server.url, `/login?redirectUrl=${encodeURIComponent(to)}`, { keep: true });
  };
  await logIn(await orders('Garden Four', '/cart'), '/cart');
  await server.advance(31);
  const page = await orders('Tomato Basil Classic', '/menu');
  await logIn(page, '/menu');
  // Where nobody is about to order.
  await vi.waitFor(() => expect(document.querySelector('dialog')?.textContent).toMatch(/Garden Four.*₹/));
  await page.press('button', 'Decide later');
  await page.gone('button', 'Decide later');
  await page.press('link', /^Cart, 1 item/);
  await page.sees(/To pay ?₹/);
  expect(page.text()).toContain('Items₹119');
  await page.press('button', 'Add it to my cart');
  await page.sees('2 items');
  await page.gone('heading', 'From an earlier cart');
});
