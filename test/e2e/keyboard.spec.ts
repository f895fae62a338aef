import type { Locator, Page } from '@playwright/test';
import * as loyalty from '../../src/contract/loyalty.ts';
import { expect, test } from '../kit/app.ts';
import { listener } from './hearing.ts';
import { bundle, heading, logInAt, noon, payButton, settleAt, totalOf } from './steps.ts';

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
    if ((await here.count()) === 0) continue;
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

test('with the keyboard alone: from home to thank-you, heard as it stands in heard.txt, and out of a question again [QUAL-X01]', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  await server.switches({ faults: [], bankOutcome: null });
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
  await ears.read('Cart', 25, 12);
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
  await expect(page.getByText(/^A new code can be sent in/).first()).toBeVisible();
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

test('a price that changes is said once, as it is then: by size and number on the dish, by number, tip, bag and coupon in the cart [QUAL-X02]', async ({
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

test('with the keyboard alone: join the rewards, read an answer, use the free pizza, keep it, and leave [QUAL-X01] [LOY-02]', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  await server.switches({ faults: [], bankOutcome: null });
  const mobile = phone('in');
  await settleAt(page, server.url, web, mobile);
  await logInAt(page, server, mobile, 'rewards');
  const press = async (target: Locator, way?: string) => {
    await tabTo(page, target, way);
    await expect(target).toBeEnabled();
    await page.keyboard.press('Enter');
  };
  await press(page.getByRole('button', { name: 'Join Pizza Pals' }));
  await expect(heading(page, '600 more points to a free regular pizza')).toBeVisible();
  // The button is gone: the keyboard is at the heading, not at the page's beginning.
  await expect(heading(page, 'Rewards').first()).toBeFocused();
  await press(page.locator('summary', { hasText: 'When do I get my points?' }));
  await expect(page.getByText(/^24 to 48 hours after/)).toBeVisible();
  await server.call(loyalty.grant, { body: { mobile, points: 600 } });
  await page.goto(`${web.mount}menu`);
  await press(page.getByRole('button', { name: 'Add Garden Four' }).first());
  await page.goto(`${web.mount}rewards`);
  await press(page.getByRole('button', { name: 'Use it now' }));
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByText('Free with your points: Garden Four').first()).toBeVisible();
  await press(page.getByRole('button', { name: 'Keep it for later' }));
  const use = page.getByRole('button', { name: 'Use it', exact: true });
  await expect(use).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Keep it for later' })).toBeFocused();
  await page.goto(`${web.mount}rewards`);
  const leave = page.getByRole('button', { name: 'Leave the programme' });
  await press(leave);
  const sheet = page.getByRole('dialog', { name: 'Leave Pizza Pals?' });
  await expect(sheet.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(leave).toBeFocused();
  await page.keyboard.press('Enter');
  await press(sheet.getByRole('button', { name: 'Leave and lose my points' }));
  await expect(page.getByText('You left. If you join again, you begin with an empty pizza.')).toBeVisible();
});
