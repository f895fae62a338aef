import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as addresses from '../../src/contract/addresses.ts';
import * as cards from '../../src/contract/cards.ts';
import * as cart from '../../src/contract/cart.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as devices from '../../src/contract/devices.ts';
import * as challenge from '../../src/contract/challenge.ts';
import { keyUse, type Endpoint } from '../../src/contract/endpoint.ts';
import * as feedback from '../../src/contract/feedback.ts';
import * as group from '../../src/contract/group.ts';
import * as league from '../../src/contract/league.ts';
import * as linkedWallets from '../../src/contract/linkedWallets.ts';
import * as login from '../../src/contract/login.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as memory from '../../src/contract/memory.ts';
import * as passwords from '../../src/contract/passwords.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import * as payments from '../../src/contract/payments.ts';
import * as profile from '../../src/contract/profile.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { isFinal } from '../../src/domain/orders.ts';
import { allEndpoints } from '../kit/contract.ts';
import { sample } from '../kit/matrix.ts';
import { assistantClient, dataOf } from './assistantClient.ts';
import { begun, connected } from './assistantLogin.ts';
import { codeFor, freshMobile, guest, logIn } from './people.ts';
import { type Customer, member, openShop, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';
import { enteredCard, typedCard, typedCvv } from './typed.ts';
import { ordered, PNR, saved } from './trainShop.ts';

const writes = new Map([...(await allEndpoints())].filter(([, { method }]) => method !== 'GET'));

/** What a call leaves behind whatever it is: how often something was tried, and what is worked off by itself. */
const COUNTED = new Set(['counters', 'idempotency', 'jobs', 'system']);

const { server, db } = shopHere({ settings: { environment: { ANALYTICS: 'on' } } });
const tables: string[] = [];
beforeAll(async () => {
  Object.assign(countryConfig('in'), { SHOW_LOAGIN_WITH_PASSWORD: true });
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db);
  for (const { name } of rows) {
    // What is full before anybody comes is the catalogue.
    const { rows: some } = await sql`select 1 from ${sql.table(name)} limit 100`.execute(db);
    if (some.length < 100 && !COUNTED.has(name)) tables.push(name);
  }
  // Its secret is made with the first of all.
  await server.call(challenge.ask, { body: { use: 'codes' } }, (await guest(server)).as);
});
afterAll(() => void Object.assign(countryConfig('in'), { SHOW_LOAGIN_WITH_PASSWORD: false }));

// Nothing of another order moves meanwhile.
beforeEach(async () => {
  const orders = await db.selectFrom('orders').select('status').execute();
  if (orders.some(({ status }) => !isFinal(status))) await openShop(server);
  // Nor does its money, which goes back days later.
  const isOwed = async () =>
    (await db.selectFrom('refunds').select('id').where('state', '=', 'STARTED').limit(1).execute()).length > 0;
  for (let days = 0; days < 10 && (await isOwed()); days += 1) await server.advance(24 * 3600);
  // A deletion asked for days ago, which falls due within seconds, would be taken for what the second call did.
  const isDueSoon = async () => {
    const soon = (await server.advance(0)) + 60_000;
    const due = db.selectFrom('jobs').select('id').where('state', '=', 'DUE').where('run_at', '<=', soon);
    return (await due.limit(1).execute()).length > 0;
  };
  for (let minutes = 0; minutes < 5 && (await isDueSoon()); minutes += 1) await server.advance(60);
});

type Input = Record<string, unknown>;
/** What is sent twice, and by whom. */
interface Sent {
  readonly who: Customer;
  readonly input?: Input;
}
type Prepare = () => Promise<Sent>;

const one = () => member(server, 'IN', PICKUP);
const mine = async () => ({ who: await one() });
const guests = async () => ({ who: await visitor(server) });
/** What somebody sends for whom this is ready. */
const of = async <T extends { readonly who: Customer }>(
  ready: Promise<T>,
  input: (ready: T) => Input | Promise<Input>,
): Promise<Sent> => {
  const there = await ready;
  return { who: there.who, input: await input(there) };
};
const me = (input: Input = {}) => of(mine(), () => input);
const filled = async () => {
  const who = await one();
  await who.fill();
  return who;
};
const inCart = (input: (who: Customer) => Input = () => ({})) =>
  of(
    filled().then((who) => ({ who })),
    ({ who }) => ({ cartId: who.cartId, ...input(who) }),
  );
