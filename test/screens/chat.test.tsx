import { beforeEach, expect, test, vi } from 'vitest';
import * as coupons from '../../src/contract/coupons.ts';
import * as help from '../../src/contract/help.ts';
import * as stores from '../../src/contract/stores.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import { lentServer } from '../kit/lentServer.ts';

import { type Customer, member, openShop, pay, visitor } from '../server/shop.ts';
import { ordered, PNR, railway, saved, traveller } from '../server/trainShop.ts';
import { openAs } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(
  () => lentServer(),
  async (opened) => {
    await openShop(opened);
    await opened.switches({ kitchen: 'steady' });
  },
);
beforeEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  HTMLElement.prototype.scrollIntoView ??= () => {};
});

/** A page of this customer, as their device has it. */
const opened = (who: Customer, path: string, device: Record<string, unknown> = {}) =>
  openAs(server, who, path, { device });
async function paid(who: Customer, note?: string): Promise<OrderView> {
  const { order, next } = await who.order(note === undefined ? {} : { body: { note } });
  await pay(server, next);
  return (await who.confirm(order)).order;
}
const bubbles = () =>
  [...document.querySelectorAll('[role=log] [data-by]')].map((one) => [
    one.getAttribute('data-by'),
    [...one.querySelectorAll('p')].map(({ textContent }) => textContent).join(' '),
  ]);
const answers = () => bubbles().filter(([by]) => by === 'assistant');
/** Types a question and waits for its answer. */
async function ask(page: AppPage, text: string): Promise<string> {
  await page.type('Your question', text);
  const before = answers().length;
  await page.press('button', 'Send');
  return await answered(before);
}
async function press(page: AppPage, name: string | RegExp): Promise<string> {
  await page.find('button', name);
  const before = answers().length;
  await page.press('button', name);
  return await answered(before);
}
const answered = (before: number) =>
  vi.waitFor(
    () => {
      expect(answers().length, document.body.textContent.slice(-900)).toBeGreaterThan(before);
      return answers()[answers().length - 1]![1]!;
    },
    { timeout: 5000 },
  );

test('of a store that makes orders for later alone the assistant tells that, and no promise', async () => {
  const { store } = (await server.call(stores.byId, { storeId: '10304', query: {} }, { apiKey: 'in-web' })).body;
  const who = await visitor(server);
  const place = { 'delivery-type': 'PICKUP', 'takeaway-store': store };
  const page = await opened(who, '/chatbot', place);
  await page.sees('Hello!');
  const said = await ask(page, '30 minutes or free');
  expect(said).toContain('Orders for later have no time promise.');
  expect(said).not.toMatch(/\d+ minutes/);
  expect(await ask(page, 'when are you open')).toContain('Orders for later only');
  const other = await opened(who, '/chatbot');
  await other.sees('Hello!');
  expect(await ask(other, '30 minutes or free')).toContain('30 minutes or free.');
});

