import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../kit/app.ts';
import { listener } from './hearing.ts';
import { hurry } from './measuring.ts';
import { bundle, heading, noon, payButton, settleAt, totalOf } from './steps.ts';

const web = bundle('in', 'browser');
/** More stops than any page of this walk has between two of its steps. */
const MOST_STOPS = 60;
const FRAMES = 40;

/** What hides where the keyboard is from somebody who looks at the page: '' when it is in the window, over nothing else, and marked. */
function hiddenBy(element: Element): string {
  // A card is marked in the place of the radio button that it hides, and of a link that covers it.
  const shown = element.matches('.visually-hidden') ? element.closest('label')! : element;
  const box = shown.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + Math.min(box.width / 2, 30), box.y + Math.min(box.height / 2, 20));
  const isMarked = [shown, ...shown.querySelectorAll('*'), shown.parentElement!].some((one) => {
    const own = [getComputedStyle(one), getComputedStyle(one, '::after')];
    return (
      own.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px') ||
      own[0]!.boxShadow !== 'none'
    );
  });
  if (top === null) return 'the window';
  // A toast goes by itself.
  if (!shown.contains(top) && !top.contains(shown) && !top.closest('[role="status"]'))
    return top.outerHTML.slice(0, 120);
  return isMarked ? '' : 'nothing: it is not marked';
}

