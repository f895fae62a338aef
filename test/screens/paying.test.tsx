import { expect, test, vi } from 'vitest';
import * as login from '../../src/contract/login.ts';
import { lentServer } from '../kit/lentServer.ts';

import { codeFor, freshMobile, guest } from '../server/people.ts';
import { openShop, PICKUP, press } from '../server/shop.ts';
import { collectsAt, deviceWithCart, logInOn } from './device.ts';
import { holdTimers } from '../shell/quiet.ts';
import { notingCalls, openPage, type AppPage } from './page.ts';
import { CARD } from '../server/typed.ts';
import { typeInFrame } from './frame.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

const DISHES = ['Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt'];

/** Somebody who takes three pizzas home, at the payment page, as a device that knows them. */
async function atPayment({
  isNew = true,
  mobile = freshMobile(),
  fName = 'Asha',
  dishes = DISHES,
} = {}): Promise<AppPage> {
  if (isNew) await deviceWithCart(server, dishes, PICKUP);
  else {
    const menu = await openPage(server.url, '/menu/veg-pizza', { keep: true });
    for (const dish of DISHES) await menu.press('button', `Add ${dish}`);
    await menu.find('link', /^Cart, 3 items? ?₹/);
  }
  await collectsAt(server, '10101', { mobile, fName });
  const page = await openPage(server.url, '/payment', { keep: true });
  await page.find('heading', 'How do you want to pay?');
  await page.sees('This price is held for you');
  await page.find('radio', /^Credit/);
  return page;
}
/** Whoever has paid before sees the last ways first. */
async function choose(page: AppPage, mode: string | RegExp): Promise<void> {
  if (page.get('radio', mode) === null) page.get('button', /^All \d+ ways to pay$/)?.click();
  await page.press('radio', mode);
  if (String(mode).includes('Net banking')) await page.press('radio', 'HDFC Bank');
}
/** Accepted once, they are accepted. */
async function acceptTerms(page: AppPage): Promise<void> {
  if (!((await page.find('checkbox', /terms/)) as HTMLInputElement).checked) await page.press('checkbox', /terms/);
}
async function placed(page: AppPage, mode: string | RegExp, button: RegExp): Promise<void> {
  await choose(page, mode);
  await acceptTerms(page);
  await vi.waitFor(() => {
    if (document.querySelector('[aria-busy="true"]')) throw new Error('the bill is being asked for');
  });
  await page.press('button', button);
}
const orderId = (page: AppPage) =>
  /\/(?:payment|order)\/([^?]+)|order=([^&]+)/.exec(page.path())!.slice(1).find(Boolean)!;

/** Waits until the bill is there for what was chosen. */
const priced = () =>
  vi.waitFor(() => {
    if (document.querySelector('[aria-busy="true"]')) throw new Error('the bill is being asked for');
  });
const box = (label: string) =>
  [...document.querySelectorAll<HTMLLabelElement>('label')].find((one) => one.textContent === label)!
    .control as HTMLInputElement;
const timesSaid = (page: AppPage, text: string) => page.text().split(text).length - 1;

test('the button says what a tap on it does; before a way to pay is chosen it leads to them [PAY-01]', async () => {
  const page = await atPayment();
  await priced();
  await page.press('button', 'Choose how to pay');
  await page.sees('Please choose how you want to pay.');
  await vi.waitFor(() => expect((document.activeElement as HTMLInputElement).type).toBe('radio'));
  expect(page.path()).toBe('/payment');
  await page.press('radio', /^Cash at the counter/);
  await page.find('button', /^Order for ₹\d+, pay cash$/);
  await page.press('radio', /^UPI/);
  await page.find('button', /^Pay ₹\d+ with UPI$/);
  await page.press('radio', 'PhonePe');
  await page.find('button', /^Pay ₹\d+ with PhonePe$/);
});