test('the assistant gives an order’s state, code and fixed address, and cancels it with the refund date [HIST-26]', async () => {
  const who = await member(server);
  const order = await paid(who, 'Ring twice');
  const page = await opened(who, '/chatbot');
  await page.sees('Hello! I know your orders');
  expect(await ask(page, 'wher is my ordr')).toMatch(
    new RegExp(`^Order ${order.orderNumber}: .+\\. Arrives: \\d+(:\\d+)? [AP]M to \\d+(:\\d+)? [AP]M\\.`),
  );
  expect((await page.find('link', 'Follow it')).getAttribute('href')).toBe(`track/${order.orderId}`);
  const address = await ask(page, 'chnage my adress');
  expect(address).toContain(`Order ${order.orderNumber} goes to 12, Barakhamba Road`);
  expect(address).toContain('An order that is placed keeps its address.');
  expect(await ask(page, 'add a note for the rider')).toContain(
    `The note of order ${order.orderNumber} is “Ring twice”.`,
  );
  // What is asked back is denied, and so is what nobody has asked yet.
  for (const asked of ['cancel it', '']) {
    if (asked !== '') expect(await ask(page, asked)).toContain('Shall I cancel');
    expect(await ask(page, 'please do not cancel it')).toBe('Fine, nothing was changed.');
  }
  expect(await ask(page, 'it was not cold')).toContain('I cannot do that here');
  const asked = await ask(page, 'cancle my oder');
  expect(asked).toContain(`Shall I cancel order ${order.orderNumber}?`);
  expect(asked).toContain('goes back to your UPI and arrives in 4-10 business days.');
  expect((await who.read(order.orderId)).orderStatus).not.toBe('CANCELLED');
  // Whoever taps twice cancels once, and is answered once.
  const yes = await page.find('button', `Yes, cancel order ${order.orderNumber}`);
  const before = bubbles().length;
  yes.click();
  yes.click();
  await vi.waitFor(() => expect(bubbles()).toHaveLength(before + 2));
  const { refund, orderStatus } = await who.read(order.orderId);
  expect(orderStatus).toBe('CANCELLED');
  const day = (at: number) =>
    new Intl.DateTimeFormat('en-IN', {
      timeZone: 'Asia/Kolkata',
      weekday: 'short',
      day: 'numeric',
      month: 'short',
    }).format(at);
  const back = `of order ${order.orderNumber} comes back to your UPI between ${day(refund!.expectedFrom)} and ${day(refund!.expectedTo)}.`;
  expect(bubbles()[before + 1]![1]).toMatch(
    `Order ${order.orderNumber} is cancelled. ₹${refund!.amount / 100} ${back}`,
  );
  expect(await ask(page, 'when will i get my mony back')).toContain(back);
  expect(await ask(page, 'canel it')).toBe('You have no order that could be cancelled.');
});

test('another address: the order is cancelled and its dishes are in the cart, to be ordered anew', async () => {
  const who = await member(server);
  const order = await paid(who);
  const page = await opened(who, '/chatbot');
  await ask(page, 'wrong address on my order');
  expect(await press(page, 'Cancel it and start again')).toContain(`Shall I cancel order ${order.orderNumber}`);
  await press(page, 'No, keep it');
  expect(await ask(page, 'add a coke to my order')).toContain(`Shall I cancel order ${order.orderNumber}`);
  expect(await press(page, 'Cancel it and start again')).toContain('and its dishes are in your cart.');
  expect((await who.read(order.orderId)).orderStatus).toBe('CANCELLED');
  expect((await who.cart()).validItems.map(({ product }) => product.id)).toEqual([who.productId]);
  expect((await page.find('link', 'Go to the cart')).getAttribute('href')).toBe('cart');
});

test('a change to "my order" is one to the cart, or is asked back where an order is under way; both stay as they are', async () => {
  const who = await member(server);
  const cart = await who.fill();
  const wish = 'add extra cheese and no onion to my order';
  const name = cart.validItems[0]!.product.name;
  const page = await opened(who, '/chatbot', { cart });
  expect(await ask(page, wish)).toBe(`Not ordered yet, and in your cart: ${name}. There you can change each of them.`);
  expect((await page.find('link', 'Go to the cart')).getAttribute('href')).toBe('cart');
  expect(document.body.textContent).not.toContain('start again');

  const order = await paid(who);
  const filled = await who.fill(2);
  const later = await opened(who, '/chatbot', { cart: filled });
  expect(await ask(later, wish)).toContain('in your cart: 2 × ');
  expect(await press(later, new RegExp(order.orderNumber))).toContain(`Shall I cancel order ${order.orderNumber}`);
  expect((await who.read(order.orderId)).orderStatus).not.toBe('CANCELLED');
  expect((await who.cart()).validItems.map(({ quantity }) => quantity)).toEqual([2]);
});

