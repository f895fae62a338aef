import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { addFromMenu, bundle, noon } from './steps.ts';

// The first taps of a page whose script is still on its way: src/shell/loading/early.ts answers them.

const web = bundle('in', 'browser');
const DISHES = ['PZ001', 'PZ002', 'PZ003'];

interface Asleep {
  readonly page: Page;
  /** The script arrives; settles when the page is alive. */
  readonly wake: () => Promise<void>;
}
/** A page without its script. */
async function asleep(context: BrowserContext): Promise<Asleep> {
  const page = await context.newPage();
  let letGo = () => {};
  const released = new Promise<void>((done) => {
    letGo = done;
  });
  let isAsked = false;
  await page.route(/\/first\.[^/]*\.js$/, async (route) => {
    isAsked = true;
    await released;
    await route.continue().catch(() => undefined);
  });
  await page.addInitScript(() => {
    addEventListener('alive', () => document.documentElement.setAttribute('data-alive', ''), true);
  });
  await page.goto(`${web.mount}menu`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.readyState !== 'loading');
  await expect.poll(() => isAsked).toBe(true);
  return {
    page,
    wake: async () => {
      await expect(page.locator('html[data-alive]')).toHaveCount(0);
      letGo();
      await expect(page.locator('html[data-alive]')).toBeAttached();
    },
  };
}
const device = (browser: Browser, baseURL: string) =>
  browser.newContext({ baseURL, serviceWorkers: 'block', viewport: { width: 360, height: 740 } });

/** What the server has priced, by dish, without what a coupon gives; once nothing waits to be sent. */
async function cartOf(page: Page): Promise<Record<string, number>> {
  const read = () =>
    page.evaluate(() => ({
      waiting: JSON.parse(localStorage.getItem('IN/browser:cart-operations') ?? '[]') as unknown[],
      cart: JSON.parse(localStorage.getItem('IN/browser:cart') ?? 'null') as {
        validItems: { product: { id: string }; quantity: number; free?: boolean }[];
      } | null,
    }));
  await expect.poll(async () => (await read()).waiting).toEqual([]);
  const pieces: Record<string, number> = {};
  for (const { product, quantity, free } of (await read()).cart?.validItems ?? [])
    if (!free) pieces[product.id] = (pieces[product.id] ?? 0) + quantity;
  return pieces;
}
const shown = (page: Page) =>
  page.evaluate(() => ({
    dishes: [...document.querySelectorAll('[data-dish]>div output')].map((one) => one.textContent),
    cart: document.querySelector('[data-dock]>:last-child .visually-hidden')?.textContent,
  }));

/** The same for every run of the tests, another for each seed. */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}
interface Tap {
  readonly dish: string;
  readonly isMore: boolean;
}
function tapsOf(seed: number): readonly Tap[] {
  const next = random(seed);
  const draw = () => next.next().value;
  return Array.from({ length: 3 + Math.floor(draw() * 7) }, () => ({
    dish: DISHES[Math.floor(draw() * DISHES.length)]!,
    isMore: draw() < 0.65,
  }));
}
async function play(page: Page, taps: readonly Tap[]): Promise<void> {
  for (const { dish, isMore } of taps) {
    const buttons = page.locator(`[data-dish^="${dish} "]>div`).first().locator('button');
    await (isMore ? buttons.last() : buttons.first()).click();
  }
}

test('taps before the script loads give the same cart, on the page and the server, as taps after it [CART-X02]', async ({
  browser,
  server,
}) => {
  await noon(server);
  for (const seed of sample([1, 2, 3, 4, 5, 6], [4, 6])) {
    const taps = tapsOf(seed);
    const ends = [];
    for (const before of [Math.ceil(taps.length * (0.3 + 0.1 * seed)), 0]) {
      const context = await device(browser, server.url);
      const { page, wake } = await asleep(context);
      const troubles = watchTrouble(page);
      await play(page, taps.slice(0, before));
      const early = await shown(page);
      await wake();
      // React draws what was there, and complains of nothing.
      expect(await shown(page)).toEqual(early);
      await play(page, taps.slice(before));
      ends.push({ server: await cartOf(page), shown: await shown(page) });
      expect(troubles).toEqual([]);
      await context.close();
    }
    expect(ends[0], `taps of seed ${seed}`).toEqual(ends[1]);
  }
});

test('by keyboard before the script loads, Add becomes plus under the focus; nothing moves when the script comes', async ({
  browser,
  server,
}) => {
  const context = await device(browser, server.url);
  const { page, wake } = await asleep(context);
  const stepper = page.locator('[data-dish^="PZ001 "]>div').first();
  await stepper.getByRole('button').focus();
  await page.keyboard.press('Enter');
  const focused = page.locator(':focus');
  await expect(focused).toHaveAccessibleName('One more Tomato Basil Classic');
  await page.keyboard.press('Space');
  await expect(stepper).toContainText('2');
  await page.keyboard.press('Shift+Tab');
  await expect(focused).toHaveAccessibleName('One less Tomato Basil Classic');
  await page.keyboard.press('Enter');
  await expect(focused).toHaveAccessibleName('Remove Tomato Basil Classic');
  await page.keyboard.press('Enter');
  await expect(focused).toHaveAccessibleName('Add Tomato Basil Classic');
  await page.keyboard.press('Enter');
  const sides = page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Sides' });
  await sides.focus();
  await page.keyboard.press('Enter');
  await expect(sides).toHaveAttribute('aria-current', 'page');
  const title = page.getByRole('heading', { name: /^Sides/ });
  await expect(title).toBeInViewport();
  const boxes = async () => [await title.boundingBox(), await page.locator('[data-dock]>:last-child').boundingBox()];
  const before = await boxes();
  await wake();
  // Nobody sees less than half a pixel.
  expect(await boxes()).toEqual(before.map((box) => ({ ...box!, y: expect.closeTo(box!.y, 0) as unknown })));
  await expect(sides).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('link', { name: /^Cart , 1 item/ })).toBeVisible();
  await context.close();
});

test('a press on the cart counts although its sum comes before the finger is lifted', async ({ page, server }) => {
  await noon(server);
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  await page.route(/\/cart\//, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  const cart = page.getByRole('link', { name: /^Cart/ }).last();
  const waiting = cart.getByText('···');
  await expect(waiting).toBeVisible();
  const { x, y, width, height } = (await waiting.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  answer();
  await expect(cart).toContainText('₹');
  await page.mouse.up();
  await expect(page).toHaveURL(/\/cart$/);
});
