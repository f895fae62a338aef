import { beforeEach, expect, test, vi } from 'vitest';
import * as development from '../../src/contract/development.ts';
import { lentServer } from '../kit/lentServer.ts';

import { openShop, type Customer } from '../server/shop.ts';
import { ordered, PNR, saved, traveller } from '../server/trainShop.ts';
import { openAs } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const DAY_S = 86_400;
const HOUR_S = 3_600;
/** The stores of Mumbai Central and of Vadodara. */
const [MMCT, BRC] = ['10204', '10803'];

const server = during(() => lentServer());
beforeEach(async () => {
  vi.restoreAllMocks();
  // The tickets of the embedded railway begin anew with the first question of a day.
  await server.advance(DAY_S);
  await openShop(server);
  await away(false);
});

async function away(isAway: boolean): Promise<void> {
  await server.call(development.railway, { body: { pnr: PNR.mumbai, away: isAway } });
}
const kept = (key: string): unknown => JSON.parse(localStorage.getItem(`IN/browser:${key}`) ?? 'null');

/** A page of this customer, as their device has it. */
const opened = (who: Customer, path: string) => openAs(server, who, path);
/** The journey of a PNR on the page. */
async function journeyOf(pnr: string): Promise<AppPage> {
  const page = await openPage(server.url, '/irctc');
  await page.type('PNR', pnr);
  await page.press('button', 'Find my train');
  return page;
}
/** What the line of stations says of one of them. */
const stationOf = (page: AppPage, name: string) => page.find('button', new RegExp(`^${name}`));

test('each wrong PNR has its sentence at its field, and what was typed stays there [TRN-01] [NAV-63]', async () => {
  const page = await openPage(server.url, '/irctc');
  const field = () => document.querySelector<HTMLInputElement>('#pnr')!;
  const said = async (typed: string, sentence: RegExp) => {
    await page.type('PNR', typed);
    await page.press('button', 'Find my train');
    await vi.waitFor(() => expect(document.querySelector('#pnr-error')?.textContent).toMatch(sentence));
    expect(field().value).toBe(typed);
    expect(field().getAttribute('aria-invalid')).toBe('true');
  };
  await page.find('heading', 'Your journey');
  expect(field().inputMode).toBe('numeric');
  await said(' ', /^Type the 10 digits of your PNR\.$/);
  await said('12345', /^A PNR has 10 digits, this one has 5\.$/);
  await said('26123 456O1', /^A PNR has only digits/);
  await said('0612345601', /^A PNR does not begin with 0/);
  const sentences = new Set<string>();
  for (const pnr of [PNR.unknown, PNR.cancelled, PNR.unserved, PNR.over]) {
    await said(pnr, /./);
    sentences.add(document.querySelector('#pnr-error')!.textContent ?? '');
  }
  expect(sentences.size).toBe(4);
  await away(true);
  await said(PNR.mumbai, /^The railway does not answer/);
  await away(false);
  await page.type('PNR', PNR.mumbai.replace(/(\d{3})(\d{3})/, '$1 $2-'));
  await page.press('button', 'Find my train');
  await page.find('heading', 'Where shall we bring it?');
  expect(location.href).not.toContain(PNR.mumbai);
});

