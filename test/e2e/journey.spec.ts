import type { Page } from '@playwright/test';
import { sample } from '../kit/matrix.ts';
import { expect, test, watchTrouble, type Bundle } from '../kit/app.ts';
import { chromiumOptions } from '../kit/browser.ts';
import {
  cardFields,
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  chooseWhere,
  customise,
  fillDoor,
  fillWho,
  heading,
  isLoggedIn,
  look,
  noon,
  payButton,
  billedTotal,
  totalOf,
  unfoldBill,
} from './steps.ts';
import { checkNow, enterHost, payAtBank } from './hosts.ts';

// As customers have it: with the worker of the page, with pictures and with all that moves.
test.use({ launchOptions: chromiumOptions(), serviceWorkers: 'allow', reducedMotion: 'no-preference' });

interface Way {
  readonly country: string;
  readonly host: string;
  readonly coupon: string;
  /** Words of the bill that the country's law asks for. */
  readonly tax: RegExp;
}

const WAYS: readonly Way[] = [
  { country: 'in', host: 'browser', coupon: 'SAVE15', tax: /GST/ },
  { country: 'in', host: 'gpay', coupon: 'SAVE15', tax: /GST/ },
  { country: 'in', host: 'paytm', coupon: 'SAVE15', tax: /GST/ },
  { country: 'lk', host: 'browser', coupon: 'WELCOME50', tax: /VAT/ },
  { country: 'bg', host: 'browser', coupon: 'STUDENT10', tax: /VAT/ },
];

const DELIVERED_S = 1_440;

/** Follows the order through every state that the clock brings. */
async function follow(page: Page, advance: (seconds: number) => Promise<unknown>): Promise<void> {
  const state = (text: RegExp | string) => expect(page.locator('header').getByText(text).first()).toBeVisible();
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await look(page, 'confirmation');
  await page.getByRole('link', { name: 'Track your order' }).click();
  await expect(page).toHaveURL(/\/track\//);
  await advance(250);
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'In the oven' })).toHaveAttribute('aria-current', 'step');
  await advance(700 - 250);
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'Out for delivery' })).toHaveAttribute(
    'aria-current',
    'step',
  );
  await look(page, 'track');
  await advance(DELIVERED_S - 700 + 60);
  await page.reload();
  await state(/Delivered/);
  await page.getByRole('link', { name: 'Back to the order' }).click();
  await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
  await look(page, 'delivered');
}

