// Whole orders with a finger at 360 px: taps, keys, seconds of the script's own hurry, and how long the pages are.
import type * as places from '#text/location.ts';
import type { Browser, Locator, Page } from '@playwright/test';
import { root } from '../../src/build/bundles.ts';
import { compileTexts, spokenIn } from '../../src/build/texts.ts';
import type { SentencesOf } from '../../src/text/spoken.ts';
import { enterHost } from '../e2e/hosts.ts';
import { noon } from '../e2e/steps.ts';
import { builtBundles, type Bundle } from '../kit/app.ts';
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { pad } from './numbers.ts';

/** A finger and a phone's keyboard, which count. */
export interface Hand {
  readonly page: Page;
  readonly counted: { taps: number; keys: number; steps: string[] };
  tap(what: Locator): Promise<void>;
  /** Into the field that has the focus; else it is tapped first: not every keyboard has a "next". */
  type(field: Locator, text: string): Promise<void>;
}

export function handOf(page: Page): Hand {
  const counted = { taps: 0, keys: 0, steps: [] as string[] };
  const isFocused = (field: Locator) => field.evaluate((node) => node === node.ownerDocument.activeElement);
  const nameOf = (what: Locator) =>
    what.evaluate((node) => (node.ariaLabel ?? node.textContent).trim().replaceAll(/\s+/g, ' ').slice(0, 40));
  return {
    page,
    counted,
    async tap(what) {
      await what.first().waitFor();
      counted.taps += 1;
      counted.steps.push(await nameOf(what.first()));
      await what.first().tap();
    },
    async type(field, text) {
      await field.waitFor();
      if (!(await isFocused(field))) {
        counted.taps += 1;
        counted.steps.push('(a field)');
        await field.tap();
      }
      counted.keys += text.length;
      await field.pressSequentially(text);
    },
  };
}

/** The most taps of a first order, by host, in any country and language. */
const NEWCOMER_TAPS: Readonly<Record<string, number>> = { browser: 10, gpay: 8, paytm: 7 };

const MOST_KEYS = 40;

/** What a newcomer types: house, a street of as many letters in each country, and so much of an area as finds it. */
const TYPED: Readonly<Record<string, { readonly door: string; readonly area: RegExp }>> = {
  in: { door: '12 B, Baba Road, con', area: /^Connaught Place/ },
  lk: { door: '12 B, Lake Road, kol', area: /^Kollupitiya/ },
  bg: { door: '12 B, Lake Road, dha', area: /^Dhanmondi/ },
};

const PREFIX: Readonly<Record<string, string>> = { in: '+91', lk: '+94', bg: '+880' };

const placed = (page: Page) => page.waitForURL(/\/order\/[\w-]+/);
const inBar = (page: Page, what: string) => page.locator(`[data-bar] ${what}`).first();

/**
 * From home to "placed", as somebody who has never been here. By what things are, since the words are of five languages.
 * Tells `reached` each step that stands, and answers how long the payment page is, in px.
 */
export async function firstOrder(
  hand: Hand,
  server: SpawnedServer,
  own: Bundle,
  mobile: string,
  reached: (step: string) => void = () => {},
): Promise<number> {
  const { page } = hand;
  const { door, area } = TYPED[own.country]!;
  await page.goto(own.mount, { waitUntil: 'commit' });
  await page.locator('[data-dish] button').first().waitFor();
  reached('dishes read');
  await hand.tap(page.locator('[data-dish] button').first());
  await hand.tap(page.locator('[data-dock] a[href$=cart]'));
  const place = inBar(page, 'a[href*=searchAddress]');
  await place.waitFor();
  reached('cart');
  await hand.tap(place);
  if (own.host === 'paytm') {
    // The host's own picker gives the whole address.
    const { picker } = await spokenIn<SentencesOf<typeof places>>(await compileTexts(root, own), 'location');
    await hand.tap(page.getByRole('button', { name: picker }));
    await hand.tap(inBar(page, 'a[href$=payment]'));
  } else {
    // What is typed before the area goes into the form that asks for the door.
    await hand.type(page.getByRole('combobox'), door);
    await hand.tap(page.getByRole('option', { name: area }));
    reached('place');
    await hand.tap(inBar(page, 'a[href*=address]'));
    await hand.tap(inBar(page, 'button[type=submit]'));
  }
  await page.locator('#pay-mode input').first().waitFor();
  reached('payment page');
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (own.host === 'browser') {
    await hand.type(page.locator('[autocomplete=given-name]'), 'Asha');
    await hand.type(page.locator('[autocomplete=tel-national]'), mobile);
    // The radio is under its words.
    await hand.tap(page.locator('label', { has: page.locator('input[value=COD]') }));
  }
  await hand.tap(page.locator('input[type=checkbox][aria-describedby], input[type=checkbox]').last());
  await hand.tap(inBar(page, 'button'));
  if (own.host === 'browser') {
    const code = page.locator('[autocomplete=one-time-code]');
    await code.waitFor();
    reached('code asked for');
    const [sms = ''] = await server.inbox(PREFIX[own.country]! + mobile);
    await hand.type(code, /\d{6}/.exec(sms)?.[0] ?? '');
  }
  await placed(page);
  return height;
}

/** The same customer some hours later, from home. */
export async function nextOrder(hand: Hand, own: Bundle, reached: (step: string) => void = () => {}): Promise<void> {
  const { page } = hand;
  await page.goto(own.mount, { waitUntil: 'commit' });
  const usual = page.locator('h1#main ~ button');
  await usual.waitFor();
  reached('the usual order');
  await hand.tap(usual);
  await hand.tap(page.locator('dialog[open] button[data-kind=primary]'));
  await placed(page);
}

async function both(browser: Browser, server: SpawnedServer, own: Bundle): Promise<void> {
  const { country, host, language } = own;
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    baseURL: server.url,
  });
  try {
    const page = await context.newPage();
    const mobile = freshMobile(`${country}-web`);
    await enterHost(page, own, { user: `customer-${mobile}` });
    for (const who of ['newcomer', 'returning'] as const) {
      const hand = handOf(page);
      const started = performance.now();
      const height = who === 'newcomer' ? await firstOrder(hand, server, own, mobile) : 0;
      if (who === 'returning') await nextOrder(hand, own);
      const seconds = (performance.now() - started) / 1000;
      const { taps, keys, steps } = hand.counted;
      console.log(
        `${pad(`${country}/${host}.${language} ${who}`, 28)}${taps} taps, ${keys} keys, ${seconds.toFixed(1)} s${height > 0 ? `, payment page ${height} px` : ''}`,
      );
      console.log(`  ${steps.join(' · ')}`);
      const most = who === 'newcomer' ? NEWCOMER_TAPS[host]! : 2;
      if (taps > most) throw new Error(`${taps} taps are more than ${most}.`);
      if (keys > MOST_KEYS) throw new Error(`${keys} keys are more than ${MOST_KEYS}.`);
      if (who === 'newcomer') await server.advance(2 * 3_600);
    }
  } finally {
    await context.close();
  }
}

export async function benchJourneys(): Promise<void> {
  const server = await spawnServer();
  const browser = await launchBrowser();
  try {
    console.log(
      'Whole orders with a finger at 360x740 (aims: newcomer 10, 8 and 7 taps and at most 40 keys, returning 2 taps)',
    );
    // Pages of partners have the same steps as a browser's.
    for (const own of builtBundles({ all: true }).filter(({ host }) => host in NEWCOMER_TAPS)) {
      // Each orders twice: the stores are open again.
      await noon(server);
      await both(browser, server, own);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}