/** Tab (or Shift+Tab), and nothing else, until the keyboard is there; every stop on the way must be visible. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  const hidden: string[] = [];
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press(key);
    const here = page.locator(':focus');
    // Nothing of the page has the focus: something in a frame has.
    if ((await here.count()) === 0) {
      if (await target.evaluate((one) => one === document.activeElement)) return;
      continue;
    }
    // What scrolls into view needs a moment.
    let by = await here.evaluate(hiddenBy);
    for (let frames = 0; by !== '' && frames < FRAMES; frames += 1) {
      await page.evaluate(
        () =>
          new Promise((done) => {
            requestAnimationFrame(done);
          }),
      );
      by = await here.evaluate(hiddenBy);
    }
    if (by !== '') hidden.push(`${await here.evaluate((one) => one.outerHTML.slice(0, 100))} behind ${by}`);
    if (await target.evaluate((one) => one === document.activeElement)) {
      expect(hidden).toEqual([]);
      return;
    }
  }
  throw new Error(`The keyboard does not come to ${String(target)} within ${MOST_STOPS} stops.`);
}

test('what the keyboard comes to on home is whole in view, above the card that offers another language [QUAL-X01]', async ({
  page,
  server,
}) => {
  await noon(server);
  await hurry(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(bundle('lk', 'browser', 'ta').mount);
  const offer = page.getByRole('region', { name: 'Read this in English?' });
  await expect(offer).toBeVisible();
  const row = page
    .getByRole('main')
    .getByRole('list')
    .filter({ has: page.locator('[data-dish]') })
    .first();
  await row.focus();
  const buttons = row.locator('[data-dish] button');
  const count = await buttons.count();
  expect(count).toBeGreaterThan(3);
  for (let at = 0; at < count; at += 1) {
    await tabTo(page, buttons.nth(at));
    await expect(buttons.nth(at)).toBeInViewport({ ratio: 1 });
  }
  // With the card its room goes, too.
  const room = () => page.evaluate(() => getComputedStyle(document.documentElement).paddingBottom);
  expect(await room()).not.toBe('0px');
  await offer.getByRole('button').last().click();
  await expect(offer).toHaveCount(0);
  expect(await room()).toBe('0px');
});

test('with the keyboard alone: from home to thank-you, heard as it stands in heard.txt, each later step announced [QUAL-X01] [QUAL-X02]', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  const mobile = phone('in');
  const ears = await listener(page);
  await settleAt(page, server.url, web, mobile);
  await page.goto(web.mount);
  await expect(page.getByText('Arrives in')).toBeVisible();
  await ears.read('Home', 52);
  const press = async (target: Locator, key = 'Enter', way?: string) => {
    await tabTo(page, target, way);
    // A button that waits for an answer shows it, and takes no key.
    await expect(target).toBeEnabled();
    await page.keyboard.press(key);
  };

  await press(page.getByRole('link', { name: 'Menu', exact: true }));
  await expect(heading(page, 'Menu').first()).toBeFocused();
  await ears.read('Menu', 46);
  await press(page.getByRole('link', { name: 'Skip to the content' }), 'Enter', 'Shift+Tab');
  await ears.announced('By itself');
  await press(page.getByRole('button', { name: /^Add / }).first());
  // The button became a stepper: the keyboard is there, not at the page's beginning.
  await expect(page.getByRole('group', { name: /^Quantity of / }).locator(':focus')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await ears.announced('A dish is added');
  await press(page.getByRole('link', { name: /^Cart\b.* 1 item/ }), 'Enter', 'Shift+Tab');
  await expect(heading(page, 'Your cart')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(heading(page, 'Goes well with it')).toBeVisible();
  await expect(heading(page, 'Offers').first()).toBeVisible();
  await expect(page.getByText('You save').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Spin the wheel' })).toBeVisible();
  await ears.read('Cart', 40, 8);
  await ears.announced('By itself');
  await press(page.getByRole('link', { name: 'Go to payment' }));
  await expect(heading(page, 'Payment').first()).toBeFocused();
  await ears.read('Payment');

  const cash = page.getByRole('radio', { name: /^Cash on delivery/ });
  const modes = page.getByRole('group', { name: 'Payment mode' }).getByRole('radio');
  await tabTo(page, modes.first());
  for (let at = 0; at < 12 && !(await cash.isChecked()); at += 1) await page.keyboard.press('ArrowDown');
  await expect(cash).toBeChecked();
  await press(page.getByRole('checkbox').last(), 'Space');
  await press(payButton(page));
  const code = page.getByLabel('6-digit code');
  await expect(code).toBeFocused();
  await expect(page.getByText(/Ask again in/).first()).toBeVisible();
  await ears.read('The code of the message');
  await ears.announced('By itself');
  const [sms = ''] = await server.inbox(`+91${mobile}`);
  await page.keyboard.type(/\d{6}/.exec(sms)?.[0] ?? 'no SMS');
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeFocused();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await ears.read('Thank you');
  await ears.announced('By itself');
  expect(ears.text()).toMatchSnapshot('heard.txt');

  const cancel = page.getByRole('button', { name: 'Cancel the order' });
  await press(cancel);
  const question = page.getByRole('alertdialog');
  // Enter twice keeps the order.
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(cancel).toBeFocused();
  await press(page.getByRole('link', { name: 'Track your order' }), 'Enter', 'Shift+Tab');
  await expect(page).toHaveURL(/\/track\//);
  await tabTo(page, page.getByRole('button', { name: 'Share the tracking link' }));
  for (const [seconds, step] of [
    [95, /Being made/],
    [180, /oven|[Bb]ak/],
    [450, /Out for delivery|on (its|the) way/],
  ] as const) {
    await page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
    await server.advance(seconds);
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said.join(' | ')))
      .toMatch(step);
  }
});

/** What is said of money after each step, until the page asks for nothing more. */
async function saidAfter(page: Page, step: () => Promise<void>, shown: Locator): Promise<void> {
  const before = await shown.innerText();
  await page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
  await step();
  await expect(shown).not.toHaveText(before, { useInnerText: true });
  await page.waitForLoadState('networkidle');
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
  const amount = /₹[\d,.]+\d/.exec(await shown.innerText())![0];
  expect(
    said.filter((text) => new RegExp(`: ${amount.replace('.', '\\.')}$`).test(text), said.join(' | ')),
  ).toHaveLength(1);
  // Neither the amount of before, nor one between.
  expect(said.filter((text) => /^(To pay|Price) now/.test(text))).toHaveLength(1);
}

test('a screen reader says each price change once, with the final price, on the dish and in the cart [QUAL-X02]', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  await listener(page);
  await settleAt(page, server.url, web, phone('in'));
  await page.goto(`${web.mount}customise/PZ004`);
  const add = page.getByLabel('Your choice').getByRole('button', { name: /^Add ₹/ });
  await expect(add).toBeVisible();
  await saidAfter(page, () => page.getByRole('group', { name: 'Size' }).getByText('Medium').click(), add);
  await saidAfter(page, () => page.getByRole('button', { name: 'One more Garden Four' }).click(), add);
  await add.click();
  await page.goto(`${web.mount}cart`);
  const total = totalOf(page);
  await expect(total).toBeVisible();
  await page.waitForLoadState('networkidle');
  await saidAfter(page, () => page.getByRole('button', { name: 'One more Garden Four' }).click(), total);
  await saidAfter(page, () => page.getByRole('group', { name: 'Tip' }).getByRole('button').first().click(), total);
  await saidAfter(page, () => page.getByRole('checkbox', { name: /bag/i }).click(), total);
  await page.getByLabel('Have an offer code?').fill('WELCOME50');
  await saidAfter(page, () => page.getByRole('button', { name: 'Apply' }).click(), total);
});
