// What a tap of a finger costs on a slow phone: from the event to the next paint, as the browser itself tells it.
import type { Browser, Locator, Page } from '@playwright/test';
import { median } from './numbers.ts';

export const CPU_SLOWDOWN = 4;
export const LIMIT_MS = 50;
const SETTLE_MS = 400;
export const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

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
export function watchTaps(): void {
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

export const settle = (page: Page) => page.waitForTimeout(SETTLE_MS);

/** Longest of the events of one tap, in ms; under 16 the browser keeps silent. */
export async function tapped(page: Page, target: Locator): Promise<number> {
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

export interface Spread {
  readonly middle: number;
  readonly worst: number;
}
export const spread = (values: readonly number[]): Spread => ({ middle: median(values), worst: Math.max(...values) });

export const said = ({ middle, worst }: Spread) => `${middle.toFixed(0)}/${worst.toFixed(0)}`;

/** From here on as on a phone that is so much slower; by 1, as fast as the machine is. */
export async function slow(page: Page, rate = CPU_SLOWDOWN): Promise<void> {
  await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
}

/** A page with one button that counts: what a tap costs here whatever the page does. */
export async function bare(browser: Browser, taps: number): Promise<Spread> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(watchTaps);
    await page.goto(
      'data:text/html,<meta name=viewport content="width=device-width"><button onclick="this.textContent=Number(this.textContent)+1">0</button>',
    );
    await slow(page);
    const values: number[] = [];
    for (let round = 0; round < taps; round += 1) values.push(await tapped(page, page.getByRole('button')));
    return spread(values);
  } finally {
    await context.close();
  }
}