// The other countries' whole orders are played in their own languages (languages.spec.ts).
for (const { country, host, coupon, tax } of sample(
  WAYS,
  WAYS.filter(({ country }) => country === 'in'),
)) {
  test(`${country}/${host}: a customised pizza with a coupon, from the first page to the door [CART-X10, PAY-19, ORD-10]`, async ({
    page,
    server,
    phone,
  }) => {
    const own = bundle(country, host);
    const troubles = watchTrouble(page);
    const mobile = phone(country);
    await noon(server);
    await enterHost(page, own, { user: `customer-${mobile}` });
    await page.goto(own.mount);
    await expect(heading(page, /^(Hot in|Your pizza)/)).toBeVisible();
    await look(page, `${country}-${host}-home`);

    if (coupon === 'WELCOME50') {
      // The offer for a first order is for somebody who is known.
      await page.goto(`${own.mount}login`);
      await page.getByLabel('Mobile number').fill(mobile);
      await page.getByRole('button', { name: 'Send me a code' }).click();
      await expect(page.getByLabel('Code')).toBeVisible();
      const [sms = ''] = await server.inbox(`+94${mobile}`);
      await page.getByLabel('Code').fill(/\d{6}/.exec(sms)?.[0] ?? '');
      await expect.poll(() => isLoggedIn(page, own)).toBe(true);
      await page.goto(own.mount);
    }
    await chooseWhere(page, country);
    if (host === 'paytm') {
      await page.getByRole('button', { name: 'Open my addresses' }).click();
    } else {
      await fillDoor(page);
    }
    await expect(page).toHaveURL(/\/menu$/);
    await expect(page.getByText('Prices may differ at your store.')).toHaveCount(0);
    await look(page, `${country}-${host}-menu`);

    await page.getByRole('link', { name: 'Garden Four' }).first().click();
    await customise(page);
    const add = page.getByLabel('Your choice').getByRole('button', { name: /^Add/ });
    const price = (await add.innerText()).replace(/^Add\s*/, '').trim();
    await add.click();
    await page.getByRole('button', { name: 'View cart' }).click();

    await expect(heading(page, 'Your cart')).toBeVisible();
    // What the builder said is what the server asks.
    await expect(page.getByRole('listitem').filter({ hasText: 'Garden Four' }).getByText(price).first()).toBeVisible();
    await expect(page.locator('dl')).toContainText(tax);
    const before = await billedTotal(page);
    await page.getByLabel('Have an offer code?').fill(coupon);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.locator('dl')).toContainText(coupon);
    await expect(totalOf(page)).not.toHaveText(before);
    const total = await billedTotal(page);
    const lines = await page.locator('dl dt').allInnerTexts();
    await look(page, `${country}-${host}-cart`);

    await page.getByRole('link', { name: 'Go to payment' }).click();
    await expect(heading(page, 'Payment').first()).toBeVisible();
    await unfoldBill(page);
    // The whole bill was there before any login, and no line is new.
    await expect(totalOf(page)).toHaveText(total);
    expect(await page.locator('dl dt').allInnerTexts()).toEqual(lines);
    if (host === 'browser') await fillWho(page, mobile);
    else await expect.poll(() => isLoggedIn(page, own)).toBe(true);
    await pay(page, own, total, { mobile, inbox: () => server.inbox(`+880${mobile}`) });
    await expect(page.locator('dl')).toContainText(coupon);
    await expect(totalOf(page)).toHaveText(total);
    await follow(page, (seconds) => server.advance(seconds));
    // A session that the clock outran is renewed: that is the one answer a browser complains about.
    expect(troubles.filter(({ text }) => !text.includes('status of 401'))).toEqual([]);
  });
}

