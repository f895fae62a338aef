import * as t from '#text/payment.ts';
import { encode } from 'uqr';
import { expect, test, vi } from 'vitest';
import * as stores from '../../src/contract/stores.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { lentServer } from '../kit/lentServer.ts';

import { codeFor, freshMobile } from '../server/people.ts';
import { member, openShop, PICKUP, PLACES, press, visitor } from '../server/shop.ts';
import { hearingAmounts, notingCalls, openPage, type AppPage } from './page.ts';
import { collectsAt, deviceWithCart, logInOn, openAs, sessionOf } from './device.ts';
import { typeInFrame } from './frame.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

const DISHES = ['Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt'];
const put = (key: string, value: unknown, country = 'IN') =>
  localStorage.setItem(`${country}/browser:${key}`, JSON.stringify(value));
const storeOf = async (storeId: string, apiKey = 'in-web') =>
  (await server.call(stores.byId, { storeId, query: {} }, { apiKey })).body.store;

/** A device whose cart has these dishes, and that takes them home. */
async function filled({ isNew = true, mobile = freshMobile() } = {}): Promise<void> {
  if (isNew) await deviceWithCart(server, DISHES, PICKUP);
  else {
    const menu = await openPage(server.url, '/menu/veg-pizza', { keep: true });
    for (const dish of DISHES) await menu.press('button', `Add ${dish}`);
    await menu.find('link', /^Cart, 3 items? ?₹/);
  }
  await collectsAt(server, '10101', { mobile });
}
/** Waits until the bill is there for what was chosen. */
const priced = () =>
  vi.waitFor(() => {
    if (document.querySelector('[aria-busy="true"]')) throw new Error('the bill is being asked for');
  });
async function atPayment(): Promise<AppPage> {
  const page = await openPage(server.url, '/payment', { keep: true });
  await page.find('heading', 'How do you want to pay?');
  await page.sees('This price is held for you');
  await page.find('radio', /^Credit/);
  await priced();
  return page;
}
async function choose(page: AppPage, mode: RegExp): Promise<void> {
  if (page.get('radio', mode) === null) page.get('button', /^All \d+ ways to pay$/)?.click();
  await page.press('radio', mode);
  await priced();
}
async function payWith(page: AppPage, button: RegExp): Promise<void> {
  if (!((await page.find('checkbox', /terms/)) as HTMLInputElement).checked) await page.press('checkbox', /terms/);
  await priced();
  await page.press('button', button);
}
/** What the customer does at the bank's or the service's own page. */
const atBank = async (link: HTMLElement) =>
  press(server, new URL(link.getAttribute('href')!, server.url).href.slice(server.url.length), 'approve');
/** Each line of the bill by its label, as amounts. */
const bill = () =>
  Object.fromEntries(
    [...document.querySelectorAll('dl div')].map((line) => [
      line.querySelector('dt')!.textContent.trim(),
      Number(
        line
          .querySelector('dd')!
          .textContent.replace('−', '-')
          .replace(/[^\d.-]/g, ''),
      ),
    ]),
  );
const box = (label: string) =>
  [...document.querySelectorAll<HTMLLabelElement>('label')].find((one) => one.textContent === label)!
    .control as HTMLInputElement;
const errorOf = (field: HTMLElement) => document.getElementById(`${field.id}-error`)?.textContent ?? '';
/** Types a code into the box, and waits until the offer is on the cart. */
async function applied(page: AppPage, code: string): Promise<void> {
  await page.type('Have an offer code?', code);
  const field = document.querySelector<HTMLInputElement>('input[name="offer-code"]')!;
  await vi.waitFor(() => expect(field.getAttribute('value')).toBe(code));
  field.form!.requestSubmit();
  await page.find('button', `Remove ${code}`);
}
/** Types the number and the code on the login pages. */
async function logIn(page: AppPage, mobile: string): Promise<void> {
  await page.find('heading', 'Log in');
  await logInOn(page, server, mobile);
  await page.sees('You are logged in');
}

