import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type * as Alive from '#text/alive.ts';
import type * as Cart from '#text/cart.ts';
import type * as Customise from '#text/customise.ts';
import type * as Errors from '#text/errors.ts';
import type * as First from '#text/first.ts';
import type * as Order from '#text/order.ts';
import type * as Paging from '#text/page.ts';
import type * as Payment from '#text/payment.ts';
import type * as Said from '#text/server.ts';
import type { SentencesOf } from '../../src/text/spoken.ts';
import { compileTexts, spokenIn } from '../../src/build/texts.ts';
import { countryConfig } from '../../country/index.ts';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { problemsOf } from './judging.ts';
import { bundle, look, noon, settleAt, totalOf } from './steps.ts';

const root = path.resolve(import.meta.dirname, '../..');
const ENGLISH = '/in/';
const OTHER = '/in/hi/';

/** What a language says, by catalogue. */
async function sayings(language: string) {
  const texts = await compileTexts(root, { language });
  const of = <C>(name: string) => spokenIn<SentencesOf<C>>(texts, name);
  return {
    alive: await of<typeof Alive>('alive'),
    cart: await of<typeof Cart>('cart'),
    customise: await of<typeof Customise>('customise'),
    errors: await of<typeof Errors>('errors'),
    first: await of<typeof First>('first'),
    order: await of<typeof Order>('order'),
    page: await of<typeof Paging>('page'),
    payment: await of<typeof Payment>('payment'),
    server: await of<typeof Said>('server'),
  };
}

test.beforeEach(async ({ server }) => {
  await noon(server);
});

test('the offer of a phone’s language leaves the top of home and the dock free, and a finger finds its buttons', async ({
  browser,
  server,
}) => {
  for (const [mount, locale] of [
    ['/in/', 'hi-IN'],
    ['/in/gpay/', 'hi-IN'],
    ['/lk/', 'si-LK'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale });
    const page = await context.newPage();
    await page.goto(server.url + mount);
    const offer = page.locator(`section[lang=${locale.slice(0, 2)}]`);
    const box = (await offer.boundingBox())!;
    const search = (await page.getByRole('link', { name: 'Search the menu' }).boundingBox())!;
    const dock = (await page.getByRole('navigation').filter({ hasText: 'Cart' }).last().boundingBox())!;
    expect(box.y, mount).toBeGreaterThanOrEqual(search.y + search.height);
    expect(box.y + box.height, mount).toBeLessThanOrEqual(dock.y);
    for (const button of await offer.locator('a, button').all())
      expect((await button.boundingBox())!.height, mount).toBeGreaterThanOrEqual(44);
    await context.close();
  }
});

test.describe('with the workers of both pages', () => {
  test.use({ serviceWorkers: 'allow' });

  test('each language is served without a network, and neither takes anything from the other', async ({
    page,
    context,
  }) => {
    const [english, hindi] = [await sayings('en'), await sayings('hi')];
    const scripts: string[] = [];
    for (const mount of [ENGLISH, OTHER]) {
      await page.goto(`${mount}menu`);
      await page.waitForFunction((own) => navigator.serviceWorker.controller?.scriptURL.endsWith(`${own}sw.js`), mount);
      scripts.push(await page.locator('script[type=module]').evaluate((script) => (script as HTMLScriptElement).src));
    }
    const held = await page.evaluate(
      (all) => Promise.all(all.map(async (one) => !!(await caches.match(one)))),
      scripts,
    );
    expect(held).toEqual([true, true]);
    // The menu of a store that is not the default one is kept on the device, by a page in Hindi.
    await page.goto(`${OTHER}postorder-ui/selectRestaurant?deliveryType=DINEIN&store=10102&table=7`);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('IN/browser:menu'))).toContain('"10102"');
    await context.setOffline(true);
    for (const [mount, { alive, first }, category] of [
      [OTHER, hindi, 'साइड'],
      [ENGLISH, english, 'Sides'],
    ] as const)
      for (const route of ['menu', '', 'cart']) {
        await page.goto(mount + route);
        await expect(page.getByText(alive.offlineStrip)).toBeVisible();
        await expect(page.getByRole('link', { name: first.skip })).toBeAttached();
        if (route === 'menu') await expect(page.getByRole('link', { name: category, exact: true })).toBeVisible();
      }
  });
});

