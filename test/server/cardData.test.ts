import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as addresses from '../../src/contract/addresses.ts';
import * as cards from '../../src/contract/cards.ts';
import * as cart from '../../src/contract/cart.ts';
import * as login from '../../src/contract/login.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as profile from '../../src/contract/profile.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { codeOf, freshMobile } from './people.ts';
import { type Customer, member, openShop, pay, PICKUP, visitor } from './shop.ts';
import { CARD, enteredCard, sayOfFields, typedCvv } from './typed.ts';

let server: SpawnedServer;
let db: Root;
beforeAll(async () => {
  server = await spawnServer({ settings: { quiet: false } });
  ({ db } = await openDb(server.database.target));
  await openShop(server);
});
afterAll(async () => {
  await db.destroy();
  await server.stop();
});

/** All rows of all tables, as text. */
async function allRows(): Promise<string> {
  const tables = await db.introspection.getTables();
  const rows: unknown[] = [];
  for (const { name } of tables)
    rows.push([
      name,
      await db
        .selectFrom(name as 'users')
        .selectAll()
        .execute(),
    ]);
  return JSON.stringify(rows);
}

test('an order by card, and one by the saved card: no call, row, line of the log or page of the shop holds its number or CVV', async () => {
  const number = '5105105105105100';
  const cvv = '739';
  const sent: string[] = [];
  const own = globalThis.fetch;
  // Every call to the shop and all that it answers; the bank's fields are another origin.
  globalThis.fetch = async (input, init) => {
    const answer = await own(input, init);
    const address = String(input instanceof Request ? input.url : input);
    if (address.startsWith(server.url))
      sent.push(address, JSON.stringify(init?.headers ?? {}), String(init?.body ?? ''), await answer.clone().text());
    return answer;
  };
  try {
    const who = await member(server, 'IN', PICKUP);
    const cardToken = await enteredCard(who, { ...CARD, number, cvv });
    const [kept] = (await who.call(cards.save, { body: { cardToken } })).body.cards;
    const { order, next } = await who.order({ paymentMode: 'CARD', body: { cardToken } });
    await pay(server, next);
    expect((await who.confirm(order)).order).toMatchObject({ payment: { mode: 'CARD', state: 'CAPTURED' } });
    await server.advance(3 * 3_600);
    const again = (await who.call(cards.again, { cardId: kept!.cardId, body: await typedCvv(who, cvv, 'Mastercard') }))
      .body;
    const second = await who.order({ paymentMode: 'CARD', body: { cardToken: again.token } });
    await pay(server, second.next);
    await who.read(order.orderId);
  } finally {
    globalThis.fetch = own;
  }
  expect(sent.length).toBeGreaterThan(40);
  const rows = await allRows();
  // What is searched holds the order.
  expect([sent.join(), rows].every((text) => text.includes('5100'))).toBe(true);
  for (const text of [sent.join('\n'), rows, server.said()]) {
    expect(text).not.toMatch(/5105\D{0,3}1051\D{0,3}0510\D{0,3}5100/);
    expect(text).not.toMatch(new RegExp(`"cvv"|"${cvv}"`));
  }
  // Not the token of its fields either, of which a page could make another card.
  expect(rows + server.said()).not.toContain('fields_');
});

