import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as stores from '../../src/contract/stores.ts';
import { lentServer } from '../kit/lentServer.ts';

import { freshMobile } from '../server/people.ts';
import { openShop, press } from '../server/shop.ts';
import { countCalls } from '../shell/quiet.ts';
import { newDevice, openPage, type AppPage } from './page.ts';
import { staleTexts, translatePage } from './translator.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

const thrown: unknown[] = [];
const answered = countCalls();
beforeEach(() => {
  vi.stubGlobal('reportError', (error: unknown) => thrown.push(error));
});
let translator: ReturnType<typeof translatePage> | undefined;
afterEach(() => {
  translator?.end();
  expect(thrown.splice(0)).toEqual([]);
});

type Host = 'browser' | 'gpay';
const key = (host: Host, name: string) => `IN/${host}:${name}`;
const put = (host: Host, name: string, value: unknown) => localStorage.setItem(key(host, name), JSON.stringify(value));

/** Opens a page, translated from the moment it is drawn. */
async function translated(path: string, host: Host): Promise<AppPage> {
  translator?.end();
  const page = await openPage(server.url, path, { host, keep: true });
  translator = translatePage();
  return page;
}

/** What the screen says of the cart: each line of the bill, how many of each dish, the sums of the bar and of the link; not how long. */
const sums = () =>
  [...document.querySelectorAll('main :is(dl > div, [role=group] > output, [data-dock] > :last-child, [data-barred])')]
    .map(({ textContent }) =>
      textContent
        .replace(/held for you for [\d:]+/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean);
/** Waits until all answers are there, and everything is shown. */
const settled = () =>
  vi.waitFor(async () => {
    await answered();
    expect(document.querySelector('[aria-busy="true"]')).toBeNull();
    expect(staleTexts()).toEqual([]);
  });
/** The same page, opened anew and not translated, says the same. */
async function sameAsReloaded(path: string, host: Host): Promise<void> {
  await settled();
  await vi.waitFor(() => expect(sums().join()).toMatch(/₹/));
  translator?.end();
  const shown = sums();
  await openPage(server.url, path, { host, keep: true });
  await vi.waitFor(() => expect(sums()).toEqual(shown));
}

test.each(['browser', 'gpay'] as const)(
  'in %s an order is changed, given up and placed on a translated page, with each sum of the page opened anew',
  async (host) => {
    await newDevice();
    const menu = await translated('/menu/veg-pizza', host);
    await menu.press('button', 'Add Garden Four');
    await menu.press('button', 'One more Garden Four');
    await menu.press('button', 'One less Garden Four');
    await menu.press('button', 'Remove Garden Four');
    await menu.gone('button', 'Remove Garden Four');
    await menu.press('button', 'Add Garden Four');
    for (const dish of ['Tomato Basil Classic', 'Double Cheese Melt']) await menu.press('button', `Add ${dish}`);
    await menu.find('link', /^Cart, 3 items? ?₹/);
    await sameAsReloaded('/menu/veg-pizza', host);

    const cart = await translated('/cart', host);
    await cart.find('button', 'One more Garden Four');
    await settled();
    const toPay = () => /To pay ?(₹[\d,]+)/.exec(cart.text())?.[1];
    const first = toPay();
    await cart.press('button', 'One more Garden Four');
    await vi.waitFor(() => expect(toPay()).not.toBe(first));
    await sameAsReloaded('/cart', host);

    const again = await translated('/cart', host);
    await again.press('button', 'One less Garden Four');
    await vi.waitFor(() => expect(toPay()).toBe(first));
    await again.type('Have an offer code?', 'SAVE15');
    const box = document.querySelector<HTMLInputElement>('input[name="offer-code"]')!;
    await vi.waitFor(() => expect(box.getAttribute('value')).toBe('SAVE15'));
    box.form!.requestSubmit();
    await again.find('button', 'Remove SAVE15');
    await settled();
    const withCode = toPay();
    await again.press('button', 'Remove SAVE15');
    await again.gone('button', 'Remove SAVE15');
    await vi.waitFor(() => expect(toPay()).not.toBe(withCode));
    await sameAsReloaded('/cart', host);

    put(host, 'delivery-type', 'PICKUP');
    put(
      host,
      'takeaway-store',
      (await server.call(stores.byId, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body.store,
    );
    put(host, 'checkout-detail', { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
    const paying = await translated('/payment', host);
    // Alone in a tab, the page of a payment app leaves paying to the app.
    if (host === 'gpay') return await sameAsReloaded('/payment', host);
    await paying.find('radio', /^UPI/);
    for (const [mode, button] of [
      [/^Cash at the counter/, /^Order for ₹\d+, pay cash$/],
      [/^UPI/, /^Pay ₹\d+ with UPI$/],
    ] as const) {
      if (paying.get('radio', mode) === null) paying.get('button', /^All \d+ ways to pay$/)?.click();
      await paying.press('radio', mode);
      await paying.find('button', button);
      await settled();
    }
    await paying.press('checkbox', /terms/);
    await paying.press('button', /^Pay ₹\d+ with UPI$/);
    await vi.waitFor(() => expect(paying.path()).toMatch(/^\/payment\/./));
    await settled();
    const bank = await paying.find('link', /bank/);
    await press(server, new URL(bank.getAttribute('href')!, server.url).href.slice(server.url.length), 'approve');
    await paying.press('button', /^I have paid/);
    await paying.find('heading', /^Thank you!/);
    await settled();
    const { pathname } = new URL(location.href);
    await sameAsReloaded(pathname.slice('/in'.length), host);
    const order = await translated(pathname.slice('/in'.length), host);
    await order.press('button', 'Cancel the order');
    await vi.waitFor(() => {
      const [cancel] = [...document.querySelectorAll<HTMLElement>('[role=alertdialog] button')].filter(
        ({ textContent }) => textContent === 'Cancel the order',
      );
      expect(cancel).toBeDefined();
      cancel!.click();
    });
    await order.find('heading', /cancelled/i);
    await sameAsReloaded(pathname.slice('/in'.length), host);
  },
);