test('an offline store’s orders for later are collected where they are made; cart and payment say so first [LOC-14]', async () => {
  await server.switches({ offlineStores: ['10304'] });
  try {
    await filled();
    put('takeaway-store', await storeOf('10304'));
    const maker = await storeOf('10301');
    const said = `Orders for later are made at ${maker.name}, ${maker.address}: collect yours there.`;
    const cart = await openPage(server.url, '/cart', { keep: true });
    await cart.sees(said);
    const page = await openPage(server.url, '/payment', { keep: true });
    await page.sees(said);
    await page.sees('Choose a time (Orders for later only)');
    // The first time is taken, and nothing promises an earlier one, even before the times are there.
    await page.sees(`Orders for later only · `);
    expect(page.text()).not.toMatch(/As soon as possible|In \d+ to \d+ minutes|Ready in/);
  } finally {
    await server.switches({ offlineStores: [] });
  }
});

test('a time that has passed, or that another store had, is given up and said; none is sent until one is taken anew [ORD-X09]', async () => {
  const mobile = freshMobile();
  await filled({ mobile });
  put('slot', '1');
  const page = await openPage(server.url, '/payment', { keep: true });
  const gone = 'That time is no longer free. Please choose another one.';
  await page.sees(gone);
  await page.sees('This price is held for you');
  await priced();
  const time = document.querySelector<HTMLSelectElement>('select#slot')!;
  const kept = () => localStorage.getItem('IN/browser:slot');
  expect([time.value, kept()]).toEqual(['', null]);
  const { timeSlots = [] } = (
    await server.call(
      stores.byId,
      { storeId: '10101', query: { timeSlots: 'true', deliveryType: 'PICKUP' } },
      { apiKey: 'in-web' },
    )
  ).body;
  expect([...time.options].map((one) => one.value)).toEqual(['', ...timeSlots.map((one) => one.id)]);
  time.value = timeSlots.at(-1)!.id;
  time.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.waitFor(() => expect(page.text()).not.toContain(gone));
  expect(kept()).toBe(JSON.stringify(timeSlots.at(-1)!.id));
  await priced();
  await choose(page, /^Cash at the counter/);
  await payWith(page, /^Order for ₹\d+, pay cash$/);
  await page.sees(/We sent a code to/);
  await page.type('6-digit code', await codeFor(server, mobile));
  await page.find('heading', 'Thank you! Your order is booked.');
});

test('the ways to pay do not fold under a finger: whoever chooses one before the bill is there still sees the others', async () => {
  await filled();
  await server.switches({ faults: [{ match: 'orders/validations', delayMs: 800, times: 1 }] });
  const page = await openPage(server.url, '/payment', { keep: true });
  await page.press('radio', /^UPI/);
  await page.sees('This price is held for you');
  await priced();
  expect(page.get('radio', /^UPI/)).toHaveProperty('checked', true);
  expect(page.get('button', /^All \d+ ways to pay$/)).toBeNull();
  await page.find('radio', /^Cash/);
});

test('the wallet and the offer for known customers lead a guest to the login and back, and both are open then [PAY-34]', async () => {
  const mobile = freshMobile();
  await filled({ mobile });
  const cart = await openPage(server.url, '/cart', { keep: true });
  await applied(cart, 'WELCOME50');
  const page = await atPayment();
  const problem = () => document.querySelector('main [role=alert]');
  expect(problem()?.textContent).toMatch(/WELCOME50/);
  // Nothing else asks for one: the way to pay may be chosen.
  await choose(page, /^Cash at the counter/);
  await page.find('button', /^Order for ₹\d+, pay cash$/);
  expect(page.get('checkbox', /^Pizza wallet/)).toBeNull();
  const gate = `login?redirectUrl=${encodeURIComponent('/payment')}`;
  expect((await page.find('link', /^Pizza wallet/)).getAttribute('href')).toBe(gate);
  expect((await page.find('link', 'Log in')).getAttribute('href')).toBe(gate);
  await page.press('link', 'Log in');
  await logIn(page, mobile);
  await page.find('heading', 'How do you want to pay?');
  expect(page.path()).toBe('/payment');
  await page.find('checkbox', /^Pizza wallet/);
  await vi.waitFor(() => expect(problem()).toBeNull());
  expect(bill()).toHaveProperty('50% off your first order (WELCOME50)');
});

