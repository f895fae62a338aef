import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect } from '../kit/app.ts';
import { look } from './steps.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Pixels of a page that a screen is made for at most. */
const TALLEST = 4_000;

export async function problemsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${AXE};0`);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(
          where: Document,
          how: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
      selectors: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) =>
          `${id}: ${html.slice(0, 140)} ${failureSummary.split('\n').slice(1, 3).join(' ').slice(0, 160)}`,
      ),
    );
  });
}

/** What makes the page wider than its window: nothing may, except what scrolls by itself. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return [];
    const wide = [...document.querySelectorAll('body *')].filter((one) => {
      for (let parent = one.parentElement; parent; parent = parent.parentElement)
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(parent).overflowX)) return false;
      return one.getBoundingClientRect().right > room + 1;
    });
    return [
      `${document.documentElement.scrollWidth} > ${room}`,
      ...wide.slice(0, 4).map((one) => one.outerHTML.slice(0, 120)),
    ];
  });
}

/** Each page has one banner and one main part, and one foot unless its lower edge belongs to a bar. */
async function wrongLandmarks(page: Page): Promise<string[]> {
  // The foot comes after the page is alive.
  await expect(page.locator('footer, [data-bar]').first()).toBeAttached();
  return page.evaluate(() => {
    const count = (tag: string) =>
      [...document.querySelectorAll(tag)].filter(
        (one) =>
          one.getClientRects().length > 0 && !one.parentElement!.closest('main,section,article,aside,nav,dialog'),
      ).length;
    const wanted: Record<string, number> = { header: 1, main: 1, footer: document.querySelector('[data-bar]') ? 0 : 1 };
    return Object.entries(wanted).flatMap(([tag, times]) =>
      count(tag) === times ? [] : [`${count(tag)} ${tag} instead of ${times}`],
    );
  });
}

export const PHONE = { width: 360, height: 740 };
export const DESK = { width: 1280, height: 800 };

/** Everything on screen is asked at once, in each of the sizes, so that one run shows all that is wrong. */
export function inspector(page: Page, sizes: readonly { readonly width: number; readonly height: number }[]) {
  const found: string[] = [];
  const seen: string[] = [];
  const judge = async (name: string, size: (typeof sizes)[number]) => {
    await page.setViewportSize(size);
    await expect(page.locator('main [aria-busy="true"]'), name).toHaveCount(0);
    found.push(...(await wrongLandmarks(page)).map((one) => `${name}: ${one}`));
    await look(page, `axe-${name}`);
    // What lies under a bar at the lower edge can be scrolled to: everything is judged where nothing happens to be covered.
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: size.width, height: Math.min(Math.max(size.height, tall), TALLEST) });
    found.push(...(await problemsOf(page)).map((one) => `${name}, ${size.width} px wide: ${one}`));
  };
  return {
    found,
    seen,
    async inspect(name: string): Promise<void> {
      seen.push(name);
      const own = page.viewportSize()!;
      for (const size of sizes) await judge(name, size);
      if (sizes.length > 1) {
        await page.setViewportSize({ width: 320, height: 640 });
        found.push(...(await tooWide(page)).map((one) => `${name} at 320 px: ${one}`));
        await page.setViewportSize(PHONE);
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%';
        });
        found.push(...(await tooWide(page)).map((one) => `${name} at 200 % text: ${one}`));
        await look(page, `large-${name}`);
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '';
        });
      }
      await page.setViewportSize(own);
    },
  };
}
