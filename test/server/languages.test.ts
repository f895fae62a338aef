import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as config from '../../src/contract/config.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as menu from '../../src/contract/menu.ts';
import * as payments from '../../src/contract/payments.ts';
import * as push from '../../src/contract/push.ts';
import * as trains from '../../src/contract/trains.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { copyWithLanguage, strange } from '../kit/languages.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { follow } from './follow.ts';
import { guest } from './people.ts';
import { pushService } from './pushService.ts';
import { member, openShop } from './shop.ts';
import { CARD, sayOfFields } from './typed.ts';
import { ordered, PNR, railway, saved, traveller } from './trainShop.ts';

const ADDED = 'hi';
const SPOKEN = { 'accept-language': `${ADDED}-IN, en;q=0.5` };
let server: SpawnedServer;

/** One more language is a folder: a server of a copy that has it. */
beforeAll(async () => {
  const root = temporaryFolder('pizza-speaking');
  copyWithLanguage(root, ADDED, ['src', 'hosts', 'country', path.join('test', 'kit')]);
  server = await spawnServer({ root });
  await openShop(server);
});
afterAll(async () => {
  await server.stop();
});

test('two who follow one order read each move in their own language, whoever of them came first', async () => {
  const customer = await member(server);
  const { order } = await customer.order({ paymentMode: 'COD' });
  const english = await follow(server.url, customer, order.orderId);
  const added = await follow(server.url, customer, order.orderId, SPOKEN);
  const later = await follow(server.url, customer, order.orderId);
  await server.advance(700);
  const moves = await Promise.all([english, added, later].map((stream) => stream.until('PICKED UP')));
  for (const stream of [english, added, later]) stream.stop();
  const said = moves.map(({ data }) => data.order!.cancel.rule);
  const rule = 'It is too late to cancel here. Please call the store.';
  expect(said).toEqual([rule, strange(rule), rule]);
});

test('a browser is told of its order in the language that its page spoke when it asked for it', async () => {
  const service = pushService();
  await service.listen();
  try {
    const customer = await member(server);
    const [english, added] = [service.browser('english'), service.browser('added')];
    await customer.call(push.subscribe, { body: { subscription: english.subscription, mount: '/in/' } });
    await customer.call(push.subscribe, { body: { subscription: added.subscription, mount: '/in/hi/' } }, SPOKEN);
    await customer.order({ paymentMode: 'COD' });
    await server.advance(700);
    const said = (browser: typeof english, name: string) =>
      service.got.filter((one) => one.path === `/${name}`).map(({ body }) => browser.read(body).body);
    const news = 'Your order is on its way.';
    await expect.poll(() => said(english, 'english')).toContain(news);
    await expect.poll(() => said(added, 'added')).toContain(strange(news));
    expect(said(added, 'added')).not.toContain(news);
  } finally {
    service.close();
  }
});

test('who orders to a train is told by SMS in the language in which they were last here', async () => {
  const [english, added] = [await traveller(server, '10204'), await traveller(server, '10204')];
  for (const who of [english, added]) {
    const train = await saved(server, who, PNR.mumbai, 'MMCT');
    await who.fill();
    const { orderId } = await ordered(server, who, train);
    await who.call(trains.change, { orderId, body: { coach: 'B2' } }, who === added ? SPOKEN : {});
  }
  await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'MMCT', minutes: 150 });
  await server.advance(1_800);
  const told = async (mobile: string) => (await server.inbox(`+91${mobile}`)).join('\n');
  const news = 'your train has changed. Please tell us by';
  expect(await told(english.mobile)).toContain(news);
  expect(await told(added.mobile)).toContain(strange(news));
  expect(await told(added.mobile)).not.toContain(news);
});

test('why money moved is told in the language of whoever reads it, and what is wrong with a card too', async () => {
  const customer = await member(server);
  await server.call(wallet.credit, { body: { mobile: customer.mobile, amount: 10_000 } });
  const labels = async (headers = {}) =>
    (await customer.call(wallet.summary, {}, headers)).body.latest.map((entry) => entry.label);
  expect(await labels()).toEqual(['Added to your wallet']);
  expect(await labels(SPOKEN)).toEqual([strange('Added to your wallet')]);
  // The bank's fields, which speak as their frame is asked for.
  const { body } = await sayOfFields(
    customer,
    { ...CARD, number: '4111 1111 1111 1112' },
    { lang: SPOKEN['accept-language'] },
  );
  expect(body.problems?.map((error) => error.displayMsg)).toEqual([
    strange('That card number is not right. Please check every digit.'),
  ]);
});

test('menu, rewards and the name of the app are told in the language of whoever asks, whoever asked before', async () => {
  const customer = await member(server);
  const read = async (headers = {}) => {
    const { body } = await server.call(menu.byStore, { storeId: '10101', query: {} }, { headers });
    const { body: sections } = await server.call(menu.leftMenu, { storeId: '10101' }, { headers });
    const { programConfig } = (await customer.call(loyalty.user, {}, headers)).body.loyalty.balance;
    return {
      servings: body.menu!.items.filter(({ kind }) => kind === 'DEAL').map(({ serving }) => serving),
      veg: [...body.menu!.categories, ...sections.categories].filter(({ id }) => id === '2').map(({ label }) => label),
      reward: programConfig.reward,
      app: (await server.call(config.pwa, {}, { headers })).body.pwa.name,
    };
  };
  const english = await read();
  const added = await read(SPOKEN);
  expect(await read()).toEqual(english);
  expect(english).toMatchObject({
    veg: ['Veg Pizza', 'Veg Pizza'],
    reward: 'a free regular pizza',
    app: 'Golden Oven Pizza India',
  });
  expect(english.servings).toContain('serves 2');
  expect(english.servings).toContainEqual(expect.stringMatching(/^serves \d-\d/));
  expect(added).toEqual({
    servings: english.servings.map((one) => one && strange(one)),
    veg: ['वेज पिज़्ज़ा', 'वेज पिज़्ज़ा'],
    reward: strange('a free regular pizza'),
    app: 'Golden Oven Pizza भारत',
  });
});

test("a payment app's own words come in the caller's language too", async () => {
  const who = await guest(server, 'in-gpay');
  const { options } = (await server.call(payments.options, {}, { ...who.as, headers: SPOKEN })).body;
  expect(options.map(({ about }) => about)).toEqual([`${strange('Paid inside ')}Google Pay`]);
});