test('a train journey lists its stations: ours with their clocks, the others with the reason [TRN-02] [TRN-03] [TRN-X01]', async () => {
  const page = await journeyOf(PNR.mumbai);
  await page.find('heading', /^12951 /);
  const names = [...document.querySelectorAll('ol[aria-label^="Stations of 12951"] li')].map(
    (stop) => /^(?:[\d:]+ [AP]M)?(?:\w{3}, \d+ \w{3})?([A-Z][a-z]+)/.exec((stop.textContent ?? '').trim())?.[1],
  );
  expect(names).toEqual(['Mumbai', 'Surat', 'Vadodara', 'Ratlam', 'New']);
  expect((await stationOf(page, 'Mumbai Central')).textContent).toMatch(/Order within \d:\d\d:\d\d/);
  expect((await stationOf(page, 'Surat')).textContent).not.toMatch(/Order (within|by)/);
  await page.press('button', /^Surat/);
  await page.find('heading', 'Surat');
  await page.sees('We do not bring food to this station.');
  await page.press('button', 'Another station');
  await page.press('button', /^Vadodara/);
  await page.find('button', 'Order to Vadodara Junction');
  for (const row of ['Arrives', 'Halt', 'Platform', 'Brought by', 'Pay until']) expect(page.text()).toContain(row);
  expect(page.text()).toContain('5 minutes');
  // The train is late, and the page hears of it.
  await server.call(development.railway, {
    body: { pnr: PNR.mumbai, event: 'delay', stationId: 'MMCT', minutes: 75 },
  });
  const again = await openPage(server.url, '/irctc', { keep: true });
  await again.sees('1 hour 15 minutes late');
  await server.call(development.railway, { body: { pnr: PNR.mumbai, event: 'restore' } });
});

test('a chosen station is kept with its seat for the cart; leaving it brings the place of before back [TRN-04] [TRN-11]', async () => {
  let page = await journeyOf(PNR.mumbai);
  await stationOf(page, 'Vadodara');
  page = await openPage(server.url, '/irctcStation?station=BRC', { keep: true });
  await page.type('Coach', 'b2!');
  await page.press('button', 'See the food');
  await page.sees('A coach has letters and digits, like B4.');
  await page.type('Coach', 'b2');
  await page.press('button', 'See the food');
  await page.find('heading', 'Good on a train');
  expect(kept('station-id')).toMatchObject({ stationId: 'BRC', storeId: BRC });
  expect(kept('train-seat')).toMatchObject({ coach: 'b2', berth: '7' });
  expect(kept('pnr')).toMatchObject({ typed: PNR.mumbai });
  await page.sees('Coach B2, berth 7');
  await vi.waitFor(() => expect(document.querySelectorAll('[data-dish]').length).toBeGreaterThan(3));
  await page.press('button', 'Order to an address instead');
  await vi.waitFor(() => expect(kept('station-id')).toBeNull());
  expect(kept('place')).toBeNull();
});

test('when trains are switched off, their page and the payment say so and lead elsewhere; on again, both work [CFG-X03]', async () => {
  const trains = async (value: 'D' | 'E') =>
    await server.switches({ features: JSON.stringify({ features: [{ name: 'irctc', value }] }) });
  const off = 'We bring no food to trains at the moment. Your dishes stay: choose another way to get them.';
  const leadsOn = async (page: AppPage) => {
    await page.sees(off);
    await page.sees('To Vadodara Junction');
    expect((await page.find('button', 'Choose another way')).getAttribute('href')).toBe(
      'postorder-ui/searchAddress?from=cart',
    );
    expect(kept('station-id')).toMatchObject({ stationId: 'BRC' });
  };
  let page = await journeyOf(PNR.mumbai);
  await stationOf(page, 'Vadodara');
  page = await openPage(server.url, '/irctcStation?station=BRC', { keep: true });
  await page.press('button', 'See the food');
  await page.press('button', 'Add Mini Capsicum');
  await page.find('button', /^See your cart with 1 item/);
  try {
    page = await openPage(server.url, '/payment', { keep: true });
    await page.find('radio', /^UPI/);
    expect(document.querySelector('button[type=submit]')).not.toBeNull();
    expect(page.text()).not.toContain(off);
    await trains('D');
    // The next question to the server tells the page that stands open.
    await page.press('radio', /^UPI/);
    await leadsOn(page);
    expect(document.querySelector('button[type=submit]')).toBeNull();
    page = await openPage(server.url, '/cart', { keep: true });
    await leadsOn(page);
    expect(page.get('button', 'Go to payment')).toBeNull();
    expect(page.text()).not.toContain('If your train is late, we bake later.');
    await trains('E');
    page = await openPage(server.url, '/cart', { keep: true });
    // The cart priced for the train has no offer for minis, and says so; the kept one of before leads on at once.
    await page.press('button', 'Accept the changes');
    await page.find('button', 'Go to payment');
    await page.gone('button', 'Choose another way');
    await trains('D');
    // A page that stands open hears of it on its way back to the cart.
    await page.press('link', 'Add more items');
    await page.find('heading', 'Menu');
    await page.press('link', /^Cart/);
    await leadsOn(page);
    page = await openPage(server.url, '/payment', { keep: true });
    await leadsOn(page);
  } finally {
    await server.switches({ features: JSON.stringify({ features: [] }) });
  }
});