async function pay(
  page: Page,
  own: Bundle,
  total: string,
  { inbox }: { mobile: string; inbox: () => Promise<readonly string[]> },
): Promise<void> {
  if (own.country === 'in' && own.host === 'browser') await chooseMode(page, 'UPI');
  if (own.country === 'lk') {
    await chooseMode(page, 'Credit / debit card');
    await cardFields(page).getByLabel('Card number').fill('4111111111111111');
    await cardFields(page).getByLabel('Expiry').fill('1232');
    await cardFields(page).getByLabel('CVV', { exact: true }).fill('123');
    await cardFields(page).getByLabel('Name on the card').fill('Asha Perera');
  }
  if (own.country === 'bg') await chooseMode(page, 'Cash on delivery');
  if (own.host !== 'browser')
    await expect(page.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
  await acceptTerms(page);
  await expect(page.getByLabel('Pay', { exact: true })).toContainText(total);
  await look(page, `${own.country}-${own.host}-payment`);
  await payButton(page).click();
  if (own.host !== 'browser') return;
  if (own.country === 'in') {
    await expect(page).toHaveURL(/\/upiForm/);
    await look(page, 'upi');
    await payAtBank(page);
    await checkNow(page);
  }
  if (own.country === 'lk') {
    // The bank's page comes by itself.
    await expect(page).toHaveURL(/\/bank\//);
    await look(page, 'bank');
    await page
      .getByRole('button', { name: /Pay|Approve/ })
      .first()
      .click();
  }
  if (own.country === 'bg') await confirmCode(page, inbox);
}

/** Types the code that came by SMS. */
async function confirmCode(page: Page, inbox: () => Promise<readonly string[]>): Promise<void> {
  await expect(page.getByLabel('6-digit code')).toBeVisible();
  const [sms = ''] = await inbox();
  await expect(page.getByLabel('6-digit code')).toBeFocused();
  await look(page, 'cash-code');
  // Six digits are sent by themselves.
  await page.getByLabel('6-digit code').fill(/\d{6}/.exec(sms)?.[0] ?? 'no SMS');
}

/** Fills what the payment page asks for, places the order for cash, and types the code. */
async function cash(
  page: Page,
  mobile: string,
  label: string,
  inbox: (mobile: string) => Promise<readonly string[]>,
): Promise<void> {
  await fillWho(page, mobile);
  await chooseMode(page, label);
  await acceptTerms(page);
  await payButton(page).click();
  await confirmCode(page, () => inbox(mobile));
}

/** A guest at a store of Connaught Place or Saket, with the dish in the cart. */
async function atStore(page: Page, type: string, place: string, store: string): Promise<void> {
  await page.getByRole('navigation', { name: 'How do you want your order?' }).getByRole('link', { name: type }).click();
  await expect(heading(page, 'Choose a restaurant')).toBeVisible();
  await page.getByRole('link', { name: 'Near a place' }).click();
  await page.getByRole('combobox', { name: 'Search near a place' }).pressSequentially(place);
  await page.getByRole('option').first().click();
  await expect(heading(page, /^Nearest to/)).toBeVisible();
  await look(page, `stores-${type}`);
  await page
    .getByRole('region', { name: /^Nearest to/ })
    .getByRole('button', { name: new RegExp(store) })
    .first()
    .click();
  await expect(heading(page, /^(Hot in|Your pizza)/)).toBeVisible();
}

async function toTheEnd(page: Page, advance: (seconds: number) => Promise<unknown>, label: string): Promise<void> {
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(page.getByText(label).first()).toBeVisible();
  await look(page, `placed-${label}`);
  await advance(720);
  await page.reload();
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: /^(Ready|On its way to your table)/ })
      .first(),
  ).toHaveAttribute('aria-current', 'step');
  await advance(600);
  await page.reload();
  await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
}

test('in/browser: collected at the counter [LOC-02, ORD-11, ORD-17] @all', async ({ page, server, phone }) => {
  const own = bundle('in', 'browser');
  await noon(server);
  await page.goto(own.mount);
  await atStore(page, 'Takeaway', 'conna', 'Connaught Place');
  await page.goto(`${own.mount}menu`);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(page.getByText('Takeaway at Connaught Place, New Delhi')).toBeVisible();
  // Nothing is brought, so nothing is asked for bringing it.
  await expect(page.locator('dl')).not.toContainText('Delivery');
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await cash(page, phone('in'), 'Cash at the counter', (mobile) => server.inbox(`+91${mobile}`));
  await toTheEnd(page, (seconds) => server.advance(seconds), 'TAKEAWAY');
});

