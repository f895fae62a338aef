import { expect, test } from 'vitest';
import * as config from '../../src/contract/config.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as payments from '../../src/contract/payments.ts';
import * as push from '../../src/contract/push.ts';
import * as trains from '../../src/contract/trains.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as serverText from '#text/server.ts';
import { during } from '../kit/during.ts';
import { startServer } from '../kit/server.ts';
import { follow } from './follow.ts';
import { guest } from './people.ts';
import { pushService } from './pushService.ts';
import { member, openShop } from './shop.ts';
import { CARD, sayOfFields } from './typed.ts';
import { ordered, PNR, railway, saved, traveller } from './trainShop.ts';

const SPOKEN = { 'accept-language': 'hi-IN, en;q=0.5' };
const HINDI: unknown = expect.stringMatching(/^[^a-z]*\p{Script=Devanagari}[^a-z]*$/u);
const server = during(() => startServer(), openShop);

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
  expect(said).toEqual([serverText.cancelOver, HINDI, serverText.cancelOver]);
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
    await expect.poll(() => said(english, 'english')).toContain('Your order is on its way.');
    await expect.poll(() => said(added, 'added').length).toBe(said(english, 'english').length);
    for (const text of said(added, 'added')) expect(text).toEqual(HINDI);
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
  expect(await told(added.mobile)).toMatch(/ट्रेन/);
  expect(await told(added.mobile)).not.toContain(news);
});

test('why money moved, what is wrong with a card, a reward, the app and how to pay are told in the language of the reader', async () => {
  const customer = await member(server);
  await server.call(wallet.credit, { body: { mobile: customer.mobile, amount: 10_000 } });
  const read = async (headers = {}) => {
    const { programConfig } = (await customer.call(loyalty.user, {}, headers)).body.loyalty.balance;
    return {
      labels: (await customer.call(wallet.summary, {}, headers)).body.latest.map((entry) => entry.label),
      reward: programConfig.reward,
      asked: (await server.call(loyalty.programme, {}, { headers })).body.programme.faq[0]!.q,
      app: (await server.call(config.pwa, {}, { headers })).body.pwa.name,
    };
  };
  const english = {
    ...{ labels: ['Added to your wallet'], reward: 'a free regular pizza', app: 'Golden Oven Pizza India' },
    asked: 'When do I get my points?',
  };
  expect(await read()).toEqual(english);
  expect(await read(SPOKEN)).toEqual({ labels: [HINDI], reward: HINDI, app: 'Golden Oven Pizza भारत', asked: HINDI });
  expect(await read()).toEqual(english);
  // The bank's fields, which speak as their frame is asked for.
  const wrong = { ...CARD, number: '4111 1111 1111 1112' };
  const { body } = await sayOfFields(customer, wrong, { lang: SPOKEN['accept-language'] });
  expect(body.problems?.map((error) => error.displayMsg)).toEqual([HINDI]);
  const who = await guest(server, 'in-gpay');
  const { options } = (await server.call(payments.options, {}, { ...who.as, headers: SPOKEN })).body;
  expect(options.map(({ about }) => about)).toEqual([expect.stringMatching(/Google Pay.*\p{Script=Devanagari}/u)]);
});
