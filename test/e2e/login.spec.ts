import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import { expect, test as base } from '../kit/app.ts';
import { projectCopy } from '../kit/newcomers.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { sample } from '../kit/matrix.ts';
import { person } from '../server/people.ts';
import { Customer, PLACES, type Where } from '../server/shop.ts';
import { enterHost, setHost } from './hosts.ts';
import { DESK, inspector, PHONE } from './judging.ts';
import { addFromMenu, bundle, heading, isLoggedIn, look, noon, sessionOf, settleAt, tabTo } from './steps.ts';

const web = bundle('in', 'browser');
const PREFIX: Readonly<Record<string, string>> = { in: '+91', lk: '+94', bg: '+880' };

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await use(phone('in'));
  },
});

async function newestCode(server: SpawnedServer, mobile: string): Promise<string> {
  const [sms = ''] = await server.inbox(mobile);
  return /\d{6}/.exec(sms)?.[0] ?? 'no SMS';
}

async function askForCode(page: Page, mobile: string, path = 'login'): Promise<void> {
  await page.goto(web.mount + path);
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
}

/** The wait before another code is counted by the device: its clock is moved past it with the server's. */
async function later(page: Page, server: SpawnedServer, seconds: number): Promise<void> {
  await server.advance(seconds);
  await page.clock.fastForward(seconds * 1_000);
}

test('a wrong code is said so and kept, the right one logs in, and the cart comes along [AUTH-17, AUTH-21, ERR-X02]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await askForCode(page, mobile, 'login?redirectUrl=%2Fcart');
  await expect(page).toHaveURL(/\/login-otp/);
  await expect(page.getByLabel('Code')).toHaveAttribute('autocomplete', 'one-time-code');
  await look(page, 'otp');
  const code = await newestCode(server, `+91${mobile}`);
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111');
  await expect(page.getByText(errors.otpWrong)).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveValue(/^\d{6}$/);
  await look(page, 'otp-wrong');
  await page.getByLabel('Code').fill(code);
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart' })).toBeVisible();
  expect(await isLoggedIn(page, web)).toBe(true);
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  await page.reload();
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  expect((await sessionOf(page, web))?.attributes.mobile).toContain(mobile);
});

test('a number that cannot be one is refused before anything is sent [AUTH-07, ERR-44] @all', async ({
  page,
  server,
  mobile,
}) => {
  await page.goto(`${web.mount}login`);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByText(errors.fieldEmpty)).toBeVisible();
  await page.getByLabel('Mobile number').fill(mobile.slice(0, 6));
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByText(errors.mobileInvalid({ digits: 10 }))).toBeVisible();
  await expect(page.getByLabel('Mobile number')).toHaveValue(mobile.slice(0, 6));
  expect(await server.inbox(`+91${mobile}`)).toHaveLength(0);
});

test('a code lives five minutes [AUTH-10] @all', async ({ page, server, mobile }) => {
  await page.clock.install();
  await askForCode(page, mobile);
  const code = await newestCode(server, `+91${mobile}`);
  await later(page, server, 301);
  await page.getByLabel('Code').fill(code);
  await expect(page.getByText(serverText.otpExpired)).toBeVisible();
  // Another one is a tap away, and counts.
  await page.getByRole('button', { name: 'Send another code' }).click();
  await expect(page.getByText('A new code is on its way.')).toBeVisible();
  await page.getByLabel('Code').fill(await newestCode(server, `+91${mobile}`));
  await expect.poll(() => isLoggedIn(page, web)).toBe(true);
});

test('five wrong codes are enough [AUTH-10] @all', async ({ page, server, mobile }) => {
  await askForCode(page, mobile);
  const code = await newestCode(server, `+91${mobile}`);
  const wrong = ['1', '2', '3', '4', '5', '6']
    .map((digit) => digit.repeat(6))
    .filter((one) => one !== code)
    .slice(0, 5);
  for (const [at, one] of wrong.entries()) {
    await page.getByLabel('Code').fill(one);
    await expect(page.getByText(at < 4 ? errors.otpWrong : serverText.otpTries)).toBeVisible();
    await page.getByLabel('Code').fill('');
  }
  await page.getByLabel('Code').fill(code);
  await expect(page.getByText(serverText.otpTries)).toBeVisible();
  expect(await isLoggedIn(page, web)).toBe(false);
});