test('somebody new gives name and number on the same screen, and hears of a mistake once, after leaving the field', async () => {
  const page = await atPayment({ mobile: '', fName: '' });
  const wrong = 'Please enter your mobile number with 10 digits.';
  expect(document.activeElement).toBe(box('First name'));
  await page.type('First name', 'Asha');
  await page.type(/^Mobile number/, '12');
  expect(page.text()).not.toContain(wrong);
  box('Mobile number').focus();
  box('First name').focus();
  await page.sees(wrong);
  expect(timesSaid(page, wrong)).toBe(1);
  expect([box('First name').value, box('Mobile number').value]).toEqual(['Asha', '12']);
  await page.type(/^Mobile number/, freshMobile());
  await vi.waitFor(() => expect(page.text()).not.toContain(wrong));
});

test('the code for cash is sent with its sixth digit; a wrong one stays to be typed over, and says so once [PAY-04] [PAY-05]', async () => {
  const mobile = freshMobile();
  const page = await atPayment({ mobile });
  await placed(page, /^Cash at the counter/, /^Order for ₹\d+, pay cash$/);
  await page.sees(`We sent a code to ${mobile.slice(0, 5)} ${mobile.slice(5)}`);
  await vi.waitFor(() => expect(document.activeElement).toBe(box('6-digit code')));
  const code = await codeFor(server, mobile);
  const wrong = 'That code is not right. Please check it and try again.';
  await page.type('6-digit code', code === '000000' ? '111111' : '000000');
  await page.sees(wrong);
  expect(timesSaid(page, wrong)).toBe(1);
  expect(box('6-digit code').value).toMatch(/^(0{6}|1{6})$/);
  await page.type('6-digit code', code.slice(0, 5));
  expect(page.text()).not.toContain(wrong);
  await page.type('6-digit code', code);
  const thanks = await page.find('heading', /^Thank you!/);
  // What was ordered is what is drawn.
  const drawn = (place: Element | null | undefined) => [...place!.querySelectorAll('img')].map(({ src }) => src);
  expect(drawn(thanks.closest('section'))).toEqual(drawn(document.querySelector('[data-printed] ul')).slice(0, 3));
});

test('above its limit cash cannot be chosen and says how much is possible; below it can [PAY-04]', async () => {
  const sentence = 'Cash is possible up to ₹2,000. Please choose another payment mode.';
  const cash = async (dishes: string[]) => {
    const page = await atPayment({ dishes });
    await priced();
    return { page, radio: (await page.find('radio', /^Cash at the counter/)) as HTMLInputElement };
  };
  const below = await cash(DISHES);
  expect([below.radio.disabled, below.page.text().includes(sentence)]).toEqual([false, false]);
  const above = await cash(Array<string>(20).fill('Double Cheese Melt'));
  await vi.waitFor(() => expect(above.radio.disabled).toBe(true));
  expect(above.radio.labels![0]!.textContent.replace(/\s/g, ' ')).toContain(sentence);
});

test('cutlery is off until ticked in the cart; the order shows the cutlery and the note to the kitchen [CART-X08] [MENU-X08]', async () => {
  const said = 'With cutlery and napkins, as you asked';
  const mobile = freshMobile();
  await atPayment({ mobile });
  const menu = await openPage(server.url, '/menu/sides', { keep: true });
  await menu.press('button', 'Add Garlic Bread Sticks');
  await menu.find('link', /^Cart, 4 items? ?₹/);
  const cart = await openPage(server.url, '/cart', { keep: true });
  expect(((await cart.find('checkbox', /^Cutlery and napkins/)) as HTMLInputElement).checked).toBe(false);
  await cart.press('checkbox', /^Cutlery and napkins/);
  await cart.press('button', 'Add note to Garlic Bread Sticks');
  await cart.type('Note for the kitchen', 'no butter on top');
  await cart.press('button', 'Save');
  const noted = /Garlic Bread Sticks.*“no butter on top”/;
  await cart.find('listitem', noted);
  const page = await openPage(server.url, '/payment', { keep: true });
  await page.find('radio', /^Credit/);
  await placed(page, /^Cash at the counter/, /^Order for ₹\d+, pay cash$/);
  await page.sees('We sent a code to');
  await page.type('6-digit code', await codeFor(server, mobile));
  await page.find('heading', /^Thank you!/);
  const id = orderId(page);
  const order = await openPage(server.url, `/order/${id}`, { keep: true });
  await order.sees(said);
  await order.find('listitem', noted);
  const details = await openPage(server.url, `/postorder-ui/orderdetails?orderId=${id}`, { keep: true });
  await details.sees(said);
  await details.find('listitem', noted);
});

