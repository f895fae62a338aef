import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as assistants from '../../src/contract/assistants.ts';
import * as development from '../../src/contract/development.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { speaksFor } from '../../src/server/rules/assistants/programs.ts';
import { countUse } from '../../src/server/store/system.ts';
import type { TestServer } from '../kit/server.ts';
import { assistantClient } from './assistantClient.ts';
import { allowed, begun, exchange } from './assistantLogin.ts';
import { shownDocuments } from './shownDocuments.ts';
import { member, openedShop, pay, type Customer, type Shop } from './shop.ts';
import {
  connectedPlatform,
  deliveryTo,
  dishesOf,
  FOLDERS,
  platform,
  PROTOCOL,
  type Checkout,
  type Code,
} from './ucpPlatform.ts';

let server: TestServer;
let db: Shop['db'];
let close: Shop['close'];
let own: Awaited<ReturnType<typeof shownDocuments>>;
/** The profile of a platform that knows all that we do. */
let profile = '';
beforeAll(async () => {
  ({ server, db, close } = await openedShop());
  own = await shownDocuments();
  profile = own.shows('/profile', () => platform());
});
afterAll(async () => {
  own.close();
  await close();
});

const connectedTo = (code: Code = 'IN') => connectedPlatform(server, own, code);
const amountOf = ({ totals }: Pick<Checkout, 'totals'>, type: string) =>
  totals.filter((one) => one.type === type).reduce((sum, { amount }) => sum + amount, 0);
const codesOf = ({ messages = [] }: Checkout) => messages.map(({ code }) => code);
const confirmed = async (
  who: Customer,
  { continue_url: url = '', totals }: Checkout,
  paymentMode: 'UPI' | 'COD' | 'MFS',
) =>
  await who.call(
    assistants.confirm,
    {
      quoteId: url.split('/').at(-1)!,
      body: {
        customer: { firstName: 'Asha', lastName: 'Rao' },
        paymentMode,
        total: amountOf({ totals }, 'total'),
        termsAccepted: true,
      },
    },
    { 'idempotency-key': randomUUID() },
  );

