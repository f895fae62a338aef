import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as addresses from '../../src/contract/addresses.ts';
import * as cart from '../../src/contract/cart.ts';
import * as consents from '../../src/contract/consents.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import * as group from '../../src/contract/group.ts';
import * as help from '../../src/contract/help.ts';
import * as league from '../../src/contract/league.ts';
import * as orders from '../../src/contract/orders.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import * as profile from '../../src/contract/profile.ts';
import * as tracking from '../../src/contract/tracking.ts';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { cleaned } from '../../src/domain/typedText.ts';
import { waitingList } from '../../src/server/rules/help/operatorDesk.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { allEndpoints } from '../kit/contract.ts';
import { engines } from '../kit/server.ts';
import { member, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

// What reaches a third person from somebody's text: by page, SMS, email, push, paper, log, or at a provider. First what
// comes in, then what goes out; a new text and a new way out fail here until it is said who gets it and what guards it.

/**
 * Guards. All that comes in by a call has only what can be seen (http/input.ts, `visible`), whatever it is; what is said
 * here comes besides.
 */
const GUARDS = {
  nobody: 'read by its owner alone, or by nobody',
  group: 'pages of the others of a group, of their host and of their order: `quoted` (rules/group, rules/cart)',
  kitchen: 'the store’s ticket and the rider, as text of its own beside our sentences: in the order, and in no message',
  desk: 'whoever answers tickets: `quoted` (rules/help/operatorDesk.ts)',
  operators: 'operators, as rows and figures; never in a message',
  league: 'the leaderboard: `mustBeNickname`, and `quoted` (routes/league.ts)',
  code: 'the last line of an SMS: our own and our partners’ hosts alone (rules/hosts/hosts.ts, ownAddresses.test.ts)',
  bank: 'the bank or the payment app, which checks it itself; signed, as a field of its own',
  apple: 'the bank, which calls it: Apple’s hosts alone (providers/paymentSheets.ts, ownAddresses.test.ts)',
  push: 'called by us: the hosts of browsers’ push services alone (providers/push.ts)',
  log: 'the log: one line of known length, without numbers and secrets (routes/pageErrors.ts, http/log.ts)',
  number: 'a phone number or a code: digits alone are kept of it',
  email: 'an address that an email goes to: `isEmail`; nothing else in that email is anybody’s',
  experiments: 'the service of experiments, where there is one, as fields of its own',
  vendor: 'the vendor whose token it is, which judges it',
} as const;
type Guard = keyof typeof GUARDS;

const ADDRESS = 'houseNo address area label landmark instructions receiverName';
/** What a program asks a customer with, of which nothing is kept but what it has registered. */
const ASKED = 'client_id redirect_uri response_type code_challenge code_challenge_method scope state';
const at = (prefix: string, names: string) =>
  names
    .split(' ')
    .map((name) => `${prefix}${name}`)
    .join(' ');

/** Every call that takes text, with each text, and who else reads it. */
const TEXTS: Readonly<Record<string, Partial<Record<Guard, string>>>> = {
  'activity.collect': { nobody: 'clientId user.* events[].id events[].name events[].properties.*' },
  'activity.savePageView': {
    nobody: 'data.userAgent data.userId data.pageName data.referrer data.action data.actionType data.properties.*',
  },
  'addresses.change': { kitchen: ADDRESS, number: 'receiverMobile' },
  'addresses.create': { kitchen: ADDRESS, number: 'receiverMobile' },
  'assistants.answer': { nobody: at('request.', ASKED) },
  'assistants.confirm': { kitchen: 'customer.firstName customer.lastName', nobody: 'termsVersion' },
  'assistants.estimate': { nobody: 'lines[].note' },
  'assistants.grant': { nobody: ASKED },
  'assistants.quote': {
    kitchen: `lines[].note ${at('address.', ADDRESS)} vehicle.colour vehicle.model table note`,
    number: 'address.receiverMobile',
  },
  'cards.again': { bank: 'token' },
  'cards.save': { bank: 'cardToken' },
  'cards.sheetSession': { apple: 'validationUrl' },
  'cards.sheetToken': { bank: 'details.*' },
  'chat.understand': { nobody: 'text' },
  'cart.add': { group: 'items[].line.note', nobody: 'options.paymentMode' },
  'cart.change': { group: 'items[].line.note', nobody: 'options.paymentMode' },
  'config.alerts': { nobody: 'storeId' },
  'consents.say': { nobody: 'consents[].version' },
  'copy.make': { number: 'code' },
  'copy.sendCode': { code: 'host' },
  'coupons.validate': { nobody: 'cartId' },
  'deletion.ask': { number: 'code' },
  'deletion.sendCode': { code: 'host' },
  'experiments.batch': { experiments: 'ev[].id ev[].u ev[].t' },
  'experiments.events': { experiments: 'en d.msgId d.visId d.event.name d.event.props.* d.visitor.props.*' },
  'experiments.push': { experiments: 'u random tags' },
  'experiments.settings': { nobody: 'a i r' },
  'experiments.trackGoal': { experiments: 'u random' },
  'experiments.trackUser': { experiments: 'u random' },
  'feedback.additional': { operators: 'comment' },
  'feedback.ofOrder': { operators: 'comment' },
  'feedback.offline': { operators: 'experience', number: 'mobile' },
  'feedback.submit': { operators: 'comment' },
  'feedback.update': { operators: 'comment' },
  'fingerprint.send': { nobody: 'ua av ln tz st ls uid' },
  'group.byCode': { nobody: 'have' },
  'group.change': { group: 'name' },
  'group.join': { group: 'name' },
  'group.start': { group: 'name' },
  'help.claim': { desk: 'comment' },
  'help.quote': { nobody: 'comment' },
  'history.list': { nobody: 'search' },
  'league.play': { league: 'nickname' },
  'linkedWallets.link': { number: 'mobile' },
  'linkedWallets.verify': { vendor: 'state', number: 'code' },
  'login.resendOtp': { number: 'mobile', nobody: 'firstName lastName', email: 'email', code: 'host' },
  'login.searchUser': { number: 'mobile' },
  'login.sendOtp': { number: 'mobile', nobody: 'firstName lastName', email: 'email', code: 'host' },
  'login.validateOtp': { number: 'mobile code', nobody: 'screenName' },
  'loyalty.transactions': { nobody: 'loyaltyProgramCode' },
  'memory.give': {
    nobody: `memory.usual[].note memory.favourites[] ${at('memory.addresses[].', `${ADDRESS} receiverMobile`)} memory.household[]`,
  },
  'memory.take': { number: 'code' },
  'menu.byStore': { nobody: 'have' },
  'menu.widgets': { nobody: 'label' },
  'orders.arrived': { kitchen: 'bay' },
  'orders.changeNote': { kitchen: 'note' },
  'orders.submit': {
    kitchen: `${at('address.', ADDRESS)} vehicle.colour vehicle.model table customer.firstName customer.lastName note`,
    number: 'address.receiverMobile customer.mobile',
    email: 'customer.email',
    nobody: 'termsVersion',
    bank: 'cardToken',
  },
  'orders.validations': {
    nobody: `${at('address.', ADDRESS)} vehicle.colour vehicle.model table customer.firstName customer.lastName customer.email cardToken`,
    number: 'address.receiverMobile customer.mobile',
  },
  'pageErrors.report': { log: 'name message stack bundle release page requestId' },
  'passwords.change': { nobody: 'password current', number: 'code' },
  'passwords.login': { number: 'mobile', nobody: 'password' },
  'passwords.sendCode': { code: 'host' },
  'paylinks.collect': { bank: 'vpa' },
  'paylinks.pay': { bank: 'cardToken' },
  'payments.applyPromo': { bank: 'cardToken' },
  'payments.cardToken': { bank: 'token' },
  'payments.codOtp': { number: 'code' },
  'payments.receipt': { vendor: 'receipt' },
  'payments.removePromo': { bank: 'cardToken' },
  'payments.retry': { bank: 'cardToken' },
  'payments.upiCollect': { bank: 'vpa' },
  'places.autocomplete': { nobody: 'input latitude longitude country' },
  'places.details': { nobody: 'place_id' },
  'profile.changeNumber': { number: 'mobile oldCode newCode' },
  'profile.confirmEmail': { number: 'code' },
  'profile.sendNumberCode': { number: 'mobile', code: 'host' },
  'profile.update': { nobody: 'firstName lastName before.firstName before.lastName before.email', email: 'email' },
  'push.subscribe': { push: 'subscription.endpoint' },
  'push.unsubscribe': { nobody: 'endpoint' },
  'session.refresh': { nobody: 'userId refreshToken' },
  'session.refreshAnonymous': { nobody: 'userId sessionToken' },
  'social.begin': { nobody: 'from' },
  'social.login': { nobody: 'state' },
  'social.validate': { number: 'mobile code', nobody: 'token firstName lastName screenName', email: 'email' },
  'stores.byId': { nobody: 'timeSlots kitchen latitude longitude locality table' },
  'stores.localities': { nobody: 'orderDeliveryType' },
  'stores.nearest': { nobody: 'latitude longitude orderDeliveryType' },
  'stores.ofCity': { nobody: 'latitude longitude orderDeliveryType locality' },
  'tracking.tellRider': { kitchen: 'text' },
  'trains.change': { kitchen: 'passenger.name', number: 'passenger.mobile mobile', code: 'host' },
  'trains.handOver': { nobody: 'token', number: 'code' },
  'trains.save': { number: 'pnr passenger.mobile mobile', kitchen: 'passenger.name', code: 'host' },
  'trains.sendOtp': { code: 'host' },
  'trains.validateOtp': { number: 'code' },
  'usual.price': {
    nobody: `lines[].note ${at('address.', ADDRESS)} vehicle.colour vehicle.model table customer.firstName customer.lastName customer.email`,
    number: 'address.receiverMobile customer.mobile',
  },
  'usual.put': { group: 'items[].line.note', nobody: 'options.paymentMode' },
  'vendors.auth': { vendor: 'credential.nonce credential.proof.* credential.phoneToken' },
  'vouchers.link': { number: 'number pin' },
  'vouchers.resetPin': { number: 'number code pin' },
  'vouchers.verify': { number: 'number pin' },
  'wallet.statement': { nobody: 'loyaltyProgramCode' },
};

interface Json {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly pattern?: string;
  readonly allOf?: readonly Json[];
  readonly anyOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly additionalProperties?: Json | boolean;
}
/** What every text of the contract has; any other pattern says which characters there are. */
const NO_CONTROLS = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$';

/** The fields of a schema that take any text. */
function textsOf(schema: Json, where = ''): string[] {
  const patterns = [schema, ...(schema.allOf ?? [])].map(({ pattern }) => pattern);
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined;
  const isAny = Object.keys(schema).length === 0;
  const more = schema.additionalProperties;
  return [
    ...(isAny || (isText && patterns.every((one) => one === undefined || one === NO_CONTROLS)) ? [where] : []),
    ...(schema.anyOf ?? []).flatMap((one) => textsOf(one, where)),
    ...(schema.items === undefined ? [] : textsOf(schema.items, `${where}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      textsOf(one, where === '' ? name : `${where}.${name}`),
    ),
    ...(typeof more === 'object' ? textsOf(more, `${where}.*`) : []),
  ];
}
const takenBy = ({ query, body }: Endpoint): string[] => [
  ...new Set(
    [query, body].flatMap((schema) =>
      schema === undefined ? [] : textsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json),
    ),
  ),
];

test('of every text that a call takes it is said who else reads it, and what guards that', async () => {
  const unsaid = [...(await allEndpoints())].flatMap(([name, endpoint]) => {
    if (endpoint.access === 'development') return [];
    const said = new Set(Object.values(TEXTS[name] ?? {}).flatMap((fields) => fields.split(' ')));
    const missing = takenBy(endpoint).filter((field) => !said.has(field));
    return missing.length === 0 ? [] : [[name, missing]];
  });
  expect(unsaid).toEqual([]);
  expect(
    Object.values(TEXTS)
      .flatMap((row) => Object.keys(row))
      .filter((guard) => !(guard in GUARDS)),
  ).toEqual([]);
});

/** Every place in the server from which something leaves for somebody else, with what of anybody's text is in it. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  'src/server/providers/sms.ts ask': 'the gateway: number and text of the rows below',
  'src/server/providers/email.ts ask': 'the gateway: address, subject and text of the row below',
  'src/server/providers/push.ts ask': 'a push service: sealed for the browser',
  'src/server/providers/bank.ts ask': 'order number, amount, ids; a card’s fields, a UPI id; Apple’s address',
  'src/server/providers/social.ts ask': 'secrets of a login',
  'src/server/providers/experiments.ts ask': 'visitors’ events and tags, as fields',
  'src/server/providers/railway.ts ask': 'PNR (ten digits), run',
  'src/server/http/tiles.ts ask': 'numbers of a tile',
  'hosts/frame/server/tokens.ts ask': 'nothing',
  'hosts/frame/server/gateway.ts ask': 'order number, amount, ids',
  'hosts/paytm/server/gateway.ts ask': 'amount, ids, the customer’s number',
  'hosts/paytm/server/wallet.ts ask': 'amount, ids, the customer’s number',
  'hosts/paytm/server.ts ask': 'the vendor’s token',
  'hosts/gpay/server/receipts.ts ask': 'nothing',
  'hosts/gpay/server.ts ask': 'nothing',
  'hosts/paytm/server/walletDesk.ts sms': 'an imitation: a code',
  'src/server/rules/people/otp.ts sms': 'a code, the app’s name, a host of ours or of a partner',
  'src/server/rules/people/otp.ts email': 'a code, the app’s name',
  'src/server/rules/people/accountNews.ts sms': 'days, amounts, the end of a number, an e-voucher',
  'src/server/rules/trains/watch.ts sms': 'times, stations, a code',
  'src/server/rules/order/textAbout.ts sms': 'our dishes, an amount, an answer of ours, a link at our own origin',
  'src/server/rules/order/orderNotices.ts push': 'a step of an order, a path of the app',
  'src/server/rules/help/ticketNews.ts push': 'an answer of ours, a path of the app',
  'src/server/rules/experiments/record.ts forward': 'visitors’ events and tags, as fields',
};
const ROOT = path.resolve(import.meta.dirname, '../..');

test('of every place from which something leaves the server it is said what of anybody’s text is in it', () => {
  const found = ['src/server', 'hosts'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true })
      .map((name) => path.posix.join(folder, String(name).replaceAll('\\', '/')))
      .filter((name) => name.endsWith('.ts') && (folder !== 'hosts' || /\/server(\.ts|\/)/.test(name)))
      .flatMap((name) => {
        const ways = readFileSync(path.join(ROOT, name), 'utf8').matchAll(
          /\boutside\s*\.(ask)\(|\b(sms|email|push)\s*\.send\(|\.(forward)\(|(?<![.\w])(fetch)\(/g,
        );
        return [...new Set([...ways].map(([, ...found]) => `${name} ${found.find((one) => one !== undefined)}`))];
      }),
  );
  const known = new Set([
    ...Object.keys(WAYS_OUT),
    // The one place that asks the network, which all above go through.
    'src/server/providers/outside.ts fetch',
  ]);
  expect(found.filter((way) => !known.has(way) && !way.includes('/vendors/'))).toEqual([]);
  expect(Object.keys(WAYS_OUT).filter((way) => !found.includes(way))).toEqual([]);
});

/** Turns the rest of a line round, ends what it is shut in, is seen by nobody, and is written from right to left. */
const EVIL = '\u202e\u2066\u2069\u200b\u061c\u009b';
const URDU = 'علی';
const wicked = (name: string) => `${EVIL}${name}${EVIL}`;
/** What is left of an answer once everything that is shut in is taken out, whole. */
const outside = (said: string) => said.replace(/\u2068[^\u2066-\u2069\u202a-\u202e]*\u2069/gu, '');

describe.each(await engines())('what others are told on %s', (engine) => {
  const shop = shopHere({ engine }, 3_600);
  const { server } = shop;

  /** Nothing in it turns our sentences round or hides in them. */
  function clean(what: string, said: unknown): void {
    const text = outside(typeof said === 'string' ? said : JSON.stringify(said));
    expect([what, cleaned(text)]).toEqual([what, text]);
  }

  test('no customer’s text turns others’ pages, messages or lists round: group, order, pay link, league, help, SMS', async () => {
    const [host, guest, stranger] = [await member(server), await visitor(server), await visitor(server)];
    const named = await host.call(profile.update, {
      body: { firstName: wicked('Asha'), lastName: wicked(URDU), email: 'asha@example.com' },
    });
    expect([named.body.attributes.firstName, named.body.attributes.lastName]).toEqual(['Asha', URDU]);
    await host.fill();
    const begun = await host.call(group.start, {
      cartId: host.cartId,
      body: { name: wicked(URDU), diet: [], minutes: 30, limit: null },
    });
    const { code } = begun.body.group;
    await guest.call(group.join, { code, body: { name: wicked(`${URDU} 7`), diet: [] } });
    const noted = await guest.call(cart.add, {
      cartId: code,
      body: {
        items: [
          {
            operationId: randomUUID(),
            line: { lineId: randomUUID(), productId: 'PZ001', quantity: 1, note: wicked(`${URDU} 2`) },
          },
        ],
      },
    });
    expect(noted.status, JSON.stringify(noted.body)).toBe(200);

    const seen = async (who: typeof host) => (await who.call(group.byCode, { code, query: {} })).body.group!;
    const [byHost, byGuest, byStranger] = [await seen(host), await seen(guest), await seen(stranger)];
    for (const view of [byHost, byGuest, byStranger]) {
      expect(view.hostName).toBe(`\u2068${URDU}\u2069`);
      clean('group', view);
    }
    // One's own name stands in a field as it was typed; the others' are shut in.
    expect(byHost.people.map(({ name }) => name)).toEqual([URDU, `\u2068${URDU} 7\u2069`]);
    expect(byGuest.people.map(({ name }) => name)).toEqual([`\u2068${URDU}\u2069`, `${URDU} 7`]);
    const lines = (await host.cart()).validItems;
    expect(lines.map(({ by, note }) => [by?.name, note])).toContainEqual([
      `\u2068${URDU} 7\u2069`,
      `\u2068${URDU} 2\u2069`,
    ]);

    const at = {
      latitude: 28.64,
      longitude: 77.22,
      houseNo: wicked('12'),
      address: wicked('Road'),
      type: 'home' as const,
    };
    const more = { receiverName: wicked(URDU), instructions: wicked('ring') };
    const kept = await host.call(addresses.create, { mobNo: host.mobile, body: { ...at, ...more } });
    clean('address', kept.body);
    const placed = await host.submit({
      paymentMode: 'LINK',
      body: { address: { ...at, ...more }, note: wicked('soon') },
    });
    expect(placed.status, JSON.stringify(placed.body)).toBe(200);
    const { order, next } = placed.body;
    clean('order', order);
    clean('group ordered', await seen(guest));
    const token = next.kind === 'link' ? next.token : '';
    clean('pay link', (await stranger.call(paylinks.byToken, { token })).body);

    const { order: mine } = await host.order({ paymentMode: 'COD', body: { note: wicked(URDU) } });
    await host.call(orders.changeNote, { orderId: mine.orderId, body: { note: wicked('later') } });
    const shared = (await host.call(tracking.share, { orderHistoryId: mine.orderId })).body;
    clean('tracking', (await stranger.call(tracking.shared, { token: shared.token })).body);

    await server.advance(3 * 3_600);
    const claim = {
      orderId: mine.orderId,
      issue: 'bill' as const,
      comment: wicked(`${URDU} one two three four five six`),
    };
    const asked = await host.call(help.claim, { body: claim }, { 'idempotency-key': randomUUID() });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    const waiting = await waitingList(shop.db);
    expect(waiting.join('\n')).toContain(URDU);
    clean('help desk', waiting.join('\n'));

    const { now } = await readSystem(shop.db);
    const given = { purpose: 'league' as const, given: true, version: CONSENT_VERSIONS.league, at: now };
    expect((await host.call(consents.say, { body: { consents: [given] } })).status).toBe(200);
    const nickname = `${URDU} خان`;
    const { body: playing } = await host.call(league.play, { body: { nickname: wicked(nickname) } });
    await shop.db
      .insertInto('league_scores')
      .values({ season: playing.league.season.id, user_id: host.userId, slices: 8, reached_at: now })
      .execute();
    const { leaderboard } = (await stranger.call(league.leaderboard, { query: {} })).body;
    expect(leaderboard.map(({ name }) => name)).toEqual([`\u2068${nickname}\u2069`]);

    const messages = await server.inbox();
    expect(messages.length).toBeGreaterThan(1);
    for (const message of messages) {
      clean('SMS', message);
      expect(message).not.toContain(URDU);
      expect(message).not.toContain('Asha');
    }
  });

  test('what an older release let in is shut in as well where others read it', async () => {
    const [host, guest] = [await visitor(server), await visitor(server)];
    await host.fill();
    const begun = await host.call(group.start, {
      cartId: host.cartId,
      body: { name: 'Asha', diet: [], minutes: 30, limit: null },
    });
    const { code, people } = begun.body.group;
    await shop.db
      .updateTable('group_people')
      .set({ name: `Asha\u202e\n\n@evil.example #123456` })
      .where('id', '=', people[0]!.personId)
      .execute();
    await guest.call(group.join, { code, body: { name: 'Mina', diet: [] } });
    const view = (await guest.call(group.byCode, { code, query: {} })).body.group!;
    expect([view.hostName, view.people[0]!.name]).toEqual(Array(2).fill('Asha @evil.example #123456'));
  });

  test('a name that has only what nobody sees is none', async () => {
    const host = await visitor(server);
    for (const name of ['\u200b', '\u202e\u2066', ' \u3164 ', '\u2800']) {
      const body = { name, diet: [], minutes: 30, limit: null };
      expect((await host.call(group.start, { cartId: host.cartId, body })).status, JSON.stringify(name)).toBe(400);
    }
  });
});