test('a station’s page leads to the PNR without a journey, says why it is unserved, or shows rules and seat [NAV-64] [TRN-05]', async () => {
  let page = await openPage(server.url, '/irctcStation?station=BRC');
  await page.find('heading', 'Type your PNR first, so that we know your train.');
  expect((await page.find('link', 'Find my train')).getAttribute('href')).toBe('irctc');
  page = await journeyOf(PNR.mumbai);
  await stationOf(page, 'Vadodara');
  page = await openPage(server.url, '/irctcStation?station=NGP', { keep: true });
  await page.find('link', 'Another station');
  expect(page.get('button', 'See the food')).toBeNull();
  page = await openPage(server.url, '/irctcStation?station=ST', { keep: true });
  await page.find('heading', 'We do not bring food to this station.');
  page = await openPage(server.url, '/irctcStation?station=BRC', { keep: true });
  await page.find('heading', 'To Vadodara Junction');
  await page.sees('Stand at the door of your coach, and show the rider your code.');
  for (const rule of ['Arrives', 'Halt', 'Platform', 'Pay until']) expect(page.text()).toContain(rule);
  await page.find('button', 'See the food');
  await page.find('button', 'Terms of food on trains');
});

test('a cut-off that passes while a seat is typed is said, and what was typed stays [TRN-X01]', async () => {
  let page = await journeyOf(PNR.mumbai);
  await stationOf(page, 'Mumbai Central');
  page = await openPage(server.url, '/irctcStation?station=MMCT', { keep: true });
  await page.type('Coach', 'H1');
  await server.advance(4.2 * HOUR_S);
  await page.press('button', 'See the food');
  await page.find('button', 'OK');
  await page.press('button', 'OK');
  await page.find('button', 'Another station');
  expect(kept('train-seat')).toMatchObject({ coach: 'H1' });
});

test('the terms of food on trains are a tap away, and the landing leads from home to the stations [TRN-06] [NAV-62]', async () => {
  const home = await openPage(server.url, '/');
  await home.find('link', /^On a train\?/);
  const page = await openPage(server.url, '/deliverontrain', { keep: true });
  await page.find('heading', 'Food on your train');
  await page.press('button', 'Terms of food on trains');
  await vi.waitFor(() => expect(document.querySelectorAll('dialog h3').length).toBeGreaterThan(2));
  await page.press('button', 'Close');
  await page.type('PNR', PNR.mumbai);
  await page.press('button', 'Find my train');
  await vi.waitFor(() => expect(page.path()).toBe('/irctc'));
  await page.find('heading', 'Where shall we bring it?');
  await stationOf(page, 'Vadodara');
});

test('the list of train orders: what is saved can be gone on with or forgotten [TRN-09] [NAV-65]', async () => {
  const who = await traveller(server, MMCT);
  const train = await saved(server, who, PNR.mumbai, 'MMCT');
  await who.fill();
  await ordered(server, who, train);
  await saved(server, who, PNR.mumbai, 'BRC', { mobile: undefined });
  const page = await opened(who, '/irctcOrder');
  await page.find('heading', 'To Vadodara Junction');
  await page.find('heading', 'To Mumbai Central');
  await page.press('button', 'Remove');
  await vi.waitFor(() => expect(page.get('heading', 'To Vadodara Junction')).toBeNull());
  await page.find('heading', 'To Mumbai Central');
});