test.each([['bg', 'Tomato Basil Classic', '30101', 'Bangladesh']] as const)(
  'in %s nobody is offered a wallet where they pay, and an account says that there is none [PAY-33]',
  async (country, dish, storeId, label) => {
    const code = country.toUpperCase();
    const menu = await openPage(server.url, '/menu/veg-pizza', { country });
    await menu.press('button', `Add ${dish}`);
    await menu.find('link', /^Cart, 1 item/);
    put('delivery-type', 'PICKUP', code);
    put('takeaway-store', await storeOf(storeId, `${country}-web`), code);
    const page = await openPage(server.url, '/payment', { country, keep: true });
    await page.sees('This price is held for you');
    await priced();
    const way = /^(Pizza wallet|Wallet)/;
    expect([page.get('link', way), page.get('checkbox', way), page.get('group', way)]).toEqual([null, null, null]);
    put('session', sessionOf((await member(server, code)).person), code);
    const account = await openPage(server.url, '/postorder-ui/profile', { country, keep: true });
    await account.sees(`There is no wallet in ${label}: money that goes back goes to where it was paid from.`);
    expect(account.get('link', way)).toBeNull();
  },
);

test('what is to be paid is said once when the wallet pays a part of it, and again when it does not [QUAL-X02]', async () => {
  const mobile = freshMobile();
  await logIn(await openPage(server.url, '/login'), mobile);
  await server.call(wallet.credit, { body: { mobile, amount: 10_000 } });
  await filled({ mobile, isNew: false });
  const page = await atPayment();
  await choose(page, /^Credit/);
  const toPay = async () => Number(/₹(\d+)/.exec((await page.find('button', /^Pay ₹\d+ by card$/)).textContent)![1]);
  const whole = await toPay();
  const { said, end } = hearingAmounts();
  await page.press('checkbox', /^Pizza wallet/);
  await page.find('button', `Pay ₹${whole - 100} by card`);
  await priced();
  expect(said.splice(0)).toEqual([`To pay now: ₹${whole - 100}`]);
  await page.press('checkbox', /^Pizza wallet/);
  await page.find('button', `Pay ₹${whole} by card`);
  await priced();
  expect(said).toEqual([`To pay now: ₹${whole}`]);
  end();
});

test('an e-voucher says its balance and what it pays, can be taken off, and excludes the wallet [PAY-09] [PAY-32]', async () => {
  const refusal = "Wallet can't be choosen with CASH OR EGV, Please change PaymentMode";
  const mobile = freshMobile();
  await logIn(await openPage(server.url, '/login'), mobile);
  await server.call(wallet.credit, { body: { mobile, amount: 10_000 } });
  const { number, pin } = (await server.call(vouchers.issue, { body: { amount: 5_000 } })).body;
  await filled({ mobile, isNew: false });
  const page = await atPayment();
  await choose(page, /^Credit/);
  await page.press('button', 'Pay with an e-voucher');
  await page.type('E-voucher number', number);
  await page.type('Pin', pin);
  await page.press('button', 'Use this e-voucher');
  const own = new RegExp(`^E-voucher ending in ${number.slice(-4)}`);
  await page.find('checkbox', own);
  await page.sees('Pays ₹50 of ₹50');
  await page.press('checkbox', own);
  await page.sees('Balance ₹50');
  await page.press('checkbox', own);
  await page.sees('Pays ₹50 of ₹50');
  const said = () => document.querySelector('[aria-label="Wallet and e-vouchers"] [role=alert]')?.textContent;
  const isOn = (name: RegExp) => (page.get('checkbox', name) as HTMLInputElement).checked;
  await page.press('checkbox', /^Pizza wallet/);
  await vi.waitFor(() => expect(said()).toBe(refusal));
  expect([isOn(/^Pizza wallet/), isOn(own)]).toEqual([false, true]);
  await page.press('checkbox', own);
  await page.press('checkbox', /^Pizza wallet/);
  await page.sees('Pays ₹100 of ₹100');
  await page.press('checkbox', own);
  await vi.waitFor(() => expect(said()).toBe(refusal));
  expect([isOn(/^Pizza wallet/), isOn(own)]).toEqual([true, false]);
  await page.press('button', `Remove the e-voucher ending in ${number.slice(-4)}`);
  await page.gone('checkbox', own);
});

