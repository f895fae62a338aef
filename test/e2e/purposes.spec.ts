import type { BrowserContext, Page } from '@playwright/test';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { firstRoutes } from '../../src/shell/first/routes.ts';
import { routes as wholeRoutes } from '../../src/shell/routes.full.ts';
import { routes } from '../../src/shell/routes.ts';
import { withCampaigns } from '../../src/server/rules/experiments/run.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { builtBundles, expect, type Bundle } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost } from './hosts.ts';
import { hurry, test as base } from './measuring.ts';

const test = base.extend<object, { server: SpawnedServer }>({
  server: [
    async ({ server }, use) => {
      const { db } = await openDb(server.database.target);
      await withCampaigns(db, ['IN', 'LK', 'BG'], 'NextgenProductCardsV2', 'start');
      await db.destroy();
      await use(server);
    },
    { scope: 'worker' },
  ],
});

const APPS = builtBundles().filter(({ country, host }) => host === 'browser' || (country === 'in' && host !== 'frame'));
const BUNDLES = sample(
  APPS,
  APPS.filter(({ country, host }) => country === 'in' && host !== 'paytm'),
);
/** By purpose, what is called and what is stored for it alone. Everything else an order needs. */
const PURPOSES = {
  usage: {
    call: /\/(?:analytics-service|user-activity-tracking|events\/t|server-side\/(?!settings))/,
    key: /~(?:ga-client|waiting-usage|utm|experiment-visitor)/,
  },
  device: { call: /\/finger-print/, key: /~fingerprint/ },
  news: { call: /\/push-service|\/ve1\/push/, key: /~push/ },
} as const;
type Purpose = keyof typeof PURPOSES;

interface Own {
  readonly written: string[];
}

/** A page that writes down what it stores, and puts nothing off. */
async function watched(context: BrowserContext, own: Bundle): Promise<{ page: Page; calls: string[] }> {
  const page = await context.newPage();
  // Nobody looks at them.
  await page.route(/\.(?:svg|png|webp|jpg|woff2)$/, (route) => route.abort());
  await hurry(page);
  await page.addInitScript(() => {
    const written: string[] = [];
    Object.assign(window, { written });
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      written.push(key);
      setItem.call(this, key, value);
    };
  });
  await enterHost(page, own);
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    calls.push(`${request.method()} ${pathname}`);
  });
  return { page, calls };
}

/** What was done and stored for each purpose since it was asked last. */
async function done(page: Page, calls: string[]): Promise<Record<Purpose, string[]>> {
  const written = await page.evaluate(() => (window as unknown as Own).written.splice(0));
  const all = [...calls.splice(0), ...written];
  const of = (purpose: Purpose) =>
    all.filter((one) => PURPOSES[purpose].call.test(one) || PURPOSES[purpose].key.test(one));
  return { usage: of('usage'), device: of('device'), news: of('news') };
}
const NOTHING = { usage: [], device: [], news: [] };
const storedFor = (page: Page, purpose: Purpose) =>
  page.evaluate(() => Object.keys(localStorage)).then((keys) => keys.filter((key) => PURPOSES[purpose].key.test(key)));

const VALUES: Readonly<Record<string, string>> = { category: 'sides', productId: 'PZ004', dealId: 'DL001' };
const pathsOf = ({ host }: Bundle) =>
  [...firstRoutes, ...(host === 'browser' ? wholeRoutes : routes)].map(({ path }) =>
    path.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? 'NONE'),
  );

/** Goes to every screen by a link of the page itself, and to each when the one before is drawn. @returns how many places it came to */
async function visitAll(page: Page, own: Bundle): Promise<number> {
  const { places, missing } = await page.evaluate(
    async ({ mount, paths }) => {
      const frame = () => new Promise<unknown>((drawn) => requestAnimationFrame(drawn));
      const places = new Set<string>();
      const missing: string[] = [];
      for (const path of paths) {
        const link = Object.assign(document.createElement('a'), { href: mount + path.slice(1) });
        document.body.append(link);
        link.click();
        link.remove();
        const isThere = () => document.querySelector('h1') && !document.querySelector('main [aria-busy="true"]');
        const until = performance.now() + 10_000;
        do await frame();
        while (performance.now() < until && !isThere());
        if (!isThere()) missing.push(path);
        for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close();
        places.add(location.pathname);
      }
      return { places: places.size, missing };
    },
    { mount: own.mount, paths: pathsOf(own) },
  );
  expect(missing, `${own.country}/${own.host}: no screen came`).toEqual([]);
  expect(places).toBeGreaterThan(15);
  return places;
}