const line = () => ({ lineId: randomUUID(), productId: 'PZ001', quantity: 1 });
const placed = async () => {
  const who = await one();
  const { order, next } = await who.order();
  await pay(server, next);
  await who.confirm(order);
  return { who, order };
};
const eaten = async () => {
  const { who, order } = await placed();
  await server.advance(2400);
  return { who, order };
};
const said = { overall: 4, nps: 9, aspects: ['taste'], comment: 'The crust was just right, and the rider found us.' };
const rated = async () => {
  const { who, order } = await eaten();
  const { body } = await who.call(
    feedback.submit,
    { body: { orderId: order.orderId, ...said, aspects: ['taste'] } },
    { 'idempotency-key': randomUUID() },
  );
  return { who, feedbackId: body.feedback.feedbackId };
};
const ADDRESS = { latitude: 28.64, longitude: 77.22, houseNo: '12', address: 'Barakhamba Road', type: 'home' as const };
const keptAddress = async () => {
  const who = await one();
  const { body } = await who.call(addresses.create, { mobNo: who.mobile, body: ADDRESS });
  return { who, addressId: body.address.address_id };
};
const asked = async () => {
  const who = await one();
  const { access } = await connected(server, who);
  const wish = { ...PICKUP, lines: [{ productId: 'PZ001', quantity: 1 }] };
  const said = await assistantClient(server, { token: access }).tool('quote_order', wish);
  return { who, ...dataOf<{ quoteId: string; total: number }>(said) };
};
const keptCard = async () => {
  const who = await one();
  const { body } = await who.call(cards.save, { body: { cardToken: await enteredCard(who) } });
  return { who, cardId: body.cards[0]!.cardId };
};
const hosting = async () => {
  const who = await filled();
  const { body } = await who.call(group.start, {
    cartId: who.cartId,
    body: { name: 'Asha', diet: [], minutes: 30, limit: null },
  });
  return { who, code: body.group.code, group: body.group };
};
const inGroup = async () => {
  const { code } = await hosting();
  const who = await visitor(server, 'IN', PICKUP);
  const { body } = await who.call(group.join, { code, body: { name: 'Ravi', diet: [] } });
  return { who, code, personId: body.group.people.find(({ name }) => name === 'Ravi')!.personId };
};
const codeOfMine = (who: Customer) => codeFor(server, who.mobile);
const withVoucher = async () => {
  const who = await one();
  const { body } = await server.call(vouchers.issue, { body: { amount: 100_000 } });
  const { number, pin } = body;
  return { who, number, pin };
};
const linkedVoucher = async () => {
  const { who, number, pin } = await withVoucher();
  const { body } = await who.call(vouchers.link, { body: { number, pin } });
  return { who, voucherId: body.voucher.voucherId };
};
const unpaid = async (paymentMode: 'UPI' | 'COD' | 'LINK' = 'UPI') => {
  const who = await one();
  const { order, next } = await who.order({ paymentMode });
  return { who, order, next };
};
/** Enough for a coupon with a least sum. */
const withTotal = async () => {
  const who = await one();
  await who.fill(4, 'M');
  const { body } = await who.submit();
  return { who, transactionId: body.order.transactionId };
};
const train = async () => {
  const who = await member(server, 'IN', { storeId: '10802', deliveryType: 'DELIVERY' });
  await who.fill();
  return who;
};
const onTrain = async () => {
  const who = await train();
  const { orderId } = await ordered(server, who, await saved(server, who, PNR.long, 'NGP'));
  return { who, orderId };
};
const BEAT = { userAgent: 'x', platform: 'PWA', userId: '', timestamp: 1, pageName: 'home', referrer: '' };

/**
 * Every write of the contract: what happens if it is sent twice, why that harms nobody, and how a client sends it.
 * - key: takes an Idempotency-Key; the second has the bytes of the first, and nothing more is written.
 * - same: the second succeeds, and leaves all as the first has.
 * - once: the second is refused by name, and writes nothing.
 * - looks: writes nothing at all that is anybody's.
 * - anew: each is another one, which only these tables show.
 */
