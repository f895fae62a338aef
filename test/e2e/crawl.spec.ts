import path from 'node:path';
import type { Page } from '@playwright/test';
import { buildSync } from 'esbuild';
import { FEATURE_PATHS } from '../../country/featurePaths.ts';
import { featureName } from '../../country/shape.ts';
import { bridge as gpay } from '../../hosts/gpay/bridge.ts';
import { bridge as paytm } from '../../hosts/paytm/bridge.ts';
import * as config from '../../src/contract/config.ts';
import { MINI_APP_BLOCKED } from '../../src/domain/features.ts';
import { firstRoutes } from '../../src/shell/first/routes.ts';
import { fullRoutes } from '../../src/shell/routes.full.ts';
import { routes } from '../../src/shell/routes.ts';
import { expect, test, type Bundle } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost } from './hosts.ts';
import {
  acceptTerms,
  addFromMenu,
  below,
  bundle,
  follow,
  heading,
  noon,
  payButton,
  REOPENED,
  reloaded,
  settleAt,
  stands,
} from './steps.ts';

const PROBE = buildSync({
  entryPoints: [path.resolve(import.meta.dirname, '../hosts/policyProbe.ts')],
  bundle: true,
  format: 'iife',
  globalName: 'policyProbe',
  write: false,
}).outputFiles[0]!.text;
interface Probing {
  policyProbe: {
    forbiddenElements(root: Document, forbids: ReadonlySet<string>, origin: string, host: string): string[];
  };
}

const OFF = MINI_APP_BLOCKED.map(featureName);
/** Every address that only a standalone page has, and every one of a feature that no mini-app has. */
const GONE = [
  ...new Set([
    ...fullRoutes.map((row) => row.path),
    ...OFF.flatMap((feature) => FEATURE_PATHS[feature] ?? []),
    ...Object.values(FEATURE_PATHS).flat(),
    '/postorder-ui/orderHistory',
  ]),
];
/** What a button or a link to such a feature would say. */
const WORDS =
  /\b(wallet|log ?out|sign out|feedback|support|deliver on train|on a train|on your train|everyday value|edv|all offers|view offers|install|add to home)\b/i;
/** Whether such an address is open is one question for all of them: one of a script, a feature, a journey and a list's parts shows it. */
const TRIED = sample(
  GONE,
  GONE.filter((route) => /^\/(offers|wallet|help|edv|deliverontrain|postorder-ui\/orderHistory)$/.test(route)),
);
const isGone = (route: string) => GONE.some((own) => route === own || route.startsWith(`${own}/`));

/** Every row of the shell with a value that exists for each of its places. */
async function rowsOf(page: Page, own: Bundle): Promise<string[]> {
  const deal = await page
    .locator('a[href*="combo/"]')
    .first()
    .getAttribute('href')
    .catch(() => null);
  const values: Readonly<Record<string, string>> = {
    category: 'sides',
    productId: 'PZ004',
    dealId: /combo\/([^/?]+)/.exec(deal ?? '')?.[1] ?? 'nothing',
    orderId: 'somebody-elses',
  };
  const open = [...firstRoutes, ...routes].map(({ path: pattern }) =>
    pattern.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x'),
  );
  expect(open.length, `${own.host}: rows`).toBeGreaterThan(20);
  return open;
}

/** Where the links, buttons, forms and frames of the screen lead, and what they say. */
const actsOf = (page: Page) =>
  page.locator('a[href], button, [role="button"], [role="link"], form[action], iframe[src]').evaluateAll((all) =>
    all.map((one) => ({
      href: (one as HTMLAnchorElement).href || (one as HTMLFormElement).action || (one as HTMLIFrameElement).src || '',
      text: `${one.getAttribute('aria-label') ?? ''} ${one.textContent ?? ''}`.trim().slice(0, 80),
    })),
  );

/** Everything about the screen as it stands that a mini-app must not have. */
async function wrongs(page: Page, own: Bundle, forbids: ReadonlySet<string>): Promise<string[]> {
  if (!(await page.evaluate(() => 'policyProbe' in globalThis)))
    await page.evaluate(`${PROBE};globalThis.policyProbe = policyProbe;0`);
  const found = await page.evaluate(
    ([policies, host]) =>
      (globalThis as unknown as Probing).policyProbe.forbiddenElements(
        document,
        new Set(policies),
        location.origin,
        host,
      ),
    [[...forbids], own.host] as const,
  );
  const acts = await actsOf(page);
  const mount = new URL(own.mount, page.url()).href;
  const outside = acts
    .filter(({ href }) => href !== '' && !href.startsWith(mount) && !href.startsWith('tel:'))
    .map(({ href }) => `leads out: ${href}`);
  const dead = acts
    .filter(({ href }) => href.startsWith(mount) && isGone(new URL(href).pathname.slice(own.mount.length - 1)))
    .map(({ href }) => `blocked feature: ${href}`);
  const said = acts.filter(({ text }) => WORDS.test(text)).map(({ text }) => `blocked words: ${text}`);
  return [...found, ...outside, ...dead, ...said];
}

/** Screens with a part that only a standalone page has. */
const ALTERED = sample<RegExp>(
  [/./],
  [/^\/($|menu$|cart$|payment$|order\/|postorder-ui\/(profile|login|myAddresses)$)/],
)[0]!;

/** Walks to every screen from the one that stands; `arrive` is called at each. */
async function everyScreen(
  page: Page,
  own: Bundle,
  forbids: ReadonlySet<string>,
  { arrive, among }: { arrive?: (route: string) => Promise<void>; among?: RegExp } = {},
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const route of await rowsOf(page, own)) {
    if (among && !among.test(route)) continue;
    await follow(page, own, route);
    await stands(page, route);
    await arrive?.(route);
    const here = await wrongs(page, own, forbids);
    found[route] = here;
  }
  return found;
}

