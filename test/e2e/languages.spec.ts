import { temporaryFolder } from '../kit/folder.ts';
import * as alive from '#text/alive.ts';
import * as cart from '#text/cart.ts';
import * as errors from '#text/errors.ts';
import * as first from '#text/first.ts';
import * as said from '#text/server.ts';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { copyWithLanguage, strange } from '../kit/languages.ts';
import { runIn } from '../kit/newcomers.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { noon } from './steps.ts';

/** India's configuration names it already; its text is English in letters of no English sentence. */
const ADDED = 'hi';
const ENGLISH = '/in/';
const OTHER = `/in/${ADDED}/`;
let shop: SpawnedServer;

/** Builds and starts a copy of the project with one more folder of text files. */
test.beforeAll(async () => {
  test.setTimeout(300_000);
  const copy = temporaryFolder('pizza-language');
  copyWithLanguage(copy, ADDED, ['src', 'hosts', 'country', 'test/kit', 'build.mjs']);
  const dist = temporaryFolder('pizza-language-dist');
  runIn(copy, 'build.mjs', '--country', 'in', '--host', 'browser', '--out', dist);
  shop = await spawnServer({ root: copy, settings: { distDir: dist } });
  await noon(shop);
});
test.afterAll(async () => {
  await shop?.stop();
});

test('what a page says before any script is in its language', async () => {
  for (const [mount, say] of [
    [ENGLISH, (text: string) => text],
    [OTHER, strange],
  ] as const) {
    const inPage = async (path: string, what: RegExp) =>
      what.exec(await (await fetch(shop.url + mount + path)).text())?.[1] ?? 'nothing';
    expect(await inPage('', /<noscript><p>([^:]*)/)).toBe(
      say('Ordering here needs JavaScript. You can also order by phone'),
    );
    expect(await inPage('cart', /<svg [^>]*aria-label="([^"]*)/)).toBe(say('Loading'));
  }
});

test('another language is found at the foot of home, speaks to the end, and is kept for the next visit', async ({
  page,
}) => {
  const troubles = watchTrouble(page);
  await page.goto(shop.url + ENGLISH);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-IN');
  const link = page.getByRole('navigation', { name: alive.languages }).getByRole('link', { name: 'हिन्दी' });
  await expect(link).toHaveAttribute('lang', ADDED);
  await link.click();
  await expect(page).toHaveURL(shop.url + OTHER);
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
  await page
    .getByRole('navigation', { name: strange(first.dock) })
    .getByRole('link', { name: strange(first.menu) })
    .click();
  await expect(page).toHaveURL(`${shop.url}${OTHER}menu`);
  await page
    .getByRole('button', { name: `${strange('Add')} Garden Four` })
    .first()
    .click();
  await page.getByRole('link', { name: new RegExp(`^${strange(first.cart)}`) }).click();
  await expect(page.getByRole('heading', { name: strange(cart.title), exact: true })).toBeVisible();
  await page.getByRole('textbox', { name: strange(errors.couponBoxLabel) }).fill('NOSUCH');
  await page.getByRole('button', { name: strange(errors.apply), exact: true }).click();
  // The server's own sentence.
  await expect(page.getByText(strange(said.couponUnknown))).toBeVisible();

  // A link in English, sent by somebody else, leads to the same place in the chosen language.
  await page.goto(`${shop.url}${ENGLISH}menu/sides?from=friend#main`);
  await expect(page).toHaveURL(`${shop.url}${OTHER}menu/sides?from=friend#main`);
  await page.goto(shop.url + ENGLISH);
  await expect(page).toHaveURL(shop.url + OTHER);
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page).toHaveURL(shop.url + ENGLISH);
  await page.goto(`${shop.url}${OTHER}menu`);
  await expect(page).toHaveURL(`${shop.url}${ENGLISH}menu`);
  expect(troubles).toEqual([]);
});

test.describe('with the workers of both pages', () => {
  test.use({ serviceWorkers: 'allow' });

  test('each language is served without a network, and neither takes anything from the other', async ({
    page,
    context,
  }) => {
    const scripts: string[] = [];
    for (const mount of [ENGLISH, OTHER]) {
      await page.goto(`${shop.url}${mount}menu`);
      await page.waitForFunction((own) => navigator.serviceWorker.controller?.scriptURL.endsWith(`${own}sw.js`), mount);
      scripts.push(await page.locator('script[type=module]').evaluate((script) => (script as HTMLScriptElement).src));
    }
    const held = await page.evaluate(
      (all) => Promise.all(all.map(async (one) => !!(await caches.match(one)))),
      scripts,
    );
    expect(held).toEqual([true, true]);
    await context.setOffline(true);
    for (const [mount, say] of [
      [OTHER, strange],
      [ENGLISH, (text: string) => text],
    ] as const)
      for (const route of ['menu', '', 'cart']) {
        await page.goto(shop.url + mount + route);
        await expect(page.getByText(say(alive.offlineStrip))).toBeVisible();
        await expect(page.getByRole('link', { name: say(first.skip) })).toBeAttached();
      }
  });
});