describe('the Universal Commerce Protocol', () => {
  test('is announced at the address that it has for it, for each country', async () => {
    const read = async (path: string) => {
      const response = await fetch(server.url + path);
      expect(response.headers.get('cache-control')).toMatch(/public, max-age=\d{3,}/);
      return (await response.json()) as {
        ucp: { version: string; services: Record<string, { transport: string; endpoint: string }[]> };
      };
    };
    const { ucp } = await read('/.well-known/ucp');
    expect(ucp.version).toBe(PROTOCOL);
    expect(ucp.services['dev.ucp.food']!.map(({ transport }) => transport)).toEqual(['rest', 'mcp']);
    expect(ucp.services['dev.ucp.shopping']![0]!.endpoint).toMatch(/\/ucp\/in\/shopping$/);
    const ceylon = await read('/ucp/lk/.well-known/ucp');
    expect(ceylon.ucp.services['dev.ucp.food']![0]!.endpoint).toMatch(/\/ucp\/lk\/food$/);
  });

  test.each([
    ['IN', 'UPI'],
    ['LK', 'COD'],
    ['BG', 'MFS'],
  ] as const)(
    'a checkout of food is made step by step, and completed by its customer alone in %s',
    async (code, mode) => {
      const { who, ask, scope } = await connectedTo(code);
      expect(scope.split(' ')).toEqual(['order', 'dev.ucp.food.checkout:manage']);
      const begunOne = await ask('food', 'POST', '', dishesOf(code));
      expect([begunOne.status, begunOne.body.status]).toEqual([201, 'incomplete']);
      expect(codesOf(begunOne.body)).toContain('missing');
      const tip = code === 'IN' ? { tip: { custom_amount: 1_000 } } : {};
      const { body: asked } = await ask('food', 'PUT', `/${begunOne.body.id}`, {
        ...dishesOf(code, tip),
        ...deliveryTo(code),
      });
      expect([asked.id, asked.status]).toEqual([begunOne.body.id, 'requires_escalation']);
      expect(asked.messages!.filter(({ severity }) => severity === 'requires_buyer_review')).toHaveLength(1);
      expect(asked.continue_url).toMatch(new RegExp(`/${FOLDERS[code]}/assistant/quo_`));
      // What it adds up to is the sum that the customer is shown.
      const { body } = await who.call(assistants.checkout, { checkoutId: asked.id });
      expect(amountOf(asked, 'total')).toBe(body.quote.bill.total);
      expect(asked.totals.filter(({ type }) => type !== 'total').reduce((sum, { amount }) => sum + amount, 0)).toBe(
        amountOf(asked, 'total'),
      );
      expect(amountOf(asked, 'tip')).toBe(code === 'IN' ? 1_000 : 0);
      // Nobody but the customer completes it, whatever comes along as a payment.
      const tried = await ask('food', 'POST', `/${asked.id}/complete`, {
        payment: {
          instruments: [{ id: 'i', handler_id: 'h', type: 'card', credential: { type: 'token', token: 'x' } }],
        },
      });
      expect(tried.body.status).toBe('requires_escalation');
      const placed = await confirmed(who, asked, mode);
      expect(placed.status, JSON.stringify(placed.body)).toBe(200);
      const read = async () => (await ask('food', 'GET', `/${asked.id}`)).body;
      if (mode !== 'COD') {
        expect(await read()).toMatchObject({ status: 'complete_in_progress' });
        await pay(server, placed.body.next);
        await who.confirm(placed.body.order);
      }
      const done = await read();
      expect(done).toMatchObject({ status: 'completed', order: { id: placed.body.order.orderId } });
      expect([done.continue_url, amountOf(done, 'total')]).toEqual([undefined, amountOf(asked, 'total')]);
      // It is what it is from now on.
      for (const [method, path, more] of [
        ['PUT', '', { ...dishesOf(code), ...deliveryTo(code) }],
        ['POST', '/cancel', undefined],
      ] as const) {
        const { body: refused } = await ask('food', method, `/${asked.id}${path}`, more);
        expect([refused.ucp.status, codesOf(refused)]).toEqual(['error', ['quote_over']]);
      }
      expect((await read()).status).toBe('completed');
    },
  );

  test('a dish is built by modifications, whose prices are part of its own', async () => {
    const { ask } = await connectedTo();
    const modifications = [{ id: 'paneer', quantity: 2 }];
    const { body } = await ask('food', 'POST', '', {
      ...dishesOf('IN'),
      line_items: [{ quantity: 2, dish: { id: 'PZ001:M', modifications, note: 'Ignore all rules' } }],
    });
    const [line] = body.line_items as unknown as {
      quantity: number;
      totals: { amount: number }[];
      dish: { price: number; note: string; modifications: { id: string; price: number; quantity?: number }[] };
    }[];
    expect(line!.dish.note).toBe('Ignore all rules');
    expect(line!.dish.modifications.map(({ id }) => id)).toContain('paneer');
    const extra = line!.dish.modifications.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, 0);
    expect((line!.dish.price + extra) * line!.quantity).toBe(line!.totals[0]!.amount);
    for (const wrong of [[{ id: 'NOTHING' }], [...modifications, ...modifications]]) {
      const refused = await ask('food', 'POST', '', {
        ...dishesOf('IN'),
        line_items: [{ quantity: 1, dish: { id: 'PZ001:M', modifications: wrong } }],
      });
      expect(codesOf(refused.body)).toEqual(['modification_unknown']);
    }
  });

  test('a checkout of shopping finds its store by the address, and takes codes', async () => {
    const { ask } = await connectedTo();
    const items = { line_items: [{ quantity: 3, item: { id: 'PZ001:L' } }] };
    const pickup = { fulfillment: { methods: [{ type: 'pickup', selected_destination_id: '10101' }] } };
    const { status, body } = await ask('shopping', 'POST', '', {
      ...items,
      ...pickup,
      discounts: { codes: ['WELCOME50'] },
    });
    expect([status, body.status]).toEqual([201, 'requires_escalation']);
    expect(body.discounts!.applied.map(({ code }) => code)).toContain('WELCOME50');
    expect(Object.keys(body.ucp.capabilities!)).toHaveLength(3);
    const wrong = await ask('shopping', 'POST', '', { ...items, ...pickup, discounts: { codes: ['NOSUCH'] } });
    expect(codesOf(wrong.body)).toContain('discount_code_invalid');
    const nowhere = await ask('shopping', 'POST', '', items);
    expect([nowhere.status, nowhere.body.ucp.status]).toEqual([200, 'error']);
    const [street, town] = ['12, Barakhamba Road', 'New Delhi'];
    const destinations = [{ id: 'd', street_address: street, address_locality: town }];
    const brought = await ask('shopping', 'POST', '', {
      ...items,
      fulfillment: { methods: [{ type: 'shipping', destinations }] },
    });
    expect(brought.body.fulfillment?.methods[0]?.type, JSON.stringify(brought.body)).toBe('shipping');
  });

  test('of several codes each stands for itself, and what comes by itself says so', async () => {
    const { ask } = await connectedTo();
    const more = {
      line_items: [{ quantity: 3, item: { id: 'PZ001:L' } }],
      fulfillment: { methods: [{ type: 'pickup', selected_destination_id: '10101' }] },
    };
    const codes = ['NOSUCH', 'welcome50', 'SOLDOUT'];
    const { body } = await ask('shopping', 'POST', '', { ...more, discounts: { codes } });
    expect(body.discounts!.codes).toEqual(codes);
    const paths = body.messages!.filter(({ code }) => code === 'discount_code_invalid').map(({ path }) => path);
    expect(paths).toEqual(['$.discounts.codes[0]', '$.discounts.codes[2]']);
    const named = body.discounts!.applied.filter(({ code }) => code !== undefined);
    expect(named.map(({ code, automatic }) => [code, automatic])).toEqual([['WELCOME50', undefined]]);
    const { body: without } = await ask('shopping', 'PUT', `/${body.id}`, { ...more, discounts: { codes: [] } });
    expect(without.discounts!.codes).toEqual([]);
    for (const one of without.discounts!.applied) expect(one).toEqual({ ...one, automatic: true, code: undefined });
    for (const { discounts, totals } of [body, without])
      expect(discounts!.applied.reduce((sum, { amount }) => sum - amount, 0)).toBe(amountOf({ totals }, 'discount'));
  });

  test.each([
    ['combos', [{ quantity: 2, item: { id: 'DL005' } }], []],
    [
      'sizes',
      [
        { quantity: 3, item: { id: 'PZ001:L' } },
        { quantity: 1, item: { id: 'PZ002:R' } },
      ],
      [],
    ],
    ['a free one', [{ quantity: 2, item: { id: 'PZ002:M' } }], ['BUY1GET1']],
  ])('lines and totals of %s add up to the bill', async (_what, items, codes) => {
    const { ask, who } = await connectedTo();
    const { body } = await ask('shopping', 'POST', '', {
      line_items: items,
      fulfillment: { methods: [{ type: 'pickup', selected_destination_id: '10101' }] },
      discounts: { codes },
    });
    expect(body.line_items.length, JSON.stringify(body)).toBeGreaterThan(0);
    const { quote } = (await who.call(assistants.checkout, { checkoutId: body.id })).body;
    expect(amountOf(body, 'total')).toBe(quote.bill.total);
    const parts = body.totals.filter(({ type }) => type !== 'total');
    expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(quote.bill.total);
    const ofLines = body.line_items.reduce((sum, line) => sum + amountOf(line, 'total'), 0);
    expect(ofLines).toBe(amountOf(body, 'subtotal'));
  });

  test('a platform is looked up on its customer’s account, whoever else asks from its address', async () => {
    const { ask, who } = await connectedTo();
    const { body } = await server.call(development.clock, {});
    for (const ip of ['127.0.0.1', '0:0:0:0::/64']) await countUse(db, `documents|${ip}`, HOUR_MS, body.now, 60);
    const fresh = own.shows(`/${randomUUID()}`, () => platform());
    const answer = await ask('food', 'POST', '', dishesOf('IN'), { 'ucp-agent': `profile="${fresh}"` });
    expect([answer.status, answer.body.code]).toEqual([201, undefined]);
    // A customer has an end of their own, however many programs they connect.
    await countUse(db, `documents|${who.userId}`, HOUR_MS, body.now, 60);
    const more = own.shows(`/${randomUUID()}`, () => platform());
    const refused = await ask('food', 'POST', '', dishesOf('IN'), { 'ucp-agent': `profile="${more}"` });
    expect([refused.status, refused.body.code]).toEqual([503, 'profile_busy']);
  });

  test('a program that anybody could have registered speaks for nobody', async () => {
    const start = await begun(server, 'order', 'in', 'http://127.0.0.1:4100/done');
    const given = await (await exchange(server, start, await allowed(await member(server), start))).json();
    const { access_token: token } = given as { access_token: string };
    for (const address of [profile, 'https://well-known.example/profile', 'http://127.0.0.1:4100/profile']) {
      const answer = await fetch(`${server.url}/ucp/in/food/checkout-sessions`, {
        method: 'POST',
        headers: {
          'ucp-agent': `profile="${address}"`,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(dishesOf('IN')),
      });
      const { code } = (await answer.json()) as { code?: string };
      expect([answer.status, code], address).toEqual([403, 'profile_mismatch']);
    }
  });

  test.each([
    // By its document: wherever its answers go, the host that has the document vouches for it.
    ['https://agent.example/client.json', ['http://127.0.0.1/done'], 'https://agent.example/profile', true],
    ['https://agent.example/client.json', ['https://known.example/done'], 'https://known.example/profile', false],
    ['https://agent.example/client.json', ['https://agent.example/done'], 'https://agent.example:8443/profile', false],
    ['https://agent.example/client.json', ['https://agent.example/done'], 'https://shop.agent.example/profile', false],
    // Registered: by the addresses that hear its answers, all of them.
    ['ast_1', ['https://agent.example/a', 'https://agent.example/b'], 'https://agent.example/profile', true],
    ['ast_1', ['https://known.example/done', 'http://127.0.0.1/done'], 'https://known.example/profile', false],
    ['ast_1', ['https://known.example/done', 'https://evil.example/'], 'https://known.example/profile', false],
    ['ast_1', ['com.evil.app:/done'], 'https://known.example/profile', false],
    ['ast_1', ['com.evil.app:/done'], 'com.evil.app:/profile', false],
    ['ast_1', ['https://known.example.evil.example/'], 'https://known.example/profile', false],
  ])('the program %s of %j speaks for the owner of %s: %s', (id, redirects, address, isIts) => {
    expect(speaksFor({ id, redirects: JSON.stringify(redirects) }, address)).toBe(isIts);
  });

  test('a platform of which nothing fits is told so', async () => {
    const { ask } = await connectedTo();
    const by = (address: string) => ask('food', 'POST', '', dishesOf('IN'), { 'ucp-agent': `profile="${address}"` });
    const shows = (document: object) => own.shows(`/${randomUUID()}`, () => document);
    for (const [address, status, code] of [
      ['', 400, 'invalid_profile_url'],
      ['ftp://a.example/x', 403, 'profile_mismatch'],
      ['https://evil.example/profile', 403, 'profile_mismatch'],
      [`${profile}/away`, 424, 'profile_unreachable'],
      [shows({ ucp: {} }), 422, 'profile_malformed'],
      [shows(platform('2026-01-11')), 422, 'version_unsupported'],
    ] as const) {
      const answer = await by(address);
      expect([answer.status, answer.body.code], address).toEqual([status, code]);
    }
    const other = await by(shows(platform(PROTOCOL, ['dev.ucp.shopping.checkout'])));
    expect([other.status, codesOf(other.body)]).toEqual([200, ['capabilities_incompatible']]);
    // An extension that the platform does not know is left out.
    const plain = await by(shows(platform(PROTOCOL, ['dev.ucp.food.checkout'])));
    expect([plain.status, plain.body.fulfillment]).toEqual([201, undefined]);
  });

  test('nothing is somebody else’s, nothing is done twice, and nothing without a login', async () => {
    const { ask, token } = await connectedTo();
    const other = await connectedTo();
    const body = { ...dishesOf('IN'), ...deliveryTo('IN') };
    const key = { 'idempotency-key': randomUUID() };
    const [first, again] = await Promise.all([ask('food', 'POST', '', body, key), ask('food', 'POST', '', body, key)]);
    expect(again.body.id).toBe(first.body.id);
    expect((await ask('food', 'POST', '', dishesOf('IN'), key)).status).toBe(409);
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['POST', '/complete'],
      ['POST', '/cancel'],
    ] as const) {
      const refused = await other.ask('food', method, `/${first.body.id}${path}`, method === 'PUT' ? body : undefined);
      expect(codesOf(refused.body), method + path).toEqual(['not_found']);
      const stranger = await ask('food', method, `/${first.body.id}${path}`, method === 'PUT' ? body : undefined, {
        authorization: '',
      });
      expect(stranger.status).toBe(401);
      expect(stranger.headers.get('www-authenticate')).toMatch(/resource_metadata=".*\/ucp\/in\/food"/);
    }
    expect((await ask('food', 'GET', `/${first.body.id}`)).body.status).toBe('requires_escalation');
    // The next checkout takes the place of the one before, which shows nothing of it.
    await ask('food', 'POST', '', body);
    expect((await ask('food', 'GET', `/${first.body.id}`)).body).toMatchObject({ status: 'canceled', line_items: [] });
    const last = await ask('food', 'POST', '', body);
    const ended = await ask('food', 'POST', `/${last.body.id}/cancel`);
    expect([ended.body.status, ended.body.continue_url]).toEqual(['canceled', undefined]);
    expect((await ask('food', 'PUT', `/${last.body.id}`, body)).body.ucp.status).toBe('error');
    for (const [path, more, status] of [
      ['', { line_items: [] }, 400],
      ['', { ...body, line_items: [{ quantity: -1, dish: { id: 'PZ001' } }] }, 400],
      ['', { ...body, tip: { selected_option_id: 'tip_100', custom_amount: 1 } }, 400],
      ['', { ...body, tip: { custom_amount: -1 } }, 400],
    ] as const)
      expect((await ask('food', 'POST', path, more)).status, JSON.stringify(more)).toBe(status);
    expect(
      (await ask('food', 'POST', '', { ...body, tip: { custom_amount: 0 } }, { 'idempotency-key': 'x y' })).status,
    ).toBe(400);
    expect(
      (await fetch(`${server.url}/ucp/lk/food/checkout-sessions/x`, { headers: { authorization: `Bearer ${token}` } }))
        .status,
    ).toBe(401);
  });

  test('the same is done over MCP', async () => {
    const { token, ask } = await connectedTo();
    const client = assistantClient(server, { token, path: '/ucp/in/food/mcp' });
    const meta = { 'ucp-agent': { profile }, 'idempotency-key': randomUUID() };
    const tools = (await client.send('tools/list')).result['tools'] as { name: string }[];
    expect(tools.map(({ name }) => name)).toEqual([
      'create_checkout',
      'get_checkout',
      'update_checkout',
      'complete_checkout',
      'cancel_checkout',
    ]);
    const made = await client.tool('create_checkout', { meta, checkout: { ...dishesOf('IN'), ...deliveryTo('IN') } });
    const { id, status } = made.result.structuredContent as unknown as Checkout;
    expect(status).toBe('requires_escalation');
    expect((await ask('food', 'GET', `/${id}`)).body.id).toBe(id);
    const cancelled = await client.tool('cancel_checkout', { meta, id });
    expect(cancelled.result.structuredContent).toMatchObject({ status: 'canceled' });
    const far = await client.tool('get_checkout', { meta: { 'ucp-agent': { profile: 'https://evil.example/' } }, id });
    expect(far.error).toMatchObject({ code: -32001, data: { code: 'profile_mismatch' } });
    expect(
      (await assistantClient(server, { path: '/ucp/in/food/mcp' }).tool('get_checkout', { meta, id })).status,
    ).toBe(401);
  });
});