test('a code for cash that wants a proof of work first: the page does the work, and speaks of a code when there is one', async () => {
  const mobile = freshMobile();
  // Others have had all the codes that strangers get for this number just so.
  for (let sent = 0; sent < 3; sent += 1) {
    expect((await server.call(login.sendOtp, { body: { mobile } }, (await guest(server)).as)).status).toBe(200);
    await server.advance(30);
  }
  const before = await server.inbox(`+91${mobile}`);
  const page = await atPayment({ mobile });
  await placed(page, /^Cash at the counter/, /^Order for ₹\d+, pay cash$/);
  await page.sees(`We are sending a code to ${mobile.slice(0, 5)} ${mobile.slice(5)}`);
  expect(await server.inbox(`+91${mobile}`)).toEqual(before);
  await vi.waitFor(() => expect(page.text()).toContain('We sent a code to'), 20_000);
  await page.type('6-digit code', await codeFor(server, mobile));
  await page.find('heading', /^Thank you!/);
});

test('when the store stops taking orders, checkout and Pay open the store selector, and the cart is kept [ERR-01] [ERR-X01]', async () => {
  const said = 'Sorry, we are facing some temporary issues with the store selected. Please select a different store';
  const page = await atPayment();
  await choose(page, /^Cash at the counter/);
  await acceptTerms(page);
  await priced();
  await server.switches({ offlineStores: ['10101'] });
  try {
    await page.press('button', /^Order for ₹\d+, pay cash$/);
    await vi.waitFor(() => expect(document.querySelector('dialog')?.textContent).toContain(said));
    await page.sees('Nothing was ordered, and no money was taken.');
    const answers = [...document.querySelectorAll<HTMLElement>('dialog button')];
    answers.find((one) => one.textContent === 'Choose another store')!.click();
    await vi.waitFor(() => expect(page.path()).toContain('/postorder-ui/selectRestaurant?deliveryType=PICKUP'));
    // Whoever comes to the checkout again reads it there, with the same way on.
    const again = await openPage(server.url, '/payment', { keep: true });
    await again.sees(said);
    await again.press('link', 'Choose another store');
    await vi.waitFor(() => expect(again.path()).toContain('/postorder-ui/selectRestaurant?deliveryType=PICKUP'));
    await again.press('button', /Paharganj/);
    await again.find('heading', 'Your cart');
    for (const dish of DISHES) await again.sees(dish);
    expect(again.text()).not.toContain(said);
  } finally {
    await server.switches({ offlineStores: [] });
  }
});

