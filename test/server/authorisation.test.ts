import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as addresses from '../../src/contract/addresses.ts';
import * as cards from '../../src/contract/cards.ts';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as devices from '../../src/contract/devices.ts';
import type { Endpoint, Input } from '../../src/contract/endpoint.ts';
import * as group from '../../src/contract/group.ts';
import * as feedback from '../../src/contract/feedback.ts';
import * as help from '../../src/contract/help.ts';
import * as history from '../../src/contract/history.ts';
import * as linkedWallets from '../../src/contract/linkedWallets.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import * as session from '../../src/contract/session.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as trains from '../../src/contract/trains.ts';
import * as reorder from '../../src/contract/reorder.ts';
import * as usual from '../../src/contract/usual.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as wheel from '../../src/contract/wheel.ts';
import { countryConfig } from '../../country/index.ts';
import { MINI_APP_BLOCKED, blockedFeatures, isEnabled } from '../../src/domain/features.ts';
import { app as appConfig } from '../../src/contract/config.ts';
import { rawRoutes } from '../../src/server/http/routes.ts';
import { allEndpoints } from '../kit/contract.ts';
import { PRODUCTION } from '../kit/production.ts';
import { startServer, type Answer } from '../kit/server.ts';
import { freshMobile, guest, logIn, logInByPaytm, type Person } from './people.ts';
import { Customer, member, visitor } from './shop.ts';
import { enteredCard } from './typed.ts';
import { PNR, saved, traveller } from './trainShop.ts';
import { shopHere } from './shopHere.ts';

/** Names of fields that say whose something is. */
const OWNED =
  /^(cart|order|orderHistory|transaction|address|card|voucher|feedback|event|favOrder|trainOrder|session|person|user)Id$|^(mobNo|cardToken|key)$/;
/** Calls with such a field that are shown elsewhere, or that ask for a secret besides. */
const PROVEN_ELSEWHERE: Readonly<Record<string, string>> = {
  'assistants.quote': 'by the program of an assistant alone, with another’s address (assistantOrders.test.ts)',
  'activity.savePageView': 'the id stands in the text alone: the row is of whoever calls (activity.test.ts)',
  'session.refresh': 'asks for the token of the session itself (session.test.ts)',
  'session.refreshAnonymous': 'asks for the token of the session itself (session.test.ts)',
  'loyalty.grant': 'development alone',
  'paylinks.pay': 'by the link’s token, and the card below',
  'tracking.events': 'a stream; by the same rule as tracking.byOrder (tracking.test.ts)',
  'trains.save': 'below, by somebody else’s cart',
  'trains.byId': 'below, by somebody else’s journey',
  'trains.change': 'below, by somebody else’s journey',
  'trains.answer': 'below, by somebody else’s journey',
  'trains.remove': 'below, by somebody else’s journey',
  'trains.sendOtp': 'below, by somebody else’s journey',
  'trains.validateOtp': 'below, by somebody else’s journey',
  'feedback.update': 'feedback.test.ts',
  'feedback.additional': 'as feedback.update (feedback.test.ts)',
  'group.change': 'below, by people of a group',
  'group.leave': 'below, by people of a group',
};

/** The fields of a call that say whose something is. */
function ownedFields({ path, query, body }: Endpoint): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, inner] of Object.entries(schema)) {
      if (name === 'properties') names.push(...Object.keys(inner as object));
      walk(inner);
    }
  };
  for (const schema of [query, body])
    if (schema !== undefined) walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return names.filter((name) => OWNED.test(name));
}

const AT_ONCE = 12;
/** Every address of every endpoint, the specification's other spellings of it included. */
const rows = [...(await allEndpoints())].flatMap(([name, endpoint]) =>
  [endpoint.path, ...(endpoint.aliases ?? [])].map((path) => ({ name, path, endpoint })),
);
type Row = (typeof rows)[number];

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
afterAll(() => agent.destroy());

/**
 * Calls as `headers` say, with a path of nonsense and an empty body: who is calling is judged before what is asked.
 * Without fetch, because there are thousands of them.
 */