/** How many places a client has told the server of. */
async function viewsOf(db: Root, client: string): Promise<number> {
  const rows = await db.selectFrom('activity').select('data').where('name', '=', 'page_view').execute();
  const views = rows.map(({ data }) => JSON.parse(data) as { clientId: string; properties: { url: string } });
  return new Set(views.filter(({ clientId }) => clientId === client).map(({ properties }) => properties.url)).size;
}

/** Refused, given and taken back, one after the other in one page. */
async function said(context: BrowserContext, own: Bundle, books: Root): Promise<void> {
  const { page, calls } = await watched(context, own);
  await page.goto(`${own.mount}menu?utm_source=leaflet`);
  await page.getByRole('alertdialog').getByRole('button', { name: 'No' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await visitAll(page, own);
  expect(await done(page, calls)).toEqual(NOTHING);

  await page.goto(`${own.mount}consents?utm_source=leaflet`);
  const box = page.getByRole('checkbox', { name: /^Measure how the app is used/ });
  const told = page.waitForResponse((reply) => reply.url().endsWith('/analytics-service/ve1/events'));
  await box.check();
  await told;
  // What is told of each screen is seen in one app: an address may tell only so much in a minute.
  if (own.country === 'in' && own.host === 'browser') {
    const places = await visitAll(page, own);
    const client = await page.evaluate(
      (name) => JSON.parse(localStorage.getItem(name)!) as string,
      `${own.country.toUpperCase()}/${own.host}:~ga-client`,
    );
    await expect.poll(() => viewsOf(books, client), { timeout: 40_000 }).toBeGreaterThanOrEqual(places);
  }
  // One purpose is not another.
  const { usage, ...others } = await done(page, calls);
  expect(others).toEqual({ device: [], news: [] });
  for (const each of ['/analytics-service/ve1/events', '~ga-client', '~waiting-usage', '~utm', '~experiment-visitor'])
    expect(usage.join(), each).toContain(each);

  await page.goto(`${own.mount}consents`);
  const forgotten = page.waitForResponse((reply) => reply.request().method() === 'DELETE');
  await box.uncheck();
  expect((await forgotten).status()).toBe(200);
  await expect.poll(() => storedFor(page, 'usage')).toEqual([]);
  await done(page, calls);
  await visitAll(page, own);
  expect(await done(page, calls)).toEqual(NOTHING);
  await page.close();
}

/** The browser says no for whoever uses it, also where they had said yes. */
async function refusedByBrowser(context: BrowserContext, own: Bundle): Promise<void> {
  const given = [{ purpose: 'usage', given: true, version: CONSENT_VERSIONS.usage, at: 1 }];
  const key = `${own.country.toUpperCase()}/${own.host}:~consents`;
  await context.addInitScript(
    ({ name, text }) => {
      Object.defineProperty(navigator, 'globalPrivacyControl', { configurable: true, value: true });
      localStorage.setItem(name, text);
    },
    { name: key, text: JSON.stringify(given) },
  );
  const { page, calls } = await watched(context, own);
  await page.goto(`${own.mount}consents?utm_source=leaflet`);
  await expect(page.getByText('Off, because your browser asks that nobody follows you')).toBeVisible();
  await visitAll(page, own);
  expect(await done(page, calls)).toEqual(NOTHING);
  expect(await storedFor(page, 'usage')).toEqual([]);
  await page.close();
}

test('in every app no screen calls or stores for a refused purpose; a yes makes it report for that purpose only [EXP-X02] @all', async ({
  browser,
  books,
  server,
  viewport,
}) => {
  // Five apps, each walked four times.
  test.setTimeout(240_000);
  const walk = async (own: Bundle) => {
    for (const way of [said, refusedByBrowser]) {
      const context = await browser.newContext({ baseURL: server.url, viewport, serviceWorkers: 'block' });
      await way(context, own, books);
      await context.close();
    }
  };
  // Much of it is waiting, which they do together; but in both payment apps one customer is known, whose word holds in both.
  const [pages, apps] = [true, false].map((isPage) => BUNDLES.filter(({ host }) => (host === 'browser') === isPage));
  const step = (own: Bundle) => test.step(`${own.country}/${own.host}`, () => walk(own));
  await Promise.all([
    ...pages!.map(step),
    (async () => {
      for (const own of apps!) await step(own);
    })(),
  ]);
});
