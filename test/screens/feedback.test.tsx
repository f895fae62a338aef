import { beforeEach, expect, test, vi } from 'vitest';
import * as contract from '../../src/contract/feedback.ts';
import type { OrderView } from '../../src/contract/orders.ts';

import { freshMobile } from '../server/people.ts';
import { member, openShop, pay, PICKUP, type Customer } from '../server/shop.ts';
import { openAs } from './device.ts';
import { openPage } from './page.ts';
import { lentShopHere } from '../server/shopHere.ts';

const { server, db } = lentShopHere();
beforeEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const SHORT = 'Your feedback should have at least 30 characters';
const LONG = 'You have reached maximum character limit of 250';
const WHOLE = 'Crisp, hot and just as we like it at home.';

/** A page of this customer, as their device has it. */
const opened = (who: Customer, path: string) => openAs(server, who, path);
async function eaten(who: Customer): Promise<OrderView> {
  const { order, next } = await who.order();
  await pay(server, next);
  await who.confirm(order);
  await server.advance(2400);
  return await who.read(order.orderId);
}
const box = () => document.querySelector<HTMLTextAreaElement>('textarea')!;
const textOf = (ids: string | null) =>
  (ids ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');

test('who is logged out by another tab under the form is asked to log in, not told that the link is broken', async () => {
  const who = await member(server, 'IN', PICKUP);
  const order = await eaten(who);
  const page = await opened(who, `/uf?orderId=${order.orderId}`);
  await page.find('button', 'Send');
  const key = 'IN/browser:session';
  localStorage.removeItem(key);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
  await vi.waitFor(() => expect(page.path()).toContain('/login?redirectUrl=%2Fuf'));
  expect(page.text()).not.toContain('broken');
});

test('rating an order needs stars and a number from 0 to 10; each is asked for until it is given [HIST-20] [HIST-21]', async () => {
  const who = await member(server, 'IN', PICKUP);
  const order = await eaten(who);
  const page = await opened(who, `/uf?orderId=${order.orderId}`);
  const [stars, likely] = [
    'Please rate your order.',
    'Please choose how likely you are to recommend us, from 0 to 10.',
  ];
  await page.find('heading', 'Rate your order');
  await page.type('Tell us more', WHOLE);
  await page.press('button', 'Send');
  await page.sees(stars);
  await page.sees(likely);
  await page.press('radio', '9');
  await vi.waitFor(() => expect(page.text()).not.toContain(likely));
  await page.press('button', 'Send');
  await page.sees(stars);
  const rows = () => db.selectFrom('feedbacks').selectAll().where('order_id', '=', order.orderId).execute();
  expect(await rows()).toEqual([]);
  await page.press('radio', '4 stars of 5');
  await vi.waitFor(() => expect(page.text()).not.toContain(stars));
  await page.press('button', 'Send');
  await page.find('heading', 'Thank you!');
  expect(await rows()).toMatchObject([{ overall: 4, nps: 9 }]);
});

test('a review needs 30 to 250 characters; errors are said at the field, and nothing typed is lost [HIST-19] [ERR-42] [ERR-43]', async () => {
  const who = await member(server, 'IN', PICKUP);
  const order = await eaten(who);
  const page = await opened(who, `/uf?orderId=${order.orderId}`);
  await page.find('heading', 'Rate your order');
  await page.press('button', 'Send');
  await page.sees(SHORT);
  await page.press('radio', '5 stars of 5');
  await page.press('radio', '9');
  await vi.waitFor(() => expect(page.text()).not.toContain('Please'));

  // One emoji of a family is one to whoever wrote it, and so is a letter of Devanagari with its vowel sign.
  await page.type('Tell us more', '👨‍👩‍👧‍👦'.repeat(29));
  await page.sees('1 more character needed');
  await page.press('button', 'Send');
  await page.sees(SHORT);
  await vi.waitFor(() => expect(document.activeElement).toBe(box()));
  expect(textOf(box().getAttribute('aria-describedby'))).toContain(SHORT);
  expect(box().value).toBe('👨‍👩‍👧‍👦'.repeat(29));
  await page.type('Tell us more', 'नि'.repeat(30));
  await page.sees('30 of 250');
  expect(page.text()).not.toContain(SHORT);
  await page.type('Tell us more', 'नि'.repeat(250));
  await page.sees('250 of 250');
  expect(page.text()).not.toContain(LONG);
  await page.type('Tell us more', 'नि'.repeat(251));
  await page.sees(LONG);
  await page.sees('251 of 250');
  await page.press('button', 'Send');
  await vi.waitFor(() => expect(document.activeElement).toBe(box()));
  expect(textOf(box().getAttribute('aria-describedby'))).toContain(LONG);
  const rows = () => db.selectFrom('feedbacks').selectAll().where('order_id', '=', order.orderId).execute();
  expect(await rows()).toEqual([]);
  await page.type('Tell us more', 'नि'.repeat(250));
  await page.press('button', 'Send');
  await page.find('heading', 'Thank you!');
  expect(await rows()).toMatchObject([{ overall: 5, nps: 9, comment: 'नि'.repeat(250) }]);
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Rate your order'));
  await page.press('button', 'Add a word');
  await page.type('What would you like to add?', '👨‍👩‍👧‍👦'.repeat(251));
  await page.sees(LONG);
  await page.press('button', 'Add');
  await page.type('What would you like to add?', '👨‍👩‍👧‍👦'.repeat(250));
  await page.sees('250 of 250');
  await page.press('button', 'Add');
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ additional: '👨‍👩‍👧‍👦'.repeat(250) }]));
});