test('the note of an order that has not left the store is shown once more, and then changed or taken away [HIST-26]', async () => {
  const who = await member(server);
  const order = await paid(who, 'Ring twice');
  const page = await opened(who, '/chatbot');
  expect(await ask(page, 'note badalna hai')).toContain(`The note of order ${order.orderNumber} is “Ring twice”.`);
  // Words that would be a question anywhere else.
  expect(await ask(page, 'Where the red gate is, call me')).toBe(
    `Shall the note of order ${order.orderNumber} be “Where the red gate is, call me”?`,
  );
  expect((await who.read(order.orderId)).note).toBe('Ring twice');
  expect(await ask(page, 'haan')).toBe(
    `The note of order ${order.orderNumber} is “Where the red gate is, call me” now.`,
  );
  expect((await who.read(order.orderId)).note).toBe('Where the red gate is, call me');
  await ask(page, 'change the note');
  expect(await press(page, 'Take the note away')).toContain('Shall I take the note');
  expect(await press(page, 'Yes, change it')).toBe(`Order ${order.orderNumber} has no note now.`);
  expect((await who.read(order.orderId)).note).toBeNull();
  // The rider leaves between the question and the answer.
  await ask(page, 'change the note');
  await ask(page, 'Ring once');
  for (let tries = 0; (await who.read(order.orderId)).rider === null && tries < 60; tries += 1)
    await server.advance(60);
  expect(await press(page, 'Yes, change it')).toContain('Your order has left the store, so its note stays as it is.');
  expect((await who.read(order.orderId)).note).toBeNull();
});

test('a message to the rider is shown before it is sent, and sent once', async () => {
  const who = await member(server);
  const order = await paid(who);
  for (let tries = 0; (await who.read(order.orderId)).rider === null && tries < 60; tries += 1)
    await server.advance(60);
  const page = await opened(who, `/chatbot?orderId=${order.orderId}`);
  const { rider } = await who.read(order.orderId);
  expect(await ask(page, 'I want to leave a mesage for the rider')).toContain(`${rider!.name} is on the way`);
  // Words that would be a question anywhere else.
  expect(await ask(page, 'cancel the bell, please call me')).toContain(
    `Shall I send this to ${rider!.name}? “cancel the bell, please call me”`,
  );
  expect((await who.read(order.orderId)).rider!.notesLeft).toBe(rider!.notesLeft);
  expect(await ask(page, 'haan')).toBe(`Sent to ${rider!.name}: “cancel the bell, please call me”`);
  expect((await who.read(order.orderId)).rider!.notesLeft).toBe(rider!.notesLeft - 1);
});

test('a missing dish and a cold one come to what the help itself answers, and the invoice is downloaded [HIST-26]', async () => {
  const who = await member(server);
  await who.fill(2);
  const placed = (await who.submit()).body;
  await pay(server, placed.next);
  await who.confirm(placed.order);
  await server.advance(3600);
  const order = await who.read(placed.order.orderId);
  expect(order.orderStatus).toBe('DELIVERED');
  const items = [{ lineId: order.lines[0]!.lineId, quantity: 1 }];
  const quote = (await who.call(help.quote, { body: { orderId: order.orderId, issue: 'missing', items } })).body;
  const page = await opened(who, '/chatbot');
  expect(await ask(page, 'one pizza is misssing')).toContain(quote.answer);
  const done = await press(page, new RegExp(`^₹${quote.amount! / 100} to UPI`));
  const [ticket] = (await who.call(help.tickets, {})).body.tickets;
  expect([ticket!.issue, ticket!.money!.amount, ticket!.money!.way]).toEqual(['missing', quote.amount, 'SOURCE']);
  expect(done).toContain(ticket!.answer);
  expect((await page.find('link', 'See our answer')).getAttribute('href')).toBe(`ticket/${ticket!.eventId}`);
  expect(await ask(page, 'refund status')).toContain(
    `₹${quote.amount! / 100} of order ${order.orderNumber} comes back`,
  );

  const cold = (await who.call(help.quote, { body: { orderId: order.orderId, issue: 'cold', items } })).body;
  expect(await ask(page, 'pizza thanda tha')).toContain(cold.answer);
  expect(await press(page, 'No, leave it')).toBe('Fine, nothing was changed.');
  expect((await who.call(help.tickets, {})).body.tickets).toHaveLength(1);

  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:invoice');
  expect(await ask(page, 'send invoce')).toBe(`The invoice of order ${order.orderNumber} is downloaded.`);
  expect(saved).toEqual([`Invoice ${order.orderNumber}.pdf`]);
});

