import { expect, test, vi } from 'vitest';
import * as addresses from '../../src/contract/addresses.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { lentServer } from '../kit/lentServer.ts';

import { about, ask, eats } from '../server/claims.ts';
import { codeFor, freshMobile, guest, logIn } from '../server/people.ts';
import { Customer, openShop, PICKUP } from '../server/shop.ts';
import { logInOn, openAs } from './device.ts';
import { openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

/** A page of somebody who is logged in, at a path. */
async function pageOf(mobile: string, path: string) {
  const login = await openPage(server.url, `/login?redirectUrl=${encodeURIComponent(path)}`);
  await logInOn(login, server, mobile);
  await vi.waitFor(() => expect(login.path()).toBe(path));
  return login;
}

test('/delete-account says first what goes, what stays and what stands in the way; one tap restores it [AUTH-25] [NAV-29]', async () => {
  const mobile = freshMobile();
  const me = new Customer(server, await logIn(server, mobile), PICKUP, 'PZ001', mobile);
  await me.call(addresses.create, {
    mobNo: mobile,
    body: { latitude: 28.64, longitude: 77.22, houseNo: '7', address: 'Lodhi Road', type: 'home' },
  });
  await server.call(wallet.credit, { body: { mobile, amount: 25_000 } });
  const { order } = await me.order({ paymentMode: 'COD' });
  await server.advance(31);
  const page = await pageOf(mobile, '/delete-account');
  await page.find('heading', 'What we delete');
  await page.sees('Your address, favourites, carts and what you told us');
  await page.find('heading', 'What we keep, and why');
  await page.sees('what the Central Goods and Services Tax Act asks of us');
  await page.sees(`Order ${order.orderNumber} is still under way.`);
  expect((await page.find('link', 'See the order')).getAttribute('href')).toBe(`order/${order.orderId}`);
  expect(page.get('button', 'Send me the code')).toBeNull();

  await me.cancel(order.orderId);
  expect((await ask(me, { orderId: order.orderId, issue: 'payment' })).body.ticket.state).toBe('PERSON');
  const anew = await openPage(server.url, '/delete-account', { keep: true });
  await anew.sees('There is ₹250 in your wallet.');
  await anew.sees('If you delete your account now, it goes only after the answer.');
  expect((await anew.find('button', 'Send me the code')).getAttribute('aria-disabled')).toBe('true');
  await anew.press('checkbox', 'I give up the ₹250 in my wallet');
  await server.advance(31);
  await anew.press('button', 'Send me the code');
  await anew.type('Code from the SMS', '12');
  await anew.press('button', 'Delete my account');
  await anew.sees('That code is not right.');
  await anew.type('Code from the SMS', await codeFor(server, mobile));
  await anew.press('button', 'Delete my account');
  await anew.find('heading', 'Your account is asleep');
  // The device is a guest's again.
  expect(localStorage.getItem('IN/browser:~consents')).toBeNull();

  await server.advance(3_600);
  const back = await openPage(server.url, '/login?redirectUrl=%2Fdelete-account', { keep: true });
  await logInOn(back, server, mobile);
  await back.sees('This account is to be deleted on');
  await back.press('button', 'Bring it back');
  await vi.waitFor(() => expect(back.path()).toBe('/delete-account'));
  await back.sees('There is ₹250 in your wallet.');
});

test('an e-voucher given by help outlives the account: the page says so first, and shows number and pin at the end', async () => {
  const mobile = freshMobile('lk-web');
  const where = { storeId: '20101', deliveryType: 'PICKUP' } as const;
  const me = new Customer(server, await logIn(server, mobile, 'lk-web'), where, 'PZ001', mobile);
  const { ticket } = (await ask(me, about(await eats(server, me, { paymentMode: 'COD' })))).body;
  expect(ticket.money?.way).toBe('VOUCHER');
  await me.fill();
  const paying = await openAs(server, me, '/payment', { country: 'lk' });
  await paying.find('checkbox', /^E-voucher ending in/);
  // Removed before anybody knows its number, its money would be nobody's.
  expect(paying.get('button', /^Remove the e-voucher/)).toBeNull();
  const page = await openPage(server.url, '/delete-account', { country: 'lk', keep: true });
  await page.sees(
    'The e-voucher that we gave you leaves your account and still works: at the end we tell you its number and pin',
  );
  await server.advance(31);
  await page.press('button', 'Send me the code');
  await page.sees('We sent 6 digits');
  await page.type('Code from the SMS', await codeFor(server, mobile, 'lk-web'));
  await page.press('button', 'Delete my account');
  await page.find('heading', 'Your account is asleep');
  await page.sees('Your e-voucher stays good without the account. Write its number and pin down');
  const [, number = '', pin = ''] = /(\d{4} \d{4} \d{4} \d{4}), pin (\d{6}): Rs/.exec(page.text())!;
  const other = await guest(server, 'lk-web');
  const looked = await server.call(vouchers.verify, { body: { number, pin } }, other.as);
  expect([looked.status, looked.body.voucher.balance]).toEqual([200, ticket.money!.amount]);
});

test('a guest has no account to delete, and can have the device forget everything', async () => {
  const page = await openPage(server.url, '/delete-account');
  await page.find('heading', 'You are here as a guest');
  localStorage.setItem('IN/browser:~household', '["nuts"]');
  await page.press('button', 'Delete my data on this device');
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:~household')).toBeNull());
});

test('each consent is off until switched on, says since when, is taken back by the same tap, and follows a login [AUTH-X02]', async () => {
  const mobile = freshMobile();
  const page = await openPage(server.url, '/consents');
  await page.find('heading', 'Your choices');
  await page.sees('Kept on this device.');
  const boxes = () => [...document.querySelectorAll<HTMLInputElement>('main input[type=checkbox]')];
  expect(boxes().map(({ checked }) => checked)).toEqual(boxes().map(() => false));
  expect(boxes().length).toBeGreaterThanOrEqual(3);
  await page.press('checkbox', /^Measure how the app is used/);
  await page.sees(/Yes, since \d/);
  await page.press('checkbox', /^Offers by SMS and email/);
  await page.press('checkbox', /^Offers by SMS and email/);
  await page.sees(/No, since \d/);
  await page.press('link', 'Your account');
  const login = await openPage(server.url, '/login?redirectUrl=%2Fconsents', { keep: true });
  await logInOn(login, server, mobile);
  await vi.waitFor(() => expect(login.path()).toBe('/consents'));
  await login.sees('Kept with your account, for all your devices.');
  await login.sees(/Yes, since \d/);
  // Another device of the account.
  await server.advance(31);
  const other = await pageOf(mobile, '/consents');
  await other.sees(/Yes, since \d/);
  expect(((await other.find('checkbox', /^Measure how the app is used/)) as HTMLInputElement).checked).toBe(true);
});

test('all data stands on a page in sections, with a file of the same [AUTH-X02]', async () => {
  const mobile = freshMobile();
  const page = await pageOf(mobile, '/my-data');
  await page.press('button', 'Show my data');
  await page.find('heading', 'Who you are');
  await page.sees(mobile);
  await page.find('heading', 'Devices and logins');
  const link = (await page.find('link', 'Download as a file')) as HTMLAnchorElement;
  expect(link.download).toMatch(/^golden-oven-my-data-\d{4}-\d\d-\d\d\.json$/);
  const file = JSON.parse(decodeURIComponent(link.href.slice(link.href.indexOf(',') + 1))) as { format: string };
  expect(file.format).toBe('golden-oven-personal-data');
});
