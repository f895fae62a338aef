// What each look of a dish costs on the menu beside the plain one: until its picture stands, style and layout, and whether anything moves.
import type { Browser } from '@playwright/test';
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer } from '../kit/server.ts';
import { median, pad } from './numbers.ts';
import { PHONE, slow } from './taps.ts';

/** The plain one first. */
const LOOKS = ['s', 'u', 'w', 'x', 'y'] as const;
type Look = (typeof LOOKS)[number];

interface Visit {
  /** Largest contentful paint, ms after the page was asked for. */
  readonly paint: number;
  /** Style and layout together, ms of the page's own thread. */
  readonly layout: number;
  /** Sum of all layout shifts. */
  readonly shift: number;
}

async function visit(browser: Browser, url: string, look: Look): Promise<Visit> {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await slow(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    await page.addInitScript((one) => {
      localStorage.setItem('IN/browser:~card-variant', JSON.stringify(one));
      const seen = { paint: 0, shift: 0 };
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.paint = entry.startTime;
      }).observe({ type: 'largest-contentful-paint', buffered: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    }, look);
    await page.goto(url, { waitUntil: 'networkidle' });
    const shown = await page.evaluate(() => document.documentElement.dataset['look']);
    if (shown !== look) throw new Error(`The menu has the look ${shown}, not ${look}.`);
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: Omit<Visit, 'layout'> }).seen);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const seconds = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
    return { ...seen, layout: (seconds('LayoutDuration') + seconds('RecalcStyleDuration')) * 1_000 };
  } finally {
    await context.close();
  }
}

export async function benchLooks({ rounds }: { rounds: number }): Promise<void> {
  const server = await spawnServer();
  const browser = await launchBrowser();
  try {
    const seen = new Map<Look, Visit[]>(LOOKS.map((look) => [look, []]));
    // In turns, so that a busy moment slows all.
    for (let round = 0; round < rounds; round += 1)
      for (const look of LOOKS) seen.get(look)!.push(await visit(browser, `${server.url}/in/menu`, look));
    const of = (look: Look, value: (one: Visit) => number) => median(seen.get(look)!.map(value));
    const beside = (look: Look, value: (one: Visit) => number) =>
      `${of(look, value).toFixed(0)} ms (${(of(look, value) / of('s', value)).toFixed(2)})`;
    console.log(`Looks of a dish on the menu, medians of ${rounds} visits, beside the plain one (limit of shifts: 0)`);
    console.log(`${pad('', 4)}${pad('largest paint', 18)}${pad('style and layout', 20)}shifts`);
    for (const look of LOOKS) {
      const shifts = Math.max(...seen.get(look)!.map(({ shift }) => shift));
      const [paint, layout] = [beside(look, (one) => one.paint), beside(look, (one) => one.layout)];
      console.log(`${pad(look, 4)}${pad(paint, 18)}${pad(layout, 20)}${shifts.toFixed(4)}`);
      if (shifts > 0) throw new Error(`With the look ${look} something moves: ${shifts}.`);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}