test('a rating can be changed for a week; the form shows the old one, and help for what went wrong gets the new one [HIST-18]', async () => {
  const who = await member(server, 'IN', PICKUP);
  const order = await eaten(who);
  const rows = () => db.selectFrom('feedbacks').selectAll().where('order_id', '=', order.orderId).execute();
  let page = await opened(who, `/uf?orderId=${order.orderId}&rating=5&nps=9`);
  await page.type('Tell us more', WHOLE);
  await page.press('button', 'Send');
  await page.find('heading', 'Thank you!');
  await page.press('button', 'Change it');
  expect(((await page.find('radio', '5 stars of 5')) as HTMLInputElement).checked).toBe(true);
  expect(((await page.find('radio', '9')) as HTMLInputElement).checked).toBe(true);
  expect(box().value).toBe(WHOLE);
  await page.press('radio', '2 stars of 5');
  await page.press('radio', '3');
  await page.press('button', 'Temperature');
  const changed = 'It looked fine, but it was cold inside.';
  await page.type('Tell us more', changed);
  await page.press('button', 'Save');
  await page.find('heading', 'What you said');
  await page.sees(`“${changed}”`);
  await page.sees('You would recommend us: 3 of 10');
  expect(page.text()).not.toContain(WHOLE);
  await page.find('heading', 'We can put it right');
  expect(await rows()).toMatchObject([{ overall: 2, nps: 3, comment: changed }]);
  await server.advance(8 * 86_400);
  page = await openPage(server.url, `/uf?orderId=${order.orderId}`, { keep: true });
  await page.sees(`“${changed}”`);
  expect(page.get('button', 'Change it')).toBeNull();
  await openShop(server);
});

test('a customer who rates an order already rated is told so; a feedback link that fails says so [ERR-19] [ERR-20] [HIST-24]', async () => {
  const who = await member(server, 'IN', PICKUP);
  const order = await eaten(who);
  const page = await opened(who, `/uf?orderId=${order.orderId}&rating=4&nps=8`);
  await page.find('heading', 'Rate your order');
  await page.type('Tell us more', WHOLE);
  const said = { orderId: order.orderId, overall: 2, nps: 3, aspects: [], comment: 'Said on the other phone, before.' };
  await who.call(contract.submit, { body: said }, { 'idempotency-key': 'the-other-phone' });
  await page.press('button', 'Send');
  await page.find('heading', 'You have already rated this order');
  await page.sees(said.comment);
  const again = await openPage(server.url, `/uf?orderId=${order.orderId}`, { keep: true });
  await again.find('heading', 'You have already rated this order');
  expect(again.get('button', 'Send')).toBeNull();
  for (const query of ['', '?orderId=ord_guessed', '?orderId=%3Cb%3E']) {
    const broken = await openPage(server.url, `/uf${query}`, { keep: true });
    await broken.find('heading', "We're sorry. The link you clicked is not a working one!");
    expect((await broken.find('link', 'Home')).getAttribute('href')).toBe('./');
  }
});

