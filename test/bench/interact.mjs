// How long a tap waits for its next paint on a menu of 80, 300 and 1,000 dishes; the cost must not grow with the menu.
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer } from '../kit/server.ts';
import { median, pad } from './numbers.mjs';

const CPU_SLOWDOWN = 4;
const SIZES = [80, 300, 1_000];
const LIMIT_MS = 50;
const TAPS = 6;
const SETTLE_MS = 400;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** The store's menu, as long as wanted: every dish again under another id, in its own categories. */
function grown({ menu, ...reply }, size) {
  const items = Array.from({ length: size }, (_, index) => {
    const item = menu.items[index % menu.items.length];
    const round = Math.floor(index / menu.items.length);
    return round === 0 ? item : { ...item, id: `${item.id}-${round}`, name: `${item.name} ${round + 1}`, tags: item.tags.filter((tag) => tag !== 'bestseller'), soldOut: false };
  });
  const version = `${menu.version}-${size}`;
  return { ...reply, version, menu: { ...menu, version, items } };
}

/** Runs in the page: event to next paint as the browser itself tells it, and the longest frame of a scroll. */
function watchTaps() {
  const seen = { taps: [], frames: [], last: 0 };
  globalThis.benchTaps = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId > 0) seen.taps.push({ id: entry.interactionId, ms: entry.duration, script: entry.processingEnd - entry.processingStart, wait: entry.processingStart - entry.startTime });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  const frame = (now) => { if (seen.last > 0) seen.frames.push(now - seen.last); seen.last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
}

const settle = (page) => page.waitForTimeout(SETTLE_MS);

/** Longest of the events of one tap, in ms; under 16 the browser keeps silent. */
async function tapped(page, target) {
  await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await settle(page);
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing there to tap');
  await page.evaluate(() => { globalThis.benchTaps.taps.length = 0; });
  // A finger, as on the phones this stands for: a mouse would come from somewhere first and make the page draw its hovering.
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await settle(page);
  return page.evaluate(() => Math.max(8, ...globalThis.benchTaps.taps.map((one) => one.ms)));
}

/** A page with one button that counts: what a tap costs here whatever the page does. */
async function bare(browser) {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(watchTaps);
    await page.goto('data:text/html,<meta name=viewport content="width=device-width"><button onclick="this.textContent=Number(this.textContent)+1">0</button>');
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const values = [];
    for (let round = 0; round < TAPS; round += 1) values.push(await tapped(page, page.getByRole('button')));
    return { middle: median(values), worst: Math.max(...values) };
  } finally {
    await context.close();
  }
}

async function scrolled(page) {
  await page.evaluate(() => { globalThis.benchTaps.frames.length = 0; });
  for (let step = 0; step < 10; step += 1) {
    await page.mouse.wheel(0, 500);
    await page.waitForTimeout(60);
  }
  await settle(page);
  return page.evaluate(() => Math.max(...globalThis.benchTaps.frames));
}

async function visit(browser, url, size) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.route(/\/content\/ve1\/stores\/[^/]+\/menu/, async (route) => {
      // Without the version that the page holds, the server answers the whole menu.
      const reply = await (await route.fetch({ url: route.request().url().replace(/\?.*$/, '') })).json();
      await route.fulfill({ json: grown(reply, size) });
    });
    await page.addInitScript(watchTaps);
    await page.goto(url);
    const count = page.locator('section h2 small');
    await page.waitForFunction((least) => [...document.querySelectorAll('section h2 small')].reduce((sum, one) => sum + Number(one.textContent), 0) >= least, size * 0.8, { timeout: 30_000 });
    if (await count.count() === 0) throw new Error('no menu');
    await settle(page);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const marks = { 'add to cart': [], 'one more': [], filter: [], category: [], scroll: [] };
    const tabs = page.getByRole('navigation', { name: 'Categories' }).getByRole('link');
    for (let round = 0; round < TAPS; round += 1) {
      // The next dish that is not in the cart yet, then one more of it.
      // The page is at its top, and only a dish of the shop's own will do: what was made up here its server does not sell.
      const add = page.locator('main section').first().getByRole('button', { name: /^Add (?!.* \d+$)/ }).first();
      const name = (await add.getAttribute('aria-label')).replace('Add ', '');
      marks['add to cart'].push(await tapped(page, add));
      marks['one more'].push(await tapped(page, page.getByRole('button', { name: `One more ${name}`, exact: true }).first()));
      marks.filter.push(await tapped(page, page.getByRole('button', { name: 'Veg only' })));
      await tapped(page, page.getByRole('button', { name: 'Veg only' }));
      marks.category.push(await tapped(page, tabs.nth(2 + round % 4)));
      marks.scroll.push(await scrolled(page));
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      await settle(page);
    }
    return marks;
  } finally {
    await context.close();
  }
}

/** @returns by size and interaction: median and worst, in ms */
export async function benchInteract({ bundle = 'in/gpay', sizes = SIZES } = {}) {
  console.log(`\nFrom a tap to its next paint on the menu (${bundle}), CPU ${CPU_SLOWDOWN}x slower, ms: median and worst of ${TAPS} (aim ${LIMIT_MS}; the browser counts in steps of 8). Scroll: longest frame of five screens`);
  const server = await spawnServer();
  const browser = await launchBrowser();
  const results = {};
  try {
    const least = await bare(browser);
    console.log(`${pad('bare page', 14)}a button that counts ${least.middle.toFixed(0)}/${least.worst.toFixed(0)}`);
    for (const size of sizes) {
      const marks = await visit(browser, `${server.url}/${bundle}/menu`, size);
      results[size] = Object.fromEntries(Object.entries(marks).map(([name, values]) => [name, { middle: median(values), worst: Math.max(...values) }]));
      console.log(`${pad(`${size} dishes`, 14)}${Object.entries(results[size]).map(([name, { middle, worst }]) => `${name} ${middle.toFixed(0)}/${worst.toFixed(0)}`.padEnd(24)).join('')}`);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return results;
}