test('a code can be had three times, three more by proof of work, then the page says when [AUTH-09, AUTH-12, ERR-27] @all', async ({
  page,
  server,
  mobile,
}) => {
  await page.clock.install();
  await askForCode(page, mobile);
  await expect(page.getByText(/Ask again in 00:/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send another code' })).toHaveCount(0);
  for (let sends = 2; sends <= 6; sends += 1) {
    await later(page, server, 31);
    // From the fourth on, the device works for each in a worker; the customer does nothing.
    const worked = sends > 3 ? page.waitForEvent('worker') : null;
    await page.getByRole('button', { name: 'Send another code' }).click();
    await expect(page.getByRole('button', { name: 'Send another code' })).toHaveCount(0);
    await expect.poll(async () => (await server.inbox(`+91${mobile}`)).length).toBe(sends);
    expect((await worked)?.url() ?? 'proof.js').toMatch(/proof\.js$/);
  }
  await later(page, server, 31);
  await page.getByRole('button', { name: 'Send another code' }).click();
  await expect(
    page.getByText(/^Too many codes were asked for\. You can ask for another in \d+ minutes\.$/),
  ).toBeVisible();
  await look(page, 'otp-limit');
  // The last code that came still counts.
  await page.getByLabel('Code').fill(await newestCode(server, `+91${mobile}`));
  await expect.poll(() => isLoggedIn(page, web)).toBe(true);
});

test('a refused number from the address step leads back to the cart with the reason [AUTH-12, ERR-27] @all', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await server.switches({ faults: [{ match: '/loginhandler/login', status: 500, times: 3 }] });
  await page.goto(`${web.mount}postorder-ui/searchAddress?from=cart`);
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Oops');
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(heading(page, 'Your cart')).toBeVisible();
});

test('logging out asks because of the cart, then forgets the customer [AUTH-26, AUTH-27, CART-18]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await askForCode(page, mobile);
  await page.getByLabel('Code').fill(await newestCode(server, `+91${mobile}`));
  await expect.poll(() => isLoggedIn(page, web)).toBe(true);
  await page.goto(`${web.mount}login`);
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Log out?');
  await page.getByRole('button', { name: 'Log out', exact: true }).last().click();
  await expect(heading(page, /^(Hot in|Your pizza)/)).toBeVisible();
  await expect.poll(() => isLoggedIn(page, web)).toBe(false);
  await expect(page.getByRole('link', { name: /^Cart/ })).not.toContainText(/[1-9]/);
  await expect.poll(async () => (await sessionOf(page, web))?.attributes.userId ?? '').toMatch(/^anonymous/);
});