test('a submit that is refused says that nothing was ordered, and what was typed stays [ERR-X01] [ERR-X02] [LOC-52]', async () => {
  const page = await atPayment({ mobile: '', fName: '' });
  const typed = {
    'First name': 'Asha',
    'Mobile number': freshMobile(),
    'Last name (optional)': 'Rao',
    'Email (optional)': 'asha@example.in',
  };
  for (const [label, text] of Object.entries(typed))
    await page.type(new RegExp(`^${label.replace(/[()]/g, '\\$&')}`), text);
  const kept = () => Object.fromEntries(Object.keys(typed).map((label) => [label, box(label).value]));
  await choose(page, /^Net banking/);
  await acceptTerms(page);
  await priced();
  const items = () => {
    const line = [...document.querySelectorAll('dl div')].find((one) => one.textContent.startsWith('Items'))!;
    return Number(line.querySelector('dd')!.textContent.replace(/\D/g, ''));
  };
  const whole = items();
  await server.switches({ soldOut: ['PZ004'] });
  try {
    await page.press('button', /^Pay ₹\d+/);
    await page.sees('Nothing was ordered, and no money was taken.');
    expect(page.path()).toBe('/payment');
    expect(kept()).toEqual(typed);
    await page.press('button', 'OK');
    await priced();
    // Named once, and with the price of what is left.
    expect([...document.querySelectorAll('main [role=alert] p')].map((one) => one.textContent)).toEqual([
      'Garden Four is sold out at this store',
    ]);
    await vi.waitFor(() => expect(items()).toBe(whole - 199));
    // Nothing can be ordered for it, so nobody holds it.
    expect(document.body.textContent).not.toContain('This price is held for you');
  } finally {
    await server.switches({ soldOut: [] });
  }
  const again = await openPage(server.url, '/payment', { keep: true });
  await again.find('heading', 'How do you want to pay?');
  await vi.waitFor(() => expect(kept()).toEqual(typed));
});

test('whoever pays elsewhere need not say so: the page asks by itself, soon and then less often, until it knows [PAY-18]', async () => {
  const page = await atPayment();
  const timers = holdTimers(2_000, 4_000, 8_000);
  try {
    await placed(page, /^UPI/, /^Pay ₹\d+ with (UPI|PhonePe)$/);
    const bank = (await page.find('button', "Pay on the bank's page")).getAttribute('href')!;
    await timers.run(2_000);
    await timers.run(4_000);
    expect(page.path()).toMatch(/^\/upiForm/);
    await press(server, new URL(bank, server.url).href.slice(server.url.length), 'approve');
    await timers.run(8_000);
    await page.find('heading', /^Thank you!/);
  } finally {
    timers.end();
  }
});

test('the bank is chosen on the screen itself, the popular ones at once and the others by their name; a reload keeps the mode [PAY-X04] [PAY-20]', async () => {
  const first = await atPayment();
  await first.press('radio', /^Net banking/);
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:payment-mode')).toBe('"NETBANKING"'));
  const page = await openPage(server.url, '/payment', { keep: true });
  expect(((await page.find('radio', /^Net banking/)) as HTMLInputElement).checked).toBe(true);
  await acceptTerms(page);
  await priced();
  await page.press('button', /^Pay ₹\d+ with Net banking$/);
  await page.sees('Please choose your bank.');
  expect(page.get('radio', 'Federal Bank')).toBeNull();
  await page.type('Search for another bank', 'feder');
  await page.press('radio', 'Federal Bank');
  await page.press('button', /^Pay ₹\d+ with Federal Bank$/);
  await page.find('button', 'Go to the bank');
  await page.sees('Net banking, Federal Bank');
});

test('terms are never accepted beforehand: without the tick its box says so, and nothing is ordered [PAY-24] [ERR-45]', async () => {
  const page = await atPayment();
  await choose(page, /^Cash at the counter/);
  await priced();
  expect(((await page.find('checkbox', /terms/)) as HTMLInputElement).checked).toBe(false);
  await notingCalls(async (asked) => {
    await page.press('button', /^Order for ₹/);
    await page.sees('Please Accept Terms and Conditions First');
    await page.press('checkbox', /terms/);
    await vi.waitFor(() => expect(page.text()).not.toContain('Please Accept Terms and Conditions First'));
    expect(asked.filter((url) => /orders\/(intent|submit)/.test(url))).toEqual([]);
    await page.press('button', /^Order for ₹/);
    await vi.waitFor(() => expect(page.path()).not.toBe('/payment'));
    expect(asked.filter((url) => /orders\/submit/.test(url))).not.toEqual([]);
  });
});