test('offers, hours, allergens and prices are the shop’s own, and without a store nobody guesses its hours', async () => {
  const who = await visitor(server);
  let page = await opened(who, '/chatbot');
  expect(await ask(page, 'opning hours')).toContain('You have not chosen a store yet');
  const { body } = await server.call(stores.byId, { storeId: '10101', query: {} });
  page = await opened(who, '/chatbot', { 'delivery-type': 'PICKUP', 'takeaway-store': body.store });
  expect(await ask(page, 'when do you close')).toBe(`${body.store.name}: ${body.store.hoursText}.`);
  const running = await server.call(coupons.ofStore, { storeId: '10101', query: { includePartnerOffer: 'true' } });
  const offers = await ask(page, 'any ofers today');
  expect(offers).toContain(`These run at ${body.store.name} now:`);
  expect(offers).toContain(running.body.offers[0]!.title);
  expect(await ask(page, 'does the tomto basil clasic contain nuts')).toMatch(
    /^The menu does not name nuts for Tomato Basil Classic\. .* Tomato Basil Classic: contains gluten, milk\..*traces can never be ruled out/,
  );
  // What is no dish is no dish either when a dish was just spoken of.
  expect(await ask(page, 'write a poem about the sea and the sun in the evening')).toContain('I cannot do that here');
  // Of what is half understood it asks what it is about.
  expect(await ask(page, 'zorp coupon blik account frob')).toContain('Is it one of these?');
  await page.find('button', 'Offers');
  expect(await ask(page, 'alergens')).toBe('Which dish do you mean?');
  expect(await ask(page, 'मेरा ऑर्डर कहाँ है')).toContain('Nothing was ordered on this device.');
  await ask(page, 'allergens of tomato basil classic');
  expect(await ask(page, 'peri fries')).toMatch(/^Peri Fries: /);
  expect(await ask(page, 'price of tomato basil classic')).toMatch(
    /^Tomato Basil Classic costs ₹\d+ or more, by size\.$/,
  );
  expect(await ask(page, 'where is my order')).toContain('Nothing was ordered on this device.');
});

test('who leaves something out, or names a diet or a price, is shown the dishes that the search finds', async () => {
  const who = await visitor(server);
  const page = await opened(who, '/chatbot');
  const found = () =>
    [...document.querySelectorAll('a')].flatMap(({ textContent }) => /^See (.+)$/.exec(textContent)?.[1] ?? []);
  expect(await ask(page, 'no onion pizza')).toContain('These fit what you ask for:');
  expect(found()[0]).toBe('Jain Garden');
  expect((await page.find('link', 'Search the menu')).getAttribute('href')).toContain('search?q=no%20onion%20pizza');
  for (const [question, dish] of [
    ['peyaj chara pizza', 'Jain Garden'],
    ['nut free brownie', 'Molten Chocolate Cup'],
    ['🥛 allergy', 'Potato Wedges'],
  ] as const) {
    expect(await ask(page, question), question).toContain('These fit what you ask for:');
    expect(found()[0], question).toBe(dish);
  }
  expect(await ask(page, 'coffee without caffeine')).toBe(
    'The menu does not say which dishes are without “caffeine”, so none are shown. Please ask at 6888 6888 before you order.',
  );
  expect(await ask(page, 'pizza without onion vazhnaa')).toContain('I do not know “vazhnaa”');
  expect(await ask(page, 'cheapest dessert without rennet')).toContain('“rennet”, so none are shown.');
  expect(await ask(page, 'is it halal')).toContain('The menu does not say which meat is halal.');
  // A complaint is none of these.
  expect(await ask(page, 'i did not get my coke')).not.toContain('These fit what you ask for:');
});