test('in/browser: curbside asks for the vehicle, and switches to the counter with one tap [LOC-48] [CART-13] [ORD-20] @all', async ({
  page,
  server,
  phone,
}) => {
  const own = bundle('in', 'browser');
  await noon(server);
  await page.goto(own.mount);
  await atStore(page, 'Curbside', 'sak', 'Saket');
  await page.goto(`${own.mount}menu`);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await fillWho(page, phone('in'));
  await chooseMode(page, 'Cash at your car');
  await acceptTerms(page);
  await payButton(page).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Please enter the colour, the model and the last 4 digits' }).first(),
  ).toBeVisible();
  await page.getByLabel('Colour').fill('Red');
  await page.getByLabel('Model').fill('Swift');
  await page.getByLabel('Last 4 digits').fill('42');
  await look(page, 'vehicle');
  await payButton(page).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Please enter the colour, the model and the last 4 digits' }).first(),
  ).toBeVisible();

  // Without a car after all: what was asked for is gone.
  await page.getByRole('button', { name: 'I will come to the counter' }).click();
  await expect(page.getByLabel('Colour')).toHaveCount(0);
  await page.goto(`${own.mount}cart`);
  await expect(page.getByText(/^Takeaway at Saket/)).toBeVisible();
  await page.getByRole('link', { name: /^Takeaway at Saket/ }).click();
  await page.getByRole('tab', { name: 'Curbside' }).click();
  await page
    .getByRole('region', { name: /^Nearest to/ })
    .getByRole('button', { name: /Saket/ })
    .click();
  await page.getByRole('link', { name: 'Go to payment' }).click();

  await expect(page.getByLabel('Model')).toHaveValue('Swift');
  await page.getByLabel('Last 4 digits').fill('4242');
  await cash(page, phone('in'), 'Cash at your car', (mobile) => server.inbox(`+91${mobile}`));
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(page.getByText('CURBSIDE PICKUP').first()).toBeVisible();
  await server.advance(700);
  await page.reload();
  await page.getByRole('button', { name: 'I am here' }).click();
  await expect(page.getByText('The store knows that you are here.')).toBeVisible();
  await server.advance(700);
  await page.reload();
  await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
});

test('in/browser: eaten at a table of the store [LOC-04, LOC-49, ORD-19] @all', async ({ page, server, phone }) => {
  const own = bundle('in', 'browser');
  await noon(server);
  await page.goto(own.mount);
  await atStore(page, 'Dine-in', 'conna', 'Connaught Place');
  await page.goto(`${own.mount}menu`);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(page.getByText('Dine-in at Connaught Place, New Delhi')).toBeVisible();
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await fillWho(page, phone('in'));
  await chooseMode(page, 'Cash at your table');
  await acceptTerms(page);
  await payButton(page).click();
  // Far above the button: what is missing comes into sight, not only onto the page.
  await expect(page.getByText('Please enter your table number.')).toBeInViewport();
  const table = page.getByLabel('Table number');
  await expect(table).toBeFocused();
  await expect(table).toHaveAccessibleDescription(/Please enter your table number\./);
  await table.fill('7');
  await cash(page, phone('in'), 'Cash at your table', (mobile) => server.inbox(`+91${mobile}`));
  await toTheEnd(page, (seconds) => server.advance(seconds), 'DINE-IN');
});

test('in/browser: the code on a table opens its store and table, which can be changed and is forgotten after ordering [LOC-49]', async ({
  page,
  server,
  phone,
}) => {
  const own = bundle('in', 'browser');
  const link = (query: string) => `${own.mount}postorder-ui/selectRestaurant?deliveryType=DINEIN&${query}`;
  await noon(server);
  // A table that the store does not have is said, and left out.
  await page.goto(link('store=10102&table=99'));
  await expect(page.getByRole('alertdialog')).toContainText(
    'This store has tables 1 to 10. Please enter your table number.',
  );
  await page.getByRole('button', { name: 'OK', exact: true }).click();
  await expect(heading(page, 'Menu')).toBeVisible();
  await page.goto(link('store=10102&table=7'));
  await expect(heading(page, 'Menu')).toBeVisible();
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(page.getByRole('link', { name: /^Dine-in at Saket, New Delhi/ })).toContainText('Table 7');
  await look(page, 'cart-table');
  await page.getByRole('link', { name: 'Go to payment' }).click();
  const table = page.getByLabel('Table number');
  await expect(table).toHaveValue('7');
  await table.fill('8');
  await cash(page, phone('in'), 'Cash at your table', (mobile) => server.inbox(`+91${mobile}`));
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(page.getByText('Table 8')).toBeVisible();
  // The next order may be eaten at another one.
  await page.goto(`${own.mount}menu`);
  await addFromMenu(page);
  await page.goto(`${own.mount}payment`);
  await expect(table).toHaveValue('');
});