test('the terms open by a tap and are accepted once; the next order has them accepted already [CFG-17] [CFG-21] [CFG-22]', async () => {
  const page = await atPayment();
  const unticked = (await page.find('checkbox', 'I accept the terms and conditions.')) as HTMLInputElement;
  expect(unticked.checked).toBe(false);
  await page.press('link', 'Read the terms');
  await page.find('heading', 'Who you order from');
  expect(page.path()).toBe('/terms');
  const again = await openPage(server.url, '/payment', { keep: true });
  await again.sees('This price is held for you');
  await placed(again, /^Someone else pays/, /^Get the link for ₹/);
  await again.find('button', 'Send the link');
  const next = await atPayment({ isNew: false });
  expect(((await next.find('checkbox', /terms/)) as HTMLInputElement).checked).toBe(true);
  // It comes with the bill, which says that they are the same terms: no tap meets a tick that comes by itself.
  await server.switches({ faults: [{ match: 'orders/validations', delayMs: 500, times: 1 }] });
  const later = await openPage(server.url, '/payment', { keep: true });
  expect(((await later.find('checkbox', /terms/)) as HTMLInputElement).checked).toBe(true);
});

test('somebody else pays: the link is on the page, its payer sees shop and amount, pays, and both are told [PAY-X06]', async () => {
  const page = await atPayment();
  await placed(page, /^Someone else pays/, /^Get the link for ₹/);
  await page.find('button', 'Send the link');
  await page.sees('It shows the shop and the amount, and nothing about you.');
  const order = orderId(page);
  const link = [...document.querySelectorAll('p')]
    .map((one) => /\/in(\/pay\/[\w-]+)$/.exec(one.textContent ?? '')?.[1])
    .find(Boolean)!;
  const device = Object.entries(localStorage);

  const payer = await openPage(server.url, link);
  await payer.find('heading', 'How do you want to pay?');
  await payer.sees(/₹\d+ ?Somebody has chosen their food at Golden Oven Pizza, Connaught Place/);
  expect(payer.text()).not.toMatch(/Asha|Garden Four|Order \d/);
  await payer.press('button', /^Pay ₹/);
  await payer.sees('Please choose how you want to pay.');
  expect(payer.get('radio', /^Cash/)).toBeNull();
  await choose(payer, /^Net banking/);
  await payer.press('button', /^Pay ₹/);
  const bank = (await payer.find('button', 'Go to the bank')).getAttribute('href')!;
  await press(server, new URL(bank, server.url).href.slice(server.url.length), 'decline');
  await payer.press('button', 'I have paid: check now');
  await payer.sees('The payment did not go through. No money was taken');
  await payer.press('radio', /^Paytm/);
  await payer.press('button', /^Pay ₹/);
  const paytm = (await payer.find('button', 'Continue to Paytm')).getAttribute('href')!;
  await press(server, new URL(paytm, server.url).href.slice(server.url.length), 'approve');
  await payer.press('button', 'I have paid: check now');
  await payer.sees('This order is paid already. Thank you!');

  localStorage.clear();
  for (const [key, value] of device) localStorage.setItem(key, value);
  const owner = await openPage(server.url, `/payment/${order}`, { keep: true });
  await owner.find('heading', /^Thank you! Your order is placed/);
});

test('an order that waits for its payment tells whoever has chosen other dishes meanwhile to pay or cancel it first', async () => {
  const page = await atPayment();
  await placed(page, /^UPI/, /^Pay ₹\d+ with UPI$/);
  await page.find('button', 'Open your UPI app');
  const place = `/order/${orderId(page)}`;
  const later = await openPage(server.url, place, { keep: true });
  await later.find('heading', 'Pending confirmation');
  expect(later.text()).not.toContain('your cart waits');
  later.go('/menu/veg-pizza');
  await later.press('button', 'Add Garden Four');
  later.go(place);
  await later.sees('Pay or cancel this order first: your cart waits until then.');
});

