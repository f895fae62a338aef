import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as config from '../../src/contract/config.ts';
import * as home from '../../src/contract/home.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as session from '../../src/contract/session.ts';
import * as vendors from '../../src/contract/vendors.ts';
import { environmentWith, HOSTS, hosts } from '../../src/server/rules/hosts/hosts.ts';
import { AUDIENCE, openPartner, partnersFile, type OpenPartner } from '../kit/partner.ts';
import { PRODUCTION } from '../kit/production.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { codeOf, freshMobile, guest, logIn, person, type Person } from './people.ts';
import { Customer, openShop, PLACES, visitor } from './shop.ts';

type HostStep = Extract<payments.PaymentStep, { kind: 'host' }>;

describe.each(await engines())('partners are rows of configuration, on %s', (engine) => {
  let server: TestServer;
  let acme: OpenPartner;
  let other: OpenPartner;
  let late: OpenPartner;
  beforeAll(async () => {
    acme = await openPartner('acme');
    other = await openPartner('other');
    late = await openPartner('late');
    const environment = partnersFile([
      acme.row({ blockedFeatures: ['favourites', 'Kids'] }),
      other.row({ vouchesForPhones: true }),
      late.row(),
      { name: 'blog', label: 'A blog', countries: ['LK'], origins: ['https://blog.example'] },
    ]);
    server = await startServer({ engine, settings: { environment } });
    for (const one of [acme, other, late]) one.knows(server.url);
    await openShop(server);
  });
  afterEach(() => {
    for (const one of [acme, other]) one.twist();
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([acme.close(), other.close(), late.close()]);
  });

  const nonceFor = async (who: Person, vendor = 'frame-acme') =>
    (await server.call(vendors.nonce, { vendor }, who.as)).body.nonce;
  const logInWith = (who: Person, nonce: string, token: string, vendor = 'frame-acme') =>
    server.call(vendors.auth, { vendor, body: { credential: { nonce, proof: { token } } } }, who.as);
  /** By the shop's clock. */
  const soon = async (seconds = 60) =>
    Math.floor((await server.call(config.app, {}, { apiKey: 'in-web' })).body.config.timestamp / 1000) + seconds;

  test('each has a key, a partner block and blocked features of its own, in its countries alone', async () => {
    const { as } = await guest(server, 'in-frame-acme');
    const { vendorConfig } = (await server.call(config.app, {}, as)).body.config;
    expect(vendorConfig.partner).toEqual({
      partnerName: 'acme Pay',
      primaryPaymentId: 'HOST',
      clientId: AUDIENCE,
      source: 'frame-acme',
    });
    expect(vendorConfig.blockedFeatures).toEqual(expect.arrayContaining(['wallet', 'favourites']));
    expect(
      (await server.call(config.app, {}, { apiKey: 'in-frame-other' })).body.config.vendorConfig.blockedFeatures,
    ).not.toContain('favourites');
    expect((await server.call(payments.options, {}, as)).body.options).toEqual([
      { id: 'HOST', label: 'acme Pay', about: 'Paid inside acme Pay' },
    ]);
    for (const apiKey of ['bg-frame-acme', 'in-frame-blog', 'in-frame', 'in-frame-nobody', 'in-frame-sample'])
      expect((await server.call(session.anonymous, {}, { apiKey })).status, apiKey).toBe(401);
  });

  test("a landing widget whose label a partner's own row blocks is not for it [MINI-20]", async () => {
    const storeId = '10101';
    const labels = async (apiKey: string) =>
      (await server.call(menu.widgets, { storeId, query: {} }, { apiKey })).body.widgets.map(({ label }) => label);
    expect(await labels('in-frame-other')).toContain('kids');
    expect(await labels('in-frame-acme')).toEqual((await labels('in-frame-other')).filter((one) => one !== 'kids'));
    const { widgets } = (await server.call(home.home, { storeId }, { apiKey: 'in-frame-acme' })).body;
    expect(widgets.map(({ label }) => label)).not.toContain('kids');
  });

  test('its token makes a login; what is not its own, not for us or not for this login does not', async () => {
    const who = await guest(server, 'in-frame-acme');
    const nonce = await nonceFor(who);
    const exp = await soon();
    const claims = { sub: 'mira', nonce, given_name: 'Mira', email: null, phone_number: 5, exp };
    const stranger = (await generateKeyPair('ES256')).privateKey;
    const bad: Record<string, string> = {
      'another key': await acme.sign(claims, { key: stranger }),
      "another partner's": await other.sign(claims),
      'another audience': await acme.sign({ ...claims, aud: 'another-shop' }),
      'another issuer': await acme.sign({ ...claims, iss: 'https://evil.example' }),
      'another nonce': await acme.sign({ ...claims, nonce: 'another' }),
      'no nonce': await acme.sign({ ...claims, nonce: undefined }),
      'no subject': await acme.sign({ ...claims, sub: '' }),
      expired: await acme.sign({ ...claims, exp: exp - 3_600 }),
      'a token about money': await acme.sign(claims, { typ: 'payment+jwt' }),
      unsigned: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ ...claims, iss: acme.issuer, aud: AUDIENCE, iat: exp })).toString('base64url')}.`,
      'signed with what is public': await new SignJWT({ ...claims, iss: acme.issuer, aud: AUDIENCE })
        .setProtectedHeader({ alg: 'HS256', kid: 'acme' })
        .setIssuedAt()
        .sign(new TextEncoder().encode('acme'.repeat(8))),
      'no token': 'x',
    };
    for (const [why, token] of Object.entries(bad))
      expect(codeOf(await logInWith(who, nonce, token)), why).toBe('VENDOR_LOGIN');
    const good = await acme.sign(claims);
    const { status, body } = await logInWith(who, nonce, good);
    expect([status, body.attributes]).toMatchObject([200, { firstName: 'Mira', loginType: 'frame-acme', sub: 'mira' }]);
    // The same token again, by whoever has seen it.
    const thief = await guest(server, 'in-frame-acme');
    expect(codeOf(await logInWith(thief, nonce, good))).toBe('VENDOR_LOGIN');
    expect(codeOf(await logInWith(thief, await nonceFor(thief), good))).toBe('VENDOR_LOGIN');
  });

  test('the same name at two partners is two people, and nothing of the one opens the other', async () => {
    const people: { userId: string; as: Person['as'] }[] = [];
    for (const partner of [acme, other]) {
      const key = `in-frame-${partner.name}`;
      const who = await guest(server, key);
      const nonce = await nonceFor(who, `frame-${partner.name}`);
      const token = await partner.sign({ sub: 'same', nonce, exp: await soon() });
      const { body } = await logInWith(who, nonce, token, `frame-${partner.name}`);
      people.push({
        userId: body.attributes.userId,
        as: { apiKey: key, authToken: body.credentials.authToken, userId: body.attributes.userId },
      });
    }
    const [first, second] = people as [(typeof people)[0], (typeof people)[0]];
    expect(first.userId).not.toBe(second.userId);
    expect((await server.call(orders.recent, {}, first.as)).status).toBe(200);
    expect((await server.call(orders.recent, {}, { ...first.as, apiKey: 'in-frame-other' })).status).toBe(401);
    // A nonce that one partner's page was given is none for the other's login.
    const who = await guest(server, 'in-frame-other');
    const foreign = await guest(server, 'in-frame-acme');
    const nonce = await nonceFor(foreign);
    const token = await other.sign({ sub: 'same', nonce, exp: await soon() });
    expect(codeOf(await logInWith(who, nonce, token, 'frame-other'))).toBe('VENDOR_LOGIN');
    expect((await server.call(vendors.nonce, { vendor: 'frame-acme' }, who.as)).status).toBe(404);
  });

  test('the same person has an account in each country, and no number of one country gets into that of the other', async () => {
    const enter = async (country: 'in' | 'lk', mobile?: string) => {
      const apiKey = `${country}-frame-other`;
      const who = await guest(server, apiKey);
      const nonce = await nonceFor(who, 'frame-other');
      const phone = mobile && { phone_number: `+91${mobile}`, phone_number_verified: true };
      const token = await other.sign({ sub: 'traveller', nonce, exp: await soon(), ...phone });
      return person((await logInWith(who, nonce, token, 'frame-other')).body, apiKey);
    };
    const mobile = freshMobile();
    const lanka = await enter('lk');
    const india = await enter('in', mobile);
    for (const { as, userId, reply } of [lanka, india]) {
      expect((await server.call(orders.recent, {}, as)).status).toBe(200);
      const { refreshToken } = reply.credentials;
      const body = { userId, refreshToken: refreshToken! };
      expect((await server.call(session.refresh, { body }, { apiKey: as.apiKey! })).status).toBe(200);
    }
    expect(india.reply.attributes.mobile).toBe(mobile);
    const again = await enter('lk');
    expect([again.userId, again.reply.attributes.mobile]).toEqual([lanka.userId, undefined]);
    expect((await enter('in')).userId).toBe(india.userId);
  });

  test('a phone number opens the account with that number only where the row says so', async () => {
    const mobile = freshMobile();
    const owner = await logIn(server, mobile);
    const userIds: string[] = [];
    for (const partner of [acme, other]) {
      const who = await guest(server, `in-frame-${partner.name}`);
      const nonce = await nonceFor(who, `frame-${partner.name}`);
      const claims = {
        sub: mobile,
        nonce,
        phone_number: `+91${mobile}`,
        phone_number_verified: true,
        exp: await soon(),
      };
      const { body } = await logInWith(who, nonce, await partner.sign(claims), `frame-${partner.name}`);
      userIds.push(body.attributes.userId);
    }
    expect(userIds[0]).not.toBe(owner.userId);
    expect(userIds[1]).toBe(owner.userId);
  });

  const ordered = async (apiKey = 'in-frame-acme') => {
    const customer = await visitor(server, 'IN', undefined, apiKey);
    const { order, next } = await customer.order({ paymentMode: 'HOST' });
    const step = next as HostStep;
    const ask = () =>
      server.call(payments.status, { query: { transactionId: step.transactionId } }, customer.person.as);
    const status = async () => (await customer.read(order.orderId)).orderStatus;
    return {
      customer,
      order,
      step,
      ask,
      status,
      request: step.details['request']!,
      reference: step.transactionReferenceId,
    };
  };

  test('a payment is asked for by a request that we sign, and is one when the partner says so, server to server', async () => {
    const { customer, order, step, ask, status, request, reference } = await ordered();
    expect(await acme.judge(request)).toMatchObject({
      action: 'pay',
      iss: server.url,
      reference,
      amount: order.bill.total,
      currency: 'INR',
      order: order.orderId,
    });
    await expect(other.judge(request)).rejects.toThrow(/aud/);
    expect([step.kind, step.amount]).toEqual(['host', order.bill.total]);
    await ask();
    expect(await status()).toBe('PENDING');
    await acme.pay(request);
    expect(await status()).toBe('PENDING');
    expect((await acme.tell({ reference, state: 'SUCCESS' })).status).toBe(200);
    expect(await status()).toBe('ORDER PLACED');
    expect((await customer.cancel(order.orderId)).status).toBe(200);
    await server.advance(60);
    expect(acme.asked.findLast(({ action }) => action === 'refund')).toMatchObject({
      reference,
      captureId: `c-${reference}`,
      amount: order.bill.total,
    });
  });

  test('a word to the webhook is none without its signature, and a lie with it changes nothing', async () => {
    const { status, reference } = await ordered();
    const claims = { reference, state: 'SUCCESS' };
    const stranger = (await generateKeyPair('ES256')).privateKey;
    for (const how of [{ typ: 'payment+jwt', key: stranger }, {}, { typ: 'JWT' }])
      expect((await acme.tell(claims, how)).status).toBe(401);
    for (const more of [{ aud: 'x' }, { iss: other.issuer }, { exp: 1 }, { reference: 7 }, { state: 'LOVELY' }])
      expect((await acme.tell({ ...claims, ...more })).status, JSON.stringify(more)).toBe(401);
    for (const body of ['', '{}', 'a.b.c', 'x'.repeat(70_000)])
      expect((await fetch(`${server.url}/webhooks/frame-acme`, { method: 'POST', body })).status).toBe(401);
    expect((await fetch(`${server.url}/webhooks/frame-blog`, { method: 'POST', body: 'x' })).status).toBe(404);
    expect((await acme.tell(claims)).status).toBe(200);
    expect(await status()).toBe('PENDING');
    // The other partner's word about it leads to no other question than to its own partner.
    const before = other.asked.length;
    expect((await other.tell(claims)).status).toBe(200);
    expect([await status(), other.asked.length]).toEqual(['PENDING', before]);
  });

  test('an answer that is not to this question, or not to this payment, is no answer', async () => {
    const { ask, status, request, reference, order } = await ordered();
    const old = await ordered();
    await acme.pay(old.request);
    await old.ask();
    const replayed = acme.answers.at(-1)!;
    await acme.pay(request);
    const capture = { id: 'c', amount: order.bill.total, currency: 'INR', at: Date.now() };
    const stranger = (await generateKeyPair('ES256')).privateKey;
    const forged = await acme.sign(
      { reference, state: 'SUCCESS', captures: [capture] },
      { typ: 'payment+jwt', key: stranger },
    );
    const twists: Parameters<OpenPartner['twist']>[0][] = [
      () => replayed,
      () => forged,
      () => 'paid',
      (claims) => ({ ...claims, jti: 'another' }),
      (claims) => ({ ...claims, reference: old.reference }),
      (claims) => ({ ...claims, captures: [{ ...capture, currency: 'LKR' }] }),
      (claims) => ({ ...claims, captures: [{ ...capture, amount: 1.5 }] }),
      (claims) => ({ ...claims, captures: [] }),
      (claims) => ({ ...claims, state: 'FAILED' }),
      (claims) => ({ ...claims, iss: other.issuer }),
      (claims) => ({ ...claims, aud: 'another-shop' }),
      (claims) => ({ ...claims, exp: 1 }),
    ];
    for (const twist of twists) {
      acme.twist(twist);
      await ask();
      expect(await status(), String(twist)).toBe('PENDING');
    }
    acme.twist();
    await ask();
    expect(await status()).toBe('ORDER PLACED');
  });

  test.each([
    ['NONE', 'SENT'],
    ['WAITING', 'SENT'],
    ['PENDING', 'UNKNOWN'],
    ['FAILED', 'FAILED'],
    ['CANCELLED', 'FAILED'],
  ])('an answer %s comes without captures and is believed; a success is not, without them', async (state, becomes) => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    // The server asks by itself, too, and also about the payments of other tests.
    const isIncident = (reference: string) =>
      said.mock.calls.flat().some((line) => line.includes('"incident":"PAYMENT"') && line.includes(reference));
    try {
      const { ask, reference } = await ordered();
      acme.states.set(reference, { state });
      expect((await ask()).body.payment.state).toBe(becomes);
      expect(isIncident(reference)).toBe(false);
      const lied = await ordered();
      acme.states.set(lied.reference, { state: 'SUCCESS' });
      expect((await lied.ask()).body).toMatchObject({ payment: { state: 'UNKNOWN' }, orderStatus: 'PENDING' });
      expect(isIncident(lied.reference)).toBe(true);
    } finally {
      said.mockRestore();
    }
  });

  test('a key set that cannot be had says nothing of a payment, and the next answer counts', async () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      const { ask, request, reference } = await ordered('in-frame-late');
      await late.pay(request);
      for (const broken of [
        { status: 503, text: '' },
        { status: 302, text: '' },
        { status: 200, text: '<h1>Back soon</h1>' },
        { status: 200, text: '{"keys":5}' },
      ]) {
        late.publish(broken);
        expect((await ask()).body, JSON.stringify(broken)).toMatchObject({
          payment: { state: 'SENT' },
          orderStatus: 'PENDING',
        });
      }
      expect(said.mock.calls.flat().filter((line) => line.includes(reference) && line.includes('"incident"'))).toEqual(
        [],
      );
      late.publish();
      expect((await ask()).body.orderStatus).toBe('ORDER PLACED');
    } finally {
      late.publish();
      said.mockRestore();
    }
  });

  test.each(['in-web', 'in-frame-other'])(
    'an unpaid order of %s is paid by the partner in whose app it is paid [PAY-16]',
    async (made) => {
      const mobile = freshMobile();
      const { where, productId } = PLACES['IN']!;
      const there = new Customer(server, await logIn(server, mobile, made), where, productId, mobile);
      const { order } = await there.order({ paymentMode: made === 'in-web' ? 'UPI' : 'HOST' });
      await server.advance(31);
      const here = new Customer(server, await logIn(server, mobile, 'in-frame-acme'), where, productId, mobile);
      expect(here.userId).toBe(there.userId);
      const again = await here.retry({ orderId: order.orderId, paymentMode: 'HOST' });
      expect(again.body).toMatchObject({ status: 'SUCCESS', next: { kind: 'host' } });
      const step = again.body.next as HostStep;
      const reference = step.transactionReferenceId;
      const request = step.details['request']!;
      expect(await acme.judge(request)).toMatchObject({ action: 'pay', reference, amount: order.bill.total });
      await acme.pay(request);
      expect((await acme.tell({ reference, state: 'SUCCESS' })).status).toBe(200);
      expect((await here.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
    },
  );

  test('money of another amount pays no order and goes back', async () => {
    const { ask, status, request, reference } = await ordered();
    await acme.pay(request, { amount: 100 });
    await ask();
    expect(await status()).not.toBe('ORDER PLACED');
    // Unknown while the order is open; once it is over, the money goes back.
    await server.advance(901 + 301);
    expect(acme.asked.findLast(({ action }) => action === 'refund')).toMatchObject({ reference, amount: 100 });
  });

  test('a row without keys is the app on a page: a code by SMS, and money at the door', async () => {
    const { as } = await guest(server, 'lk-frame-blog');
    expect((await server.call(payments.options, {}, as)).body.options.map(({ id }) => id)).toEqual(['COD']);
    const who = await guest(server, 'lk-frame-blog');
    const nonce = await nonceFor(who, 'frame-blog');
    const token = await acme.sign({ sub: 'mira', nonce, exp: await soon() });
    expect(codeOf(await logInWith(who, nonce, token, 'frame-blog'))).toBe('VENDOR_LOGIN');
    expect((await logIn(server, freshMobile('lk-web'), 'lk-frame-blog')).userId).toBeTruthy();
    expect(
      codeOf(await (await visitor(server, 'LK', undefined, 'lk-frame-blog')).submit({ paymentMode: 'HOST' })),
    ).toBe('CART_EMPTY');
  });
});

describe('rows that are not as they should be', () => {
  const row = { name: 'acme', label: 'Acme', countries: ['IN'], origins: ['https://acme.example'] };
  const keys = { issuer: 'https://acme.example', audience: 'pizza', keys: 'https://acme.example/keys' };
  const wrong: readonly (readonly [why: string, rows: unknown, says: RegExp])[] = [
    ['no list', {}, /is not a list of partners: is missing or not as it should be/],
    ['another name', [{ ...row, name: 'Acme Pay' }], /0\.name must be 2 to 30/],
    ['a name of code', [{ ...row, name: '__proto__' }], /0\.name must be/],
    ['no such country', [{ ...row, countries: ['XX'] }], /0\.countries\.0 must be the code of a country/],
    ['no origin', [{ ...row, origins: [] }], /0\.origins/],
    ['any origin', [{ ...row, origins: ['*'] }], /0\.origins\.0 must be an origin/],
    ['a path', [{ ...row, origins: ['https://acme.example/app'] }], /must be an origin/],
    ['without encryption', [{ ...row, origins: ['http://acme.example'] }], /must be an origin/],
    ['several in one', [{ ...row, origins: ["https://acme.example 'unsafe-inline'"] }], /must be an origin/],
    ['half of its keys', [{ ...row, issuer: 'x' }], /set together or not at all/],
    ['payments that nobody signs', [{ ...row, payments: 'https://acme.example/p' }], /its answers are signed/],
    ['keys in the open', [{ ...row, ...keys, keys: 'http://acme.example/keys' }], /must be an https address/],
    ['a mistyped field', [{ ...row, origin: 'https://acme.example' }], /0 has origin, which no row has/],
    ['two of one name', [row, row], /two have the same name/],
    [
      'two of one issuer',
      [
        { ...row, ...keys },
        { ...row, ...keys, name: 'acme2' },
      ],
      /the same issuer and audience/,
    ],
  ];
  test.each(wrong)('%s: the server does not start, and says why', async (_why, rows, says) => {
    await expect(environmentWith([HOSTS], partnersFile(rows as unknown[]))).rejects.toThrow(says);
  });

  test('without a file there is the imitated partner in development, and none in production', async () => {
    const names = async (values: Record<string, string>) => {
      await environmentWith([HOSTS], values);
      return hosts()
        .map(({ name }) => name)
        .filter((name) => name.startsWith('frame-'));
    };
    expect(await names({})).toEqual(['frame-sample']);
    expect(await names(PRODUCTION)).toEqual([]);
    expect(await names(partnersFile([row]))).toEqual(['frame-acme']);
  });
});
