import type { Locator, Page } from '@playwright/test';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { expect, test } from '../kit/app.ts';
import { codeFor } from '../server/people.ts';
import { listener } from './hearing.ts';
import { payAtBank } from './hosts.ts';
import { hurry } from './measuring.ts';
import { orderingAs } from './ordering.ts';
import { bundle, cardFields, heading, logInAt, noon, payButton, settleAt, totalOf } from './steps.ts';

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

test('what the keyboard comes to on home stands above the card that offers another language [QUAL-X01]', async ({
  page,
  server,
}) => {
  await noon(server);
  await page.goto(bundle('lk', 'browser', 'ta').mount);
  const offer = page.getByRole('region', { name: 'Read this in English?' });
  await expect(offer).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: /^Devilled Chicken/ }).first());
  // With the card its room goes, too.
  const room = () => page.evaluate(() => getComputedStyle(document.documentElement).paddingBottom);
  expect(await room()).not.toBe('0px');
  await offer.getByRole('button').last().click();
  await expect(offer).toHaveCount(0);
  expect(await room()).toBe('0px');
});

test('what the keyboard comes to in a row of dishes is whole in view [QUAL-X01]', async ({ page, server }) => {
  await noon(server);
  await hurry(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(web.mount);
  await expect(page.getByText('Arrives in').or(page.getByText('Choose your place')).first()).toBeVisible();
  const row = page.getByRole('list', { name: 'Bestsellers' });
  await row.focus();
  const count = await row.getByRole('listitem').count();
  const buttons = row.getByRole('button', { name: /^Add / });
  for (let at = 0; at < count; at += 1) {
    await tabTo(page, buttons.nth(at));
    await expect(buttons.nth(at)).toBeInViewport({ ratio: 1 });
  }
});

test('with the keyboard alone: from home to thank-you, heard as it stands in heard.txt, and out of a question again [QUAL-X01]', async ({
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

test('with the keyboard alone: join the rewards, read an answer, use the free pizza, keep it, and leave [QUAL-X01] [LOY-02] @all', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
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
  // While the cart is priced anew, the best offer may have a button of these words, too.
  const use = page.getByRole('group', { name: 'Rewards' }).getByRole('button', { name: 'Use it', exact: true });
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
  await expect(sheet.getByText('You lose 600 points for good.')).toBeVisible();
  await expect(sheet.getByText('The free pizza that they pay for is lost, too.')).toBeVisible();
  await press(sheet.getByRole('button', { name: 'Leave and lose my points' }));
  await expect(page.getByText('You left. If you join again, you begin with an empty pizza.')).toBeVisible();
});

/** Tab until the keyboard is in a group of radio buttons, then arrows until `wanted` is chosen. */
async function chooseByKeys(page: Page, group: Locator, wanted: Locator): Promise<void> {
  const chosen = group.getByRole('radio', { checked: true });
  await tabTo(page, (await chosen.count()) > 0 ? chosen : group.getByRole('radio').first());
  for (let at = 0; at < 12 && !(await wanted.isChecked()); at += 1) await page.keyboard.press('ArrowDown');
  await expect(wanted).toBeChecked();
}
async function pressByKeys(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await expect(target).toBeEnabled();
  await page.keyboard.press(key);
}
/** What the page has said by itself, until it says this. */
const hears = (page: Page, text: RegExp) =>
  expect.poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said.join(' | '))).toMatch(text);

test('by keyboard alone a pizza is built, UPI declined, a card pays, and each order step is announced [QUAL-X01] [QUAL-X02]', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  await listener(page);
  await settleAt(page, server.url, web, phone('in'));
  await page.goto(`${web.mount}customise/PZ004`);
  await expect(heading(page, 'Garden Four')).toBeVisible();
  const sizes = page.getByRole('group', { name: 'Size' });
  await chooseByKeys(page, sizes, sizes.getByRole('radio', { name: /Medium/ }));
  const vegetables = page.locator('details').filter({ has: page.locator('summary', { hasText: 'Vegetables' }) });
  await pressByKeys(page, vegetables.getByRole('checkbox').first(), 'Space');
  await expect(vegetables.getByRole('checkbox').first()).toBeChecked();
  await pressByKeys(page, page.getByLabel('Your choice').getByRole('button', { name: /^Add ₹/ }));
  await expect(page).not.toHaveURL(/customise/);

  await page.goto(`${web.mount}payment`);
  const modes = page.getByRole('group', { name: 'Payment mode' });
  await expect(modes).toBeVisible();
  await chooseByKeys(page, modes, modes.getByRole('radio', { name: /^UPI/ }));
  await pressByKeys(page, page.getByRole('checkbox').last(), 'Space');
  await pressByKeys(page, payButton(page));
  await tabTo(page, page.getByRole('link', { name: 'Open your UPI app' }));
  await tabTo(page, page.getByRole('button', { name: 'I have paid: check now' }));
  await payAtBank(page, 'decline');
  // The page asks by itself, too: where it was first, the keyboard is at the heading, and the key does nothing.
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Payment Failed. Please try again.')).toBeFocused();

  await pressByKeys(page, page.getByRole('button', { name: /^Pay with (a card|Credit)/ }));
  const fields = cardFields(page);
  await tabTo(page, fields.getByLabel('Card number'));
  await page.keyboard.type('4111111111111111');
  for (const [name, text] of [
    ['Expiry', '1239'],
    ['CVV', '123'],
    ['Name on the card', 'Asha Rao'],
  ] as const) {
    await tabTo(page, fields.getByLabel(name, { exact: name === 'CVV' }));
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/bank\//);
  await page.locator('button[value="approve"]').focus();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  for (const [seconds, step] of [
    [95, /Being made/],
    [180, /oven|[Bb]ak/],
    [450, /Out for delivery|on (its|the) way/],
    [900, /Enjoy your meal!/],
  ] as const) {
    await page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
    await server.advance(seconds);
    await hears(page, step);
  }
});

test('by keyboard alone a group order is opened and called off, a match predicted, and train food taken to payment [QUAL-X01] @all', async ({
  page,
  server,
  phone,
}) => {
  // The tickets of the embedded railway begin anew with the first question of a day.
  await server.advance(86_400);
  await noon(server);
  const mobile = phone('in');
  await settleAt(page, server.url, web, mobile);
  await page.goto(`${web.mount}group`);
  await tabTo(page, page.getByLabel('Your name'));
  await pressByKeys(page, page.getByRole('button', { name: '45 min' }));
  await pressByKeys(page, page.getByRole('button', { name: 'Get the link' }));
  await expect(heading(page, 'Your group order')).toBeVisible();
  await pressByKeys(page, page.getByRole('button', { name: 'Cancel group order' }));
  await expect(page.getByRole('alertdialog').locator(':focus')).toHaveCount(1);
  await pressByKeys(page, page.getByRole('alertdialog').getByRole('button', { name: /cancel/i }));
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByText('You have cancelled this group order')).toBeVisible();

  await logInAt(page, server, mobile, 'worldPizzaLeague');
  await pressByKeys(page, page.getByRole('button', { name: 'Join the league' }));
  await pressByKeys(page, page.getByRole('checkbox', { name: /^Show my nickname/ }), 'Space');
  await tabTo(page, page.getByRole('textbox', { name: 'Nickname' }));
  await page.keyboard.type(`Asha ${mobile.slice(-5)} keys`);
  await pressByKeys(page, page.getByRole('button', { name: 'Play' }));
  await expect(page.getByText(/^You play as Asha/)).toBeVisible();
  // The sheet that has gone gives the focus to the page.
  await expect(heading(page, 'World Pizza League')).toBeFocused();
  const match = page.getByRole('group', { name: / against / }).first();
  await chooseByKeys(page, match, match.getByRole('radio', { name: 'Draw' }));
  await expect(page.getByText(/: your guess is saved\.$/)).toBeVisible();

  await page.goto(`${web.mount}deliverontrain`);
  await tabTo(page, page.getByLabel('PNR', { exact: true }));
  await page.keyboard.type('2612345602');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Where shall we bring it?')).toBeVisible();
  const stations = page.getByRole('list', { name: /^Stations of 12951/ });
  await pressByKeys(page, stations.getByRole('button', { name: /^Vadodara/ }));
  await pressByKeys(page, page.getByRole('link', { name: /^Order to Vadodara/ }));
  await tabTo(page, page.getByLabel('Coach'));
  await pressByKeys(page, page.getByRole('button', { name: 'See the food' }));
  await expect(heading(page, 'Good on a train')).toBeVisible();
  await pressByKeys(page, page.getByRole('button', { name: /^Add / }).first());
  await page.goto(`${web.mount}payment`);
  await expect(page.getByRole('group', { name: 'Payment mode' })).toBeVisible();
  await expect(payButton(page)).toBeEnabled();
  await tabTo(page, payButton(page));
});