describe('a card number is refused wherever it is typed, and nothing of it is stored', () => {
  const NUMBERS = {
    together: '4111111111111111',
    'in groups': '4111 1111-1111 1111',
    'in Devanagari': '४१११ ११११ ११११ ११११',
    'in Bengali': '৪১১১১১১১১১১১১১১১',
    'in Tamil': '௪௧௧௧௧௧௧௧௧௧௧௧௧௧௧௧',
    'in a sentence': 'my card is 4111 1111 1111 1111, 12/39',
  };
  let who: Customer;
  /** Who has an account. */
  let owner: Customer;
  beforeAll(async () => {
    owner = await member(server);
    who = await visitor(server, 'IN', PICKUP);
    await who.fill();
  });

  test.each(Object.entries(NUMBERS))('%s', async (_, typed) => {
    const key = () => ({ 'idempotency-key': randomUUID() });
    const [line] = (await who.cart()).validItems;
    const home = {
      latitude: 28.64,
      longitude: 77.22,
      houseNo: '12',
      address: 'Barakhamba Road',
      type: 'home' as const,
    };
    const answers = {
      'the note of an order': await who.submit({ body: { note: typed } }),
      'a name': await who.submit({
        body: { customer: { firstName: typed, lastName: '', mobile: who.mobile, email: '' } },
      }),
      'a token': await who.submit({ paymentMode: 'CARD', body: { cardToken: typed } }),
      'the token of the fields': await who.call(payments.cardToken, { body: { token: typed } }),
      'fields of before': await who.call(payments.cardToken, { body: { number: typed, cvv: '123' } as never }),
      'a UPI id': await who.call(payments.upiCollect, { transactionId: 'txn_1', body: { vpa: typed } }),
      'the path': await who.call(orders.byId, { orderId: typed }),
      'the query': await who.call(payments.status, { query: { transactionId: typed } }),
      'a note in the cart': await who.call(
        cart.add,
        {
          cartId: who.cartId,
          body: { items: [{ operationId: randomUUID(), line: { ...line, note: typed } }] } as never,
        },
        key(),
      ),
      'an address': await owner.call(addresses.create, {
        mobNo: owner.mobile,
        body: { ...home, landmark: typed },
      }),
      'the name of an account': await owner.call(profile.update, {
        body: { firstName: typed, lastName: 'Rao', email: 'asha@example.com' },
      }),
      'its email': await owner.call(profile.update, {
        body: {
          firstName: 'Asha',
          lastName: 'Rao',
          email: `${/\d/.test(typed) ? NUMBERS.together : typed.replaceAll(' ', '')}@example.com`,
        },
      }),
      'a name at a login': await server.call(
        login.sendOtp,
        { body: { mobile: freshMobile(), firstName: typed } },
        who.person.as,
      ),
      'the first digits of an offer': await server.call(
        { ...payments.status, path: '/cart-service/ve2/cart/{cartId}/bin/{digits}' } as never,
        { cartId: who.cartId, digits: typed } as never,
        who.person.as,
      ),
    };
    for (const [where, answer] of Object.entries(answers)) {
      const told = answer as { status: number; body: { errors?: { code: string; displayMsg: string }[] } };
      expect([where, told.status, told.body.errors?.map(({ code }) => code)]).toEqual([
        where,
        422,
        ['CARD_NUMBER_HERE'],
      ]);
      expect(told.body.errors![0]!.displayMsg).toMatch(/card number/);
      expect(JSON.stringify(told.body)).not.toContain(typed);
    }
    expect(await allRows()).not.toContain(typed);
    expect(server.said()).not.toContain(typed);
  });

  test.each([
    [28.63153849293, 77.2167],
    [28.6315384929309, 77.21670012345677],
  ])('a place is taken, by however many digits a device says it: %d, %d', async (latitude, longitude) => {
    const body = { latitude, longitude, houseNo: '12', address: 'Barakhamba Road', type: 'home' as const };
    expect((await owner.call(addresses.create, { mobNo: owner.mobile, body })).status).toBe(200);
    const checked = await who.validate({ deliveryType: 'DELIVERY', address: body });
    expect(checked.status, JSON.stringify(checked.body)).toBe(200);
  });

  test('what is digits alone by contract is taken', async () => {
    // All of these pass Luhn's check.
    const digits = '4111111111111111';
    const { status } = await who.call(cart.add, {
      cartId: who.cartId,
      body: { items: [{ operationId: digits, line: { lineId: digits, productId: 'PZ001', quantity: 1 } }] },
    });
    expect(status).not.toBe(422);
    const verified = await who.call(vouchers.verify, { body: { number: digits, pin: '123456' } });
    expect(codeOf(verified)).not.toBe('CARD_NUMBER_HERE');
    const told = await who.call(payments.receipt, {
      transactionId: 'txn_1',
      body: { receipt: `{"BANKTXNID":"${digits}"}` },
    });
    expect(codeOf(told)).toBe('NOT_FOUND');
  });
});