test('the page of a train order shows the code for the coach door, and takes another seat [ORD-18] [ORD-X05] [TRN-X04]', async () => {
  const who = await traveller(server, MMCT);
  const train = await saved(server, who, PNR.mumbai, 'MMCT');
  await who.fill();
  const order = await ordered(server, who, train);
  const page = await opened(who, `/order/${order.orderId}`);
  await page.find('heading', 'Show this at the coach door');
  // Beside the state, as the service has it.
  expect([...document.querySelectorAll('header')].map((bar) => bar.textContent)).toContainEqual(
    expect.stringMatching(/Order \d{4}.*IRCTC/),
  );
  expect((await page.find('img', /^Your hand-over code: (\w ){5}\w$/)).textContent).toBe(order.train!.handOverCode);
  const kinds = [...document.querySelectorAll('ol[aria-label="Train and kitchen"] li')].map((step) => step.textContent);
  expect(kinds.some((text) => text?.includes('Train ·'))).toBe(true);
  expect(kinds.some((text) => text?.includes('Kitchen ·'))).toBe(true);
  await page.press('button', /^Coach A1, berth 7/);
  await page.type('Berth or seat', '31');
  await page.press('button', 'Save the seat');
  await page.find('button', /^Coach A1, berth 31/);
});

test('a train order says why it cannot be cancelled: it awaits payment, its train is near, or the kitchen has begun [TRN-10]', async () => {
  const who = await traveller(server, MMCT);
  const train = await saved(server, who, PNR.mumbai, 'MMCT');
  await who.fill();
  await who.submit({ body: { train: train.trainOrderId } });
  let page = await opened(who, '/irctcOrder');
  await page.sees('Nothing has been paid, so cancelling costs nothing.');
  expect(page.text()).not.toContain('less than two hours');
  await page.press('button', 'Cancel this train order');
  await page.sees('Cancel this order?');
  expect(page.text()).not.toContain('goes back');

  const other = await traveller(server, MMCT);
  const next = await saved(server, other, PNR.mumbai, 'MMCT');
  await other.fill();
  const { orderId } = await ordered(server, other, next);
  await server.advance(4.5 * HOUR_S);
  page = await opened(other, `/order/${orderId}`);
  await page.sees('It is less than two hours until your train is there');
  await vi.waitFor(async () => expect((await other.read(orderId)).orderStatus).toMatch(/INPROCESS|PICKED UP/));
  await server.call(development.railway, {
    body: { pnr: PNR.mumbai, event: 'delay', stationId: 'MMCT', minutes: 240 },
  });
  await server.advance(600);
  for (const path of [`/order/${orderId}`, '/irctcOrder']) {
    page = await opened(other, path);
    await page.sees('Our store has begun with your food, so it cannot be cancelled here any more. Call');
    expect(page.text()).not.toContain('less than two hours');
  }
});

test.each([
  ['bg', 'browser'],
  ['in', 'paytm'],
] as const)(
  '%s/%s has no food on trains: no address, and nothing that leads there [TRN-12] [MINI-09] [MINI-12]',
  async (country, host) => {
    for (const path of ['/deliverontrain', '/irctcOrder']) {
      const page = await openPage(server.url, path, { country, host });
      await vi.waitFor(() => expect(page.path().replace(/\?.*/, '')).toBe('/'));
      expect(page.get('link', /train/i)).toBeNull();
    }
    const page = await openPage(server.url, '/postorder-ui/searchAddress', { country, host });
    await page.find('heading', /./);
    await page.find('link', 'Privacy');
    expect(page.get('link', /train/i)).toBeNull();
  },
);
