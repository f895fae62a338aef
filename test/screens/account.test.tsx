import { expect, test, vi } from 'vitest';
import * as profile from '../../src/contract/profile.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { lentServer } from '../kit/lentServer.ts';

import { codeFor, freshMobile, logIn } from '../server/people.ts';
import { Customer, openShop, PLACES } from '../server/shop.ts';
import { logInOn } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

const ACCOUNT = '/postorder-ui/profile';

/** Logs in by the pages themselves. */
async function enterAs(mobile = freshMobile()): Promise<string> {
  const page = await openPage(server.url, '/login');
  await logInOn(page, server, mobile);
  await page.sees('You are logged in');
  return mobile;
}
const at = (path: string) => openPage(server.url, path, { keep: true });
const value = (id: string) => (document.getElementById(id) as HTMLInputElement).value;
const save = () => document.querySelector<HTMLFormElement>('form')!.requestSubmit();
const fill = async (page: AppPage, fields: Readonly<Record<string, string>>) => {
  for (const [label, text] of Object.entries(fields)) await page.type(label, text);
};
const said = (id: string) => document.getElementById(`${id}-error`)?.textContent ?? '';

test('a guest sees the way in and what the device knows, and nothing that is only for customers [NAV-51]', async () => {
  localStorage.clear();
  localStorage.setItem('IN/browser:favourites', JSON.stringify(['PZ001', 'SD001']));
  const page = await at(ACCOUNT);
  await page.find('heading', 'You are here as a guest');
  await page.sees('2 favourites');
  expect(page.get('button', 'Log in with your number')).not.toBeNull();
  expect(page.get('link', /^Your devices/)).toBeNull();
  expect(page.get('button', 'Log out')).toBeNull();
  expect(page.get('link', /^Addresses/)?.getAttribute('href')).toBe('postorder-ui/myAddresses?fromProfile=true');
});

test.each([
  ['/legal', 'browser', 'legal'],
  ['https://chain.example/terms', 'browser', 'https://chain.example/terms'],
  ['/legal', 'gpay', 'legal'],
  ['https://chain.example/terms', 'gpay', 'terms'],
  ['//chain.example/terms', 'browser', '//chain.example/terms'],
  ['//chain.example/terms', 'paytm', 'terms'],
] as const)('the terms at %s lead, in %s, from the account and its foot to %s [CFG-21]', async (TNC_URL, host, to) => {
  const page = await openPage(server.url, ACCOUNT, { host, config: { TNC_URL } });
  await page.find('heading', 'You are here as a guest');
  await page.find('link', /^Terms/);
  const links = () => [...document.querySelectorAll('a')].filter((one) => one.textContent.startsWith('Terms'));
  await vi.waitFor(() => expect(links().map((one) => one.getAttribute('href'))).toEqual([to, to]));
});