type Write = readonly ['key' | 'same' | 'once' | 'looks' | 'anew', string, Prepare, readonly string[]] | 'outside';
const key = (prepare: Prepare): Write => ['key', '', prepare, []];
const same = (why: string, prepare: Prepare): Write => ['same', why, prepare, []];
const once = (why: string, prepare: Prepare): Write => ['once', why, prepare, []];
const looks = (why: string, prepare: Prepare): Write => ['looks', why, prepare, []];
const anew = (why: string, shows: readonly string[], prepare: Prepare): Write => ['anew', why, prepare, shows];
/** It is proven elsewhere, or is nobody's. */
const outside = (_why: string): Write => 'outside';
const CODES = 'codes come 30 s apart, at most three in a quarter of an hour';
const WRITES: Readonly<Record<string, Write>> = {
  'activity.collect': same('each event has an id, by which it counts once', () =>
    me({
      body: { clientId: 'client-1', user: {}, events: [{ id: randomUUID(), name: 'x', at: 1, properties: {} }] },
    }),
  ),
  'activity.forget': same('what is gone is gone', () => me()),
  'activity.savePageView': anew('a page sends each view once and never again; two are two views', ['activity'], () =>
    me({ body: { data: { ...BEAT, action: 'view', actionType: 'page', properties: {} } } }),
  ),
  'addresses.change': same('it says how the address is to be', () =>
    of(keptAddress(), ({ addressId }) => ({ addressId, body: { ...ADDRESS, houseNo: '14' } })),
  ),
  'addresses.create': same('the same address again is the one that is there', () =>
    of(mine(), ({ who }) => ({ mobNo: who.mobile, body: ADDRESS })),
  ),
  'addresses.remove': once('what is gone is not found', () => of(keptAddress(), ({ addressId }) => ({ addressId }))),
  'assistants.answer': anew(
    'a page goes on with the answer; another one is another code, good for a minute',
    ['assistant_codes'],
    async () => ({ who: await one(), input: { body: { request: (await begun(server)).request, isAllowed: true } } }),
  ),
  'assistants.confirm': key(() =>
    of(asked(), ({ quoteId, total }) => ({
      quoteId,
      body: { customer: { firstName: 'Asha', lastName: 'Rao' }, paymentMode: 'UPI', total, termsAccepted: true },
    })),
  ),
  'assistants.estimate': looks('nothing of it is kept', () =>
    me({ body: { ...PICKUP, lines: [{ productId: 'PZ001', quantity: 1 }] } }),
  ),
  'assistants.quote': outside('by a program alone, and the next takes its place (assistantOrders.test.ts)'),
  'assistants.withdraw': same('what has ended stays ended', () =>
    of(asked(), ({ quoteId }) => ({ checkoutId: quoteId })),
  ),
  'cards.again': anew(
    'a token pays nothing by itself, and is forgotten within the hour',
    ['bank_cards', 'card_offers'],
    () => of(keptCard(), async ({ who, cardId }) => ({ cardId, body: await typedCvv(who) })),
  ),
  'cards.remove': once('what is gone is not found', () => of(keptCard(), ({ cardId }) => ({ cardId }))),
  'cards.save': same('the same card is kept once', () =>
    of(mine(), async ({ who }) => ({ body: { cardToken: await enteredCard(who) } })),
  ),
  'cards.sheetSession': outside('the session is the sheet’s own; nothing of it is kept here'),
  'cards.sheetToken': outside('the sheet’s data are swapped by the bank, which takes them once'),
  'cart.add': same('each operation has an id, by which it is done once', () =>
    inCart(() => ({ body: { items: [{ operationId: randomUUID(), line: line() }] } })),
  ),
  'cart.change': same('each operation has an id, by which it is done once', async () => {
    const who = await one();
    const { validItems } = await who.fill();
    const { lineId } = validItems[0]!;
    return {
      who,
      input: { cartId: who.cartId, body: { items: [{ operationId: randomUUID(), lineId, quantity: 3 }] } },
    };
  }),
  'cart.decide': same('a line that is decided about is not beside the cart any more', async () => {
    const who = await filled();
    const lineIds = ((await who.cart()).aside ?? []).map(({ lineId }) => lineId);
    return { who, input: { cartId: who.cartId, body: { choice: 'ADD', lineIds } } };
  }),
  'challenge.ask': looks('it is a sealed text that the server does not keep', () => me({ body: { use: 'codes' } })),
  'consents.say': same('of each purpose the last word holds, and the same word is the same', () =>
    me({
      body: { consents: [{ purpose: 'news', given: true, version: CONSENT_VERSIONS.news, at: 1_700_000_000_000 }] },
    }),
  ),
  'copy.make': looks('it only reads', () => me({ body: {} })),
  'copy.sendCode': once(CODES, () => me({ body: {} })),
  'coupons.apply': same('a coupon that is on is on', () => inCart(() => ({ code: 'WELCOME50', query: {} }))),
  'coupons.remove': same('one that is off is off', () => inCart(() => ({ code: 'WELCOME50' }))),
  'deletion.ask': once('the first ends the session that the second would need', async () => {
    const who = await one();
    await server.advance(31);
    await who.call(deletion.sendCode, { body: {} });
    return { who, input: { body: { code: await codeOfMine(who) } } };
  }),
  'deletion.sendCode': once(CODES, () => me({ body: {} })),
  'development.advanceClock': outside('development only: each is a step of the clock'),
  'development.railway': outside('development only: each is another event of a train'),
  'development.setSwitches': outside('development only: it says how the switches are to be'),
  'devices.end': same('who is logged out is logged out', async () => {
    const who = await one();
    await server.advance(31);
    await logIn(server, who.mobile);
    const { body } = await who.call(devices.list, {});
    const other = body.devices.find(({ isThis }) => !isThis)!;
    return { who, input: { sessionId: other.sessionId } };
  }),
  'experiments.batch': same('each event has an id, by which it counts once', () =>
    me({ body: { ev: [{ eT: 3, id: randomUUID(), u: '77', sId: 1_700_000_000, t: '{"a":"b"}' }] } }),
  ),
  'experiments.events': same('each event has a msgId, by which it counts once', () =>
    me({
      query: { en: 'x' },
      body: { d: { msgId: randomUUID(), visId: '78', event: { name: 'vwo_syncVisitorProp', props: {} } } },
    }),
  ),
  'favourites.addProduct': same('a favourite is one', () => me({ body: { productId: 'PZ001' } })),
  'favourites.removeProduct': same('what is gone is gone', () => me({ productId: 'PZ001' })),
  'feedback.additional': same('it says which word is added', () =>
    of(rated(), ({ feedbackId }) => ({ body: { feedbackId, comment: 'And the dip was missing.' } })),
  ),
  'feedback.dismiss': same('who does not want to be asked is not asked', () =>
    of(eaten(), ({ order }) => ({ body: { orderId: order.orderId } })),
  ),
  'feedback.offline': key(() => me({ body: { experience: said.comment, rating: 4, mobile: freshMobile() } })),
  'feedback.ofOrder': key(() => of(eaten(), ({ order }) => ({ orderId: order.orderId, body: said }))),
  'feedback.submit': key(() => of(eaten(), ({ order }) => ({ body: { orderId: order.orderId, ...said } }))),
  'feedback.update': same('it says what is now said', () =>
    of(rated(), ({ feedbackId }) => ({ feedbackId, body: { ...said, overall: 2 } })),
  ),
  'fingerprint.forget': same('what is gone is gone', () => me()),
  'fingerprint.send': same('the same device is known once', () =>
    me({
      body: { ua: 'x', av: 'x', ww: 1, wh: 1, pl: 0, mt: 0, ln: 'en', tz: 'x', tp: 0, st: '', ls: '', uid: 'x' },
    }),
  ),
  'group.change': same('it says how the person is to be', () =>
    of(inGroup(), ({ code, personId }) => ({ code, personId, body: { name: 'Ravi K', done: true } })),
  ),
  'group.end': same('what is called off is called off', () => of(hosting(), ({ code }) => ({ code }))),
  'group.join': same('who is in a group is in it once', async () => {
    const { code } = await hosting();
    return { who: await visitor(server, 'IN', PICKUP), input: { code, body: { name: 'Ravi', diet: [] } } };
  }),
  'group.leave': once('who has left is not found', () => of(inGroup(), ({ code, personId }) => ({ code, personId }))),
  'group.rule': same('it says what holds from now on', () =>
    of(hosting(), ({ code }) => ({ code, body: { limit: 50_000 } })),
  ),
  'group.start': same('a cart has one group', () =>
    inCart(() => ({ body: { name: 'Asha', diet: [], minutes: 30, limit: null } })),
  ),
  'help.claim': key(() =>
    of(eaten(), ({ order }) => ({
      body: {
        orderId: order.orderId,
        issue: 'missing',
        items: [{ lineId: order.lines[0]!.lineId, quantity: 1 }],
        way: 'SOURCE',
      },
    })),
  ),
  'help.quote': looks('it only says what would be answered', () =>
    of(eaten(), ({ order }) => ({
      body: { orderId: order.orderId, issue: 'missing', items: [{ lineId: order.lines[0]!.lineId, quantity: 1 }] },
    })),
  ),
  'history.removeFavourite': same('what is gone is gone', () => me({ favOrderId: 'ord_none' })),
  'history.saveFavourite': same('an order is a favourite once', () =>
    of(placed(), ({ who, order }) => ({ favOrderId: order.orderId, body: { data: { userId: who.userId } } })),
  ),
  'league.leave': same('who has left has left', async () => {
    const who = await one();
    await who.call(league.play, { body: { nickname: null } });
    return { who };
  }),
  'league.play': same('who plays plays', () => me({ body: { nickname: null } })),
  'league.predict': same('of a match the last word holds', async () => {
    const who = await one();
    await who.call(league.play, { body: { nickname: null } });
    const { body } = await who.call(league.view, {});
    const { id } = body.league.rounds.at(-1)!.matches[0]!;
    return { who, input: { matchId: id, body: { pick: 'DRAW' } } };
  }),
  'linkedWallets.link': once(CODES, () => me({ provider: 'PAYTM', body: { mobile: freshMobile() } })),
  'linkedWallets.redeem': outside('one capture for a transaction, which the money’s own tests send many times'),
  'linkedWallets.unlink': same('what is let go is let go', () => me({ provider: 'PAYTM' })),
  'linkedWallets.verify': once('a code holds once', async () => {
    const who = await one();
    const mobile = freshMobile();
    const { body } = await who.call(linkedWallets.link, { provider: 'PAYTM', body: { mobile } });
    return {
      who,
      input: { provider: 'PAYTM', body: { state: body.state, code: await codeFor(server, mobile) } },
    };
  }),
  'login.resendOtp': once(CODES, async () => {
    const who = await visitor(server);
    await who.call(login.sendOtp, { body: { mobile: who.mobile } });
    await server.advance(31);
    return { who, input: { body: { mobile: who.mobile } } };
  }),
  'login.searchUser': looks('it only says how one may log in', () =>
    of(guests(), () => ({ body: { mobile: freshMobile() } })),
  ),
  'login.sendOtp': once(CODES, () => of(guests(), () => ({ body: { mobile: freshMobile() } }))),
  'login.validateOtp': once('a code holds once', async () => {
    const who = await visitor(server);
    await who.call(login.sendOtp, { body: { mobile: who.mobile } });
    return { who, input: { body: { mobile: who.mobile, code: await codeOfMine(who) } } };
  }),
  'loyalty.grant': outside('development only: each grants points'),
  'loyalty.leaveReward': same('a reward that is not used is not used', () => inCart()),
  'loyalty.optOut': same('who has left has left', async () => {
    const who = await one();
    await who.call(loyalty.register, { query: { enroll: 'true' } });
    return { who };
  }),
  'loyalty.register': same('who is a member is one', () => me({ query: { enroll: 'true' } })),
  'loyalty.useReward': same('a reward that is used is used', async () => {
    const who = await filled();
    await who.call(loyalty.register, { query: { enroll: 'true' } });
    await server.call(loyalty.grant, { body: { mobile: who.mobile, points: 600 } });
    return { who, input: { cartId: who.cartId } };
  }),
  'memory.give': anew('each has a code of its own and is gone after ten minutes', ['memories'], () =>
    me({ body: { memory: { usual: [], favourites: ['PZ001'], household: [], vegOnly: true, addresses: [] } } }),
  ),
  'memory.take': once('a code holds once', async () => {
    const giver = await one();
    const { body } = await giver.call(memory.give, {
      body: { memory: { usual: [], favourites: ['PZ001'], household: [], vegOnly: true, addresses: [] } },
    });
    return me({ body: { code: body.code } });
  }),
  'orders.arrived': same('who is there is there', () =>
    of(placed(), ({ order }) => ({ body: { orderId: order.orderId } })),
  ),
  'orders.cancel': key(() => of(placed(), ({ order }) => ({ orderId: order.orderId }))),
  'orders.changeNote': same('it says what the note is to be', () =>
    of(placed(), ({ order }) => ({ orderId: order.orderId, body: { note: 'Ring twice' } })),
  ),
  'orders.checkDuplicate': looks('it only asks', () => inCart((who) => ({ body: { cartId: who.cartId } }))),
  'orders.confirm': same('what is settled is settled', async () => {
    const { who, order, next } = await unpaid();
    await pay(server, next);
    return { who, input: { body: { orderId: order.orderId, transactionId: order.transactionId } } };
  }),
  'orders.submit': key(async () => {
    const who = await filled();
    const { quote } = (await who.validate({ paymentMode: 'UPI' })).body;
    return {
      who,
      input: {
        body: {
          cartId: who.cartId,
          ...PICKUP,
          customer: { firstName: 'Asha', lastName: 'Rao', mobile: who.mobile },
          paymentMode: 'UPI',
          cartVersion: quote.cartVersion,
          total: quote.bill.total,
          termsAccepted: true,
        },
      },
    };
  }),
  'orders.validations': same('the price of a cart is locked once', () =>
    inCart((who) => ({ body: { cartId: who.cartId, ...PICKUP } })),
  ),
  'orders.withdraw': same('what is withdrawn is withdrawn', () => me({ key: randomUUID() })),
  'pageErrors.report': looks('nothing of it is kept', () =>
    me({
      body: { name: 'E', message: 'm', stack: '', bundle: 'in/browser', release: '1', page: '/', requestId: '' },
    }),
  ),
  'passwords.change': same('it says what the password is to be, and its owner hears of it once', () =>
    me({ body: { password: 'correct horse battery' } }),
  ),
  'passwords.login': once('the first ends the guest whom the second would log in', async () => {
    const owner = await one();
    await owner.call(passwords.change, { body: { password: 'correct horse battery' } });
    return {
      who: await visitor(server),
      input: { body: { mobile: owner.mobile, password: 'correct horse battery' } },
    };
  }),
  'passwords.sendCode': once(CODES, () => me({ body: {} })),
  'paylinks.collect': same('a request that waits is the one that waits', async () => {
    const { next } = await unpaid('LINK');
    if (next.kind !== 'link') throw new Error(next.kind);
    const { who } = await me();
    const { token } = next;
    await who.call(paylinks.pay, { token, body: { paymentMode: 'UPI' } }, { 'idempotency-key': randomUUID() });
    return { who, input: { token, body: { vpa: 'asha@okaxis' } } };
  }),
  'paylinks.pay': key(async () => {
    const { next } = await unpaid('LINK');
    if (next.kind !== 'link') throw new Error(next.kind);
    return me({ token: next.token, body: { paymentMode: 'UPI' } });
  }),
  'payments.applyPromo': key(() =>
    of(withTotal(), ({ transactionId }) => ({ transactionId, promo: 'UPI75', query: { paymentMode: 'UPI' } })),
  ),
  'payments.cardToken': anew(
    'a token pays nothing by itself, and is forgotten within the hour',
    ['bank_cards', 'card_offers'],
    () => of(mine(), async ({ who }) => ({ body: await typedCard(who) })),
  ),
  'payments.codOtp': once('a code holds once, and codes come 30 s apart', async () => {
    const who = await visitor(server);
    const { order } = await who.order({ paymentMode: 'COD' });
    await server.advance(31);
    return { who, input: { transactionId: order.transactionId, body: {} } };
  }),
  'payments.receipt': outside('a receipt is judged by its signature; one capture for a transaction'),
  'payments.removePromo': key(async () => {
    const { who, transactionId: before } = await withTotal();
    const { body } = await who.call(
      payments.applyPromo,
      { transactionId: before, promo: 'UPI75', query: { paymentMode: 'UPI' } },
      { 'idempotency-key': randomUUID() },
    );
    const { transactionId } = body.payment!;
    return { who, input: { transactionId, promo: 'UPI75', query: { paymentMode: 'UPI' } } };
  }),
  'payments.retry': key(async () => {
    const { who, order, next } = await unpaid();
    await pay(server, next, 'decline');
    await who.confirm(order);
    return { who, input: { body: { orderId: order.orderId, paymentMode: 'UPI' } } };
  }),
  'payments.upiCollect': same('a request that waits is the one that waits', () =>
    of(unpaid(), ({ order }) => ({ transactionId: order.transactionId, body: { vpa: 'asha@okaxis' } })),
  ),
  'chat.understand': looks('it only reads', () => me({ body: { text: 'where is my order' } })),
  'places.geocode': looks('it only reads', () => me({ body: { latitude: 28.64, longitude: 77.22 } })),
  'profile.changeNumber': once('its codes hold once', async () => {
    const who = await one();
    const mobile = freshMobile();
    await server.advance(31);
    await who.call(profile.sendNumberCode, { body: { mobile, to: 'OLD' } });
    await who.call(profile.sendNumberCode, { body: { mobile, to: 'NEW' } });
    return {
      who,
      input: {
        body: { mobile, oldCode: await codeOfMine(who), newCode: await codeFor(server, mobile) },
      },
    };
  }),
  'profile.confirmEmail': outside('a code holds once'),
  'profile.sendEmailCode': once(CODES, async () => {
    const who = await one();
    await who.call(profile.update, {
      body: { firstName: 'Asha', lastName: 'Rao', email: `${randomUUID()}@example.in` },
    });
    return { who };
  }),
  'profile.sendNumberCode': once(CODES, async () => {
    await server.advance(31);
    return me({ body: { mobile: freshMobile(), to: 'NEW' } });
  }),
  'profile.update': once('the second changes nothing, and says so', () =>
    me({ body: { firstName: 'Asha', lastName: 'Rao', email: `${randomUUID()}@example.in` } }),
  ),
  'push.subscribe': same('a browser is there once', () =>
    me({
      body: {
        subscription: {
          endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
          keys: {
            p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
            auth: 'tBHItJI5svbpez7KI4CCXg',
          },
        },
        mount: '/in/',
      },
    }),
  ),
  'push.unsubscribe': same('what is gone is gone', () => me({ body: { endpoint: 'https://fcm.googleapis.com/x' } })),
  'reorder.reorder': same('each tap has an operationId, by which it is done once', () =>
    of(placed(), ({ who, order }) => ({
      orderId: order.orderId,
      body: { cartId: who.cartId, operationId: randomUUID() },
    })),
  ),
  'session.anonymous': anew('each is another guest, who has nothing yet', ['sessions', 'access_tokens', 'users'], () =>
    me(),
  ),
  'session.logout': once('the first ends the session that the second would need', () => me()),
  'session.logoutOthers': same('nobody else is left', () => me()),
  'session.refresh': anew(
    'each is answered with another token of the same session, for an answer that was lost',
    ['access_tokens'],
    () =>
      of(mine(), ({ who }) => ({
        body: { userId: who.userId, refreshToken: who.person.reply.credentials.refreshToken },
      })),
  ),
  'session.refreshAnonymous': anew(
    'each is answered with another token of the same session, for an answer that was lost',
    ['access_tokens'],
    async () => {
      const who = await visitor(server);
      return { who, input: { body: { userId: who.userId, sessionToken: who.person.reply.credentials.sessionToken } } };
    },
  ),
  'social.begin': outside('each is another way to the provider, and one of them comes back'),
  'social.login': outside('what the provider said holds once'),
  'social.validate': outside('a code holds once'),
  'stores.lookup': looks('it only reads', () =>
    me({ body: { latitude: 28.64, longitude: 77.22, deliveryType: 'DELIVERY' } }),
  ),
  'tracking.share': same('an order has one link', () =>
    of(placed(), ({ order }) => ({ orderHistoryId: order.orderId })),
  ),
  'tracking.tellRider': key(async () => {
    const who = await member(server);
    const { order } = await who.order({ paymentMode: 'COD' });
    await server.advance(900);
    return { who, input: { orderHistoryId: order.orderId, body: { text: 'At the back door' } } };
  }),
  'trains.answer': outside('a question is answered once: the second is TRAIN_NO_QUESTION'),
  'trains.change': same('it says how coach and berth are to be', () =>
    of(onTrain(), ({ orderId }) => ({ orderId, body: { coach: 'B5', berth: '12' } })),
  ),
  'trains.handOver': outside('an order is handed over once'),
  'trains.remove': same('what is taken back is taken back', () => of(onTrain(), ({ orderId }) => ({ orderId }))),
  'trains.save': anew(
    'a cart has one journey: the second takes the place of the first',
    ['carts', 'train_orders'],
    async () => {
      const who = await train();
      return { who, input: { body: { cartId: who.cartId, pnr: PNR.long, stationId: 'NGP', mobile: who.mobile } } };
    },
  ),
  'trains.sendOtp': outside(CODES),
  'trains.validateOtp': outside('a code holds once'),
  'usual.price': looks('it only says what it would cost', () =>
    of(mine(), ({ who }) => ({
      body: {
        ...PICKUP,
        lines: [{ productId: 'PZ001', quantity: 1 }],
        customer: { firstName: 'Asha', lastName: '', mobile: who.mobile },
        paymentMode: 'UPI',
      },
    })),
  ),
  'usual.put': same('each operation has an id, by which it is done once', async () => {
    const who = await one();
    const id = `usual:${randomUUID()}`;
    return {
      who,
      input: {
        cartId: who.cartId,
        body: {
          items: [{ operationId: id, line: { ...line(), lineId: id } }],
          options: { ...PICKUP, paymentMode: 'UPI' },
          withOffers: true,
        },
      },
    };
  }),
  'vendors.auth': outside('what the payment app vouches for holds once'),
  'vendors.nonce': outside('each is another one, which ends by itself'),
  'vouchers.issue': outside('development only: each is an e-voucher'),
  'vouchers.link': same('an e-voucher is kept once', () =>
    of(withVoucher(), ({ number, pin }) => ({ body: { number, pin } })),
  ),
  'vouchers.redeem': key(async () => {
    const { who, voucherId } = await linkedVoucher();
    const { order } = await who.order();
    return { who, input: { body: { orderId: order.orderId, voucherId, amount: 5_000 } } };
  }),
  'vouchers.resetPin': outside('codes come 30 s apart, and one holds once'),
  'vouchers.unlink': same('what is let go is let go', () => of(linkedVoucher(), ({ voucherId }) => ({ voucherId }))),
  'vouchers.verify': looks('it only looks them up', () =>
    of(withVoucher(), ({ number, pin }) => ({ body: { number, pin } })),
  ),
  'wallet.credit': outside('development only: each is money'),
  'wheel.spin': same('a cart is spun for once', async () => {
    const who = await one();
    await who.fill(3, 'L');
    return { who, input: { body: { cartId: who.cartId } } };
  }),
};