for (const host of sample(['gpay', 'paytm'], ['gpay'])) {
  const own = bundle('in', host);

  test(`in/${host}: the host's login is refused, browsing goes on, and a second try logs in [MINI-23, MINI-X05, ERR-06]`, async ({
    page,
    server,
    mobile,
  }) => {
    await enterHost(page, own, { user: `customer-${mobile}`, controls: { login: 'deny' } });
    await settleAt(page, server.url, own, mobile);
    await addFromMenu(page);
    await page.goto(`${own.mount}login?redirectUrl=%2Fcart`);
    await page.getByRole('button', { name: 'Continue with your account' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(errors.vendorLoginFailed);
    await look(page, `${host}-login-refused`);
    // Still a guest, and the menu and the cart are there.
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Continue as a guest' }).click();
    await expect(heading(page, 'Menu')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Quantity of Garden Four' }).first()).toContainText('1');
    expect(await isLoggedIn(page, own)).toBe(false);

    await page.goto(`${own.mount}login?redirectUrl=%2Fcart`);
    await page.getByRole('button', { name: 'Continue with your account' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(errors.vendorLoginFailed);
    await setHost(page, { login: 'grant' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => isLoggedIn(page, own)).toBe(true);
    await page.goto(`${own.mount}cart`);
    await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
    // Nobody logs out of the app they are in.
    await page.goto(`${own.mount}login`);
    await expect(heading(page, 'Your account')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Log out', exact: true })).toHaveCount(0);
  });
}

test('in/gpay: while the host asks, the payment page takes its place, and nothing on it moves afterwards [MINI-01, MINI-06]', async ({
  page,
  server,
  mobile,
}) => {
  const own = bundle('in', 'gpay');
  await enterHost(page, own, { user: `customer-${mobile}`, controls: { replyAfterMs: 3_000 } });
  await settleAt(page, server.url, own, mobile);
  await addFromMenu(page);
  await page.goto(`${own.mount}payment`);
  const places = () =>
    Promise.all(
      [page.getByText('How do you want to pay?'), page.getByRole('checkbox').last()].map(async (one) =>
        Math.round((await one.boundingBox())!.y),
      ),
    );
  expect(await isLoggedIn(page, own)).toBe(false);
  const before = await places();
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  await expect(page.getByText(/This price is held/).first()).toBeAttached();
  await expect(page.getByRole('group', { name: 'Payment mode' })).toBeVisible();
  // A line of text may be a hair higher than the room that was kept for it; a finger does not notice.
  for (const [at, y] of (await places()).entries()) expect(Math.abs(y - before[at]!)).toBeLessThan(8);
});

test('in/gpay: a number that the app did not prove does not stop the login, and is asked for by code [MINI-06] @all', async ({
  page,
  server,
  mobile,
}) => {
  const own = bundle('in', 'gpay');
  await enterHost(page, own, { user: `customer-${mobile}`, scenario: 'number-forged' });
  await settleAt(page, server.url, own, mobile);
  await page.goto(`${own.mount}login?redirectUrl=%2Flogin`);
  await page.getByRole('button', { name: 'Continue with your account' }).click();
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  const before = await sessionOf(page, own);
  expect(before?.attributes.mobile).toBeUndefined();
  await expect(page.getByText('We do not have your number yet.')).toBeVisible();
  await look(page, 'gpay-number-missing');
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  await page.getByLabel('Code').fill(await newestCode(server, `+91${mobile}`));
  await expect.poll(async () => (await sessionOf(page, own))?.attributes.mobile).toBe(mobile);
  expect((await sessionOf(page, own))?.attributes.userId).toBe(before?.attributes.userId);
  await page.goto(`${own.mount}login`);
  await expect(heading(page, 'Your account')).toBeVisible();
  await expect(page.getByLabel('Mobile number')).toHaveCount(0);
});

test('in/gpay: an identity that has run out is not believed [MINI-06, MINI-23] @all', async ({
  page,
  server,
  mobile,
}) => {
  const own = bundle('in', 'gpay');
  await enterHost(page, own, { user: `customer-${mobile}`, controls: { token: 'expired' } });
  await settleAt(page, server.url, own, mobile);
  await page.goto(`${own.mount}login`);
  await page.getByRole('button', { name: 'Continue with your account' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(errors.vendorLoginFailed);
  expect(await isLoggedIn(page, own)).toBe(false);
});

test('in/paytm: a code counts once; after a lost answer only a fresh one logs in [MINI-02, MINI-06] @all', async ({
  page,
  server,
  mobile,
}) => {
  const own = bundle('in', 'paytm');
  await enterHost(page, own, { user: `customer-${mobile}`, controls: { authCode: 'reused' } });
  await settleAt(page, server.url, own, mobile);
  await page.goto(`${own.mount}login`);
  await server.switches({ faults: [{ match: '/micro-app/ve1/paytm/auth', drop: true }] });
  await page.getByRole('button', { name: 'Continue with your account' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(errors.vendorLoginFailed);
  await server.switches({ faults: [] });
  const refused = page.waitForResponse(
    (response) => response.url().includes('/micro-app/ve1/paytm/auth') && response.status() >= 400,
  );
  await page.getByRole('button', { name: 'Retry' }).click();
  await refused;
  await expect(page.getByRole('alertdialog')).toContainText(errors.vendorLoginFailed);
  await setHost(page, { authCode: 'fresh' });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
});

test('in/paytm: a login that names no customer fails; a profile of nulls and numbers still logs in [MINI-06] @all', async ({
  page,
  server,
  mobile,
}) => {
  const own = bundle('in', 'paytm');
  await enterHost(page, own, { user: `customer-${mobile}`, scenario: 'profile-of-nobody' });
  await settleAt(page, server.url, own, mobile);
  await page.goto(`${own.mount}login`);
  await page.getByRole('button', { name: 'Continue with your account' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(errors.vendorLoginFailed);
  expect(await isLoggedIn(page, own)).toBe(false);
  await setHost(page, { authCode: 'odd-profile' });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  expect((await sessionOf(page, own))?.attributes.mobile).toMatch(/^98\d{8}$/);
});

for (const country of sample(['lk', 'bg'], ['lk'])) {
  test(`${country}: a number with its leading zero gets its code [AUTH-07] @all`, async ({
    page,
    server,
    mobile: _mobile,
    phone,
  }) => {
    const own = bundle(country, 'browser');
    const mobile = phone(country);
    await page.goto(`${own.mount}login`);
    await page.getByLabel('Mobile number').fill(`0${mobile}`);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await expect(page.getByLabel('Code')).toBeVisible();
    await page.getByLabel('Code').fill(await newestCode(server, `${PREFIX[country]}${mobile}`));
    await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  });
}

test('login by another account asks for the number only the first time, then takes one tap, and the cart comes along [AUTH-18]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  const elsewhere = page.getByRole('button', { name: 'Continue with Doorkey' });
  const answer = async (name: string) => {
    await elsewhere.click();
    await page.getByLabel('Your email address').fill(`e${mobile}@doorkey.example`);
    await page.getByRole('button', { name, exact: true }).click();
  };
  await page.goto(`${web.mount}login?redirectUrl=%2Fcart`);
  await page.getByLabel('Mobile number').fill(mobile);
  await answer('Do not allow');
  await expect(page.getByRole('alert')).toContainText(serverText.socialRefused({ label: 'Doorkey' }));
  await expect(page).toHaveURL(/\/in\/login$/);
  await expect(page.getByLabel('Mobile number')).toHaveValue(mobile);
  await look(page, 'social-refused');
  // The way back to the provider's page and again to ours is open; nothing stays busy.
  await elsewhere.click();
  await expect(page.getByRole('button', { name: 'Do not allow' })).toBeVisible();
  await page.goBack();
  await expect(elsewhere).toHaveAttribute('aria-busy', 'false');
  // Somebody else's login, as a link.
  await page.goto(`${web.mount}login?social=in.${'x'.repeat(43)}`);
  await expect(page.getByRole('alert')).toContainText(serverText.socialOver);
  await expect(page).toHaveURL(/\/in\/login$/);
  await page.reload();
  await expect(elsewhere).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await answer('Allow');
  await expect(page.getByText('Welcome, Asha.')).toBeVisible();
  await look(page, 'social-number');
  await page.reload();
  await expect(page.getByText('Welcome, Asha.')).toBeVisible();
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  await page.getByLabel('Code').fill(await newestCode(server, `+91${mobile}`));
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  expect((await sessionOf(page, web))?.attributes).toMatchObject({ mobile, loginType: 'doorkey', firstName: 'Asha' });
  // The page of the provider is the one before; what it was asked is over.
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${web.mount}login?redirectUrl=%2Fmenu`);
  await answer('Allow');
  await expect(page).toHaveURL(/\/in\/menu$/);
  expect((await sessionOf(page, web))?.attributes.mobile).toBe(mobile);
});

for (const country of sample(['lk', 'bg'], ['lk']))
  test(`${country}: login by another account asks for the number once; one tap leads back to help [AUTH-18] [HIST-25] @all`, async ({
    page,
    server,
    phone,
    mobile: _mobile,
  }) => {
    const own = bundle(country, 'browser');
    const { where, productId } = PLACES[country.toUpperCase()]!;
    const mobile = phone(country);
    const elsewhere = async () => {
      await page.goto(`${own.mount}login?redirectUrl=%2Fhelp`);
      await page.getByRole('button', { name: 'Continue with Doorkey' }).click();
      await page.getByLabel('Your email address').fill(`h${mobile}@doorkey.example`);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
    };
    await elsewhere();
    await page.getByLabel('Mobile number').fill(`0${mobile}`);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await expect(page.getByLabel('Code')).toBeVisible();
    await page.getByLabel('Code').fill(await newestCode(server, `${PREFIX[country]}${mobile}`));
    await expect(heading(page, 'You have not asked anything yet')).toBeVisible();

    const me = person((await sessionOf(page, own)) as unknown as SessionReply, `${country}-web`);
    const counter: Where = { storeId: where.storeId, deliveryType: 'PICKUP' };
    const { order } = await new Customer(server, me, counter, productId, mobile).order({ paymentMode: 'COD' });
    await server.advance(3 * 3_600);
    await page.goto(`${own.mount}help`);
    await page.getByRole('link', { name: new RegExp(`Order ${order.orderNumber}`) }).click();
    await page.getByRole('button', { name: 'It came cold' }).click();
    await page.getByRole('checkbox').first().check({ force: true });
    await page.getByRole('button', { name: /^Get (Rs\.|৳)/ }).click();
    await expect(heading(page, /^(Rs\.\s?|৳\s?)[\d,]+ for you$/)).toBeVisible();
    await page.goto(`${own.mount}postorder-ui/profile`);
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await expect.poll(() => isLoggedIn(page, own)).toBe(false);

    await elsewhere();
    await expect(page).toHaveURL(/\/help$/);
    await expect(page.getByRole('link', { name: /It came cold/ })).toBeVisible();
    expect((await sessionOf(page, own))?.attributes).toMatchObject({ mobile, loginType: 'doorkey' });
    await look(page, `${country}-help-again`);
  });

/** Puts the account to sleep on its own page. */
async function deleteAccount(page: Page, server: SpawnedServer, mobile: string): Promise<void> {
  await server.advance(31);
  await page.goto(`${server.url}${web.mount}delete-account`);
  await page.getByRole('button', { name: 'Send me the code' }).click();
  const code = page.getByLabel('Code from the SMS');
  await expect(code).toBeFocused();
  await code.fill(await newestCode(server, `+91${mobile}`));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Your account is asleep')).toBeVisible();
}

test('after login by another account, a sleeping account stays asleep or comes back by one tap [AUTH-18] [AUTH-25] @all', async ({
  page,
  server,
  mobile,
}) => {
  const asked = page.getByRole('alertdialog');
  const comeBack = async () => {
    await page.goto(`${web.mount}login?redirectUrl=%2Fpostorder-ui%2Fprofile`);
    await page.getByRole('button', { name: 'Continue with Doorkey' }).click();
    await page.getByLabel('Your email address').fill(`s${mobile}@doorkey.example`);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
  };
  await settleAt(page, server.url, web, mobile);
  await comeBack();
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  await page.getByLabel('Code').fill(await newestCode(server, `+91${mobile}`));
  await expect(heading(page, 'Your account')).toBeVisible();
  await deleteAccount(page, server, mobile);

  await comeBack();
  await expect(asked).toContainText('This account is to be deleted on');
  await expect(page).toHaveURL(/\/in\/login$/);
  await look(page, 'social-asleep');
  await asked.getByRole('button', { name: 'Leave it asleep' }).click();
  await expect(page.getByRole('button', { name: 'Send me a code' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await isLoggedIn(page, web)).toBe(false);

  await comeBack();
  await expect(asked).toBeVisible();
  // A tap that the server never hears of is said, and the next way in is a tap away.
  await server.switches({ faults: [{ match: '/loginhandler/sociallogin', status: 503 }] });
  await asked.getByRole('button', { name: 'Bring it back' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await server.switches({ faults: [] });
  await comeBack();
  await asked.getByRole('button', { name: 'Bring it back' }).click();
  await expect(page).toHaveURL(/\/postorder-ui\/profile$/);
  await expect(asked).toHaveCount(0);
  expect((await sessionOf(page, web))?.attributes).toMatchObject({ mobile, loginType: 'doorkey' });
});

test('in countries with passwords one is set, used, forgotten, changed; elsewhere none is asked [AUTH-19] [AUTH-25] [CFG-19] @all', async ({
  page,
  server,
  phone,
}) => {
  const root = projectCopy('pizza-passwords');
  const config = path.join(root, 'country/in/config.ts');
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace('SHOW_LOAGIN_WITH_PASSWORD: false', 'SHOW_LOAGIN_WITH_PASSWORD: true'),
  );
  const shop = await spawnServer({ root });
  try {
    const number = phone('in');
    const at = (where: string) => page.goto(`${shop.url}${web.mount}${where}`);
    const box = (label: string) => page.getByLabel(label, { exact: true });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const { found, seen, inspect } = inspector(page, [PHONE, DESK]);
    const instead = page.getByRole('button', { name: 'Use my password instead', exact: true });
    // The shop as it is, without the flag.
    await page.goto(`${server.url}${web.mount}login`);
    await expect(page.getByRole('button', { name: 'Send me a code' })).toBeVisible();
    await expect(instead).toHaveCount(0);
    await at('login?redirectUrl=%2Fmenu');
    await expect(page.getByRole('button', { name: 'Send me a code' })).toBeVisible();
    await expect(instead).toBeVisible();
    await expect(box('Password')).toHaveCount(0);
    await box('Mobile number').fill(number);
    await instead.click();
    await expect(box('Mobile number')).toHaveValue(number);
    await expect(box('Mobile number')).toHaveAttribute('autocomplete', 'username');
    await expect(box('Password')).toHaveAttribute('autocomplete', 'current-password');
    await box('Password').fill('not the one');
    await press('Log in');
    await expect(page.getByText(serverText.passwordWrong)).toBeVisible();
    await expect(box('Password')).toBeFocused();
    await expect(box('Password')).toHaveValue('not the one');
    await inspect('password wrong');
    await press('Show the password');
    await expect(box('Password')).toHaveAttribute('type', 'text');
    await press('Hide the password');
    await expect(box('Password')).toHaveAttribute('type', 'password');

    await press('I forgot my password');
    await expect(box('Code')).toBeVisible();
    await box('Code').fill(await newestCode(shop, `+91${number}`));
    await expect(page.getByRole('heading', { level: 1, name: 'Password' })).toBeVisible();
    await expect(box('New password')).toHaveAttribute('autocomplete', 'new-password');
    await box('New password').fill('short');
    await press('Save the password');
    await expect(page.locator('#password-new-error')).toContainText('At least 8 characters');
    await box('New password').fill('password123');
    await press('Save the password');
    await expect(page.getByText(serverText.passwordCommon)).toBeVisible();
    await inspect('password new');
    await box('New password').fill('correct horse battery');
    await press('Save the password');
    await expect(page).toHaveURL(/\/in\/menu$/);

    await page.evaluate(() => localStorage.clear());
    await at('login?redirectUrl=%2Fpostorder-ui%2Fprofile');
    // By the keyboard alone.
    await tabTo(page, instead);
    await page.keyboard.press('Enter');
    await tabTo(page, box('Mobile number'));
    await page.keyboard.type(number);
    await tabTo(page, box('Password'));
    await page.keyboard.type('correct horse battery');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('link', { name: /^Password/ }));
    await page.keyboard.press('Enter');
    await box('Your password until now').fill('correct horse battery');
    await box('New password').fill('another one entirely');
    await inspect('password change');
    await press('Save the password');
    await expect(page.getByText('Your password is set. One other device is logged out.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();

    await deleteAccount(page, shop, number);
    await at('login?redirectUrl=%2Fpostorder-ui%2Fprofile');
    await press('Use my password instead');
    await box('Mobile number').fill(number);
    await box('Password').fill('another one entirely');
    await press('Log in');
    await expect(page.getByRole('alertdialog')).toContainText('This account is to be deleted on');
    await press('Leave it asleep');
    // The popup gives the focus back to what opened it.
    await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeFocused();
    await expect(box('Password')).toHaveValue('another one entirely');
    await press('Log in');
    await inspect('password asleep');
    await press('Bring it back');
    await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
    expect(found).toEqual([]);
    expect(seen).toHaveLength(4);
  } finally {
    await shop.stop();
  }
});