test('by keyboard alone a customer logs in, spins the wheel, rates an order, reads the wallet, deletes the account [QUAL-X01] @all', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  const mobile = phone('in');
  await settleAt(page, server.url, web, mobile);
  await page.goto(`${web.mount}login?redirectUrl=%2Fmenu`);
  await tabTo(page, page.getByLabel('Mobile number'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(mobile);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.type(await codeFor(server, mobile));
  await expect(heading(page, 'Menu').first()).toBeVisible();
  const { order } = await (await orderingAs(page, server, web, mobile)).order({ paymentMode: 'COD' });

  await pressByKeys(page, page.getByRole('button', { name: /^Add / }).first());
  await tabTo(page, page.getByRole('link', { name: /^Cart\b.* 1 item/ }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await pressByKeys(page, page.getByRole('button', { name: 'Spin the wheel' }));
  const wheel = page.getByRole('dialog', { name: 'Spin the wheel' });
  await expect(wheel.locator(':focus')).toHaveCount(1);
  await pressByKeys(page, wheel.getByRole('button', { name: 'Spin once' }));
  // Where the button was is the way back.
  await expect(wheel.locator('[aria-current=true]')).toHaveCount(1);
  await expect(wheel.locator(':focus')).toHaveCount(1);
  await pressByKeys(page, wheel.getByRole('button', { name: 'Back to the cart' }));
  await expect(wheel).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'See the wheel' })).toBeFocused();

  await server.advance(4000);
  await page.goto(`${web.mount}uf?orderId=${order.orderId}`);
  await expect(heading(page, 'Rate your order')).toBeVisible();
  const scale = (number: string) =>
    page.getByRole('group').filter({ has: page.getByRole('radio', { name: number, exact: true }) });
  await chooseByKeys(page, scale('4 stars of 5'), page.getByRole('radio', { name: '4 stars of 5' }));
  await pressByKeys(page, page.getByRole('button', { name: 'Taste' }), 'Space');
  await expect(page.getByRole('button', { name: 'Taste' })).toHaveAttribute('aria-pressed', 'true');
  await tabTo(page, page.getByLabel('Tell us more'));
  await page.keyboard.type('Crisp, hot and just as we like it at home.');
  await chooseByKeys(page, scale('9'), page.getByRole('radio', { name: '9', exact: true }));
  await pressByKeys(page, page.getByRole('button', { name: 'Send' }));
  await expect(heading(page, 'Thank you!')).toBeVisible();
  await expect(heading(page, 'Rate your order')).toBeFocused();

  await server.call(wallet.credit, { body: { mobile, amount: 10_000 } });
  await page.goto(`${web.mount}postorder-ui/profile`);
  await pressByKeys(page, page.getByRole('link', { name: /^Pizza wallet/ }));
  await expect(heading(page, 'Pizza wallet')).toBeFocused();
  await expect(page.getByText('₹100').first()).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Your account' }).first(), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await pressByKeys(page, page.getByRole('link', { name: /^Delete your account/ }));
  await expect(heading(page, 'Delete your account').first()).toBeFocused();
  await pressByKeys(page, page.getByRole('checkbox'), 'Space');
  await server.advance(31);
  await pressByKeys(page, page.getByRole('button', { name: 'Send me the code' }));
  const code = page.getByLabel('Code from the SMS');
  await expect(code).toBeFocused();
  await page.keyboard.type(await codeFor(server, mobile));
  await pressByKeys(page, page.getByRole('button', { name: 'Delete my account' }));
  await expect(heading(page, 'Your account is asleep')).toBeVisible();
  await expect(heading(page, 'Delete your account').first()).toBeFocused();
  await tabTo(page, page.getByRole('main').getByRole('link').last());
});
