// Whole orders with a finger at 360 px: taps, keys, seconds of the script's own hurry, and how long the pages are.
import type { Browser, Locator, Page } from '@playwright/test';
import { enterHost } from '../e2e/hosts.ts';
import { bundle, noon } from '../e2e/steps.ts';
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { pad } from './numbers.ts';

/** A finger and a phone's keyboard, which count. */
interface Hand {
  readonly page: Page;
  readonly counted: { taps: number; keys: number; steps: string[] };
  tap(what: Locator): Promise<void>;
  /** Into the field that has the focus, or that the keyboard's own "next" reaches (a key); else it is tapped first. */
  type(field: Locator, text: string): Promise<void>;
}

function handOf(page: Page): Hand {
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
      if (!(await isFocused(field)) && counted.keys > 0) {
        const before = await page.evaluate(() => document.activeElement?.tagName);
        if (before === 'INPUT') {
          await page.keyboard.press('Tab');
          counted.keys += 1;
        }
      }
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

const placed = (page: Page) => page.getByRole('heading', { name: /^Thank you/ }).waitFor();
const payButton = (page: Page) => page.getByRole('region', { name: 'Pay', exact: true }).getByRole('button');

/** From home to "placed", as somebody who has never been here. */
async function firstOrder(hand: Hand, server: SpawnedServer, country: string, host: string, mobile: string) {
  const { page } = hand;
  const own = bundle(country, host);
  await page.goto(own.mount);
  await hand.tap(page.getByRole('button', { name: 'Add Garden Four' }));
  await hand.tap(page.getByRole('link', { name: /^Cart/ }));
  await hand.tap(page.getByRole('link', { name: 'Choose where' }));
  if (host === 'paytm') {
    // The host's own picker gives the whole address.
    await hand.tap(page.getByRole('button', { name: /^Choose from your saved addresses/ }));
    await hand.tap(page.getByRole('link', { name: 'Go to payment' }));
  } else {
    await hand.type(page.getByRole('combobox'), 'conn');
    await hand.tap(page.getByRole('option', { name: /^Connaught Place\b/ }));
    await hand.tap(page.getByRole('link', { name: 'Add your address' }));
    await hand.type(page.getByLabel('House, flat or floor number'), '12 B');
    await hand.type(page.getByLabel('Street', { exact: true }), 'Baba Road');
    await hand.tap(page.getByRole('button', { name: /^Save/ }));
  }
  await page.getByRole('group', { name: 'Payment mode' }).waitFor();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (host === 'browser') {
    await hand.type(page.getByLabel('First name'), 'Asha');
    await hand.type(page.getByLabel('Mobile number'), mobile);
    await hand.tap(page.getByText('Cash on delivery', { exact: true }));
  }
  await hand.tap(page.getByRole('checkbox', { name: /terms/ }));
  await hand.tap(payButton(page));
  if (host === 'browser') {
    const code = page.getByLabel('6-digit code');
    await code.waitFor();
    const [sms = ''] = await server.inbox(`+91${mobile}`);
    await hand.type(code, /\d{6}/.exec(sms)?.[0] ?? '');
  }
  await placed(page);
  return height;
}

/** The same customer some hours later, from home. */
async function nextOrder(hand: Hand, country: string, host: string) {
  const { page } = hand;
  await page.goto(bundle(country, host).mount);
  await hand.tap(page.getByRole('button', { name: 'Order again' }));
  const sheet = page.getByRole('dialog', { name: 'Your usual' });
  await hand.tap(sheet.getByRole('button', { name: /^(Pay|Order for) ₹/ }));
  await placed(page);
}

async function both(browser: Browser, server: SpawnedServer, country: string, host: string): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    baseURL: server.url,
  });
  try {
    const page = await context.newPage();
    const mobile = freshMobile(country === 'in' ? 'in-web' : `${country}-web`);
    await enterHost(page, bundle(country, host), { user: `customer-${mobile}` });
    for (const who of ['newcomer', 'returning'] as const) {
      const hand = handOf(page);
      const started = performance.now();
      const height = who === 'newcomer' ? await firstOrder(hand, server, country, host, mobile) : 0;
      if (who === 'returning') await nextOrder(hand, country, host);
      const seconds = (performance.now() - started) / 1000;
      const { taps, keys, steps } = hand.counted;
      console.log(
        `${pad(`${country}/${host} ${who}`, 24)}${taps} taps, ${keys} keys, ${seconds.toFixed(1)} s${height > 0 ? `, payment page ${height} px` : ''}`,
      );
      console.log(`  ${steps.join(' · ')}`);
      const most = who === 'newcomer' ? 11 : 2;
      if (taps > most) throw new Error(`${taps} taps are more than ${most}.`);
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
    await noon(server);
    console.log('Whole orders with a finger at 360x740 (aims: newcomer 11 taps, returning 2)');
    for (const host of ['browser', 'gpay', 'paytm']) await both(browser, server, 'in', host);
  } finally {
    await browser.close();
    await server.stop();
  }
}