test('chosen e-vouchers and ticked terms are there again for whoever comes back from a page of the bank', async () => {
  const { number, pin } = (await server.call(vouchers.issue, { body: { amount: 5_000 } })).body;
  await filled();
  const page = await atPayment();
  await choose(page, /^Credit/);
  await page.press('button', 'Pay with an e-voucher');
  await page.type('E-voucher number', number);
  await page.type('Pin', pin);
  await page.press('button', 'Use this e-voucher');
  await page.sees('Pays ₹50 of ₹50');
  await page.press('checkbox', /terms/);
  const before = (await page.find('button', /^Pay ₹\d+ by card$/)).textContent;
  const back = await openPage(server.url, '/payment', { keep: true });
  await back.sees('Pays ₹50 of ₹50');
  await priced();
  expect((await back.find('button', /^Pay ₹\d+ by card$/)).textContent).toBe(before);
  expect(back.get('checkbox', /terms/)).toHaveProperty('checked', true);
  // Taken back again, both are.
  await back.press('checkbox', /terms/);
  await back.press('checkbox', /^E-voucher ending/);
  await back.sees('Balance ₹50');
  const again = await atPayment();
  await again.sees('Balance ₹50');
  expect(again.get('checkbox', /terms/)).toHaveProperty('checked', false);
});

test('a page without an origin offers no way to pay that leaves it, and says why before anybody leaves for a bank', async () => {
  await filled();
  Object.defineProperty(window, 'origin', { configurable: true, value: 'null' });
  try {
    const page = await atPayment();
    const link = await page.find('link', t.elsewhereOpen);
    expect([link.getAttribute('target'), link.getAttribute('href')]).toEqual(['_blank', location.href]);
    await page.sees(t.elsewhere);
    page.get('button', /^All \d+ ways to pay$/)?.click();
    for (const way of [/^Credit/, /^Net banking/, /^Paytm/]) {
      const mode = await page.find('radio', way);
      expect([mode, mode.closest('label')?.textContent]).toEqual([
        expect.objectContaining({ disabled: true }),
        expect.stringContaining(t.modeElsewhere),
      ]);
    }
    expect(await page.find('radio', /^UPI/)).toHaveProperty('disabled', false);
    // Who has been sent a link is told as well.
    const { next } = await (await visitor(server, 'IN', PICKUP)).order({ paymentMode: 'LINK' });
    const asked = await openPage(server.url, `/pay/${next.kind === 'link' ? next.token : ''}`);
    await asked.sees(t.elsewhere);
    for (const way of [/^Credit/, /^Net banking/])
      expect(await asked.find('radio', way)).toHaveProperty('disabled', true);
  } finally {
    Reflect.deleteProperty(window, 'origin');
  }
});

test('an order that the wallet pays a part of is not offered cash for the rest, and any other order is [PAY-32]', async () => {
  const who = await member(server);
  await server.call(wallet.credit, { body: { mobile: who.mobile, amount: 10_000 } });
  const unpaid = async (body: { funds?: { wallet: number } }) => {
    const { order } = await who.order({ body });
    const page = await openAs(server, who, `/order/${order.orderId}`);
    await page.find('button', 'Pay with Net banking instead');
    return page;
  };
  expect((await unpaid({})).get('button', /^Pay with Cash/)).not.toBeNull();
  expect((await unpaid({ funds: { wallet: 10_000 } })).get('button', /^Pay with Cash/)).toBeNull();
});