/** Signs and names that are written in Latin letters whatever the language. */
const NAMES =
  /^(UPI|SMS|OTP|PIN|PNR|QR|PDF|CSV|JSON|GPS|AM|PM|GST|CGST|SGST|VAT|SVC|IRCTC|CVV|GP|Doorkey|MM|YY|OK|RAC|FAQ|Asha|Temple|Road|SBI|Cargills|OpenStreetMap|GeoNames|English|Chrome|Safari|Google|WhatsApp|[a-z0-9.-]+@[a-z0-9.-]+|[a-z0-9-]+(\.[a-z0-9-]+)+)$/;

/** The fields of a country's data that hold a name: of a dish and what is on it, a store, a place, a bank, an offer's code. */
const NAMED = new Set(['name', 'city', 'locality', 'address', 'code', 'operator', 'riders']);
/** Ways to pay that are brands; the others have a name in every language. */
const BRANDS = new Set(['UPI', 'PAYTM', 'GPAY']);

/** A town of the country's gazetteer: its id, its name and what is around it. */
const isTown = (value: readonly unknown[]) => value.length > 4 && typeof value[3] === 'number';

function namesIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return NAMED.has(key) ? [value] : [];
  if (Array.isArray(value))
    return isTown(value) ? value.slice(1, 3).map(String) : value.flatMap((one) => namesIn(one, key));
  if (value === null || typeof value !== 'object') return [];
  const { id, label, choices } = value as { id?: string; label?: string; choices?: { label: string }[] };
  return [
    ...(label !== undefined && BRANDS.has(id ?? '') ? [label] : []),
    ...(choices ?? []).map((choice) => choice.label),
    ...Object.entries(value).flatMap(([own, one]) => namesIn(one, own)),
  ];
}

/** Everything that the country's data calls by a name, a line each. */
const namesOf = (cc: string): string => {
  const country = countryConfig(cc);
  const seed = path.join(root, 'country', cc, 'seed');
  const files = readdirSync(seed).filter((name) => name.endsWith('.json'));
  return [
    country.appName,
    country.CURRENCY_SYMBOL,
    country.LOYALTY_INFO_DEFAULT_DATA.programName,
    ...files.flatMap((name) => namesIn(JSON.parse(readFileSync(path.join(seed, name), 'utf8')))),
  ]
    .join('\n')
    .toLowerCase();
};

const runsIn = (text: string) => text.match(/[A-Za-z][A-Za-z'’&/@. -]*[A-Za-z]/g) ?? [];
/** Whether it is a name, or a part of one, and not only made of words that names have, too. */
const isNamed = (run: string, names: string) =>
  run.split(/[ /]+/).every((word) => NAMES.test(word)) ||
  new RegExp(`(?<![a-z])${run.toLowerCase().replace(/[^a-z ]/g, '.')}(?![a-z])`).test(names);

/** What stands or is said on the page in Latin letters, and is no name of the data. */
async function untranslated(page: Page, names: string): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement!.closest('script,style,noscript,[lang="en"]')) found.push(node.nodeValue ?? '');
    for (const one of document.body.querySelectorAll('[aria-label],[alt],[placeholder],[title]'))
      if (!one.closest('[lang="en"]'))
        for (const name of ['aria-label', 'alt', 'placeholder', 'title']) found.push(one.getAttribute(name) ?? '');
    return found;
  });
  return [...new Set(texts.flatMap(runsIn))].filter((run) => !isNamed(run, names));
}

const SPOKEN = [
  { country: 'in', language: 'hi', script: /\p{Script=Devanagari}/u, prefix: '+91', total: /^₹\d+$/, clock: / PM$/ },
  {
    country: 'bg',
    language: 'bn',
    script: /\p{Script=Bengali}/u,
    prefix: '+880',
    total: /^[০-৯]+৳$/,
    clock: /^[০-৯:]+ PM .* [০-৯:]+ PM$/,
  },
  {
    country: 'lk',
    language: 'si',
    script: /\p{Script=Sinhala}/u,
    prefix: '+94',
    total: /^Rs\.\s\d,\d{3}$/,
    clock: /^ප\.ව\. /,
  },
  {
    country: 'lk',
    language: 'ta',
    script: /\p{Script=Tamil}/u,
    prefix: '+94',
    total: /^Rs\.\s\d,\d{3}$/,
    clock: /^பி\.ப\. /,
  },
] as const;