test('a code on an order that waits for its payment says what it would cost, and is used on a yes [PAY-17] [OFF-16]', async () => {
  const page = await atPayment();
  await placed(page, /^UPI/, /^Pay ₹\d+ with UPI$/);
  await page.find('button', 'Open your UPI app');
  const own = orderId(page);
  const order = await openPage(server.url, `/order/${own}`, { keep: true });
  await order.find('heading', 'Pending confirmation');
  await order.find('button', 'Pay with Cash at the counter instead');
  await order.type('Have an offer code?', 'nothing');
  await order.press('button', 'Apply');
  await order.sees('Invalid coupon code');
  // As a person does: a button that still works on the tap before swallows the next one.
  await vi.waitFor(() => expect(order.get('button', 'Apply')?.getAttribute('aria-busy')).not.toBe('true'));
  await order.type('Have an offer code?', 'upi75');
  await order.press('button', 'Apply');
  await order.sees(/With UPI75 you pay ₹\d+ instead of ₹\d+/);
  const [, less] = /With UPI75 you pay (₹\d+)/.exec(order.text())!;
  await order.press('button', /^Use UPI75 and pay/);
  await order.find('button', 'Open your UPI app');
  await order.sees(less!);
  const upi = new URL(document.querySelector('a[href^="upi:"]')!.getAttribute('href')!);
  expect(`₹${Math.round(Number(upi.searchParams.get('am')))}`).toBe(less);
  // A way that the offer excludes says the price without it, and asks first.
  const again = await openPage(server.url, `/order/${own}`, { keep: true });
  await again.press('button', 'Pay with Net banking instead');
  // The bank is chosen here: the next page is the bank's own.
  await again.press('button', /^Pay ₹\d+$/);
  await again.sees('Please choose your bank.');
  await again.press('radio', 'HDFC Bank');
  await again.press('button', /^Pay ₹\d+$/);
  await again.sees(/Without UPI75 this order costs ₹\d+/);
  const [, full] = /Without UPI75 this order costs (₹\d+)/.exec(again.text())!;
  await again.press('button', `Pay ${full}`);
  await again.find('button', 'Go to the bank');
  await again.sees(full!);
});

test('a way to pay whose provider is away says so and is not to be chosen: on an order, behind a pay link, before an order', async () => {
  const away = 'Net banking takes no payments right now.';
  const isMode = (one: { label?: string } | null) => one?.label?.startsWith('Net banking');
  const real = globalThis.fetch;
  let isAway = false;
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    const reply = await real(...given);
    if (!isAway || !reply.headers.get('content-type')?.includes('json')) return reply;
    const told = JSON.stringify(await reply.json(), (_key, value: { label?: string } | null) =>
      isMode(value) ? { ...value, disabledReason: away } : value,
    );
    return new Response(told, { status: reply.status, headers: { 'content-type': 'application/json' } });
  };
  try {
    const page = await atPayment();
    await placed(page, /^Net banking/, /^Pay ₹\d+ with HDFC Bank$/);
    const bank = new URL((await page.find('button', 'Go to the bank')).getAttribute('href')!, server.url);
    await press(server, bank.href.slice(server.url.length), 'decline');
    const path = `/order/${orderId(page)}`;
    await (await openPage(server.url, path, { keep: true })).find('button', /^Try Net banking/);
    isAway = true;
    const order = await openPage(server.url, path, { keep: true });
    await order.sees(away);
    await order.find('button', 'Pay with Credit / debit card');
    expect(order.get('button', /Net banking/)).toBeNull();

    isAway = false;
    const asks = await atPayment();
    await placed(asks, /^Someone else pays/, /^Get the link for ₹/);
    await asks.find('button', 'Send the link');
    const link = [...document.querySelectorAll('p')]
      .map((one) => /\/in(\/pay\/[\w-]+)$/.exec(one.textContent ?? '')?.[1])
      .find(Boolean)!;
    isAway = true;
    for (const open of [() => openPage(server.url, link), () => atPayment()]) {
      const shown = await open();
      await shown.sees(away);
      const radio = (name: RegExp) => shown.get('radio', name) as HTMLInputElement;
      expect([radio(/^Net banking/).disabled, radio(/^Credit/).disabled]).toEqual([true, false]);
    }
  } finally {
    globalThis.fetch = real;
  }
});