/** All that is written down, but for times, and how often a cart or a group was touched. */
async function books(): Promise<ReadonlyMap<string, string>> {
  // What was put off is done.
  await server.advance(1);
  const found = new Map<string, string>();
  for (const name of tables) {
    const { rows: all } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    found.set(
      name,
      all
        .map((row) =>
          JSON.stringify(row)
            .replace(/\b1[6-9]\d{11}\b/g, 'then')
            .replace(/"(version|changes)":\d+/g, ''),
        )
        .sort()
        .join('\n'),
    );
  }
  return found;
}
const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
  [...after]
    .filter(([name, rows]) => before.get(name) !== rows)
    .map(([name]) => name)
    .sort();

describe('every write, sent twice [API-X02]', () => {
  test('stands in the table, and takes a key where the table says so', () => {
    expect(Object.keys(WRITES).sort()).toEqual([...writes.keys()].sort());
    for (const [name, { idempotent }] of writes) expect([name, WRITES[name]![0] === 'key']).toEqual([name, idempotent]);
  });

  const sendable = Object.entries(WRITES).flatMap(([name, write]) =>
    write === 'outside' ? [] : [{ name, how: write[0], why: write[1], prepare: write[2], shows: write[3] }],
  );
  /** Somebody who can send it, as often as it is called, with the same key where it has one. */
  async function ready({ name, prepare }: (typeof sendable)[number], hasKey: boolean) {
    const endpoint = writes.get(name) as Endpoint;
    const { who, input = {} } = await prepare();
    // However far the clock has gone meanwhile.
    await who.call(cart.byId, { cartId: who.cartId, query: {} });
    const headers = hasKey ? { 'idempotency-key': randomUUID() } : {};
    const { as } = who.person;
    return () => server.call(endpoint, input, { ...as, headers });
  }
  test.each(sendable)('$name: $how $why', async (write) => {
    const { name, how, shows } = write;
    const send = await ready(write, writes.get(name)!.idempotent);
    const before = how === 'looks' ? await books() : null;
    const first = await send();
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const between = await books();
    const second = await send();
    expect(Math.floor(second.status / 100), JSON.stringify(second.body)).toBe(how === 'once' ? 4 : 2);
    if (how === 'key') expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    if (before !== null) expect(changed(before, between)).toEqual([]);
    expect(changed(between, await books())).toEqual(how === 'anew' ? [...shows].sort() : []);
  });

  // Who has logged out has no key any more.
  const keyed = sendable.filter(
    ({ name }) => name !== 'session.logout' && keyUse(writes.get(name) as Endpoint) === 'taken',
  );
  const some = sample(
    keyed,
    keyed.filter((_, at) => at % 5 === 0),
  );
  test.each(some)('$name: with a key the second is the answer of the first', async (write) => {
    const send = await ready(write, true);
    const first = await send();
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    const between = await books();
    const second = await send();
    expect([second.status, second.headers.get('idempotency-replayed')], JSON.stringify(second.body)).toEqual([
      200,
      'true',
    ]);
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect(changed(between, await books())).toEqual([]);
  });

  test('a key is one customer’s, for one call and what was sent with it, and what was refused may be sent again with it', async () => {
    const [who, other] = [await one(), await one()];
    const headers = { 'idempotency-key': randomUUID() };
    const create = (of: Customer, body: object) =>
      server.call(addresses.create, { mobNo: of.mobile, body: { ...ADDRESS, ...body } }, { ...of.person.as, headers });
    expect((await create(who, { houseNo: '' })).status).toBe(400);
    expect((await create(who, {})).status).toBe(200);
    expect((await create(who, { houseNo: '13' })).body.errors?.[0]).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    expect((await create(other, { houseNo: '13' })).status).toBe(200);
  });
});