test('an order asks for its rating until the customer says no, and never again, on this device and on another', async () => {
  const who = await member(server, 'IN', PICKUP);
  const order = await eaten(who);
  const page = await opened(who, `/order/${order.orderId}`);
  await page.find('heading', 'How was it?');
  await page.press('button', 'Do not ask me');
  await page.gone('heading', 'How was it?');
  await vi.waitFor(async () =>
    expect((await who.call(contract.template, { query: { orderId: order.orderId } })).body.isDismissed).toBe(true),
  );
  const again = await openPage(server.url, `/order/${order.orderId}`, { keep: true });
  await again.find('link', /^Get help/);
  expect(again.get('heading', 'How was it?')).toBeNull();
  const other = await opened(who, `/order/${order.orderId}`);
  await other.find('link', /^Get help/);
  expect(other.get('heading', 'How was it?')).toBeNull();
});

test('feedback given without a network waits on the device and arrives once, even if an answer was lost', async () => {
  const mobile = freshMobile();
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const fetched = globalThis.fetch;
  const network = { isUp: false, lost: 1, sent: 0 };
  vi.stubGlobal('fetch', async (input: Request, init?: RequestInit) => {
    const isOurs = (input instanceof Request ? input.url : String(input)).includes(contract.offline.path);
    if (!network.isUp && isOurs) throw new TypeError('no network');
    const reply = await fetched(input, init);
    if (!isOurs) return reply;
    network.sent += 1;
    if (network.sent <= network.lost) throw new TypeError('the answer is lost');
    return reply;
  });
  const page = await openPage(server.url, '/feedback');
  await page.find('heading', 'Tell us about your visit');
  expect((await page.find('link', 'Back to help')).getAttribute('href')).toBe('help');
  await page.press('button', 'Send');
  await page.sees('Please tell us about your order or rate it.');
  const text = '🍕'.repeat(250);
  await page.type('What happened?', `${text}🍕`);
  await page.sees('251 of 250');
  await page.type('Your mobile number', mobile);
  await page.press('button', 'Send');
  await page.sees(LONG);
  await page.type('What happened?', text);
  await page.press('radio', '4 stars of 5');
  await page.press('button', 'Send');
  await page.sees('You are offline. It is kept on this device and sent once you are online again.');
  const rows = () => db.selectFrom('offline_feedbacks').selectAll().where('mobile', '=', mobile).execute();
  expect(await rows()).toEqual([]);
  const kept = () => JSON.parse(localStorage.getItem('IN/browser:visits-said') ?? '[]') as unknown[];
  expect(kept()).toHaveLength(1);
  expect(document.activeElement?.textContent).toBe('Tell us about your visit');

  // So many that one more has no room: it stays in the form, and none of the others goes.
  const [first] = kept() as { key: string }[];
  const more = Array.from({ length: 19 }, (_, at) => ({
    ...first,
    key: `${first!.key}${at}`,
    experience: `No. ${at}`,
  }));
  localStorage.setItem('IN/browser:visits-said', JSON.stringify([...kept(), ...more]));
  const full = await openPage(server.url, '/feedback', { keep: true });
  await full.type('What happened?', 'One too many');
  await full.type('Your mobile number', mobile);
  await full.press('button', 'Send');
  await full.sees('20 of your messages wait on this device for a network.');
  expect(document.querySelector('textarea')!.value).toBe('One too many');
  expect(kept()).toHaveLength(20);

  network.isUp = true;
  online.mockReturnValue(true);
  await openPage(server.url, '/menu', { keep: true });
  await vi.waitFor(() => expect(kept()).toEqual([]), { timeout: 20_000 });
  expect(network.sent).toBeGreaterThan(1);
  expect((await rows()).map(({ experience }) => experience).sort()).toEqual(
    [text, ...more.map(({ experience }) => experience)].sort(),
  );
});