test('UPI pays by an app on this phone, a code for another phone or a request to a UPI id; a wrong id is correctable [PAY-06]', async () => {
  await filled();
  const page = await atPayment();
  await choose(page, /^UPI/);
  await payWith(page, /^Pay ₹\d+ with UPI$/);
  const open = await page.find('link', 'Open your UPI app');
  expect(page.path()).toMatch(/^\/upiForm/);
  const link = open.getAttribute('href')!;
  expect(link).toMatch(/^upi:\/\/pay\?pa=goldenoven@embeddedbank&/);
  // The code says the same as the link.
  const qr = await page.find('img', 'QR code of this payment');
  const { data } = encode(link, { border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  expect(qr.querySelector('path')?.getAttribute('d')).toBe(dark.join(''));
  const ask = async (id: string) => {
    await page.type('Or get a request in your UPI app', id);
    await vi.waitFor(() => expect(box('Or get a request in your UPI app').getAttribute('value')).toBe(id));
    await page.press('button', 'Send the request');
  };
  await ask('nobody');
  await vi.waitFor(() => expect(errorOf(box('Or get a request in your UPI app'))).not.toBe(''));
  expect(box('Or get a request in your UPI app').value).toBe('nobody');
  expect(page.text()).not.toContain('Please approve the request');
  await ask('asha@okbank');
  await page.sees('Please approve the request in your UPI app.');
  expect(errorOf(box('Or get a request in your UPI app'))).toBe('');
  await page.press('button', 'I have paid: check now');
  await page.sees(/Checked at \d+:\d\d:\d\d [AaPp][Mm]: no payment has reached us yet/);
  await atBank(await page.find('link', "Pay on the bank's page"));
  await page.press('button', 'I have paid: check now');
  await page.find('heading', /^Thank you!/);
});

test('before the payment the bill lists delivery fee, bag, tip and taxes, which come to the total on the button [PAY-35]', async () => {
  await filled();
  const { address } = PLACES['IN']!.where;
  put('delivery-type', 'DELIVERY');
  put('store', await storeOf('10101'));
  put('place', { latitude: address!.latitude, longitude: address!.longitude, text: 'Barakhamba Road', address });
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.press('checkbox', /^Carry bag/);
  await cart.press('button', '₹30');
  await vi.waitFor(() => expect(bill()).toMatchObject({ 'Carry bag': 7, 'Tip for the rider': 30 }));
  // Little enough that its delivery costs something.
  await cart.press('button', 'Remove Garden Four');
  await cart.press('button', 'Remove Double Cheese Melt');
  await vi.waitFor(() => expect(bill()).toMatchObject({ Delivery: 39 }));
  const page = await atPayment();
  await choose(page, /^Credit/);
  const lines = bill();
  expect(lines).toMatchObject({ Items: 119, Delivery: 39, 'Carry bag': 7, 'Tip for the rider': 30 });
  expect(Object.keys(lines)).toEqual(expect.arrayContaining(['CGST 2.5%', 'SGST 2.5%']));
  const amounts = Object.values(lines);
  const total = amounts.pop()!;
  expect(amounts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 6);
  await page.find('button', `Pay ₹${total} by card`);
});

test('after Takeaway at a store that comes to cars, the counter is chosen, and the car is one tap away [LOC-47, LOC-48]', async () => {
  await filled();
  put('delivery-type', 'CURB');
  put('at-counter', true);
  put('takeaway-store', await storeOf('10102'));
  const page = await openPage(server.url, '/payment', { keep: true });
  await page.sees('This price is held for you');
  expect(page.text()).toMatch(/Cash at the counter|Cash at the store/i);
  expect(page.text()).not.toContain('Your car');
  await page.press('button', 'Bring it to my car');
  await page.sees('Colour');
  await page.press('button', 'I will come to the counter');
  await page.find('button', 'Bring it to my car');
});

test('a chain that has put logos into its folder shows them beside the names of what they stand for', async () => {
  const chain = globalThis as { LOGOS?: Readonly<Record<string, string>> };
  chain.LOGOS = {
    ...{ UPI: 'logo-UPI.svg', googlepay: 'logo-googlepay.svg', phonepe: 'logo-phonepe.svg' },
    paytmapp: 'logo-paytmapp.svg',
    bhim: 'logo-bhim.svg',
    SBIN: 'logo-SBIN.svg',
  };
  try {
    await filled();
    const page = await openPage(server.url, '/payment', { keep: true });
    await page.sees('This price is held for you');
    const shown = () =>
      [...document.querySelectorAll('#pay-mode img')].map((one) => [one.getAttribute('src'), one.getAttribute('alt')]);
    await vi.waitFor(() =>
      expect(shown()).toEqual(
        expect.arrayContaining([
          ['logo-UPI.svg', ''],
          ['logo-phonepe.svg', 'PhonePe'],
        ]),
      ),
    );
    await choose(page, /^UPI/);
    await vi.waitFor(() => expect(shown()).toContainEqual(['logo-phonepe.svg', '']));
  } finally {
    chain.LOGOS = {};
  }
});

test('at the curb the order is not placed before its vehicle is said, and then says which one it waits for [LOC-03]', async () => {
  const mobile = freshMobile();
  await filled({ mobile });
  put('delivery-type', 'CURB');
  put('takeaway-store', await storeOf('10102'));
  const page = await openPage(server.url, '/payment', { keep: true });
  await page.sees('This price is held for you');
  await choose(page, /^Cash at your car/);
  await payWith(page, /^Order for ₹\d+, pay cash$/);
  await page.sees(/Please enter the colour, the model and the last 4 digits/);
  expect(page.path()).toBe('/payment');
  const vehicle = { Colour: 'Red', Model: 'Swift', 'Last 4 digits of its number': '4821' };
  const write = async (of: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(of)) await page.type(name, text);
    await vi.waitFor(() => expect(Object.keys(of).map((name) => box(name).value)).toEqual(Object.values(of)));
  };
  // Each part of it is wanted.
  for (const left of Object.keys(vehicle)) {
    await write({ ...vehicle, [left]: '' });
    await page.press('button', /^Order for ₹\d+, pay cash$/);
    await page.sees(/Please enter the colour, the model and the last 4 digits/);
    expect(page.text()).not.toContain('We sent a code to');
  }
  await write(vehicle);
  await priced();
  await page.press('button', /^Order for ₹\d+, pay cash$/);
  await page.sees(/We sent a code to/);
  await page.type('6-digit code', await codeFor(server, mobile));
  await page.find('heading', /^Thank you!/);
  await page.sees('CURBSIDE PICKUP');
  await page.sees('Your car: Red Swift, 4821.');
});

test('where the wishes for the rider do not load it says so, and another try brings them; the note can be written all the same', async () => {
  await filled();
  const { address } = PLACES['IN']!.where;
  put('delivery-type', 'DELIVERY');
  put('store', await storeOf('10101'));
  put('place', { latitude: address!.latitude, longitude: address!.longitude, text: 'Barakhamba Road', address });
  await server.switches({ faults: [{ match: 'delivery-instructions', status: 500, times: 1 }] });
  const page = await atPayment();
  const wishes = await vi.waitFor(() => {
    const found = [...document.querySelectorAll('details')].find((one) => one.textContent.startsWith('Rider notes'));
    if (!found) throw new Error('no wishes');
    return found;
  });
  wishes.querySelector('summary')!.click();
  const alert = () => wishes.querySelector('[role=alert]');
  await vi.waitFor(() => expect(alert()?.textContent).toMatch(/^Something went wrong/i));
  expect(wishes.querySelector('textarea')).not.toBeNull();
  expect(page.get('group', 'For the rider')).toBeNull();
  await page.press('button', 'Try again');
  await page.find('group', 'For the rider');
  expect(alert()).toBeNull();
});

test('in Bangladesh one mobile money service has to be chosen below its mode, and its own page takes the money [PAY-X04]', async () => {
  const menu = await openPage(server.url, '/menu/veg-pizza', { country: 'bg' });
  await menu.press('button', 'Add Tomato Basil Classic');
  await menu.find('link', /^Cart, 1 item ?৳/);
  await collectsAt(server, '30101', { country: 'bg' });
  const page = await openPage(server.url, '/payment', { country: 'bg', keep: true });
  await page.sees('This price is held for you');
  await choose(page, /^Mobile money/);
  await payWith(page, /^Pay ৳\d+ with Mobile money$/);
  await page.sees('Please choose your mobile money service.');
  expect(page.path()).toBe('/payment');
  await page.press('radio', 'bKash');
  await page.press('button', /^Pay ৳\d+ with bKash$/);
  await atBank(await page.find('link', 'Go to the bank'));
  await page.find('heading', /^Thank you!/);
  await page.sees('Payment: Mobile money, bKash');
});

test('the way that worked last stands first and is chosen, and only a tap on the button pays with it [PAY-02]', async () => {
  await filled();
  const first = await atPayment();
  expect(document.querySelector<HTMLInputElement>('#pay-mode input')!.checked).toBe(false);
  expect(first.text()).not.toContain('Used last');
  await choose(first, /^Net banking/);
  await first.press('radio', 'HDFC Bank');
  await payWith(first, /^Pay ₹\d+ with HDFC Bank$/);
  const bank = await first.find('link', 'Go to the bank');
  const order = /\/payment\/([^?]+)/.exec(first.path())![1]!;
  await atBank(bank);
  await (await openPage(server.url, `/order/${order}`, { keep: true })).find('heading', /^Thank you!/);

  await filled({ isNew: false });
  // What the device itself remembers of the mode is not what is meant.
  localStorage.removeItem('IN/browser:payment-mode');
  await notingCalls(async (asked) => {
    const page = await atPayment();
    await page.sees('Used last');
    const [top, ...others] = [...document.querySelectorAll('#pay-mode fieldset > * label, #pay-mode label')];
    expect(top!.textContent).toMatch(/^Net banking.*Used last/);
    expect(others.filter((one) => one.textContent.includes('Used last'))).toEqual([]);
    await vi.waitFor(() => expect((page.get('radio', /^Net banking/) as HTMLInputElement).checked).toBe(true));
    await page.find('button', /^Pay ₹\d+ with HDFC Bank$/);
    await priced();
    expect(page.path()).toBe('/payment');
    expect(asked.filter((url) => /\/submit|\/retry/.test(url))).toEqual([]);
    await payWith(page, /^Pay ₹\d+ with HDFC Bank$/);
    await page.press('button', 'Yes, order again');
    await page.find('link', 'Go to the bank');
    expect(asked.filter((url) => url.includes('/submit'))).toHaveLength(1);
  });
});

test('an offer for one way to pay disables the others and says why; without the offer they are open [OFF-X03] [OFF-16]', async () => {
  await filled();
  const cart = await openPage(server.url, '/cart', { keep: true });
  await applied(cart, 'UPI75');
  const page = await atPayment();
  // It was chosen with the offer.
  expect((page.get('radio', /^UPI/) as HTMLInputElement).checked).toBe(true);
  const netBanking = () => page.get('radio', /^Net banking/) as HTMLInputElement;
  expect(netBanking().disabled).toBe(true);
  expect(netBanking().closest('label')!.textContent).toBe('Net bankingThis coupon needs UPI');
  expect(bill()).toHaveProperty('₹75 off with UPI (UPI75)');
  await page.press('link', 'Back to the cart');
  await page.press('button', 'Remove UPI75');
  await page.gone('button', 'Remove UPI75');
  await page.press('link', 'Go to payment');
  await page.find('radio', /^Net banking/);
  await vi.waitFor(() => expect(netBanking().disabled).toBe(false));
  await choose(page, /^Net banking/);
  expect(bill()).not.toHaveProperty('₹75 off with UPI (UPI75)');
});

test('the coupon used last is kept: with the next cart it is one tap away, and it is not shown while it is applied [CART-20]', async () => {
  const stored = () => ['coupon-code', 'is-promo-applied'].map((key) => localStorage.getItem(`IN/browser:${key}`));
  await filled();
  const cart = await openPage(server.url, '/cart', { keep: true });
  await applied(cart, 'SAVE15');
  await vi.waitFor(() => expect(stored()).toEqual(['"SAVE15"', 'true']));
  await cart.gone('button', 'Use SAVE15 again');
  const page = await atPayment();
  await choose(page, /^Net banking/);
  await page.press('radio', 'HDFC Bank');
  await payWith(page, /^Pay ₹\d+ with HDFC Bank$/);
  await atBank(await page.find('link', 'Go to the bank'));
  await page.find('heading', /^Thank you!/);
  await filled({ isNew: false });
  const next = await openPage(server.url, '/cart', { keep: true });
  await next.press('button', 'Use SAVE15 again');
  await next.find('button', 'Remove SAVE15');
  await next.gone('button', 'Use SAVE15 again');
  await next.press('button', 'Remove SAVE15');
  await next.sees(/SAVE15 is off, and \w+ is on again\./);
  // Who takes it off does not want it.
  await next.gone('button', 'Use SAVE15 again');
  await vi.waitFor(() => expect(stored()).toEqual([null, null]));
});

test('the first six digits of a card say which offer it brings, or takes off the cart, and no more digits are sent [CART-16]', async () => {
  await filled();
  const more = await openPage(server.url, '/menu/veg-pizza', { keep: true });
  for (const dish of DISHES) await more.press('button', `One more ${dish}`);
  await more.find('link', /^Cart, 6 items? ?₹/);
  await notingCalls(async (asked) => {
    const page = await atPayment();
    await choose(page, /^Credit/);
    await typeInFrame(server.url, { number: '4111 1' });
    expect(page.text()).not.toContain('With this card');
    await typeInFrame(server.url, { number: '4111 1111 1111 1111' });
    await page.sees('With this card: 10% off with a card');
    await typeInFrame(server.url, { number: '4000 0000 0000 0002' });
    await vi.waitFor(() => expect(page.text()).not.toContain('With this card'));
    const bins = asked.flatMap((url) => /\/bin\/([^?]*)/.exec(url)?.[1] ?? []);
    expect(bins).toEqual(['411111', '400000']);
    const cart = await openPage(server.url, '/cart', { keep: true });
    await applied(cart, 'CARD10');
    const again = await atPayment();
    await typeInFrame(server.url, { number: '4000 0000 0000 0002' });
    await again.sees('This coupon needs an eligible card');
    await typeInFrame(server.url, { number: '4111 1111 1111 1111' });
    await vi.waitFor(() => expect(again.text()).not.toContain('This coupon needs an eligible card'));
  });
});

test('a linked wallet with too little money orders nothing, is asked once more, says so, and another way pays [PAY-11] [ERR-47]', async () => {
  const mobile = freshMobile();
  await logIn(await openPage(server.url, '/login'), mobile);
  await filled({ isNew: false, mobile });
  const cart = await openPage(server.url, '/cart', { keep: true });
  for (let dish = 0; dish < 7; dish += 1) await cart.press('button', 'One more Garden Four');
  await cart.sees('10 items');
  await priced();
  const page = await atPayment();
  await choose(page, /^Paytm/);
  await page.press('button', /^Link your Paytm/);
  await page.type(/^Mobile number of your Paytm/, mobile);
  await server.advance(31);
  await page.press('button', 'Send the code');
  await page.find('button', 'Link it');
  await page.type('6-digit code', '123');
  await page.press('button', 'Link it');
  await vi.waitFor(() =>
    expect(errorOf(box('6-digit code'))).toBe('Validation failed. please verify your number again.'),
  );
  expect(box('6-digit code').value).toBe('123');
  await page.type('6-digit code', await codeFor(server, mobile));
  await page.press('button', 'Link it');
  await page.find('checkbox', /^Pay from the linked Paytm wallet/);
  const low = 'Your Paytm wallet does not hold enough for this. Add money there, or pay in another way.';
  await page.sees(low);
  await notingCalls(async (asked) => {
    await payWith(page, /^Pay ₹/);
    await page.find('button', 'OK');
    expect(asked.filter((url) => /wallets\/PAYTM\/balance/.test(url))).toHaveLength(1);
    expect(asked.filter((url) => /orders\/submit/.test(url))).toEqual([]);
  });
  const said = [...document.querySelectorAll('dialog')].map((dialog) => dialog.textContent).join();
  expect(said).toContain(low);
  expect(said).toContain('Nothing was ordered');
  await page.press('button', 'OK');
  await choose(page, /^UPI/);
  await payWith(page, /^Pay ₹/);
  await vi.waitFor(() => expect(page.path()).toMatch(/^\/(upiForm|order|payment)/));
});