/** Links and buttons whose name lacks the words that stand on them. */
const misnamed = (page: Page) =>
  page.evaluate(() => {
    const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
    return [...document.querySelectorAll<HTMLElement>('a[aria-label],button[aria-label],summary[aria-label]')].flatMap(
      (one) => {
        const copy = one.cloneNode(true) as HTMLElement;
        for (const unseen of copy.querySelectorAll('[aria-hidden=true],.visually-hidden,svg,img')) unseen.remove();
        const seen = flat(copy.textContent);
        const name = flat(one.ariaLabel ?? '');
        return /\p{L}/u.test(seen) && !name.includes(seen) ? [`${seen} / ${name}`] : [];
      },
    );
  });

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  for (const { country, language, script, prefix, total, clock } of SPOKEN)
    test(`${country}/${language}: a pizza is ordered without an English word, on a screen 360 pixels wide [QUAL-X03, QUAL-X04]`, async ({
      page,
      server,
      phone,
    }) => {
      const t = await sayings(language);
      const own = bundle(country, 'browser', language);
      const mobile = phone(country);
      const names = namesOf(country);
      const troubles = watchTrouble(page);
      const found: string[] = [];
      const inspect = async (name: string) => {
        await expect(page.getByRole('heading', { level: 1 }), name).toHaveCount(1);
        await expect(page.locator('main [aria-busy="true"]'), name).toHaveCount(0);
        await expect(page.locator('footer, [data-bar]').first()).toBeAttached();
        await look(page, `${language}-${name}`);
        expect(await page.locator('main').innerText(), name).toMatch(script);
        found.push(...(await untranslated(page, names)).map((text) => `${name}: ${text}`));
        // Of other languages axe judges what of English it does not: the language of the page and of its parts.
        if (language === 'ta') found.push(...(await problemsOf(page)).map((text) => `${name}: ${text}`));
        if (language === 'si')
          found.push(...(await misnamed(page)).map((text) => `${name} is called otherwise: ${text}`));
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        if (width > 360) found.push(`${name}: ${width} pixels wide`);
      };

      // What stands there before any script.
      const plain = await (await page.request.get(`${own.mount}cart`)).text();
      expect(plain).toContain(`aria-label="${t.page.loading}`);
      expect(plain).toContain(t.page.noScript({ phone: '|' }).split('|')[0]!.trim().replaceAll("'", '&#39;'));
      await settleAt(page, server.url, own, mobile);
      await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}-`));
      await inspect('menu');
      for (const route of ['', 'search?q=qqqq', 'offers', 'login', 'address', 'postorder-ui/myAddresses', 'consents']) {
        await page.goto(own.mount + route);
        await inspect(route.split('?')[0] || 'home');
      }
      await page.goto(`${own.mount}customise/PZ004`);
      await inspect('customise');
      await page
        .getByRole('button', { name: new RegExp(`^${t.customise.add}`) })
        .last()
        .click();
      await page.goto(`${own.mount}cart`);
      await expect(page.getByRole('heading', { name: t.cart.title, exact: true })).toBeVisible();
      await page.getByRole('textbox', { name: t.errors.couponBoxLabel }).fill('NOSUCH');
      // The best offer may have a button of the same words.
      await page.locator('form').getByRole('button', { name: t.errors.apply, exact: true }).click();
      // The server's own sentence.
      await expect(page.getByText(t.server.couponUnknown)).toBeVisible();
      await inspect('cart');
      await expect(totalOf(page)).toHaveText(total);

      await page.goto(`${own.mount}payment`);
      await expect(page.getByRole('heading', { name: t.payment.title }).first()).toBeVisible();
      const cash = page.getByRole('radio').and(page.locator('[value="COD"]'));
      const [before = '', after = ''] = t.payment.modesAll({ count: 7 }).split(/7|৭/);
      const all = page.getByRole('button', { name: new RegExp(`^${before}[0-9০-৯]+${after}$`) });
      await expect(cash.or(all).first()).toBeAttached();
      if ((await cash.count()) === 0) await all.click();
      await cash.check({ force: true });
      await inspect('payment');
      const terms = page.getByRole('checkbox').last();
      await expect(terms).toBeEnabled();
      await terms.check();
      await page.getByRole('region', { name: t.payment.pay, exact: true }).getByRole('button').click();
      const code = page.getByLabel(t.payment.code);
      await expect(code).toBeVisible();
      await inspect('code');
      const sms = (await server.inbox(prefix + mobile)).findLast((text) => /\d{6}/.test(text)) ?? '';
      expect(sms).toMatch(script);
      await code.fill(/\d{6}/.exec(sms)?.[0] ?? 'no code');
      await expect(page.getByRole('heading', { name: t.order.placedTitle })).toBeVisible();
      await inspect('order');
      await expect(page.locator('main').getByText(clock).first()).toBeVisible();
      expect(found).toEqual([]);
      expect(troubles).toEqual([]);
    });
});