/** Opened at its address, nothing of this exists. */
async function goneAtAddress(page: Page, own: Bundle): Promise<void> {
  for (const route of TRIED) {
    await page.goto(own.mount + route.slice(1));
    await expect.poll(() => below(page, own), { message: route }).toBe('/');
    await expect(page.getByRole('heading', { level: 1 }), route).toHaveCount(1);
  }
}

/** The same by links inside the page as it stands, from a screen that stays. */
async function goneInside(page: Page, own: Bundle): Promise<void> {
  for (const route of TRIED) {
    await follow(page, own, '/cart');
    await expect.poll(() => below(page, own), { message: route }).toBe('/cart');
    await follow(page, own, route);
    await expect.poll(() => below(page, own), { message: route }).toBe('/');
    await expect(page.getByRole('heading', { level: 1 }), route).toHaveCount(1);
  }
}

/** One of a kind is enough: every pizza's page is built alike. */
const kindOf = (address: string) =>
  address.replace(/\/(customise|combo|order|track|payment)\/[^/?]+/, '/$1/x').replace(/\?.*$/, '');

for (const [host, { forbids }] of sample(Object.entries({ gpay, paytm }), Object.entries({ paytm }))) {
  test.describe(`in/${host}`, () => {
    test.setTimeout(180_000);
    const own = bundle('in', host);

    test.beforeEach(async ({ server }) => {
      await noon(server);
    });

    test('no screen, opened by link, reloaded or after an order, shows what the host forbids or a way out [CFG-33] [MINI-08] [MINI-X06]', async ({
      page,
      server,
      phone,
    }) => {
      const mobile = phone('in');
      await enterHost(page, own, { user: `customer-${mobile}` });
      await settleAt(page, server.url, own, mobile);
      await addFromMenu(page);
      const stayed = new Set<string>();
      const arrive = async (route: string) => {
        if (!REOPENED.has(route)) return;
        await reloaded(page, own, route);
        stayed.add(route);
      };
      const walked = await everyScreen(page, own, forbids, { arrive });
      expect(Object.entries(walked).filter(([, wrong]) => wrong.length > 0)).toEqual([]);
      expect(stayed).toEqual(REOPENED);

      // What is there only once something was ordered.
      await follow(page, own, '/payment');
      await acceptTerms(page);
      await payButton(page).click();
      await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
      const order = below(page, own);
      await follow(page, own, '/menu');
      await addFromMenu(page);
      const seen = new Set(Object.keys(walked).map(kindOf));
      const open = ['/', order, order.replace('order', 'track'), '/cart', '/payment'];
      for (const route of open) seen.delete(kindOf(route));
      for (let route = open.shift(); route !== undefined; route = open.shift()) {
        if (seen.has(kindOf(route))) continue;
        seen.add(kindOf(route));
        await follow(page, own, route);
        await stands(page, route);
        expect(await wrongs(page, own, forbids), route).toEqual([]);
        const links = (await actsOf(page)).map(({ href }) => href).filter((href) => href !== '');
        // Here not even a telephone number.
        const outside = links.filter((link) => !link.startsWith(`${server.url}${own.mount}`));
        expect(outside, route).toEqual([]);
        open.push(...links.map((link) => link.slice(server.url.length + own.mount.length - 1).replace(/#.*$/, '')));
      }
      expect(seen.size).toBeGreaterThan(20);
      await goneAtAddress(page, own);
    });

    test('a storage that somebody has altered opens nothing [MINI-13, MINI-16, MINI-X03]', async ({
      page,
      server,
      phone,
    }) => {
      await enterHost(page, own, { controls: { login: 'deny' } });
      const mobile = phone('in');
      // A customer of the web page with a session and a cart there, on the same device and origin.
      await settleAt(page, server.url, bundle('in', 'browser'), mobile);
      await addFromMenu(page);
      await expect
        .poll(() =>
          page.evaluate(() =>
            ['session', 'app-config', 'cart'].every((key) => localStorage.getItem(`IN/browser:${key}`) !== null),
          ),
        )
        .toBe(true);
      await settleAt(page, server.url, own, mobile);
      await addFromMenu(page);
      // The list of what is off cannot be fetched, and the one on the device says that nothing is.
      await page.route(
        (url) => url.pathname === config.app.path,
        (route) => route.abort(),
      );
      await page.evaluate((name) => {
        for (const [key, value] of Object.entries(localStorage))
          if (key.startsWith('IN/browser:')) localStorage.setItem(key.replace('browser', name), String(value));
        const app = JSON.parse(localStorage.getItem(`IN/${name}:app-config`)!) as {
          vendorConfig: object;
          features: string;
        };
        app.vendorConfig = { blockedFeatures: [] };
        app.features = '{"features":[{"name":"offers","enabled":true},{"name":"wallet","enabled":true}]}';
        for (const [key, value] of Object.entries({
          'app-config': app,
          'payment-mode': 'UPI',
          'login-redirect': 'https://elsewhere.example/',
          fullMode: true,
          partner: '',
          host: 'browser',
        })) {
          localStorage.setItem(`IN/${name}:${key}`, JSON.stringify(value));
        }
      }, host);
      await page.goto(own.mount);
      await stands(page, '/');
      const walked = await everyScreen(page, own, forbids, { among: ALTERED });
      expect(Object.entries(walked).filter(([, wrong]) => wrong.length > 0)).toEqual([]);
      await goneInside(page, own);
      await page.goto(`${own.mount}payment`);
      await expect(page.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
      expect(await wrongs(page, own, forbids)).toEqual([]);
    });
  });
}