async function knock(url: string, { path, endpoint }: Row, headers: Record<string, string>): Promise<string> {
  const { method, body } = endpoint;
  const hasBody = body !== undefined && method !== 'GET';
  const length: Record<string, string> = hasBody ? { 'content-length': '2' } : {};
  const [status, text] = await new Promise<[number, string]>((resolve, reject) => {
    const call = request(
      url + path.replace(/\{\w+\}/g, 'x'),
      { agent, method, headers: { 'content-type': 'application/json', ...length, ...headers } },
      (answer) => {
        let heard = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
        answer.on('end', () => resolve([answer.statusCode!, heard]));
      },
    );
    call.on('error', reject);
    call.end(hasBody ? '{}' : undefined);
  });
  const code = (JSON.parse(text) as { errors?: { code?: string }[] }).errors?.[0]?.code;
  return `${status} ${code ?? ''}`.trim();
}

/** Does all of it, a few at a time. */
async function all<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const headersOf = ({ as, userId }: Person, more: Record<string, string> = {}): Record<string, string> => ({
  api_key: as.apiKey!,
  authToken: as.authToken!,
  userId,
  ...more,
});

describe('who may call what', () => {
  const { server } = shopHere({}, 3_600);

  test('every address of the interface gives every kind of caller the answer that its access demands', async () => {
    const ended = { invalid: '401 TOKEN_INVALID', expired: '401 TOKEN_EXPIRED' } as const;
    const callers: { kind: string; headers: Record<string, string>; refused: string }[] = [];
    const add = (kind: string, headers: Record<string, string>, refused: string) =>
      callers.push({ kind, headers, refused });

    const mobile = freshMobile();
    const [old, oldGuest, device] = [await logIn(server), await guest(server), await logIn(server, mobile)];
    const kept = device.reply.credentials;
    await server.advance(15 * 60);
    add('an access token that ran out', headersOf(old), ended.expired);
    add("a guest's access token that ran out", headersOf(oldGuest), ended.expired);
    const [replaced, replacedGuest] = [await logIn(server), await guest(server)];
    const { refreshToken, sessionToken } = replaced.reply.credentials;
    await server.call(session.refresh, { body: { userId: replaced.userId, refreshToken: refreshToken! } });
    await server.call(session.refreshAnonymous, {
      body: { userId: replacedGuest.userId, sessionToken: replacedGuest.reply.credentials.sessionToken },
    });
    await server.advance(11);
    add('an access token that was replaced', headersOf(replaced), ended.expired);
    add("a guest's access token that was replaced", headersOf(replacedGuest), ended.expired);

    const before = await guest(server);
    await logIn(server, freshMobile(), 'in-web', before);
    add('the guest that somebody was before logging in', headersOf(before), ended.invalid);
    const left = await logIn(server);
    await server.call(session.logout, {}, left.as);
    add('a session that was logged out', headersOf(left), ended.invalid);
    const remaining = await logIn(server, mobile);
    expect((await server.call(session.logoutOthers, {}, remaining.as)).body.ended).toBe(1);
    add('a device that was sent away', headersOf(device), ended.invalid);
    add('its refresh token', headersOf(device, { authToken: kept.refreshToken! }), ended.invalid);

    const [me, other, visitor] = [await logIn(server), await logIn(server), await guest(server)];
    const { authToken: _token, ...nothing } = headersOf(me);
    add('nobody', { api_key: 'in-web' }, ended.invalid);
    add('an id without a token', nothing, ended.invalid);
    add('a token without an id', { api_key: 'in-web', authToken: me.as.authToken! }, ended.invalid);
    add('a token that is made up', headersOf(me, { authToken: 'x'.repeat(43) }), ended.invalid);
    add("another customer's token", headersOf(other, { userId: me.userId }), ended.invalid);
    add("a guest's token for a customer", headersOf(visitor, { userId: me.userId }), ended.invalid);
    add('the session token as an access token', headersOf(me, { authToken: sessionToken }), ended.invalid);
    add('the same customer in another country', headersOf(me, { api_key: 'lk-web' }), ended.invalid);
    add('the same customer in a payment app', headersOf(me, { api_key: 'in-gpay' }), ended.invalid);

    const inPaytm = headersOf(await logInByPaytm(server));
    const inGpay = headersOf(await guest(server, 'in-gpay'));
    const off = blockedFeatures(countryConfig('in').DISABLED_FEATURES, MINI_APP_BLOCKED);

    const wrong: string[] = [];
    let cells = 0;
    const demand = (row: Row, kind: string, got: string, is: boolean, wanted: string) => {
      cells += 1;
      if (!is) wrong.push(`${row.endpoint.method} ${row.path}, ${kind}: ${got}, not ${wanted}`);
    };
    const isRefusedAsSomebody = (got: string) => /^401|LOGIN_NEEDED|^5/.test(got);
    await all(
      rows.filter(({ endpoint }) => endpoint.access !== 'development'),
      async (row) => {
        const { access, feature } = row.endpoint;
        const isOpen = access === 'open';
        const stranger = isOpen ? await knock(server.url, row, { api_key: 'in-web' }) : '';
        for (const { kind, headers, refused } of callers) {
          const got = await knock(server.url, row, headers);
          // A token that is no good makes nobody more of an open call than a stranger.
          const elsewhere = headers['api_key'] !== 'in-web';
          if (isOpen) demand(row, kind, got, elsewhere ? !isRefusedAsSomebody(got) : got === stranger, stranger);
          else demand(row, kind, got, got === refused, refused);
        }
        const keyless = await knock(server.url, row, { ...headersOf(me), api_key: 'unknown' });
        demand(row, 'a build that nobody knows', keyless, keyless === '401 API_KEY', '401 API_KEY');

        const asGuest = await knock(server.url, row, headersOf(visitor));
        if (access === 'user') demand(row, 'a guest', asGuest, asGuest === '403 LOGIN_NEEDED', '403 LOGIN_NEEDED');
        else demand(row, 'a guest', asGuest, !isRefusedAsSomebody(asGuest), 'something');
        if (!row.name.startsWith('session.')) {
          const asUser = await knock(server.url, row, headersOf(me));
          demand(row, 'a customer', asUser, !isRefusedAsSomebody(asUser), 'something');
        }
        if (feature === null || isEnabled(feature, off)) return;
        for (const [kind, headers] of [
          ['a customer in Paytm', inPaytm],
          ['a guest in gpay', inGpay],
        ] as const) {
          const wanted = kind.includes('guest') && access === 'user' ? '403 LOGIN_NEEDED' : '403 FEATURE_BLOCKED';
          const got = await knock(server.url, row, headers);
          demand(row, `${kind}, where ${feature} is off`, got, got === wanted, wanted);
        }
      },
    );
    expect(wrong).toEqual([]);
    expect(cells).toBeGreaterThan(2_500);
  });

  test("another person's order, payment, cart, address, card, voucher, wallet and group are answered as if they did not exist", async () => {
    const victim = await member(server);
    const thief = await member(server);
    const [{ order: placed }, key] = [await victim.order({ paymentMode: 'COD' }), randomUUID()];
    const { order: unpaid } = await victim.order({ paymentMode: 'NETBANKING', key });
    const { order: mine } = await thief.order({ paymentMode: 'NETBANKING' });
    await thief.fill();
    const home = {
      latitude: 28.64,
      longitude: 77.22,
      houseNo: '12',
      address: 'Barakhamba Road',
      type: 'home' as const,
    };
    const { address } = (await victim.call(addresses.create, { mobNo: victim.mobile, body: home })).body;
    const cardToken = await enteredCard(victim);
    const [card] = (await victim.call(cards.save, { body: { cardToken } })).body.cards;
    const entered = await enteredCard(victim);
    const [device] = (await victim.call(devices.list, {})).body.devices;
    const issued = (await server.call(vouchers.issue, { body: { amount: 90_000 } })).body;
    await victim.call(vouchers.link, { body: { number: issued.number, pin: issued.pin } });
    // Another one stays when the first is let go.
    await victim.call(vouchers.link, { body: { number: '1111222233334444', pin: '123456' } });
    await server.call(wallet.credit, { body: { mobile: victim.mobile, amount: 50_000 } });
    await victim.fill();
    const started = { name: 'Asha', diet: [], minutes: 30, limit: null };
    const { code, people } = (await victim.call(group.start, { cartId: victim.cartId, body: started })).body.group;
    const [line] = (await victim.cart()).validItems;
    const asked = { orderId: placed.orderId, issue: 'bill' as const };
    const { ticket } = (await victim.call(help.claim, { body: asked }, { 'idempotency-key': randomUUID() })).body;

    const theirs = {
      ticket: ticket.eventId,
      placed: placed.orderId,
      unpaid: unpaid.orderId,
      transaction: unpaid.transactionId,
      key,
      cart: victim.cartId,
      line: line!.lineId,
      address: address.address_id,
      card: card!.cardId,
      entered,
      session: device!.sessionId,
      voucher: issued.voucherId,
      mobile: victim.mobile,
      user: victim.userId,
    };
    const nobodys: typeof theirs = {
      ticket: 'tsg_none',
      placed: 'ord_none',
      unpaid: 'ord_none',
      transaction: 'txn_none',
      key: randomUUID(),
      cart: 'cart_none',
      line: 'line_none',
      address: 'adr_none',
      card: 'crd_none',
      entered: 'card_none',
      session: 'ses_none',
      voucher: 'egv_none',
      mobile: freshMobile(),
      user: 'user_none',
    };
    const { where } = victim;
    const item = (lineId: string) => ({ operationId: randomUUID(), line: { lineId, productId: 'PZ001', quantity: 1 } });
    const customer = { firstName: 'Ravi', lastName: 'Rao', mobile: thief.mobile };
    const submit = { ...where, customer, paymentMode: 'UPI' as const, termsAccepted: true, allowDuplicate: true };
    const { quote } = (await thief.validate({ paymentMode: 'UPI' })).body;
    const own = { cartId: thief.cartId, cartVersion: quote.cartVersion, total: quote.bill.total };
    const said = { overall: 4, nps: 9, aspects: [], comment: '' };
    const at = { storeId: where.storeId, deliveryType: where.deliveryType } as const;

    type Ids = typeof theirs;
    const ask =
      <E extends Endpoint>(endpoint: E, input: (ids: Ids) => Input<E>) =>
      async (who: Customer, ids: Ids) =>
        (await who.call(endpoint, input(ids), { 'idempotency-key': randomUUID() })) as Answer<{
          errors?: { code: string; field?: string; displayMsg?: string }[];
        }>;
    // What changes nothing of the owner's comes first: the owner makes each call, too, to show that it is a good one.
    const calls = {
      'orders.byId': ask(orders.byId, (ids) => ({ orderId: ids.placed })),
      'orders.download': ask(orders.download, (ids) => ({ orderId: ids.placed, query: {} })),
      'help.orderCategories': ask(help.orderCategories, (ids) => ({ query: { orderId: ids.placed } })),
      'help.guide': ask(help.guide, (ids) => ({ query: { orderId: ids.placed } })),
      'help.quote': ask(help.quote, (ids) => ({ body: { orderId: ids.placed, issue: 'late' as const } })),
      'help.claim': ask(help.claim, (ids) => ({ body: { orderId: ids.placed, issue: 'late' as const } })),
      'help.status': ask(help.status, (ids) => ({ eventId: ids.ticket })),
      'feedback.template': ask(feedback.template, (ids) => ({ query: { orderId: ids.placed } })),
      'feedback.dismiss': ask(feedback.dismiss, (ids) => ({ body: { orderId: ids.placed } })),
      'orders.byKey': ask(orders.byKey, (ids) => ({ key: ids.key })),
      'orders.checkDuplicate': ask(orders.checkDuplicate, (ids) => ({ body: { cartId: ids.cart } })),
      'orders.validations': ask(orders.validations, (ids) => ({ body: { ...where, cartId: ids.cart } })),
      'orders.validations voucher': ask(orders.validations, (ids) => ({
        body: { ...where, cartId: thief.cartId, vouchers: [ids.voucher] },
      })),
      'payments.status': ask(payments.status, (ids) => ({ query: { transactionId: ids.transaction } })),
      'payments.transaction': ask(payments.transaction, (ids) => ({ transactionId: ids.transaction })),
      'payments.chargeStatus': ask(payments.chargeStatus, (ids) => ({ transactionId: ids.transaction })),
      'payments.applyPromo': ask(payments.applyPromo, (ids) => ({
        transactionId: ids.transaction,
        promo: 'WELCOME50',
        query: { look: 'true' as const },
      })),
      'history.record': ask(history.record, (ids) => ({ orderId: ids.placed, query: {} })),
      'coupons.combined': ask(coupons.combined, (ids) => ({ cartId: ids.cart, query: {} })),
      'tracking.byOrder': ask(tracking.byOrder, (ids) => ({ orderHistoryId: ids.placed })),
      'tracking.onMap': ask(tracking.onMap, (ids) => ({ orderId: ids.placed })),
      'tracking.share': ask(tracking.share, (ids) => ({ orderHistoryId: ids.placed })),
      'cart.byId': ask(cart.byId, (ids) => ({ cartId: ids.cart, query: at })),
      'cart.upsell': ask(cart.upsell, (ids) => ({ cartId: ids.cart, query: {} })),
      'coupons.validate': ask(coupons.validate, (ids) => ({ code: 'WELCOME50', query: { cartId: ids.cart } })),
      'coupons.forCart': ask(coupons.forCart, (ids) => ({ cartId: ids.cart, query: {} })),
      'coupons.byBin': ask(coupons.byBin, (ids) => ({ cartId: ids.cart, cardInitialDigits: '411111', query: {} })),
      'wheel.wheel': ask(wheel.wheel, (ids) => ({ query: { cartId: ids.cart } })),
      'addresses.list': ask(addresses.list, (ids) => ({ userId: ids.user })),
      'addresses.create': ask(addresses.create, (ids) => ({ mobNo: ids.mobile, body: home })),
      'wallet.passbook': ask(wallet.passbook, (ids) => ({ mobile: ids.mobile })),
      'wallet.available': ask(wallet.available, (ids) => ({ mobile: ids.mobile, transactionId: ids.transaction })),
      'cards.again': ask(cards.again, (ids) => ({ cardId: ids.card, body: { token: 'fields_of_somebody' } })),
      'payments.receipt': ask(payments.receipt, (ids) => ({ transactionId: ids.transaction, body: { receipt: '{}' } })),
      'payments.upiCollect': ask(payments.upiCollect, (ids) => ({
        transactionId: ids.transaction,
        body: { vpa: 'a@bank' },
      })),
      'payments.codOtp': ask(payments.codOtp, (ids) => ({ transactionId: ids.transaction, body: {} })),
      'payments.removePromo': ask(payments.removePromo, (ids) => ({
        transactionId: ids.transaction,
        promo: 'WELCOME50',
        query: {},
      })),
      'payments.retry': ask(payments.retry, (ids) => ({ body: { orderId: ids.unpaid, paymentMode: 'UPI' as const } })),
      'tracking.tellRider': ask(tracking.tellRider, (ids) => ({ orderHistoryId: ids.placed, body: { text: 'hello' } })),
      'orders.arrived': ask(orders.arrived, (ids) => ({ body: { orderId: ids.placed } })),
      'orders.confirm': ask(orders.confirm, (ids) => ({
        body: { orderId: ids.unpaid, transactionId: ids.transaction },
      })),
      'orders.withdraw': ask(orders.withdraw, (ids) => ({ key: ids.key })),
      'orders.submit': ask(orders.submit, (ids) => ({ body: { ...submit, ...own, cartId: ids.cart } })),
      'orders.submit voucher': ask(orders.submit, (ids) => ({
        body: { ...submit, ...own, funds: { vouchers: [{ voucherId: ids.voucher, amount: 100 }] } },
      })),
      'orders.submit card': ask(orders.submit, (ids) => ({
        body: { ...submit, ...own, paymentMode: 'CARD' as const, cardToken: ids.entered },
      })),
      'payments.retry card': ask(payments.retry, (ids) => ({
        body: { orderId: mine.orderId, paymentMode: 'CARD' as const, cardToken: ids.entered },
      })),
      'cards.save': ask(cards.save, (ids) => ({ body: { cardToken: ids.entered } })),
      'orders.changeNote': ask(orders.changeNote, (ids) => ({ orderId: ids.placed, body: { note: 'ring' } })),
      'history.saveFavourite': ask(history.saveFavourite, (ids) => ({
        favOrderId: ids.placed,
        body: { data: { userId: ids.user } },
      })),
      'history.removeFavourite': ask(history.removeFavourite, (ids) => ({ favOrderId: ids.placed })),
      'feedback.submit': ask(feedback.submit, (ids) => ({ body: { orderId: ids.placed, ...said } })),
      'feedback.ofOrder': ask(feedback.ofOrder, (ids) => ({ orderId: ids.placed, body: said })),
      'loyalty.useReward': ask(loyalty.useReward, (ids) => ({ cartId: ids.cart })),
      'loyalty.leaveReward': ask(loyalty.leaveReward, (ids) => ({ cartId: ids.cart })),
      'vouchers.redeem order': ask(vouchers.redeem, (ids) => ({
        body: { orderId: ids.unpaid, voucherId: ids.voucher, amount: 100 },
      })),
      'vouchers.redeem': ask(vouchers.redeem, (ids) => ({
        body: { orderId: mine.orderId, voucherId: ids.voucher, amount: 100 },
      })),
      'linkedWallets.redeem': ask(linkedWallets.redeem, (ids) => ({
        provider: 'PAYTM',
        body: { transactionId: ids.transaction },
      })),
      'cart.add': ask(cart.add, (ids) => ({ cartId: ids.cart, body: { items: [item(randomUUID())] } })),
      'cart.change': ask(cart.change, (ids) => ({
        cartId: ids.cart,
        body: { items: [{ operationId: randomUUID(), lineId: ids.line, quantity: 2 }] },
      })),
      'cart.decide': ask(cart.decide, (ids) => ({ cartId: ids.cart, body: { choice: 'DROP' as const, lineIds: [] } })),
      'coupons.apply': ask(coupons.apply, (ids) => ({
        cartId: ids.cart,
        code: 'WELCOME50',
        query: { includePartnerOffer: 'true' as const },
      })),
      'coupons.remove': ask(coupons.remove, (ids) => ({ cartId: ids.cart, code: 'WELCOME50' })),
      'wheel.spin': ask(wheel.spin, (ids) => ({ body: { cartId: ids.cart } })),
      'usual.put': ask(usual.put, (ids) => ({
        cartId: ids.cart,
        body: { items: [item(`usual:${randomUUID()}`)], options: at },
      })),
      'reorder.reorder': ask(reorder.reorder, (ids) => ({
        orderId: ids.placed,
        body: { cartId: ids.cart, operationId: randomUUID() },
      })),
      'group.start': ask(group.start, (ids) => ({ cartId: ids.cart, body: started })),
      'addresses.change': ask(addresses.change, (ids) => ({ addressId: ids.address, body: home })),
      'addresses.remove': ask(addresses.remove, (ids) => ({ addressId: ids.address })),
      'cards.remove': ask(cards.remove, (ids) => ({ cardId: ids.card })),
      'vouchers.unlink': ask(vouchers.unlink, (ids) => ({ voucherId: ids.voucher })),
      'orders.cancel': ask(orders.cancel, (ids) => ({ orderId: ids.placed })),
      'devices.end': ask(devices.end, (ids) => ({ sessionId: ids.session })),
    };
    const covered = new Set(Object.keys(calls).map((name) => name.split(' ')[0]!));
    const missing = [...(await allEndpoints())].filter(
      ([name, endpoint]) =>
        endpoint.access !== 'development' &&
        ownedFields(endpoint).length > 0 &&
        !covered.has(name) &&
        !(name in PROVEN_ELSEWHERE),
    );
    expect(missing.map(([name, endpoint]) => [name, ownedFields(endpoint)])).toEqual([]);
    const state = async () => [
      await victim.read(placed.orderId),
      await victim.read(unpaid.orderId),
      await victim.cart(),
      (await victim.call(addresses.list, { userId: victim.userId })).body.addresses,
      (await victim.call(cards.list, {})).body.cards,
      (await victim.call(vouchers.balance, {})).body.vouchers,
      (await victim.call(wallet.summary, {})).body.balance,
      (await victim.call(group.byCode, { code, query: {} })).body.group,
    ];
    const told = ({ status, body }: Awaited<ReturnType<(typeof calls)['orders.byId']>>, ids: Ids) =>
      Object.entries(ids).reduce(
        (text, [name, id]) => text.replaceAll(id, name),
        JSON.stringify(
          status === 200
            ? body
            : [status, body.errors?.map(({ code: what, field, displayMsg }) => [what, field, displayMsg])],
        ),
      );
    const was = await state();
    const heard: Record<string, string> = {};
    for (const [name, call] of Object.entries(calls)) {
      const [asTheirs, asNobodys] = [await call(thief, theirs), await call(thief, nobodys)];
      expect([name, told(asTheirs, theirs)]).toEqual([name, told(asNobodys, nobodys)]);
      heard[name] = told(asTheirs, theirs);
      // A request's own id is random, and may have an order's four digits in it.
      const said = JSON.stringify({ ...asTheirs.body, requestId: '' });
      for (const secret of [victim.mobile, victim.userId, victim.cartId]) expect(said, name).not.toContain(secret);
      // An amount may have its four digits, too.
      expect(said, name).not.toMatch(new RegExp(`["# ]${placed.orderNumber}\\b`));
    }
    expect(await state()).toEqual(was);
    // A group's code lets its guests in, and no more: its rules, its end and its people are its host's.
    for (const who of [thief, await member(server)]) {
      const personId = people[0]!.personId;
      if (who !== thief) await who.call(group.join, { code, body: { name: 'Mina', diet: [] } });
      const refused = [
        await who.call(group.rule, { code, body: { close: true } }),
        await who.call(group.end, { code }),
        await who.call(group.change, { code, personId, body: { name: 'Nobody' } }),
        await who.call(group.leave, { code, personId }),
      ];
      expect(refused.map(({ status }) => Math.floor(status / 100))).toEqual([4, 4, 4, 4]);
      if (who !== thief) {
        const { people: now } = (await who.call(group.byCode, { code, query: {} })).body.group!;
        await who.call(group.leave, { code, personId: now.find((one) => one.isMe)!.personId });
      }
    }
    for (const token of ['x'.repeat(43), placed.orderId, unpaid.transactionId])
      expect((await server.call(paylinks.byToken, { token })).status).toBe(404);
    // Each was a call that works for its owner, or is refused for what it asks and not for whose it is.
    const same: string[] = [];
    for (const [name, call] of Object.entries(calls))
      if (told(await call(victim, theirs), theirs) === heard[name]) same.push(name);
    // Out of one's own list, which may not have it.
    expect(same).toEqual(['history.removeFavourite']);
  });

  test("somebody else's journey is none, and nobody's cart but one's own is taken onto a train", async () => {
    const [victim, thief] = [await traveller(server, '10101'), await traveller(server, '10101')];
    const { trainOrderId } = await saved(server, victim, PNR.long, 'NDLS');
    const journey = async () => (await victim.call(trains.byId, { orderId: trainOrderId })).body.train;
    const was = await journey();
    const asked = (orderId: string) => [
      () => thief.call(trains.byId, { orderId }),
      () => thief.call(trains.change, { orderId, body: { mobile: thief.mobile } }),
      () => thief.call(trains.answer, { orderId, body: { choice: 'REFUND' } }),
      () => thief.call(trains.remove, { orderId }),
      () => thief.call(trains.sendOtp, { body: { trainOrderId: orderId } }),
      () => thief.call(trains.validateOtp, { body: { trainOrderId: orderId, code: '000000' } }),
      () => thief.submit({ cartVersion: 1, total: 1, body: { train: orderId } }),
    ];
    const nobodys = asked('trn_none');
    for (const [at, call] of asked(trainOrderId).entries()) {
      const [theirs, none] = [await call(), await nobodys[at]!()];
      const said = ({ status, body }: typeof theirs) => [status, body.errors?.map(({ code }) => code)];
      expect(said(theirs), String(at)).toEqual(said(none));
      expect(theirs.status, String(at)).toBeGreaterThanOrEqual(400);
    }
    const body = { cartId: victim.cartId, pnr: PNR.long, stationId: 'NDLS', mobile: thief.mobile };
    expect((await thief.call(trains.save, { body })).status).toBe(404);
    expect(await journey()).toEqual(was);
  });

  test('a card that somebody else has entered pays no order: neither a first nor a second time, nor through a pay link', async () => {
    const [owner, thief, payer] = [await member(server), await member(server), await visitor(server)];
    const cardToken = await enteredCard(owner);
    const refusals: Record<string, unknown> = {};
    const heard = (
      name: string,
      { status, body }: Answer<{ errors?: readonly { code: string; field?: string | undefined }[] | undefined }>,
    ) => {
      refusals[name] = [status, body.errors?.map(({ code, field }) => [code, field])];
    };
    const link = async (who: Customer) => {
      const { next } = await who.order({ paymentMode: 'LINK' });
      return next.kind === 'link' ? next.token : '';
    };
    const byLink = (who: Customer, token: string, card: string) =>
      who.call(
        paylinks.pay,
        { token, body: { paymentMode: 'CARD', cardToken: card } },
        { 'idempotency-key': randomUUID() },
      );
    const retry = async (who: Customer, card: string) => {
      const { order } = await who.order({ paymentMode: 'NETBANKING' });
      return await who.call(
        payments.retry,
        { body: { orderId: order.orderId, paymentMode: 'CARD', cardToken: card } },
        { 'idempotency-key': randomUUID() },
      );
    };
    await thief.fill();
    heard('first', await thief.submit({ paymentMode: 'CARD', body: { cardToken } }));
    heard('second', await retry(thief, cardToken));
    heard('link', await byLink(payer, await link(await member(server)), cardToken));
    const refused = [422, [['CARD_TOKEN', 'cardToken']]];
    expect(refusals).toEqual({ first: refused, second: refused, link: refused });
    // Whoever has entered one pays with it at each of these places.
    await owner.fill();
    expect((await owner.submit({ paymentMode: 'CARD', body: { cardToken } })).status).toBe(200);
    expect((await retry(owner, await enteredCard(owner))).status).toBe(200);
    expect((await byLink(payer, await link(await member(server)), await enteredCard(payer))).status).toBe(200);
  });
});

test('in production the calls of development and the imitated vendors do not exist, whoever asks', async () => {
  const server = await startServer({ settings: { development: false, environment: PRODUCTION } });
  try {
    const visitor = await guest(server);
    // Or a link could choose somebody's variation of an experiment.
    expect((await server.call(appConfig, {})).body.config).not.toHaveProperty('development');
    const wrong: string[] = [];
    const hidden = rows.filter(({ endpoint }) => endpoint.access === 'development');
    expect(hidden.length).toBeGreaterThan(5);
    for (const row of hidden)
      for (const headers of [
        {},
        { api_key: 'in-web' },
        headersOf(visitor),
        { host: 'localhost', 'x-forwarded-host': 'localhost' },
      ])
        if ((await knock(server.url, row, headers)) !== '404 NOT_FOUND') wrong.push(row.path);
    for (const { method, path } of rawRoutes().filter(({ embedded }) => embedded)) {
      const answer = await fetch(server.url + path.replace(/:\w+/g, 'x'), { method });
      if (answer.status !== 404) wrong.push(`${answer.status} ${method} ${path}`);
    }
    expect(wrong).toEqual([]);
  } finally {
    await server.stop();
  }
});
