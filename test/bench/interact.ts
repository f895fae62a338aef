// How long a tap waits for its next paint on a menu of 80, 300 and 1,000 dishes; the cost must not grow with the menu.
import type { Browser, Page } from '@playwright/test';
import type { Reply } from '../../src/contract/endpoint.ts';
import type * as menus from '../../src/contract/menu.ts';
import type { Menu } from '../../src/contract/menu.ts';
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer } from '../kit/server.ts';
import { pad } from './numbers.ts';
import { ORDERS, tapOrders } from './orderList.ts';
import { bare, CPU_SLOWDOWN, LIMIT_MS, PHONE, said, settle, slow, spread, tapped, watchTaps } from './taps.ts';

const SIZES = [80, 300, 1_000];
const TAPS = 7;

type MenuReply = Reply<typeof menus.byStore>;

/** The store's menu, as long as wanted: every dish again under another id, in its own categories. */
function grown({ menu, ...reply }: MenuReply, size: number): MenuReply {
  if (!menu) throw new Error('The server answered without a menu.');
  const items = Array.from({ length: size }, (_, index) => {
    const item = menu.items[index % menu.items.length] as Menu['items'][number];
    const round = Math.floor(index / menu.items.length);
    return round === 0
      ? item
      : {
          ...item,
          id: `${item.id}-${round}`,
          name: `${item.name} ${round + 1}`,
          tags: item.tags.filter((tag) => tag !== 'bestseller'),
          soldOut: false,
        };
  });
  const version = `${menu.version}-${size}`;
  return { ...reply, version, menu: { ...menu, version, items } };
}

async function scrolled(page: Page): Promise<number> {
  await page.evaluate(() => {
    globalThis.benchTaps.frames.length = 0;
  });
  for (let step = 0; step < 10; step += 1) {
    await page.mouse.wheel(0, 500);
    await page.waitForTimeout(60);
  }
  await settle(page);
  return page.evaluate(() => Math.max(...globalThis.benchTaps.frames));
}

type Marks = Record<'add to cart' | 'one more' | 'filter' | 'category' | 'scroll', number[]>;

async function visit(browser: Browser, url: string, size: number): Promise<Marks> {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.route(/\/content\/ve1\/stores\/[^/]+\/menu/, async (route) => {
      // Without the version that the page holds, the server answers the whole menu.
      const reply = (await (
        await route.fetch({ url: route.request().url().replace(/\?.*$/, '') })
      ).json()) as MenuReply;
      await route.fulfill({ json: grown(reply, size) });
    });
    await page.addInitScript(watchTaps);
    await page.goto(url);
    const count = page.locator('section h2 small');
    await page.waitForFunction(
      (least) =>
        [...document.querySelectorAll('section h2 small')].reduce((sum, one) => sum + Number(one.textContent), 0) >=
        least,
      size * 0.8,
      { timeout: 30_000 },
    );
    if ((await count.count()) === 0) throw new Error('no menu');
    await settle(page);
    await slow(page);
    const marks: Marks = { 'add to cart': [], 'one more': [], filter: [], category: [], scroll: [] };
    const tabs = page.getByRole('navigation', { name: 'Categories' }).getByRole('link');
    for (let round = 0; round < TAPS; round += 1) {
      // The next dish that is not in the cart yet, then one more of it.
      // The page is at its top, and only a dish of the shop's own will do: what was made up here its server does not sell.
      const add = page
        .locator('main section')
        .first()
        .getByRole('button', { name: /^Add (?!.* \d+$)/ })
        .first();
      const name = (await add.getAttribute('aria-label'))?.replace('Add ', '');
      marks['add to cart'].push(await tapped(page, add));
      marks['one more'].push(
        await tapped(page, page.getByRole('button', { name: `One more ${name}`, exact: true }).first()),
      );
      marks.filter.push(await tapped(page, page.getByRole('button', { name: 'Veg only' })));
      await tapped(page, page.getByRole('button', { name: 'Veg only' }));
      marks.category.push(await tapped(page, tabs.nth(2 + (round % 4))));
      marks.scroll.push(await scrolled(page));
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      await settle(page);
    }
    return marks;
  } finally {
    await context.close();
  }
}

export async function benchInteract({ bundle = 'in/gpay' }: { bundle?: string | undefined }): Promise<void> {
  console.log(
    `\nFrom a tap to its next paint on the menu (${bundle}), CPU ${CPU_SLOWDOWN}x slower, ms: median and worst of ${TAPS} (aim ${LIMIT_MS}; the browser counts in steps of 8). Scroll: longest frame of five screens`,
  );
  // Where the server mounts it; the browser's own has the country's address to itself.
  const mount = bundle.replace(/\/browser$/, '');
  const server = await spawnServer();
  const browser = await launchBrowser();
  try {
    const least = await bare(browser, TAPS);
    console.log(`${pad('bare page', 14)}a button that counts ${said(least)}`);
    const tell = (what: string, marks: Readonly<Record<string, readonly number[]>>) =>
      console.log(
        `${pad(what, 14)}${Object.entries(marks)
          .map(([name, values]) => {
            const seen = spread(values);
            return `${name} ${said(seen)}, ${(seen.middle / least.middle).toFixed(1)} times`.padEnd(34);
          })
          .join('')
          .trimEnd()}`,
      );
    for (const size of SIZES) tell(`${size} dishes`, await visit(browser, `${server.url}/${mount}/menu`, size));
    tell(`${ORDERS} orders`, await tapOrders(browser, server, TAPS));
  } finally {
    await browser.close();
    await server.stop();
  }
}
