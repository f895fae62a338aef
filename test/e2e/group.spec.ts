import type { Browser, Page } from '@playwright/test';
import * as tracking from '../../src/contract/tracking.ts';
import { expect, test, watchTrouble, type Bundle } from '../kit/app.ts';
import { enterHost } from './hosts.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  heading,
  isLoggedIn,
  look,
  noon,
  payButton,
  sessionOf,
  settleAt,
  billedTotal,
} from './steps.ts';

const web = bundle('in', 'browser');
const strip = (page: Page) => page.getByRole('complementary', { name: 'Group order' });
const card = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name}\\b`) }) });
const rupees = (text: string) => Math.round(Number(/₹([\d,]+(?:\.\d+)?)/.exec(text)![1]!.replaceAll(',', '')) * 100);

/** A phone of its own, opened at the link that somebody was sent. */
async function guestAt(browser: Browser, origin: string, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 780 }, baseURL: origin, locale: 'en-IN' });
  const page = await context.newPage();
  await page.goto(`${web.mount}${path}`);
  return page;
}

async function join(page: Page, name: string, mark?: string): Promise<void> {
  await expect(heading(page, 'Asha invites you to order together')).toBeVisible();
  await look(page, 'join');
  await page.getByLabel('Your name').fill(name);
  if (mark) await page.getByRole('button', { name: mark }).click();
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(heading(page, 'With Asha')).toBeVisible();
}

/** From the group's page to the menu, a dish, and what the strip says of it. */
async function choose(page: Page, dish: string, times = 1): Promise<void> {
  await page.getByRole('link', { name: 'Add dishes' }).click();
  await expect(strip(page)).toContainText('You are adding to Asha’s group order');
  await addFromMenu(page, dish, times);
}

async function hostWithLink(page: Page, own: Bundle, origin: string, mobile: string, limit: string): Promise<string> {
  await enterHost(page, own, { user: `host-${mobile}` });
  await settleAt(page, origin, own, mobile);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('link', { name: /Order with others/ }).click();
  await expect(page.getByLabel('Your name')).toHaveValue('Asha');
  await page.getByRole('button', { name: '45 min' }).click();
  await page.getByLabel('Limit for each guest').fill(limit);
  await look(page, 'start');
  await page.getByRole('button', { name: 'Get the link' }).click();
  await expect(heading(page, 'Your group order')).toBeVisible();
  await expect(page.getByText(/^Closes in 44:|^Closes in 45:/).first()).toBeVisible();
  return (await page.locator('code').innerText()).trim();
}

const gpay = bundle('in', 'gpay');

const sharesOf = (page: Page) => page.getByRole('list', { name: 'Shares' });
const sumOf = async (page: Page) =>
  (await sharesOf(page).locator('li > b').allInnerTexts()).reduce((all, one) => all + rupees(one), 0);

test('in/gpay: a host and two browser guests order with a limit; one pays, and the shares match the bill [CART-X06] [CART-X07]', async ({
  page,
  browser,
  server,
  phone,
}) => {
  test.setTimeout(150_000);
  await noon(server);
  const mobile = phone('in');
  const code = await hostWithLink(page, gpay, server.url, mobile, '300');
  // Through the host's own sheet.
  await page.getByRole('button', { name: 'Share the link' }).click();
  await expect
    .poll(() =>
      page.evaluate(() => JSON.stringify((window as unknown as { hostFake: { log: object[] } }).hostFake.log)),
    )
    .toContain(`/group/${code}`);

  // One comes by the link, one by the code; neither has an account.
  const ravi = await guestAt(browser, server.url, `group/${code}`);
  const troubles = watchTrouble(ravi);
  await join(ravi, 'Ravi', 'No milk');
  const mina = await guestAt(browser, server.url, 'group');
  await mina.getByLabel('Code or link of the group order').fill(code.toUpperCase().replaceAll('-', ' '));
  await mina.getByRole('button', { name: 'Open' }).click();
  await join(mina, 'Mina');

  await choose(ravi, 'Garden Four');
  await expect(strip(ravi)).toContainText('₹101 of ₹300 left');
  await look(ravi, 'menu-strip');
  // The limit is the server's to guard, and what is refused leaves the cart again.
  await ravi.getByRole('button', { name: 'One more Garden Four' }).first().click();
  await expect(ravi.getByText('Your dishes may come to ₹300 in this group order.')).toBeVisible();
  await ravi.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(ravi.getByRole('group', { name: 'Quantity of Garden Four' }).first()).toContainText('1');
  await choose(mina, 'Tomato Basil Classic', 2);

  // Offline, with a reload's worth of patience: what Mina takes away is sent when the network is back.
  await mina.context().setOffline(true);
  await mina.getByRole('button', { name: 'One less Tomato Basil Classic' }).first().click();
  await expect(mina.getByRole('group', { name: 'Quantity of Tomato Basil Classic' }).first()).toContainText('1');
  await mina.context().setOffline(false);

  await expect(card(page, 'Ravi')).toContainText('1 × Garden Four');
  await expect(card(page, 'Ravi')).toContainText('Ravi: has milk');
  await expect(card(page, 'Mina')).toContainText('1 × Tomato Basil Classic', { timeout: 30_000 });
  await strip(ravi).getByRole('link').click();
  await expect(card(ravi, 'Mina')).toContainText('1 × Tomato Basil Classic');
  await expect(ravi.getByRole('button', { name: /^Remove .* of / })).toHaveCount(0);
  await ravi.getByRole('button', { name: 'I am done' }).click();
  await expect(page.getByText('Waiting for Mina')).toBeVisible();
  // Each one's share is there before anybody pays, on the guest's page as on the host's.
  const before = (
    await card(page, 'Ravi')
      .getByText(/^Share ₹/)
      .innerText()
  ).trim();
  await expect(card(ravi, 'Ravi').getByText(/^Share ₹/)).toHaveText(before);
  await look(page, 'host');
  await look(ravi, 'guest');

  await page.getByRole('button', { name: 'Close now' }).click();
  await expect(page.getByText('Closed', { exact: true })).toBeVisible();
  await strip(mina).getByRole('link').click();
  await expect(mina.getByText('Only Asha can change it now.')).toBeVisible();
  await expect(mina.getByRole('link', { name: 'Add dishes' })).toHaveCount(0);

  await page.getByRole('link', { name: 'To the cart' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Tomato Basil Classic' }).first()).toContainText('Mina');
  await look(page, 'cart');
  await page.getByRole('link', { name: 'Go to payment' }).click();
  // The login in between takes the group into the account.
  await expect.poll(() => isLoggedIn(page, gpay)).toBe(true);
  await acceptTerms(page);
  await expect(payButton(page)).not.toHaveAttribute('aria-busy', 'true');
  await payButton(page).click();
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();

  await expect(sharesOf(page).getByRole('listitem')).toHaveCount(3);
  const total = rupees(await billedTotal(page));
  expect(await sumOf(page)).toBe(total);
  await look(page, 'order');
  for (const guest of [ravi, mina]) {
    await expect(heading(guest, 'Who pays what')).toBeVisible({ timeout: 40_000 });
    await expect(guest.getByText('Order placed').or(guest.getByText('Placed')).first()).toBeVisible();
    expect(await sumOf(guest)).toBe(total);
    const text = await guest.locator('body').innerText();
    for (const secret of [mobile, '12 B']) expect(text).not.toContain(secret);
  }
  await look(ravi, 'ordered');
  // The guests are back in their own, empty carts.
  await ravi.goto(`${web.mount}menu`);
  await expect(ravi.getByRole('link', { name: 'Cart', exact: true })).toBeVisible();
  await expect(strip(ravi)).toHaveCount(0);
  const session = await sessionOf(page, gpay);
  const { body } = await server.call(
    tracking.active,
    {},
    { apiKey: gpay.apiKey, authToken: session!.credentials.accessToken, userId: session!.attributes.userId },
  );
  const { people } = body.orders[0]!.group!;
  expect(people.map((one) => one.name)).toEqual(['Asha', 'Ravi', 'Mina']);
  // And on the page each share is beside the name of the one who owes it.
  const rows = await sharesOf(page).getByRole('listitem').allInnerTexts();
  expect(rows.map((row) => row.split(/\s/)[0])).toEqual(['Asha', 'Ravi', 'Mina']);
  const sums = await sharesOf(page).locator('li > b').allInnerTexts();
  expect(sums.map(rupees)).toEqual(people.map((one) => one.share.total));
  expect(troubles.filter((one) => one.kind !== 'console')).toEqual([]);
  await Promise.all([ravi.context().close(), mina.context().close()]);
});

test('no letter is lost that is typed the moment a field appears, in group forms, the login and the search [ERR-X02]', async ({
  page,
  browser,
  server,
  phone,
}) => {
  await noon(server);
  const code = await hostWithLink(page, web, server.url, phone('in'), '');
  const context = await browser.newContext({ viewport: { width: 390, height: 780 }, baseURL: server.url });
  // Before the browser has painted the box, and so before anything that waits for the paint.
  await context.addInitScript(() => {
    const boxes = '#group-name,#login-mobile,input[type=search]';
    const typing = new MutationObserver(() => {
      const box = document.querySelector<HTMLInputElement>(boxes);
      if (!box) return;
      typing.disconnect();
      box.focus();
      for (const letter of '98765') document.execCommand('insertText', false, letter);
    });
    typing.observe(document, { childList: true, subtree: true });
  });
  const hasty = await context.newPage();
  const box = hasty.locator('#group-name,#login-mobile,input[type=search]');
  for (const path of ['group', 'login', 'search']) {
    await hasty.goto(web.mount + path);
    await expect(box.first(), path).toHaveValue('98765');
  }
  // Somebody who has not said a name yet.
  await hasty.evaluate(() => localStorage.clear());
  let answer = () => {};
  const asked = new Promise<void>((done) => {
    void hasty.route(`**/group/${code}*`, async (route) => {
      if (route.request().resourceType() === 'document') return route.fallback();
      done();
      await new Promise<void>((release) => {
        answer = release;
      });
      return route.continue();
    });
  });
  await hasty.goto(`${web.mount}group/${code}`);
  await asked;
  await expect(heading(hasty, 'Group order')).toBeVisible();
  await expect(box).toHaveCount(0);
  answer();
  await expect(box).toHaveValue('98765');
  await hasty.getByRole('button', { name: 'Join' }).click();
  await expect(card(page, '98765')).toBeVisible({ timeout: 30_000 });
  await context.close();
});