test('what is in a dish, for whom and where it goes is answered from the menu, the places and the terms', async () => {
  const who = await visitor(server);
  const page = await opened(who, '/chatbot');
  await page.sees('Hello!');
  expect(await ask(page, 'is there onion in garden four')).toMatch(
    /^The menu says that Garden Four has onion in it\. .*Onion, capsicum, tomato and mushroom\..*contains gluten, milk/,
  );
  expect(await ask(page, 'jain garden me lehsun hai kya')).toMatch(/^Jain Garden is made without onion and garlic\./);
  expect(await ask(page, 'is the molten choco cup eggless')).toMatch(
    /^The menu does not name .* for Molten Chocolate Cup\. That is no promise/,
  );
  expect(await ask(page, 'whats in the loaded veg feast')).toMatch(/^Loaded Veg Feast: Every garden topping/);
  const free = await ask(page, 'bacche ko mungfali se allergy hai');
  expect(free).toMatch(/^The menu says that these have mungfali: .*Walnut Brownie.*traces can never be ruled out/);
  expect(free.slice(free.indexOf('These fit'))).not.toContain('Walnut');
  // What no menu knows is not left out of what somebody must not eat.
  const untold = await ask(page, 'pizza without sulphites');
  expect(untold).toContain('The menu does not say which dishes are without “sulphites”');
  expect(untold).not.toContain('These fit');
  expect(await ask(page, 'i am allergic to egg and sulphites')).toContain('are without “sulphites”');
  expect(await ask(page, 'i am allergic to egg and zorblax')).toContain('I do not know “zorblax”');
  const without = await ask(page, 'no onion no garlic pizza pls');
  expect(without).toContain('Jain Garden costs');
  expect(without).not.toContain('Garden Four');
  expect(await ask(page, 'is your chicken halal')).toBe(
    'The menu does not say which meat is halal. Please ask at 6888 6888 before you order.',
  );
  expect(await ask(page, 'cheapest veg pizza')).toMatch(/^These fit what you ask for: Mini Tomato costs ₹59/);
  expect(await ask(page, 'calories in double cheese melt')).toMatch(/Double Cheese Melt, Medium: [\d,]+ kcal/);
  expect(await ask(page, 'chettinad chicken kitna teekha hai')).toMatch(/^Chettinad Pepper Chicken: Spice \d of 3/);
  expect(await ask(page, 'how many people does a large serve')).toMatch(/Large: serves \d/);
  expect(await ask(page, 'do you deliver to Saket')).toMatch(/^(Yes, we deliver to|We deliver to parts of) Saket/);
  expect(await ask(page, '246169')).toMatch(/^(We do not deliver|I do not know)/);
  expect(await ask(page, 'deliver?')).toBe('Where shall it go? Type the area or the postcode.');
  expect(await ask(page, '560034')).toMatch(/^(Yes, we deliver to|We deliver to parts of) .*Bengaluru/);
  expect(await ask(page, 'minimum order')).toMatch(/^The smallest order is ₹1\. Delivery costs ₹39/);
  expect(await ask(page, 'can i pay by upi or card')).toMatch(/^You can pay here with: .*UPI.*card.*\(up to ₹2,000\)/i);
  expect(await ask(page, 'coupon not working')).toMatch(/^A coupon works when/);
  expect(await ask(page, 'is gst included in the price')).toMatch(/^Prices are in Indian rupees\. GST is added/);
  expect(await ask(page, 'i will go to consumer court')).toContain('write to');
  expect(await ask(page, 'can i pick it up myself')).toMatch(/^You can collect your food/);
  expect(await ask(page, 'will you bring it to my train seat')).toMatch(/^Order pizza to your seat/);
});

