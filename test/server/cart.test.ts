import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import type { LineInput } from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import { countryConfig } from '../../country/index.ts';
import { upsellOf } from '../../src/server/rules/cart/cart.ts';
import { catalogueOf } from '../../src/server/rules/catalogue/catalogue.ts';
import { openDb } from '../../src/server/store/db.ts';
import { readSeeds } from '../../src/server/store/seeds.ts';
import { meeting, openMeetings, playMeeting, SAME_AGAIN } from '../kit/merges.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeOf, freshMobile, guest, logIn, type Person } from './people.ts';
import { during } from '../kit/during.ts';

/** Each is two accounts, four guests and six logins over HTTP; `npm run bench -- --only merges` plays 1,000. */
const MEETINGS = 12;

let count = 0;
const id = (name: string) => `${name}${(count += 1)}`;

describe.each(await engines())('cart on %s', (engine) => {
  const server = during(() => startServer({ engine }));

  const read = async (who: Person, query: object = {}) =>
    (await server.call(cart.byId, { cartId: who.cartId, query }, who.as)).body.cart;
  const add = (who: Person, line: LineInput, operationId = id('op'), options?: object) =>
    server.call(
      cart.add,
      { cartId: who.cartId, body: { items: [{ operationId, line }], ...(options ? { options } : {}) } },
      who.as,
    );
  const change = (who: Person, item: object, operationId = id('op')) =>
    server.call(cart.change, { cartId: who.cartId, body: { items: [{ operationId, ...item } as never] } }, who.as);
  const options = (who: Person, values: object) =>
    server.call(cart.change, { cartId: who.cartId, body: { items: [], options: values } }, who.as);
  const line = (lineId: string, productId: string, more: object = {}): LineInput => ({
    lineId,
    productId,
    quantity: 1,
    ...more,
  });
  const paid = (body: cart.Cart) => body.validItems.filter((entry) => !entry.free);

  test('a guest fills a cart and reads it back, priced in full before any login [LOC-X01] [API-19] [API-20]', async () => {
    const who = await guest(server);
    expect(await read(who)).toMatchObject({
      version: 0,
      validItems: [],
      vegType: 'NA',
      displayNetPrice: 0,
      bill: { total: 0 },
    });
    const { body } = await add(
      who,
      line('a', 'PZ005', {
        size: 'M',
        crust: 'pan',
        quantity: 2,
        note: 'well done',
        build: {
          cheese: 'extra',
          toppings: [
            { id: 'onion', half: 'WHOLE', amount: 'none' },
            { id: 'paneer', half: 'LEFT', amount: 'normal' },
          ],
        },
      }),
    );
    // 429 + 70 pan + 90 extra cheese + half of 82.
    expect(paid(body.cart)[0]).toMatchObject({
      lineId: 'a',
      product: { id: 'PZ005', price: 63000, foodType: 'VEG' },
      productType: 'PIZZA',
      quantity: 2,
      lineTotal: 126000,
      sizeName: 'Medium',
      crustName: 'Deep Pan',
      choices: ['Extra cheese', 'No Onion', 'Add Paneer Cubes (left half)'],
      note: 'well done',
    });
    expect(body.cart.version).toBe(1);
    const priced = ({ bill }: cart.Cart) => {
      expect(bill.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(bill.total);
      return Object.fromEntries(bill.lines.map(({ kind, id, amount }) => [`${kind} ${id}`, amount]));
    };
    const taxed = (amount: number) => ({ 'tax tax:CGST': amount, 'tax tax:SGST': amount });
    // It is large enough to come for nothing.
    expect(priced(body.cart)).toEqual({ 'items items': 126000, 'charge delivery': 0, ...taxed(3150) });
    const again = await read(who);
    expect(again.validItems).toEqual(body.cart.validItems);
    expect(again.bill).toEqual(body.cart.bill);
    const changed = await change(who, { lineId: 'a', quantity: 1 });
    expect([changed.status, paid(changed.body.cart)[0]?.lineTotal]).toEqual([200, 63000]);
    expect(paid(await read(who))[0]?.quantity).toBe(1);
    await change(who, { lineId: 'a', quantity: 0 });
    const small = { 'items items': 10900, 'charge delivery': 3900, ...taxed(370), 'rounding rounding': -40 };
    expect(priced((await add(who, line('b', 'SD001'))).body.cart)).toEqual(small);
  });

  test('half-and-half: the dearer half sets the price, diet and allergens are those of both [MENU-X01] [MENU-X06]', async () => {
    const who = await guest(server);
    const { body } = await add(who, line('a', 'PZ001', { size: 'M', build: { secondHalf: 'PZ017' } }));
    expect(paid(body.cart)[0]).toMatchObject({
      product: {
        name: 'Half Tomato Basil Classic, half Chicken Tikka Blaze',
        price: 50900,
        foodType: 'NON_VEG',
      },
      choices: ['Left half: Tomato Basil Classic', 'Right half: Chicken Tikka Blaze'],
    });
    expect(paid(body.cart)[0]?.allergens).toContain('mustard');
    expect(body.cart.vegType).toBe('NO');
  });

  test('a cart operation counts once, however often it is sent; the version grows by changes only [CART-02] [CART-03] [CART-X03]', async () => {
    const who = await guest(server);
    const operation = id('op');
    await Promise.all(Array.from({ length: 8 }, () => add(who, line('a', 'SD001'), operation)));
    expect(await read(who)).toMatchObject({ version: 1 });
    const more = id('op');
    await change(who, { lineId: 'a', quantity: 3 }, more);
    await change(who, { lineId: 'a', quantity: 1 });
    await change(who, { lineId: 'a', quantity: 3 }, more);
    expect(paid(await read(who))[0]?.quantity).toBe(1);
    const before = (await read(who)).version;
    await change(who, { lineId: 'a', quantity: 1 });
    await options(who, { tip: 0, carryBag: false });
    expect((await read(who)).version).toBe(before);
  });

  test('a removal wins over an older add and over changes still on their way [CART-X03]', async () => {
    const who = await guest(server);
    await add(who, line('a', 'SD001'));
    await change(who, { lineId: 'a', quantity: 0 });
    await add(who, line('a', 'SD001', { quantity: 5 }));
    await change(who, { lineId: 'a', quantity: 2 });
    expect(paid(await read(who))).toEqual([]);
    // The removal came first, the add it belongs to later.
    await change(who, { lineId: 'b', quantity: 0 });
    await add(who, line('b', 'SD001'));
    expect(paid(await read(who))).toEqual([]);
  });

  test('to take out what is not there changes nothing, whatever it would have been; a mode is chosen and let go again', async () => {
    const who = await guest(server);
    await add(who, line('a', 'PZ005', { size: 'M', quantity: 2 }));
    const before = await read(who);
    expect((await change(who, { lineId: 'none', quantity: 0 })).body.cart.version).toBe(before.version);
    // What could never be ordered may be taken out all the same.
    const never = { productId: 'PZ001', size: 'ONE' };
    expect((await change(who, { lineId: 'b', quantity: 0, line: never })).status).toBe(200);
    expect((await change(who, { lineId: 'b', quantity: 1, line: never })).body.errors).toMatchObject([
      { code: 'SIZE', field: 'size' },
    ]);
    expect((await read(who)).validItems).toEqual(before.validItems);
    await server.call(coupons.apply, { cartId: who.cartId, code: 'UPI75', query: {} }, who.as);
    const statusOf = ({ offers }: cart.Cart) => offers.find(({ code }) => code === 'UPI75')!.status;
    const paying = async (paymentMode: string) => (await options(who, { paymentMode })).body.cart;
    const cash = await paying('COD');
    expect(statusOf(cash)).toBe('REJECTED');
    expect((await paying('COD')).version).toBe(cash.version);
    const open = await paying('');
    expect([statusOf(open), open.version]).toEqual(['APPLIED', cash.version + 1]);
    const wrong = await options(who, { paymentMode: 'GOLD' });
    expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([422, 'options.paymentMode']);
    const far = await options(who, { storeId: '20101' });
    expect([codeOf(far), far.body.errors?.[0]?.field]).toEqual(['STORE_UNKNOWN', 'storeId']);
  });

  test('a cart whose store has left the catalogue is at the first store of the country', async () => {
    const who = await guest(server);
    const bill = (await add(who, line('a', 'SD001'))).body.cart.bill;
    const { db } = await openDb(server.database.target);
    await db.updateTable('carts').set({ store_id: '99999' }).where('id', '=', who.cartId).execute();
    await db.destroy();
    expect(await read(who)).toMatchObject({ storeId: '10101', bill });
  });

  test('an edit replaces what a line is and keeps its place and quantity [CART-03]', async () => {
    const who = await guest(server);
    await add(who, line('a', 'PZ001', { size: 'R', quantity: 2 }));
    await add(who, line('b', 'SD001'));
    const { body } = await change(who, { lineId: 'a', line: { productId: 'PZ001', size: 'L', crust: 'thin-crisp' } });
    expect(paid(body.cart).map((entry) => [entry.lineId, entry.size, entry.crust, entry.quantity])).toEqual([
      ['a', 'L', 'thin-crisp', 2],
      ['b', 'ONE', undefined, 1],
    ]);
  });

  test('tip, bag and cutlery are off until chosen; store and type may be looked at without saving [CART-11] [CART-12] [CART-X08]', async () => {
    const who = await guest(server);
    const { body } = await add(who, line('a', 'PZ001', { size: 'M' }));
    expect(body.cart.options).toEqual({ tip: 0, carryBag: false, cutlery: false });
    expect(body.cart.bill.lines.some((entry) => entry.kind === 'tip' || entry.id === 'carryBag')).toBe(false);
    const chosen = (await options(who, { tip: 2000, carryBag: true, cutlery: true })).body.cart;
    expect(chosen.options).toEqual({ tip: 2000, carryBag: true, cutlery: true });
    expect(chosen.bill.lines.find((entry) => entry.id === 'tip')?.amount).toBe(2000);
    const look = await read(who, { storeId: '10102', deliveryType: 'PICKUP' });
    expect(look).toMatchObject({
      storeId: '10102',
      deliveryType: 'PICKUP',
      options: { tip: 0 },
      version: chosen.version,
    });
    expect(await read(who)).toMatchObject({ storeId: '10101', deliveryType: 'DELIVERY', options: { tip: 2000 } });
  });

  test('sold-out lines stay, apart and unpaid, with an alternative, and come back [CART-04] [CART-05] [MENU-X09]', async () => {
    const who = await guest(server);
    await add(who, line('a', 'BV001'));
    await add(who, line('b', 'SD001'));
    await server.switches({ soldOut: ['BV001'] });
    const without = await read(who);
    expect(without.invalidItems).toEqual([
      {
        lineId: 'a',
        productId: 'BV001',
        name: 'Cola 475 ml',
        quantity: 1,
        reason: 'Cola 475 ml is sold out at this store',
        alternativeId: 'BV002',
      },
    ]);
    expect(without.validItems).toMatchObject([
      { lineId: 'b', product: { id: 'SD001' }, productType: 'SIDES', quantity: 1 },
    ]);
    expect(without.displayNetPrice).toBe(10900);
    await server.switches({ soldOut: [] });
    expect((await read(who)).displayNetPrice).toBe(16900);
  });

  test('combo badge, upsell of what is missing and vegetarian for a vegetarian cart [CART-07] [MENU-24] [API-21]', async () => {
    const who = await guest(server);
    const { body } = await add(who, line('a', 'DL001'));
    expect(body.cart).toMatchObject({ hasComboSaving: true, vegType: 'YES' });
    expect(body.cart.bill.savings).toBeGreaterThanOrEqual(7900);
    const { productIds } = (await server.call(cart.upsell, { cartId: who.cartId }, who.as)).body;
    expect(productIds).toContain('DS001');
    expect(productIds).not.toContain('BV001');
    expect(productIds.some((product) => product.startsWith('SC'))).toBe(false);
  });

  test("a login takes the guest's cart along as it was, with its offers; what the account had waits beside it [CART-X09]", async () => {
    const mobile = freshMobile();
    const first = await logIn(server, mobile);
    await add(first, line('mine', 'PZ001', { size: 'M' }));
    await add(first, line('gone', 'SD001'));
    await change(first, { lineId: 'gone', quantity: 0 });
    const other = await guest(server);
    const operation = id('op');
    await add(other, line('theirs', 'PZ017', { size: 'M', quantity: 2 }), operation, {
      storeId: '10102',
      deliveryType: 'PICKUP',
    });
    await add(other, line('gone', 'SD001'));
    await server.call(coupons.apply, { cartId: other.cartId, code: 'FLAT100', query: {} }, other.as);
    await server.advance(31);
    const second = await logIn(server, mobile, 'in-web', other);
    expect(second.cartId).toBe(first.cartId);
    const merged = await read(second);
    expect(paid(merged).map((entry) => [entry.lineId, entry.quantity])).toEqual([['theirs', 2]]);
    expect(merged.aside?.map((entry) => entry.lineId)).toEqual(['mine']);
    expect(merged.bill.lines.find((entry) => entry.id === 'items')?.amount).toBe(paid(merged)[0]!.lineTotal);
    expect(merged).toMatchObject({ storeId: '10102', deliveryType: 'PICKUP' });
    expect(merged.offers.find((offer) => offer.code === 'FLAT100')?.status).toBe('APPLIED');
    // What the guest's phone had still to send was done already.
    await change(second, { lineId: 'theirs', quantity: 5 });
    await add(second, line('theirs', 'PZ017', { size: 'M', quantity: 2 }), operation);
    expect(paid(await read(second)).map((entry) => entry.quantity)).toEqual([5]);
    // Decided on another device, once: asking again adds nothing more.
    const decide = (choice: cart.AsideChoice, ...lineIds: string[]) =>
      server.call(cart.decide, { cartId: first.cartId, body: { choice, lineIds } }, first.as);
    const { version } = await read(second);
    await decide('ADD', 'theirs', 'unknown');
    expect((await read(second)).aside).toHaveLength(1);
    await decide('ADD', 'mine');
    await decide('ADD', 'mine');
    await decide('DROP', 'mine');
    const whole = await read(second);
    expect(whole.version).toBe(version + 1);
    expect(paid(whole).map((entry) => [entry.lineId, entry.quantity])).toEqual([
      ['mine', 1],
      ['theirs', 5],
    ]);
    expect(whole.aside).toBeUndefined();
  });

  test("a guest's tip, bag and offers come along at login, also if the account has the same dishes [CART-X02] [CART-X09]", async () => {
    const mobile = freshMobile();
    for (const [had, tip] of [
      [null, 2000],
      ['SD001', 3000],
      ['PZ017', 5000],
    ] as const) {
      const first = await logIn(server, mobile);
      if (had !== null) await add(first, line('a', had, { quantity: 2 }));
      const other = await guest(server);
      await add(other, line('a', 'PZ017', { quantity: 2 }));
      await options(other, { tip, carryBag: tip !== 3000, cutlery: tip !== 3000 });
      await server.call(coupons.apply, { cartId: other.cartId, code: 'FLAT100', query: {} }, other.as);
      const before = await read(other);
      expect(before.options).toEqual({ tip, carryBag: tip !== 3000, cutlery: tip !== 3000 });
      await server.advance(31);
      const after = await read(await logIn(server, mobile, 'in-web', other));
      expect([after.options, after.bill]).toEqual([before.options, before.bill]);
      expect(after.offers.find(({ code }) => code === 'FLAT100')?.status).toBe('APPLIED');
      await server.advance(15 * 60);
    }
  });

  test('older dishes of an account outlast its next order, and are gone for good once they are not wanted', async () => {
    const mobile = freshMobile();
    await add(await logIn(server, mobile), line('old', 'PZ001', { size: 'M' }));
    const other = await guest(server);
    await add(other, line('new', 'SD001'));
    await server.advance(31);
    const who = await logIn(server, mobile, 'in-web', other);
    await change(who, { lineId: 'new', quantity: 0 });
    const aside = async () => (await read(who)).aside?.map((entry) => entry.lineId);
    expect(await aside()).toEqual(['old']);
    // While it is sold out nobody is asked about it; it is not lost.
    await server.switches({ soldOut: ['PZ001'] });
    expect(await aside()).toBeUndefined();
    await server.switches({ soldOut: [] });
    expect(await aside()).toEqual(['old']);
    const dropped = await server.call(
      cart.decide,
      { cartId: who.cartId, body: { choice: 'DROP', lineIds: ['old'] } },
      who.as,
    );
    expect(dropped.status).toBe(200);
    await add(who, line('old', 'PZ001', { size: 'M' }));
    const after = await read(who);
    expect([after.aside, paid(after)]).toEqual([undefined, []]);
    const stranger = await server.call(
      cart.decide,
      { cartId: who.cartId, body: { choice: 'ADD', lineIds: ['old'] } },
      (await guest(server)).as,
    );
    expect(stranger.status).toBe(404);
  });

  test('older dishes that do not fit beside the new ones stay aside, and the cart as it is', async () => {
    const mobile = freshMobile();
    await add(await logIn(server, mobile), line('old', 'PZ001', { size: 'M', quantity: 50 }));
    const other = await guest(server);
    await add(other, line('new', 'SD001', { quantity: 50 }));
    await add(other, line('one', 'SD005'));
    await server.advance(31);
    const who = await logIn(server, mobile, 'in-web', other);
    const held = async () => {
      const { version, bill, validItems, aside } = await read(who);
      return { version, bill, validItems, aside };
    };
    const before = await held();
    const join = () =>
      server.call(cart.decide, { cartId: who.cartId, body: { choice: 'ADD', lineIds: ['old'] } }, who.as);
    const full = await join();
    expect([full.status, codeOf(full)]).toEqual([422, 'CART_FULL']);
    expect(await held()).toEqual(before);
    expect(before.aside?.map((entry) => entry.lineId)).toEqual(['old']);
    await change(who, { lineId: 'one', quantity: 0 });
    expect((await join()).status).toBe(200);
    expect(paid(await read(who))).toHaveLength(2);
  });

  test('joining the carts of two guests and an account loses and revives nothing, in either order [P7] [CART-X09] [CART-04]', async () => {
    await openMeetings(server);
    try {
      await fc.assert(
        fc.asyncProperty(meeting, (one) => playMeeting(server, one)),
        { numRuns: MEETINGS, endOnFailure: true, examples: [[SAME_AGAIN]] },
      );
    } finally {
      await server.switches({ soldOut: [] });
    }
  });

  test("somebody else's cart is not to be found, to read or to change [CART-01]", async () => {
    const owner = await guest(server);
    await add(owner, line('a', 'SD001'));
    const thief = { ...(await guest(server)), cartId: owner.cartId };
    const answers = [
      await server.call(cart.byId, { cartId: owner.cartId, query: {} }, thief.as),
      await add(thief, line('x', 'SD001')),
      await change(thief, { lineId: 'a', quantity: 0 }),
      await server.call(cart.upsell, { cartId: owner.cartId }, thief.as),
      await server.call(coupons.apply, { cartId: owner.cartId, code: 'FLAT100', query: {} }, thief.as),
      await server.call(cart.byId, { cartId: 'cart_none', query: {} }, thief.as),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(paid(await read(owner))).toHaveLength(1);
    const stranger = await server.call(cart.byId, { cartId: owner.cartId, query: {} });
    expect(stranger.status).toBe(401);
  });

  test('two devices at once lose nothing [CART-X03]', async () => {
    const who = await guest(server);
    await Promise.all(Array.from({ length: 16 }, (_, index) => add(who, line(`l${index}`, 'SD001'))));
    const body = await read(who);
    expect(paid(body)).toHaveLength(16);
    expect(body.version).toBe(16);
  });

  test.each<[string, object, number, string]>([
    [
      'too many toppings',
      {
        productId: 'PZ001',
        size: 'R',
        build: {
          toppings: ['onion', 'tomato', 'paneer', 'mushroom', 'jalapeno', 'sweet-corn'].map((topping) => ({
            id: topping,
            half: 'WHOLE',
            amount: 'normal',
          })),
        },
      },
      422,
      'TOPPING_LIMIT',
    ],
    ['half-and-half in regular', { productId: 'PZ001', size: 'R', build: { secondHalf: 'PZ002' } }, 422, 'HALF_SIZE'],
    ['a drink as half of a pizza', { productId: 'PZ001', size: 'M', build: { secondHalf: 'BV001' } }, 422, 'HALF'],
    ['no pieces', { productId: 'PZ001', quantity: 0 }, 400, 'INVALID_INPUT'],
    ['fifty-one pieces', { productId: 'PZ001', quantity: 51 }, 400, 'INVALID_INPUT'],
    ['half a piece', { productId: 'PZ001', quantity: 1.5 }, 400, 'INVALID_INPUT'],
    ['a crust that has gone', { productId: 'PZ001', size: 'M', crust: 'gold' }, 200, ''],
    ['an id that is none', { productId: "' OR 1=1 --" }, 400, 'INVALID_INPUT'],
    ['the id of a free item', { lineId: 'free:X', productId: 'SD001' }, 422, 'LINE_FREE'],
  ])('%s: a clear answer, and the cart as it was [MENU-X04]', async (_, wish, status, code) => {
    const who = await guest(server);
    const answer = await server.call(
      cart.add,
      {
        cartId: who.cartId,
        body: { items: [{ operationId: id('op'), line: { lineId: 'a', quantity: 1, ...wish } as never }] },
      },
      who.as,
    );
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    if (status >= 400) expect(answer.body.errors?.[0]?.displayMsg.length).toBeGreaterThan(10);
    expect(paid(await read(who))).toEqual([]);
  });

  test('a full cart, an unknown store, an unknown payment mode and a negative tip are refused; nothing of the call is kept', async () => {
    const who = await guest(server);
    await add(who, line('a', 'SD001', { quantity: 50 }));
    await add(who, line('b', 'SD001', { quantity: 50 }));
    const full = await add(who, line('c', 'SD001'));
    expect([full.status, codeOf(full)]).toEqual([422, 'CART_FULL']);
    expect((await options(who, { storeId: '20101' })).status).toBe(422);
    expect((await options(who, { paymentMode: 'GOLD' })).status).toBe(422);
    expect((await options(who, { tip: -100 })).status).toBe(400);
    expect((await server.call(cart.byId, { cartId: who.cartId, query: { storeId: '99999' } }, who.as)).status).toBe(
      422,
    );
    expect(paid(await read(who)).map((entry) => entry.quantity)).toEqual([50, 50]);
    // Out of a full cart there is always a way.
    expect((await change(who, { lineId: 'a', quantity: 1 })).status).toBe(200);
  });

  test('sixty lines are the most, whatever is in them; one that was taken out makes room for another', async () => {
    const who = await guest(server);
    const many = (from: number, to: number) =>
      server.call(
        cart.add,
        {
          cartId: who.cartId,
          body: {
            items: Array.from({ length: to - from }, (_, at) => ({
              operationId: id('op'),
              line: line(`l${from + at}`, 'SD001'),
            })),
          },
        },
        who.as,
      );
    expect((await many(0, 30)).status).toBe(200);
    expect((await many(30, 60)).status).toBe(200);
    const full = await many(60, 61);
    expect([full.status, codeOf(full)]).toEqual([422, 'CART_FULL']);
    // More of a line is no other line.
    expect((await change(who, { lineId: 'l0', quantity: 2 })).status).toBe(200);
    expect((await change(who, { lineId: 'l1', quantity: 0 })).status).toBe(200);
    expect((await many(61, 62)).status).toBe(200);
    expect(codeOf(await many(62, 63))).toBe('CART_FULL');
    expect(paid(await read(who))).toHaveLength(60);
  });
});

describe('what a cart is asked to take along', () => {
  const [first] = readSeeds('IN').items;
  const dish = (id: string, kind: string, tags: string[] = [], foodType = 'VEG') =>
    ({ ...first!, id, kind, tags, foodType }) as typeof first & object;
  const items = [
    dish('pizza', 'PIZZA', ['bestseller']),
    ...[dish('tea', 'BEVERAGE'), dish('cola', 'BEVERAGE', ['bestseller']), dish('water', 'BEVERAGE')],
    ...[dish('dip', 'SIDE'), dish('bread', 'SIDE', ['new', 'bestseller'])],
    dish('cake', 'DESSERT'),
    ...[dish('wings', 'CHICKEN', ['bestseller'], 'NON_VEG'), dish('soya', 'CHICKEN')],
    dish('rice', 'RICE_PASTA'),
  ];
  const catalogue = () => catalogueOf(countryConfig('IN'), { ...readSeeds('IN'), items, deals: [] });
  const asked = (vegType: cart.Cart['vegType'], ids: string[], soldOut: string[] = [], slots: string[] = []) =>
    upsellOf(
      {
        vegType,
        validItems: ids.map((productId, index) => ({
          product: { id: productId },
          ...(index === 0 && slots.length > 0 ? { slots: slots.map((one) => ({ productId: one })) } : {}),
        })),
      } as cart.Cart,
      catalogue(),
      new Set(soldOut),
    );
  test.each<[string, Parameters<typeof asked>, string[]]>([
    [
      'one of each kind in turn, what is liked most first',
      ['MIX', ['pizza']],
      ['cola', 'bread', 'cake', 'wings', 'rice', 'tea'],
    ],
    ['nothing with meat for who eats none', ['YES', ['pizza']], ['cola', 'bread', 'cake', 'soya', 'rice', 'tea']],
    ['no kind that is there already', ['MIX', ['pizza', 'tea']], ['bread', 'cake', 'wings', 'rice', 'dip', 'soya']],
    ['nor one that a combo brings', ['MIX', ['combo'], [], ['pizza', 'tea', 'dip']], ['cake', 'wings', 'rice', 'soya']],
    [
      'nothing that is sold out',
      ['MIX', ['pizza'], ['cola', 'tea', 'cake']],
      ['water', 'bread', 'wings', 'rice', 'dip', 'soya'],
    ],
    ['nothing where all is there', ['MIX', ['tea', 'dip', 'cake', 'soya', 'rice']], []],
  ])('%s', (_, of, ids) => {
    expect(asked(...of)).toEqual(ids);
  });
});
