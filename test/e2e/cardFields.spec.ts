import type { Locator, Page } from '@playwright/test';
import { expect, test, watchTrouble } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  cardFields,
  chooseMode,
  heading,
  noon,
  payButton,
  settleAt,
  tabTo,
} from './steps.ts';

const web = bundle('in', 'browser');
const NUMBER = '4111111111111111';

async function atCard(
  page: Page,
  server: SpawnedServer,
  mobile: string,
  shown: Locator = cardFields(page).getByLabel('Card number'),
): Promise<void> {
  await noon(server);
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await page.goto(`${web.mount}payment`);
  await chooseMode(page, 'Credit / debit card');
  await expect(shown).toBeVisible();
}

test("a card is typed by keyboard into the bank's frame, which says what is wrong; no call of the shop holds its number [PAY-08] [QUAL-X01]", async ({
  page,
  server,
  phone,
}) => {
  const troubles = watchTrouble(page);
  const sent: string[] = [];
  const toBank: string[] = [];
  page.on('request', (request) => {
    const text = `${request.url()} ${request.postData() ?? ''}`;
    (request.url().startsWith(server.url) ? sent : toBank).push(text);
  });
  await atCard(page, server, phone('in'));
  await acceptTerms(page);
  const fields = cardFields(page);
  // Pay is the page's own: the frame shows fields and nothing else.
  await expect(fields.getByRole('button')).toHaveCount(0);
  // It is another origin, which the page's policy names.
  const source = await page.locator('iframe').getAttribute('src');
  expect(new URL(source!).origin).not.toBe(new URL(server.url).origin);
  // As wide and as high as what is in it: nothing scrolls in the frame.
  await expect
    .poll(async () => (await fields.locator('html').evaluate((root) => root.scrollHeight - root.clientHeight)) <= 1)
    .toBe(true);

  await tabTo(page, fields.getByLabel('Card number'));
  await page.keyboard.type('4111111111111112');
  await expect(fields.getByLabel('Card number')).toHaveValue('4111 1111 1111 1112');
  for (const [name, text] of [
    ['Expiry', '1239'],
    ['CVV', '12'],
    ['Name on the card', 'Asha Rao'],
  ] as const) {
    await page.keyboard.press('Tab');
    await expect(fields.getByLabel(name, { exact: name === 'CVV' })).toBeFocused();
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  const number = fields.getByLabel('Card number');
  await expect(number).toHaveAccessibleDescription('That card number is not right. Please check every digit.');
  await expect(number).toHaveAttribute('aria-invalid', 'true');
  await expect(number).toBeFocused();
  await expect(fields.getByLabel('CVV', { exact: true })).toHaveAccessibleDescription(/Please enter the 3 digits/);
  await number.fill(NUMBER);
  await fields.getByLabel('CVV', { exact: true }).fill('123');
  await payButton(page).click();
  await expect(page).toHaveURL(/\/bank\/card\//);
  await page.locator('button[value="approve"]').click();
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();

  expect(toBank.join('\n')).toContain('4111 1111 1111 1111');
  expect(sent.join('\n')).not.toMatch(/4111\D{0,3}1111\D{0,3}1111\D{0,3}111[12]/);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('41111111');
  expect(troubles.filter(({ kind }) => kind === 'policy' || kind === 'page')).toEqual([]);
});

test("what strangers say to the page or to the bank's fields is not heard, and the fields answer no stranger", async ({
  page,
  server,
  phone,
}) => {
  await atCard(page, server, phone('in'));
  const submitted: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/card/submit')) submitted.push(request.postData() ?? '');
  });
  const source = (await page.locator('iframe').getAttribute('src'))!;
  const { origin } = new URL(source);
  // A page of ours, a window of the page itself, and a frame of the same bank: none of them is the frame that was asked.
  await page.evaluate((from) => {
    const data = { type: 'card:token', id: 1, token: 'fields_of_a_stranger' };
    window.postMessage(data, '*');
    window.dispatchEvent(new MessageEvent('message', { data, origin: from, source: window }));
    window.dispatchEvent(
      new MessageEvent('message', { data, origin: 'https://evil.example', source: window.frames[0] ?? null }),
    );
    window.dispatchEvent(
      new MessageEvent('message', { data: { type: 'card:size', height: 1 }, origin: from, source: window }),
    );
  }, origin);
  await acceptTerms(page);
  await payButton(page).click();
  await expect(cardFields(page).getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true');
  expect(submitted).toEqual([]);
  expect((await page.locator('iframe').boundingBox())!.height).toBeGreaterThan(100);

  // A stranger's page shows the bank's fields of this shop, and asks them for a token.
  const stranger = await page.context().newPage();
  await stranger.route('https://evil.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<iframe id="bank"></iframe>' }),
  );
  await stranger.goto('https://evil.example/');
  const heard = await stranger.evaluate(
    async (address) =>
      new Promise<string[]>((done) => {
        const all: string[] = [];
        addEventListener('message', ({ data }) => all.push(JSON.stringify(data)));
        const frame = document.querySelector('iframe')!;
        frame.addEventListener('load', () => {
          frame.contentWindow!.postMessage({ type: 'card:submit', id: 1 }, '*');
          // Answered only after what the fields would have said.
          requestAnimationFrame(() => requestAnimationFrame(() => done(all)));
        });
        frame.src = address;
      }),
    source,
  );
  expect(heard).toEqual([]);
  await stranger.close();
});

