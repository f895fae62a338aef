import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { expect, test } from '../kit/app.ts';
import { IS_ALL } from '../kit/matrix.ts';
import { look } from './steps.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Pixels of a page that a screen is made for at most. */
const TALLEST = 4_000;

/** `iframes: false` leaves out what is in frames, which is judged with its own page. */
export async function problemsOf(page: Page, { iframes = true } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${AXE};0`);
  return page.evaluate(async (frames) => {
    const { axe } = window as unknown as {
      axe: {
        run(
          where: Document,
          how: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run(document, {
      iframes: frames,
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
  }, iframes);
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

/** What only paints, because the same is said beside the colour, and by what. */
const SAID: Readonly<Record<string, string>> = {
  'data-tone': 'the words of the tag; the numbers of the wheel',
  'data-team': "each team's own mark",
  'data-kind': 'the words of the line',
  'data-gain': 'the sign of the sum',
  'data-in': 'the sign of the sum',
  'data-lit': 'the star is filled',
  'data-open': 'the words of the strip',
  'data-offline': 'the strip',
  'data-old': 'aria-busy, and the sentence that the price is asked for',
  'aria-busy': 'the same',
};

/**
 * Each state that a style sheet asks for (an attribute, `:checked`) is taken from its element for a moment. Somebody who
 * sees no colours must see that: another shape, line, weight or word, a picture that its neighbours without the state lack,
 * or a lightness that differs by 3 to 1.
 */
async function toldByColourAlone(page: Page): Promise<string[]> {
  return page.evaluate((paint) => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
    const states = new Set<string>();
    const read = (rules: CSSRuleList) => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule)
          for (const [state] of rule.selectorText.matchAll(/\[[\w-]+(?:="[^"]*")?\]|:checked/g)) states.add(state);
        else if ('cssRules' in rule) read(rule.cssRules as CSSRuleList);
      }
    };
    for (const sheet of document.styleSheets) read(sheet.cssRules);

    const LINES = [
      'display',
      'visibility',
      'width',
      'height',
      'content',
      'font-weight',
      'font-style',
      'font-size',
      'opacity',
      'clip-path',
    ];
    LINES.push(
      'text-decoration-line',
      'outline-style',
      'outline-width',
      'border-radius',
      'stroke-width',
      'stroke-dasharray',
    );
    for (const side of ['top', 'right', 'bottom', 'left'])
      LINES.push(`border-${side}-width`, `border-${side}-style`, `padding-${side}`);
    const COLOUR = /rgba?\([^)]*\)/g;
    const COLOURS = ['background-color', 'color', 'border-top-color', 'fill', 'stroke'];
    const luminance = (colour: string): number => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((one) => {
        const part = Number(one) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const seenAs = (colour: string, property: string): string =>
      property === 'color' || !/, 0\)$|^none$/.test(colour) ? colour : 'none';
    /** What is seen of an element and of all in it: its shapes as one text, and its colours in their order. */
    const looks = (of: readonly Element[]) => {
      const shapes: string[] = [];
      const colours: string[] = [];
      for (const root of of)
        for (const one of [root, ...root.querySelectorAll('*')]) {
          if (one.getClientRects().length === 0) continue;
          for (const pseudo of [undefined, '::before', '::after']) {
            const style = getComputedStyle(one, pseudo);
            if (pseudo && style.content === 'none') continue;
            shapes.push(
              ...LINES.map((line) => style.getPropertyValue(line)),
              // Where a shadow is painted, not in which colour; a filled shape is another shape than an empty one.
              style.boxShadow.replaceAll(COLOUR, ''),
              style.backgroundImage.replaceAll(COLOUR, ''),
              one instanceof SVGElement ? String(style.fill === 'none') : '',
            );
            colours.push(...COLOURS.map((property) => seenAs(style.getPropertyValue(property), property)));
          }
        }
      return { shapes: shapes.join('|'), colours };
    };
    const differsBy3 = (a: string, b: string): boolean => {
      if (a === b || a === 'none' || b === 'none') return false;
      const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
      return (bright + 0.05) / (dim + 0.05) >= 3;
    };
    const pictures = (of: Element): string => [...of.querySelectorAll('svg')].map((one) => one.innerHTML).join('|');
    /** Whether its own element shows a state by a browser's tick, or by a picture that its neighbours without it lack. */
    const isDrawn = (one: Element, state: string): boolean => {
      const beside = [...(one.parentElement?.children ?? [])].filter(
        (other) => other !== one && other.tagName === one.tagName && !other.matches(state),
      );
      if (one.querySelector(':checked') !== null) return true;
      return pictures(one) !== '' && beside.every((other) => pictures(other) !== pictures(one));
    };

    const found: string[] = [];
    for (const state of states) {
      const name = state.match(/[\w-]+/)![0];
      if (paint.includes(name)) continue;
      for (const one of document.querySelectorAll<HTMLElement>(state)) {
        if (one === document.documentElement || one === document.body) continue;
        const near = [one, ...(one instanceof HTMLInputElement && one.parentElement ? [one.parentElement] : [])];
        const before = looks(near);
        let back: () => void;
        if (state === ':checked') {
          if (!(one instanceof HTMLInputElement)) continue;
          one.checked = false;
          back = () => void (one.checked = true);
        } else {
          const value = one.getAttribute(name)!;
          one.removeAttribute(name);
          back = () => one.setAttribute(name, value);
        }
        const after = looks(near);
        back();
        if (before.shapes !== after.shapes || before.colours.join() === after.colours.join()) continue;
        if (before.colours.some((colour, at) => differsBy3(colour, after.colours[at]!)) || isDrawn(one, state))
          continue;
        found.push(`colour alone says ${state}: ${one.outerHTML.slice(0, 160)}`);
      }
    }
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== still);
    return found;
  }, Object.keys(SAID));
}

/**
 * Words stand in the theme's sizes, 10 to 20 px. Larger are only what is read from afar, a figure with its unit (a sum, a
 * code, a seat), and the headline of the poster that home begins with. A button's corners are 3 px.
 */
async function offTheTheme(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const isHome = location.pathname === new URL(document.baseURI).pathname;
    for (const one of document.querySelectorAll<HTMLElement>('body *')) {
      if (one.getClientRects().length === 0 || one.closest('svg, [aria-hidden="true"]')) continue;
      const words = [...one.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent!.trim())
        .join('');
      const size = Number.parseFloat(getComputedStyle(one).fontSize);
      if (words === '') continue;
      const isFigure = words.length <= 12 && /\d/.test(words);
      if ((size > 20.01 && !isFigure && !(isHome && one.closest('h1'))) || size < 9.99)
        found.add(`${size} px: ${words.slice(0, 60)}`);
    }
    for (const one of document.querySelectorAll<HTMLElement>(':is(a, button)[data-kind]')) {
      const radius = getComputedStyle(one).borderRadius;
      if (radius !== '3px') found.add(`a button with corners of ${radius}: ${one.textContent.slice(0, 60)}`);
    }
    return [...found];
  });
}

/** Dark where the customer wishes it dark, light where not. */
async function notAsWished(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.documentElement);
    const [paper, ink] = [backgroundColor, color].map((one) => {
      const [r = 0, g = 0, b = 0] = (one.match(/[\d.]+/g) ?? []).map(Number);
      return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
    }) as [number, number];
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const [dim, bright] = isDark ? [paper, ink] : [ink, paper];
    return dim < 0.2 && bright > 0.8 ? [] : [`not ${isDark ? 'dark' : 'light'}: ${color} on ${backgroundColor}`];
  });
}

/** The size of each text on screen, in the order of the document, and whether it stands in a bar that is always in view. */
const textSizes = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((one) => one.getClientRects().length > 0 && !one.closest('svg'))
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim()))
      .map((one) => {
        let bar: Element | null = one;
        while (bar && !/^(fixed|sticky)$/.test(getComputedStyle(bar).position)) bar = bar.parentElement;
        return {
          said: one.textContent.slice(0, 60),
          size: Number.parseFloat(getComputedStyle(one).fontSize),
          isInBar: bar !== null,
        };
      }),
  );

/** Whoever has set the browser's text to twice its size reads all of it so, and nothing leaves the screen. */
async function wrongWhenLarge(page: Page, picture: () => Promise<void>): Promise<string[]> {
  const settings = await page.context().newCDPSession(page);
  const before = await textSizes(page);
  try {
    await settings.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    const after = await textSizes(page);
    await picture();
    // What stands beside others in one line, or in a bar that is always in view, grows as far as there is room.
    const grown = after
      .map(({ said, size, isInBar }, at) => ({ said, size, isInBar, was: before[at] }))
      .filter(({ said, was }) => was?.said === said)
      .map(({ was, ...one }) => ({ ...one, by: one.size / was!.size }));
    const LARGE_PX = 28;
    const small = grown
      .filter(({ by, size }) => by < 1.15 && size < LARGE_PX)
      .map(({ said, size }) => `stays at ${size} px: ${said}`);
    const read = grown.filter(({ isInBar }) => !isInBar);
    const doubled = read.filter(({ by }) => by >= 1.9);
    return [
      ...(await tooWide(page)),
      ...small,
      ...(doubled.length * 3 < read.length * 2 ? [`only ${doubled.length} of ${read.length} texts grow to twice`] : []),
    ];
  } finally {
    await settings.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
    await settings.detach();
  }
}

export const PHONE = { width: 360, height: 740 };
export const DESK = { width: 1280, height: 800 };
/** What axe, colours and wishes may take on one screen in one more size. */
const JUDGED_MS = 8_000;

/** A sheet comes in anew where another width lets it come another way, and is paler until it stands. */
const still = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished.catch(() => null)),
    ).then(() => null),
  );

/**
 * Everything on screen is asked at once, so that one run shows all that is wrong. What axe and the colours say is of the size
 * that is walked on, and in the full matrix of each: the others are judged by their landmarks and letters.
 */
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
    await still(page);
    const isWhole = IS_ALL || size === sizes[0];
    // A test's time is for its walk; what the full matrix judges besides brings its own.
    if (isWhole && size !== sizes[0]) test.setTimeout(test.info().timeout + JUDGED_MS);
    const there = [
      ...(isWhole ? [await problemsOf(page), await toldByColourAlone(page), await notAsWished(page)] : []),
      await offTheTheme(page),
    ].flat();
    found.push(...there.map((one) => `${name}, ${size.width} px wide: ${one}`));
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
        const wrong = await wrongWhenLarge(page, () => look(page, `large-${name}`));
        found.push(...wrong.map((one) => `${name} at 200 % text: ${one}`));
      }
      await page.setViewportSize(own);
    },
  };
}