test('points, deletion, number, code and language lead to their pages, of a guest by way of the login', async () => {
  const guest = await visitor(server);
  let page = await opened(guest, '/chatbot');
  expect(await ask(page, 'how many points do i have')).toContain('Log in, and I can tell you');
  expect(await ask(page, 'what is in my wallet')).toContain('Log in to see its balance');
  expect(await ask(page, 'can my mom pay for this from her phone')).toContain('You send a link');
  expect(await ask(page, 'delete my account')).toContain('There is no account to delete.');
  expect((await page.find('link', 'Delete your account')).getAttribute('href')).toBe('delete-account');
  const who = await member(server);
  page = await opened(who, '/chatbot');
  expect(await ask(page, 'wallet me mere kitne paise hai')).toContain('Balance ₹0');
  expect(await ask(page, 'mere points kitne bache h')).toMatch(/You have 0 points\. 600 points pay for|One tap is all/);
  expect((await page.find('link', 'Rewards')).getAttribute('href')).toBe('rewards');
  expect(await ask(page, 'delete my account')).toMatch(/^You delete your account yourself\./);
  expect((await page.find('link', 'Delete your account')).getAttribute('href')).toBe('delete-account');
  expect(await ask(page, 'change my phone number')).toContain('We send a code to both numbers');
  expect((await page.find('link', 'Change your number')).getAttribute('href')).toBe('postorder-ui/profile/number');
  expect(await ask(page, 'otp nahi aa raha')).toMatch(/^If no code comes/);
  expect(await ask(page, 'stop the notifications')).toContain('Offers by SMS and email: ');
  expect((await page.find('link', 'What you agreed to')).getAttribute('href')).toBe('consents');
  expect(await ask(page, 'sending this to my mom')).toContain('somebody else receives it');
  expect(await ask(page, 'how to get hindi language')).toMatch(/^Choose the language in your account\./);
  expect(await ask(page, 'change my profile')).toMatch(/^Your name, email, addresses/);
});

test('whoever is ill is given the emergency number first, and then the shop', async () => {
  const page = await opened(await visitor(server), '/chatbot');
  expect(await ask(page, 'my son ate nuts and his lips are swelling, can you help')).toMatch(
    /^If breathing is hard, or lips, tongue or throat swell, call 112 at once\. Do not wait for us\. A person can help/,
  );
  const calls = [...document.querySelectorAll('[role=log] a')].map((one) => one.getAttribute('href'));
  expect(calls).toEqual(['tel:112', 'tel:68886888']);
});

test('what is kept, saved, ordered before, stolen, rated, chosen, given or needed by many leads to where it is', async () => {
  const page = await opened(await member(server), '/chatbot');
  for (const [question, answer, link] of [
    ['what data do you keep about me', /Not for advertising, and nothing is sold/, ['Your data', 'my-data']],
    ['remove my saved card', /never see the number of your card/, ['Privacy', 'privacy']],
    ['past orders', /All your orders are in one list/, ['Your orders', 'postorder-ui/orderHistory']],
    ['my phone was stolen', /Log out every device/, ['Your devices', 'postorder-ui/profile/devices']],
    ['how do i rate my order', /you rate it on its page/, ['Tell us about your visit', 'feedback']],
    ['how much is extra cheese', /choose its size, crust, sauce and toppings/, ['See the menu', 'menu']],
    ['bulk order for 60 people', /as many pizzas as you need.*serves/, ['See the menu', 'menu']],
    ['how do i use a gift voucher', /type its number and PIN there/, ['Go to the cart', 'cart']],
  ] as const) {
    expect(await ask(page, question), question).toMatch(answer);
    expect((await page.find('link', link[0])).getAttribute('href'), question).toBe(link[1]);
  }
  for (const [question, answer] of [
    ['is veg cooked in the same oven as chicken', /does not say what is cooked apart/],
    ['i am blind, can i order here', /with a screen reader, with a keyboard and with large letters/],
  ] as const)
    expect(await ask(page, question), question).toMatch(answer);
});