test('the profile shows its exact errors, keeps what was typed, and confirms the email by a code [AUTH-22] [AUTH-23] [CFG-47]', async () => {
  const mobile = await enterAs();
  const account = await at(ACCOUNT);
  await account.sees(`${mobile.slice(0, 5)} ${mobile.slice(5)}`);
  const empty = await at(`${ACCOUNT}/edit`);
  await empty.find('heading', 'Name and email');
  save();
  await vi.waitFor(() => expect(said('profile-firstName')).toBe('Please enter first name.'));
  expect(said('profile-lastName')).toBe('Please enter last name.');
  expect(said('profile-email')).toBe('Invalid email.');
  await fill(empty, { 'First name': 'Asha', 'Last name': 'Rao', Email: 'asha@' });
  expect(said('profile-firstName')).toBe('');
  save();
  await vi.waitFor(() => expect(said('profile-email')).toBe('Invalid email.'));

  // Nothing of it is lost by a reload, by going away, or by a server that fails.
  const again = await at(`${ACCOUNT}/edit`);
  await again.find('button', 'Undo my changes');
  expect([value('profile-firstName'), value('profile-email')]).toEqual(['Asha', 'asha@']);
  const email = `asha.${mobile}@example.in`;
  await fill(again, { Email: email });
  await server.switches({ faults: [{ match: 'updateuser', status: 500, times: 1 }] });
  save();
  await again.find('heading', 'Oops');
  await again.press('button', 'OK');
  expect(value('profile-email')).toBe(email);
  const online = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  try {
    save();
    await again.sees('Internet connection Lost');
  } finally {
    globalThis.fetch = online;
  }
  expect(value('profile-firstName')).toBe('Asha');
  save();
  await again.sees('Your profile is saved.');
  expect(again.path()).toBe(ACCOUNT);
  await again.find('heading', 'Asha Rao');
  await again.sees('Not confirmed');
  // A shop that cannot send emails asks nobody to confirm one.
  await server.switches({ features: '{"features":[{"name":"emailConfirm","value":"D"}]}' });
  const silent = await openPage(server.url, ACCOUNT, { keep: true });
  await silent.find('heading', 'Asha Rao');
  await vi.waitFor(() => expect(silent.get('button', 'Confirm it')).toBeNull());
  await server.switches({ features: '{}' });
  const shown = await openPage(server.url, ACCOUNT, { keep: true });

  await shown.press('button', 'Confirm it');
  await shown.sees(`We sent 6 digits to ${email}`);
  const code = /\d{6}/.exec((await server.inbox(email))[0]!)![0];
  await shown.type('Code from the email', code === '111111' ? '222222' : '111111');
  await vi.waitFor(() => expect(said('email-code')).toBe('That code is not right. Please check it and try again.'));
  await shown.type('Code from the email', code);
  await shown.sees('Your email is confirmed.');
  await vi.waitFor(() => expect(shown.text()).not.toContain('Not confirmed'));

  const same = await at(`${ACCOUNT}/edit`);
  await same.find('heading', 'Name and email');
  save();
  await same.sees('Please change a field before saving.');
  // As long as an email may be, and no longer.
  expect((document.getElementById('profile-email') as HTMLInputElement).maxLength).toBe(254);
  const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.co`;
  await fill(same, { Email: longest });
  save();
  await same.sees('Your profile is saved.');
});

test('what another device saved meanwhile is shown beside what was typed, and the next save is over it', async () => {
  const mobile = await enterAs();
  const page = await at(`${ACCOUNT}/edit`);
  await fill(page, { 'First name': 'Asha', 'Last name': 'Rao', Email: 'asha@example.in' });
  await server.advance(31);
  const other = await logIn(server, mobile);
  const theirs = { firstName: 'Usha', lastName: 'Rao', email: 'asha@example.in' };
  expect((await server.call(profile.update, { body: theirs }, other.as)).status).toBe(200);
  save();
  await page.sees('Your profile was changed on another device meanwhile.');
  await page.sees('Saved elsewhere meanwhile: Usha');
  expect(value('profile-firstName')).toBe('Asha');
  save();
  await page.find('heading', 'Asha Rao');
});

test('the number is changed by both codes, which say beside which field they are wrong', async () => {
  const mobile = await enterAs();
  const next = freshMobile();
  const page = await at(`${ACCOUNT}/number`);
  await page.type('New mobile number', '123');
  save();
  await vi.waitFor(() => expect(said('number-new')).toBe('Please enter your mobile number with 10 digits.'));
  await page.type('New mobile number', mobile);
  save();
  await vi.waitFor(() => expect(said('number-new')).toBe('That is the number you have.'));
  await page.type('New mobile number', next);
  save();
  await page.find('heading', 'Enter both codes');
  const written = (number: string) => `${number.slice(0, 5)} ${number.slice(5)}`;
  // The codes are on their way still after a reload.
  const codes = await at(`${ACCOUNT}/number`);
  const [oldCode, newCode] = [await codeFor(server, mobile), await codeFor(server, next)];
  await codes.type(`Code sent to ${written(next)}`, newCode);
  await codes.type(/until now/, oldCode === '111111' ? '222222' : '111111');
  save();
  await vi.waitFor(() => expect(said('number-oldCode')).toContain('That code is not right.'));
  expect(said('number-newCode')).toBe('');
  await codes.type(/until now/, oldCode);
  save();
  await codes.sees('Your number is changed.');
  await codes.sees(written(next));
});

test('the last order is there when it is older than a day, to be had again in one tap', async () => {
  const mobile = await enterAs();
  await server.advance(31);
  const { where, productId } = PLACES['IN']!;
  const customer = new Customer(server, await logIn(server, mobile), where, productId, mobile);
  const { order } = await customer.order({ paymentMode: 'NETBANKING' });
  const now = await at(ACCOUNT);
  await now.find('button', 'See where it is');
  await server.advance(2 * 86_400);
  localStorage.removeItem('IN/browser:~orders');
  const later = await at(ACCOUNT);
  await later.sees(order.lines[0]!.product.name);
  await later.find('button', 'See the order');
  expect(later.get('button', 'See where it is')).toBeNull();
});

test('devices are told apart, this one is marked, and one that is ended is out', async () => {
  const mobile = await enterAs();
  await server.advance(31);
  const guest = await logIn(server, mobile);
  const page = await at(`${ACCOUNT}/devices`);
  await page.sees('This device');
  const others = () =>
    [...document.querySelectorAll('button')].filter((one) => /^Log out \S/.test(one.getAttribute('aria-label') ?? ''));
  await vi.waitFor(() => expect(others()).toHaveLength(1));
  others()[0]!.click();
  await page.sees('That device is logged out.');
  await page.sees('You are logged in nowhere else.');
  expect((await server.call(profile.own, {}, guest.as)).status).toBe(401);
});

test('devices that cannot be looked up say so and can be asked for again', async () => {
  await enterAs();
  await server.switches({ faults: [{ match: 've1/sessions', status: 500, times: 1 }] });
  const page = await at(`${ACCOUNT}/devices`);
  await page.find('heading', 'We could not look up your devices.');
  await server.switches({ faults: [] });
  await page.press('button', 'Try again');
  await page.sees('You are logged in nowhere else.');
});

test('in a payment app the profile stays, and number and devices are the app’s own [NAV-51]', async () => {
  const page = await openPage(server.url, ACCOUNT, { host: 'gpay' });
  await page.find('heading', 'You are here as a guest');
  await page.sees('This page belongs to a payment app.');
  expect(page.get('link', /^Coupons and offers/)).toBeNull();
  expect(page.get('link', /^Your devices/)).toBeNull();
  for (const path of ['/number', '/devices']) {
    const gone = await openPage(server.url, ACCOUNT + path, { host: 'gpay' });
    await vi.waitFor(() => expect(gone.path()).toBe('/'));
  }
});

test('the wallet says of every month what came in, what went out and what it left, once there are several [PAY-29]', async () => {
  const mobile = await enterAs();
  const credit = (amount: number) => server.call(wallet.credit, { body: { mobile, amount } });
  await credit(50_000);
  const first = await at('/postorder-ui/wallet');
  await first.sees('₹500');
  expect(first.get('heading', 'Month by month')).toBeNull();
  await server.advance(32 * 86_400);
  await enterAs(mobile);
  await credit(12_300);
  const page = await at('/postorder-ui/wallet');
  const months = (await page.find('heading', 'Month by month')).closest('section')!.querySelectorAll('li');
  // The newest first: what the month before has left is in what it leaves.
  expect([...months].map((one) => one.textContent.replace(/^\D+\d{4}/, ''))).toEqual([
    '₹123 in, ₹0 out₹623',
    '₹500 in, ₹0 out₹500',
  ]);
  expect(new Set([...months].map((one) => /^[A-Za-z]+ \d{4}/.exec(one.textContent)?.[0])).size).toBe(2);
});