test('another try with a card asks for the card, and says what is wrong with it at the field [PAY-08] [PAY-16]', async () => {
  const page = await atPayment();
  await placed(page, /^Net banking/, /^Pay ₹\d+ with HDFC Bank$/);
  await press(
    server,
    new URL((await page.find('button', 'Go to the bank')).getAttribute('href')!, server.url).href.slice(
      server.url.length,
    ),
    'decline',
  );
  const order = await openPage(server.url, `/order/${orderId(page)}`, { keep: true });
  await order.press('button', 'Pay with Credit / debit card');
  const { said } = await typeInFrame(server.url, { ...CARD, number: '4111111111111112' });
  await order.press('button', /^Pay ₹/);
  await vi.waitFor(() => expect(said).toEqual(['That card number is not right. Please check every digit.']));
  await typeInFrame(server.url);
  await order.press('button', /^Pay ₹/);
  await order.find('button', 'Go to the bank');
  expect(
    Array.from({ length: localStorage.length }, (_, n) => localStorage.getItem(localStorage.key(n)!)).join(),
  ).not.toContain('41111111');
});

test('a saved card pays by its CVV, a second order within half an hour asks first, the card can go [PAY-X03] [PAY-13] [ERR-13]', async () => {
  const mobile = freshMobile();
  const login = await openPage(server.url, '/login?redirectUrl=%2Fmenu%2Fveg-pizza');
  await login.find('heading', 'Log in');
  await logInOn(login, server, mobile);
  await login.sees('You are logged in');
  const first = await atPayment({ isNew: false });
  await first.press('radio', /^Credit/);
  await typeInFrame(server.url);
  const keep = (await first.find('checkbox', /^Keep this card/)) as HTMLInputElement;
  expect(keep.checked).toBe(false);
  await first.press('checkbox', /^Keep this card/);
  await placed(first, /^Credit/, /^Pay ₹\d+ by card$/);
  await press(
    server,
    new URL((await first.find('button', 'Go to the bank')).getAttribute('href')!, server.url).href.slice(
      server.url.length,
    ),
    'approve',
  );
  const done = await openPage(server.url, `/order/${orderId(first)}`, { keep: true });
  await done.find('heading', /^Thank you!/);

  const next = await atPayment({ isNew: false });
  // What was paid with last stands first, and was chosen before.
  await next.sees('Used last');
  await next.find('radio', /^Visa •••• 1111 ?Until 12\/39$/);
  expect(next.get('radio', /^Another card/)).not.toBeNull();
  await acceptTerms(next);
  await vi.waitFor(() => {
    if (document.querySelector('[aria-busy="true"]')) throw new Error('the bill is being asked for');
  });
  const { said } = await typeInFrame(server.url, { cvv: '12' });
  await next.press('button', /^Pay ₹\d+ by card$/);
  await vi.waitFor(() => expect(said).toEqual(["Please enter the 3 digits of your card's security code."]));
  await typeInFrame(server.url, { cvv: '123' });
  await next.press('button', /^Pay ₹\d+ by card$/);
  await next.sees('You placed an order in the last 30 minutes');
  await next.press('button', 'Yes, order again');
  await next.find('button', 'Go to the bank');
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/411111|1111 ?1111/);

  const order = await openPage(server.url, `/order/${orderId(next)}`, { keep: true });
  await order.press('button', 'Pay with Net banking instead');
  await order.press('radio', 'HDFC Bank');
  await order.press('button', /^Pay ₹\d+$/);
  await order.find('button', 'Go to the bank');
  const again = await openPage(server.url, `/order/${orderId(next)}`, { keep: true });
  await again.press('button', 'Pay with Credit / debit card instead');
  await again.press('button', 'Remove this card');
  await again.press('button', 'Remove');
  await again.gone('radio', /^Visa/);
  await again.find('checkbox', /^Keep this card/);
});