test('what is ordered most is shown, and nothing with what shall not be in it; two recipes are chosen on a pizza', async () => {
  const page = await opened(await visitor(server), '/chatbot');
  await page.sees('Hello!');
  expect(await ask(page, 'half and half pizza')).toContain('choose “Half and half”');
  expect(await ask(page, 'whats your best pizza')).toMatch(/^What the neighbourhood orders most: .*costs/);
  expect(await ask(page, 'whats your best pizza without chicken')).not.toContain('Chicken');
});

test('of two dishes that are meant as well it asks which, and answers what was asked of the one', async () => {
  const page = await opened(await visitor(server), '/chatbot');
  await page.sees('Hello!');
  expect(await ask(page, 'is there milk in the tikka blaze')).toBe('Which dish do you mean?');
  expect(await press(page, 'Chicken Tikka Blaze')).toMatch(/^The menu says that Chicken Tikka Blaze has milk in it\./);
});

test('what it cannot do it says, and hands over to the help number with what was said; it lasts until it is closed', async () => {
  const who = await member(server);
  const order = await paid(who);
  let page = await opened(who, '/chatbot');
  await ask(page, 'where is my pizza');
  expect(await ask(page, 'book me a flight to goa')).toBe(
    'I cannot do that here, and I do not guess. A person can help you at 6888 6888. Read this to them, or copy it:',
  );
  const summary = document.querySelector('blockquote')!.textContent;
  expect(summary).toMatch(
    new RegExp(
      `^Order ${order.orderNumber}, Today, .+\nAsked in the app: “where is my pizza” “book me a flight to goa”$`,
    ),
  );
  expect((await page.find('button', 'Call 6888 6888')).getAttribute('href')).toBe('tel:68886888');
  const copied = vi.fn(async () => {});
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText: copied } as unknown as Clipboard);
  await page.press('button', 'Copy what was said');
  await page.sees('It is copied.');
  expect(copied).toHaveBeenCalledWith(summary);
  const all = bubbles();
  await page.type('Your question', 'half a quest');
  page = await openPage(server.url, '/chatbot', { keep: true });
  await vi.waitFor(() => expect(bubbles()).toEqual(all));
  expect(document.querySelector<HTMLInputElement>('input[name=question]')!.value).toBe('half a quest');
  await page.press('button', 'End the chat');
  await page.find('heading', 'End this chat?');
  [...document.querySelectorAll<HTMLElement>('[role=alertdialog] button')]
    .find(({ textContent }) => textContent === 'End the chat')!
    .click();
  await vi.waitFor(() => expect(bubbles().map(([, text]) => text)).toEqual([expect.stringMatching(/^Hello!/)]));
  expect(localStorage.getItem('IN/browser:chat')).toBeNull();
});

test('what is asked of food before the menu has come waits for it, and is not answered by "nothing found"', async () => {
  const fetched = globalThis.fetch;
  const isMenu = (input: Request | string) => String(input instanceof Request ? input.url : input).includes('/menu');
  const comes = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    if (isMenu(input)) await comes.promise;
    return await fetched(input, init);
  });
  const page = await openPage(server.url, '/chatbot');
  await page.type('Your question', 'is there onion in garden four');
  await page.press('button', 'Send');
  await page.sees('Looking it up');
  expect(bubbles().slice(1)).toEqual([['customer', 'is there onion in garden four']]);
  comes.resolve();
  expect(await answered(1)).toContain('The menu says that Garden Four has onion in it.');
});