/** The page as in a host that forbids frames of others: what its profile says is written into the script that has it. */
async function forbidFrames(page: Page): Promise<void> {
  await page.route(/\/first\.\w+\.js$/, async (route) => {
    const script = await route.fetch();
    const text = await script.text();
    expect(text).toContain('forbids:new Set');
    const body = text.replace(/forbids:new Set(?:\(\))?/, 'forbids:new Set(["foreign-frame"])');
    await route.fulfill({ response: script, body });
  });
}
const toBank = (page: Page) => page.getByRole('link', { name: 'Enter your card at the bank' });
/** Where the bank leads to with the card. */
const addressBack = async (page: Page) =>
  (await (await page.waitForResponse((answer) => answer.status() === 303)).headerValue('location'))!;
/** What a customer does on the bank's own page. */
async function typeAtBank(page: Page, number = NUMBER): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/39');
  await page.getByLabel('CVV', { exact: true }).fill('123');
  await page.getByRole('button', { name: 'Continue' }).click();
}
const chosenCard = (page: Page) => page.getByText('Visa card ending in 1111');

test("where a host forbids frames, the bank's own page takes the card and leads back, and the order is placed", async ({
  page,
  server,
  phone,
}) => {
  const troubles = watchTrouble(page);
  await forbidFrames(page);
  await atCard(page, server, phone('in'), toBank(page));
  await expect(page.locator('iframe')).toHaveCount(0);
  // Pay says what comes first.
  await acceptTerms(page);
  await payButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: /./ }).first()).toBeVisible();

  // Given up at the bank: all is as it was.
  await toBank(page).click();
  await expect(page.getByLabel('Card number')).toBeVisible();
  expect(new URL(page.url()).origin).not.toBe(new URL(server.url).origin);
  await page.goBack();
  await expect(toBank(page)).toBeVisible();

  await toBank(page).click();
  await typeAtBank(page, '4111111111111112');
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(/That card number is not right/);
  await typeAtBank(page);
  await expect(chosenCard(page)).toBeVisible();
  expect(page.url()).not.toContain('fields_');
  // Loaded anew, the page has no card and shows the way again: nothing of it is kept.
  await page.reload();
  await expect(toBank(page)).toBeVisible();
  await expect(chosenCard(page)).toHaveCount(0);
  await toBank(page).click();
  const [location] = await Promise.all([addressBack(page), typeAtBank(page)]);
  await expect(chosenCard(page)).toBeVisible();
  // The same address once more, in another tab.
  const tab = await page.context().newPage();
  await tab.goto(location);
  await expect(chosenCard(tab)).toBeVisible();
  expect(tab.url()).not.toContain('fields_');
  await tab.close();

  await acceptTerms(page);
  await payButton(page).click();
  await expect(page).toHaveURL(/\/bank\/card\//);
  await page.locator('button[value="decline"]').click();
  // Another attempt goes the same way, and comes back to the card.
  await page.getByRole('button', { name: /^Try .*card again$/i }).click();
  await toBank(page).click();
  const [again] = await Promise.all([addressBack(page), typeAtBank(page)]);
  await expect(chosenCard(page)).toBeVisible();
  await page.getByRole('button', { name: /^Pay ₹/ }).click();
  await expect(page).toHaveURL(/\/bank\/card\//);
  await page.locator('button[value="approve"]').click();
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  // The address that the bank led to is of no use any more, and its token does not stay in it.
  for (const address of [location, again]) {
    await page.goto(address);
    await expect(page).not.toHaveURL(/fields_/);
  }
  expect(troubles.filter(({ kind }) => kind === 'policy' || kind === 'page')).toEqual([]);
});