describe("the imitated bank's page", () => {
  const address = async () => (await (await visitor(server)).call(payments.options, {})).body.cardFields!;
  const own = () => new URL(server.url).origin;
  const opened = async (query: Record<string, string>) =>
    await fetch(`${await address()}?${new URLSearchParams(query)}`);

  test('is of another origin than the shop, and there for merchants alone', async () => {
    expect(new URL(await address()).origin).not.toBe(own());
    expect((await opened({ origin: own() })).status).toBe(200);
    for (const origin of ['https://evil.example', `${own()}.evil.example`, 'null', '', own().replace(/\d+$/, '1')])
      expect([origin, (await opened({ origin })).status]).toEqual([origin, 404]);
  });

  test('is written in five languages, with what browsers fill in by, and a script of its own origin alone', async () => {
    const labels = new Set<string>();
    for (const lang of ['en', 'hi', 'bn', 'si', 'ta']) {
      const answer = await opened({ origin: own(), lang });
      const html = await answer.text();
      expect(html).toContain(`<html lang="${lang}">`);
      for (const name of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name']) expect(html).toContain(`autocomplete="${name}"`);
      labels.add(/<label for="number">([^<]*)/.exec(html)![1]!);
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(labels.size).toBe(5);
  });

  test('by itself it takes the card, says what is wrong, and goes back with a token behind the # to the shop alone', async () => {
    const query = { origin: own(), lang: 'hi', return: `${own()}/in/payment` };
    const send = async (number: string, more: Record<string, string> = {}) =>
      await fetch(`${await address()}?${new URLSearchParams({ ...query, ...more })}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ 'cc-number': number, 'cc-exp': '12/39', 'cc-csc': '123', 'cc-name': 'Asha' }),
      });
    const wrong = await send('4111111111111112');
    expect([wrong.status, (await wrong.text()).includes('aria-invalid="true"')]).toEqual([200, true]);
    const right = await send('4111111111111111');
    expect([right.status, right.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/in\/payment#card=fields_[\w-]+$/),
    ]);
    expect((await send('4111111111111111', { return: 'https://evil.example/' })).status).toBe(404);
    const kept = await send('', {
      kind: 'cvv',
      brand: 'Visa',
      digits: '1111',
      return: `${own()}/in/payment#card-of=card_1`,
    });
    expect(kept.headers.get('location')).toMatch(/#card-of=card_1&card=fields_[\w-]+$/);
    const who = await visitor(server);
    const token = right.headers.get('location')!.split('card=')[1]!;
    expect((await who.call(payments.cardToken, { body: { token } })).body).toMatchObject({ lastFour: '1111' });
  });

  test('its token is good for a quarter of an hour, and a made-up one or that of a CVV is none', async () => {
    const who = await visitor(server);
    const { token } = (await sayOfFields(who, CARD)).body;
    const bad = async (one: string) => codeOf(await who.call(payments.cardToken, { body: { token: one } }));
    for (const one of ['fields_made_up', 'card_1', `${token}x`, (await typedCvv(who)).token])
      expect(await bad(one)).toBe('CARD_TOKEN');
    expect((await who.call(payments.cardToken, { body: { token: token! } })).status).toBe(200);
    await server.advance(16 * 60);
    expect(await bad(token!)).toBe('CARD_TOKEN');
  });

  test('the script speaks with the one origin that the page names, and never with everybody', () => {
    const script = readFileSync(new URL('../../src/server/vendors/cardFields.js', import.meta.url), 'utf8');
    expect(script.match(/postMessage\([^)]*\)/g)).toEqual(['postMessage(message, shop)']);
    expect(script).toMatch(/source !== parent \|\| origin !== shop/);
  });
});