test('if the menu does not come, a question of food says that it could not be looked up, and is asked again by a tap', async () => {
  const fetched = globalThis.fetch;
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) =>
    String(input instanceof Request ? input.url : input).includes('/menu')
      ? Promise.reject(new TypeError('no network'))
      : fetched(input, init),
  );
  const page = await openPage(server.url, '/chatbot');
  expect(await ask(page, 'no onion pizza')).toMatch(/could not look that up/);
  // What needs no menu is answered all the same.
  expect(await ask(page, 'delivery charges')).toContain('Delivery costs');
  expect(await ask(page, 'no onion pizza')).toMatch(/could not look that up/);
  vi.stubGlobal('fetch', fetched);
  expect(await press(page, 'Try again')).toContain('Jain Garden');
});

test('without a network it says so and keeps the question; what is typed meanwhile is answered in its turn', async () => {
  const who = await member(server);
  const order = await paid(who);
  const page = await opened(who, '/chatbot');
  await page.sees('Hello! I know your orders');
  const fetched = globalThis.fetch;
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) =>
    String(input instanceof Request ? input.url : input).includes('/order-service/')
      ? Promise.reject(new TypeError('no network'))
      : fetched(input, init),
  );
  expect(await ask(page, 'where is my order')).toMatch(/could not look that up/);
  vi.stubGlobal('fetch', fetched);
  expect(await press(page, 'Try again')).toContain(`Order ${order.orderNumber}: `);
  const before = bubbles().length;
  for (const text of ['where is my order', 'delivery charges', 'thanks']) {
    await page.type('Your question', text);
    await page.press('button', 'Send');
  }
  await vi.waitFor(() => expect(bubbles()).toHaveLength(before + 6));
  const heard = bubbles().slice(before);
  expect(heard.filter(([by]) => by === 'customer').map(([, text]) => text)).toEqual([
    'where is my order',
    'delivery charges',
    'thanks',
  ]);
  expect(heard.filter(([by]) => by === 'assistant').map(([, text]) => text)).toEqual([
    expect.stringContaining(`Order ${order.orderNumber}: `),
    'Delivery costs ₹39, and nothing from ₹399 on. Your cart shows the whole bill before you pay.',
    'You are welcome. Enjoy your pizza!',
  ]);
});

test('an order to a train: its station, how late the train is, and the code for the coach door', async () => {
  const who = await traveller(server, '10802');
  await who.fill(1);
  const order = await ordered(server, who, await saved(server, who, PNR.long, 'NGP'));
  await railway(server, { pnr: PNR.long, event: 'delay', stationId: 'NDLS', minutes: 12 });
  // The railway is asked from time to time.
  await server.advance(3600);
  await who.read(order.orderId);
  const page = await opened(who, `/chatbot?orderId=${order.orderId}`);
  const heard = await ask(page, 'my train is late');
  expect(heard).toContain('It comes to your train at Nagpur Junction');
  expect(heard).toContain('Train 12622 is 12 minutes late there.');
  const { handOverCode } = (await who.read(order.orderId)).train!;
  expect(await ask(page, 'code for the train')).toBe(
    `The code of order ${order.orderNumber} is ${handOverCode}. Tell it only when you get your food.`,
  );
});

test('Sri Lanka and Bangladesh have no assistant, and nobody is led to it there [NAV-61] [CFG-31] [HIST-26]', async () => {
  for (const country of ['lk', 'bg']) {
    const page = await openPage(server.url, '/postorder-ui/profile', { country });
    await page.find('link', /^Help/);
    expect(document.querySelector('a[href*=chatbot]')).toBeNull();
    await openPage(server.url, '/chatbot', { country });
    await vi.waitFor(() => expect(location.pathname).toBe(`/${country}/`));
  }
  for (const [path, wanted] of [
    ['/postorder-ui/profile', 'chatbot'],
    ['/help', 'chatbot'],
  ] as const) {
    const page = await openPage(server.url, path);
    expect((await page.find('link', /^Ask us/)).getAttribute('href')).toBe(wanted);
  }
});
