// How long a tap waits for its next paint on a menu of 80, 300 and 1,000 dishes; the cost must not grow with the menu.
import type { Browser, Locator, Page } from '@playwright/test';
import type { Reply } from '../../src/contract/endpoint.ts';
import type * as menus from '../../src/contract/menu.ts';
import type { Menu } from '../../src/contract/menu.ts';
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer } from '../kit/server.ts';
import { median, pad } from './numbers.ts';

const CPU_SLOWDOWN = 4;
const SIZES = [80, 300, 1_000];
const LIMIT_MS = 50;
const TAPS = 6;
const SETTLE_MS = 400;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

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

interface Seen {
  /** Each event of a tap, in ms. */
  readonly taps: number[];
  readonly frames: number[];
  last: number;
}
declare global {
  var benchTaps: Seen;
}

/** Runs in the page: event to next paint as the browser itself tells it, and the longest frame of a scroll. */
function watchTaps(): void {
  const seen: Seen = { taps: [], frames: [], last: 0 };
  globalThis.benchTaps = seen;
  // The types of the DOM do not know the threshold, in ms.
  const events: PerformanceObserverInit & { durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
    buffered: true,
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId > 0) seen.taps.push(entry.duration);
  }).observe(events);
  const frame = (now: number) => {
    if (seen.last > 0) seen.frames.push(now - seen.last);
    seen.last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

const settle = (page: Page) => page.waitForTimeout(SETTLE_MS);

/** Longest of the events of one tap, in ms; under 16 the browser keeps silent. */
async function tapped(page: Page, target: Locator): Promise<number> {
  await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await settle(page);
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing there to tap');
  await page.evaluate(() => {
    globalThis.benchTaps.taps.length = 0;
  });
  // A finger, as on the phones this stands for: a mouse would come from somewhere first and make the page draw its hovering.
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await settle(page);
  return page.evaluate(() => Math.max(8, ...globalThis.benchTaps.taps));
}

interface Spread {
  readonly middle: number;
  readonly worst: number;
}
const spread = (values: readonly number[]): Spread => ({ middle: median(values), worst: Math.max(...values) });

const said = ({ middle, worst }: Spread) => `${middle.toFixed(0)}/${worst.toFixed(0)}`;

/** A page with one button that counts: what a tap costs here whatever the page does. */
async function bare(browser: Browser): Promise<Spread> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(watchTaps);
    await page.goto(
      'data:text/html,<meta name=viewport content="width=device-width"><button onclick="this.textContent=Number(this.textContent)+1">0</button>',
    );
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const values: number[] = [];
    for (let round = 0; round < TAPS; round += 1) values.push(await tapped(page, page.getByRole('button')));
    return spread(values);
  } finally {
    await context.close();
  }
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
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
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
  const server = await spawnServer();
  const browser = await launchBrowser();
  try {
    const least = await bare(browser);
    console.log(`${pad('bare page', 14)}a button that counts ${said(least)}`);
    for (const size of SIZES) {
      const marks = await visit(browser, `${server.url}/${bundle}/menu`, size);
      console.log(
        `${pad(`${size} dishes`, 14)}${Object.entries(marks)
          .map(([name, values]) => `${name} ${said(spread(values))}`.padEnd(24))
          .join('')}`,
      );
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}
