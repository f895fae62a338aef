import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as help from '../../src/contract/help.ts';
import * as contract from '../../src/contract/loyalty.ts';
import * as stores from '../../src/contract/stores.ts';
import * as serverText from '#text/server.ts';
import { pointsByTitle } from '../../src/domain/loyalty.ts';
import { answerByPerson } from '../../src/server/rules/help/operatorDesk.ts';
import { writeRefund } from '../../src/server/rules/payment/refunds.ts';
import { transact, type Root } from '../../src/server/store/db.ts';
import { movePoints } from '../../src/server/store/loyalty.ts';
import { payingCapture, paymentById } from '../../src/server/store/payments.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { on } from '../kit/engines.ts';
import { bothEngines, type TestServer } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { type Customer, member, openedShop, openShop, pay, PICKUP, type Shop, visitor } from './shop.ts';

const HOUR = 3_600;
const HOUR_MS = HOUR * 1_000;

describe.each(await bothEngines())('rewards on %s', (engine) => {
  const { raced, test } = on(engine);
  let server: TestServer;
  let db: Root;
  let close: Shop['close'];
  beforeAll(async () => {
    ({ server, db, close } = await openedShop({ engine }));
  });
  afterAll(() => close(60));

  const loyalty = async (one: Customer) => (await one.call(contract.user, {})).body.loyalty;
  const points = async (one: Customer) => (await loyalty(one)).balance.overall.points;
  const entries = async (one: Customer) => (await one.call(contract.transactions, { query: {} })).body.entries;
  const enroll = async (one: Customer, enrolled: 'true' | 'false' = 'true') =>
    (await one.call(contract.register, { query: { enroll: enrolled } })).body.loyalty;
  const reward = async (one: Customer, isOn = true) =>
    await one.call(isOn ? contract.useReward : contract.leaveReward, { cartId: one.cartId });
  const now = async () => (await readSystem(db)).now;

  /** A campaign of so many points begins. @returns its id */
  async function starts(points: number, { country = 'IN', hours = 1 } = {}): Promise<string> {
    const id = randomUUID();
    const at = await now();
    await db
      .insertInto('loyalty_campaigns')
      .values({ id, country, reason: 'Welcome', points, starts_at: at - 1, ends_at: at + hours * HOUR_MS })
      .execute();
    return id;
  }
  const ends = async (...ids: string[]) =>
    await db
      .updateTable('loyalty_campaigns')
      .set({ ends_at: await now() })
      .where('id', 'in', ids)
      .execute();
  /** Somebody joins while a campaign of so many points runs. */
  async function joined(amount: number, country = 'IN', where?: Parameters<typeof member>[2]): Promise<Customer> {
    const one = await member(server, country, where);
    const campaigns = amount === 0 ? [] : [await starts(amount, { country })];
    await enroll(one);
    if (campaigns.length > 0) await ends(...campaigns);
    return one;
  }
  async function delivered(one: Customer) {
    const { order } = await one.order({ paymentMode: 'COD' });
    await server.advance(2 * HOUR);
    return order;
  }

  test('one joins with one call, only gets a card with enroll=false, and a guest has to log in first [LOY-01] [LOY-03] [API-68]', async () => {
    const guest = await visitor(server);
    for (const endpoint of [contract.user, contract.optOut])
      expect(codeOf(await guest.call(endpoint, {}))).toBe('LOGIN_NEEDED');
    const one = await member(server);
    expect((await loyalty(one)).info).toEqual({
      loyaltyCardCode: '',
      loyaltyProgramCode: 'PIZZAPALS',
      programName: 'Pizza Pals',
      enrollmentStatus: 'NOT_ENROLLED',
    });
    expect(await loyalty(one)).toMatchObject({ points: [], waiting: [], balance: { overall: { points: 0 } } });
    const card = await enroll(one, 'false');
    expect(card.info).toMatchObject({
      enrollmentStatus: 'NOT_ENROLLED',
      loyaltyCardCode: expect.stringMatching(/^\d{12}$/),
    });
    const [first] = await Promise.all([enroll(one), enroll(one), enroll(one)]);
    expect(first.info).toEqual({ ...card.info, enrollmentStatus: 'ENROLLED' });
    // Asking for a card takes nobody out.
    expect((await enroll(one, 'false')).info.enrollmentStatus).toBe('ENROLLED');
    expect((await loyalty(one)).info.enrollmentStatus).toBe('ENROLLED');
    const told = await fetch(`${server.url}/customer-service/ve1/loyalty/user`, {
      headers: { api_key: 'in-web', authToken: one.person.as.authToken!, userId: one.userId },
    });
    expect(await told.json()).toMatchObject({ status: 'SUCCESS', loyalty: { info: first.info } });
  });

  test.each([
    ['IN', 600, 6],
    ['LK', 400, 4],
  ])(
    'in %s an order gives 100 points, a reward takes %i in %i slices; both come 24 hours later [LOY-04] [LOY-09] [LOY-12]',
    async (country, redeemPoints, slices) => {
      const one = await joined(redeemPoints - 100, country);
      expect((await loyalty(one)).balance).toEqual({
        burnable: { freeItems: 0 },
        overall: { points: redeemPoints - 100 },
        programConfig: { earnPointsPerOrder: 100, redeemPoints, slices, reward: 'a free regular pizza' },
      });
      const order = await delivered(one);
      const { waiting } = await loyalty(one);
      expect(waiting).toEqual([
        { orderId: order.orderId, orderNumber: order.orderNumber, points: 100, dueAt: expect.any(Number) },
      ]);
      const { finished_at: at } = await db
        .selectFrom('orders')
        .select('finished_at')
        .where('id', '=', order.orderId)
        .executeTakeFirstOrThrow();
      expect(waiting[0]!.dueAt - at!).toBe(24 * HOUR_MS);
      await server.advance(Math.floor((waiting[0]!.dueAt - (await now())) / 1000) - 60);
      expect(await loyalty(one)).toMatchObject({ balance: { burnable: { freeItems: 0 } }, waiting: [{ points: 100 }] });
      expect(codeOf(await reward(one))).toBe('REWARD_GONE');
      await server.advance(120);
      expect(await loyalty(one)).toMatchObject({
        balance: { burnable: { freeItems: 1 }, overall: { points: redeemPoints } },
        waiting: [],
      });
      expect((await reward(one)).status).toBe(200);
      await openShop(server);
    },
  );

  test('only the first order of a day earns, by the store’s own day; the next day’s does again [LOY-10] [LOY-11] [API-X04]', async () => {
    const one = await joined(0);
    const [first] = [await delivered(one), await delivered(one)];
    expect((await loyalty(one)).waiting.map(({ orderId }) => orderId)).toEqual([first.orderId]);
    await server.advance(24 * HOUR);
    expect(await points(one)).toBe(100);
    await openShop(server);
    await delivered(one);
    await server.advance(25 * HOUR);
    expect(await points(one)).toBe(200);
    expect((await entries(one)).map(({ title, amount, reason }) => [title, amount, reason.slice(0, 9)])).toEqual([
      ['Pizza Pals Points', 100, 'For order'],
      ['Pizza Pals Points', 100, 'For order'],
    ]);
    await openShop(server);
  });

  test.each([
    ['IN', '10101', 5.5],
    ['BG', '30102', 6],
  ])(
    'in %s the day begins at midnight where the store is, and no midnight of elsewhere begins another [LOY-10]',
    async (country, storeId, hoursAhead) => {
      const one = await joined(0, country, { storeId, deliveryType: 'PICKUP' });
      const orderAt = async (hour: number, minute: number) => {
        const local = ((await now()) + hoursAhead * HOUR_MS) % (24 * HOUR_MS);
        const wanted = hour * HOUR_MS + minute * 60_000;
        await server.advance(Math.ceil(((wanted - local + 24 * HOUR_MS) % (24 * HOUR_MS)) / 1_000));
        return (await one.order({ paymentMode: 'COD' })).order.orderId;
      };
      const evening = await orderAt(23, 50);
      const night = await orderAt(0, 10);
      // In Greenwich it has become another day since, and here it has not.
      await orderAt(13, 0);
      await server.advance(2 * HOUR);
      expect((await loyalty(one)).waiting.map(({ orderId }) => orderId).sort()).toEqual([evening, night].sort());
      await openShop(server);
    },
  );

  test('the points of a day that was paid back go to no order from before its customer joined', async () => {
    const one = await member(server, 'IN', PICKUP);
    await delivered(one);
    await enroll(one);
    const order = await delivered(one);
    const body = { orderId: order.orderId, issue: 'bill' as const };
    const { eventId } = (await one.call(help.claim, { body }, { 'idempotency-key': randomUUID() })).body.ticket;
    await db.deleteFrom('jobs').where('kind', '=', 'help.desk').execute();
    expect((await loyalty(one)).waiting.map(({ orderId }) => orderId)).toEqual([order.orderId]);
    await answerByPerson(db, eventId, { amount: String(order.bill.total / 100), isRefused: false });
    await server.advance(5);
    expect((await loyalty(one)).waiting).toEqual([]);
    await server.advance(26 * HOUR);
    expect(await points(one)).toBe(0);
    await openShop(server);
  });

  test('who is not in the programme earns nothing, nor does a cancelled order', async () => {
    const one = await member(server);
    await delivered(one);
    await enroll(one);
    const { order } = await one.order({ paymentMode: 'COD' });
    expect((await one.cancel(order.orderId)).status).toBe(200);
    await server.advance(26 * HOUR);
    expect([await points(one), (await loyalty(one)).waiting]).toEqual([0, []]);
    await openShop(server);
  });

  test('a reward pays the dearest regular pizza’s recipe; crust and toppings are paid, and offers count what is paid', async () => {
    const one = await joined(600);
    const add = async (productId: string, more: object, quantity = 1) =>
      await one.call(cart.add, {
        cartId: one.cartId,
        body: {
          items: [{ operationId: randomUUID(), line: { lineId: randomUUID(), productId, quantity, ...more } }],
          options: { storeId: '10101', deliveryType: 'DELIVERY' },
        },
      });
    await add('PZ001', { size: 'M' });
    const before = (await reward(one)).body.cart;
    // No regular pizza yet: it waits, and says for what.
    expect(before.offers.find(({ code }) => code === 'REWARD')).toMatchObject({
      status: 'REJECTED',
      messages: [{ message: 'Add any regular pizza, and your points pay for it.' }],
    });
    expect(before.bill.savings).toBe(0);
    await add('PZ001', { size: 'R' });
    const plain = (await add('PZ005', { size: 'R' }, 2)).body.cart;
    const dear = plain.validItems.find(({ product }) => product.id === 'PZ005')!;
    const line = plain.bill.lines.find(({ id }) => id === 'discount:REWARD')!;
    expect([-line.amount, line.label]).toEqual([dear.product.price, `Free with your points: ${dear.product.name}`]);
    expect(plain.offers.find(({ code }) => code === 'REWARD')).toMatchObject({
      status: 'APPLIED',
      saving: -line.amount,
    });
    const crust = (await add('PZ005', { size: 'R', crust: 'CR05' })).body.cart;
    // The recipe is free, a dearer crust of the same recipe is not.
    expect(-crust.bill.lines.find(({ id }) => id === 'discount:REWARD')!.amount).toBe(dear.product.price);
    // 15 % of what is paid.
    const saved = (await one.coupon('SAVE15')).cart!;
    const items = saved.bill.lines[0]!.amount;
    const offer = saved.offers.find(({ code }) => code === 'SAVE15')!;
    if (offer.status === 'APPLIED')
      expect(offer.saving).toBeLessThanOrEqual(Math.round((items - dear.product.price) * 0.15));
    const off = (await reward(one, false)).body.cart;
    expect(off.bill.lines.some(({ id }) => id === 'discount:REWARD')).toBe(false);
    expect(await points(one)).toBe(600);
  });

  test.each([
    ['IN', '10101', '₹1'],
    ['BG', '30101', '50'],
  ])(
    'in %s a free pizza alone, collected, says what is missing to order it, and any dish besides makes it an order',
    async (country, storeId, amount) => {
      const { redeemPoints } = countryConfig(country).LOYALTY_INFO_DEFAULT_DATA;
      const one = await joined(redeemPoints, country, { storeId, deliveryType: 'PICKUP' });
      await one.fill(1, 'R');
      const { cart: alone } = (await reward(one)).body;
      const said = alone.offers.find(({ code }) => code === 'REWARD')!;
      expect([alone.bill.total, said.status]).toEqual([0, 'APPLIED']);
      expect(said.messages[0]?.message).toMatch(/^Your pizza is free\. To order it, add anything for at least /);
      expect(said.messages[0]?.message).toContain(amount);
      expect(codeOf(await one.submit({ paymentMode: 'COD' }))).toBe('MINIMUM_ORDER');
      expect(await points(one)).toBe(redeemPoints);
      const more = await one.fill(1, 'M');
      expect(more.offers.find(({ code }) => code === 'REWARD')).toMatchObject({ status: 'APPLIED', messages: [] });
      expect((await one.submit({ paymentMode: 'CARD' })).status).toBe(200);
      expect(await points(one)).toBe(0);
    },
  );

  test('is held while the order waits for its payment, and comes back when it fails or is cancelled [LOY-06] [LOY-07]', async () => {
    const one = await joined(650);
    await one.fill(2, 'R');
    expect((await reward(one)).body.cart.offers[0]).toMatchObject({ code: 'REWARD', status: 'APPLIED' });
    const placed = (await one.submit()).body;
    expect(placed.order.bill.lines.find(({ id }) => id === 'discount:REWARD')).toBeDefined();
    expect(await points(one)).toBe(50);
    expect(codeOf(await reward(one))).toBe('REWARD_GONE');
    await pay(server, placed.next, 'decline');
    await one.confirm(placed.order);
    await server.advance(1000);
    expect((await one.read(placed.order.orderId)).orderStatus).toBe('FAILED');
    expect(await points(one)).toBe(650);
    // The cart came back as it was, its reward too.
    expect((await one.cart()).offers.find(({ code }) => code === 'REWARD')?.status).toBe('APPLIED');
    const again = (await one.submit({ paymentMode: 'COD' })).body;
    expect(await points(one)).toBe(50);
    await Promise.all([one.cancel(again.order.orderId), one.cancel(again.order.orderId)]);
    expect(await points(one)).toBe(650);
    const { points: sums } = await loyalty(one);
    expect(pointsByTitle(sums)).toEqual([650, 1200, -1200]);
    expect((await entries(one)).map(({ title, amount, balanceAfter }) => [title, amount, balanceAfter])).toEqual([
      ['Refund Points', 600, 650],
      ['Pizza Pals Points', -600, 50],
      ['Refund Points', 600, 650],
      ['Pizza Pals Points', -600, 50],
      ['Promo Points', 650, 650],
    ]);
    expect((await entries(one)).map(({ reason, orderId }) => [reason.replace(/\d+/, 'N'), orderId])).toEqual([
      ['Your reward from order N', again.order.orderId],
      ['Used for a free regular pizza in order N', again.order.orderId],
      ['Your reward from order N', placed.order.orderId],
      ['Used for a free regular pizza in order N', placed.order.orderId],
      ['Welcome', undefined],
    ]);
  });

  test.each([
    ['IN', 'WALLET'],
    ['LK', 'VOUCHER'],
    ['BG', 'COUNTER'],
  ])('in %s so does one that was paid in cash and comes back another way: %s', async (country, way) => {
    await openShop(server);
    const one = await joined(0, country);
    const order = await delivered(one);
    await server.advance(25 * HOUR);
    expect(await points(one)).toBe(100);
    const body = { orderId: order.orderId, issue: 'notDelivered' } as const;
    const { ticket } = (await one.call(help.claim, { body }, { 'idempotency-key': randomUUID() })).body;
    await server.advance(1300);
    expect((await one.call(help.status, { eventId: ticket.eventId })).body.ticket.money).toMatchObject({
      way,
      amount: order.bill.total,
    });
    expect(await points(one)).toBe(0);
  });

  test('a campaign that runs when the points of an order come is for its customer too, once', async () => {
    await openShop(server);
    const one = await joined(0);
    await delivered(one);
    const running = await starts(50, { hours: 100 });
    try {
      await server.advance(25 * HOUR);
      expect(await points(one)).toBe(150);
      await openShop(server);
      const { orderNumber: number, orderId } = await delivered(one);
      await server.advance(25 * HOUR);
      expect((await entries(one)).map(({ amount, reason }) => [amount, reason]).slice(0, 2)).toEqual([
        [100, serverText.pointsOrder({ number })],
        [50, 'Welcome'],
      ]);
      expect((await entries(one)).map(({ orderId: id }) => id).slice(0, 2)).toEqual([orderId, undefined]);
      expect(await points(one)).toBe(250);
    } finally {
      await ends(running);
      await openShop(server);
    }
  });

  test('what is paid back in part takes no points, and who has joined anew since then owes none of the time before', async () => {
    const one = await joined(0, 'IN', PICKUP);
    const order = async () => {
      const { order: placed } = await one.order({ paymentMode: 'COD' });
      await server.advance(2 * HOUR);
      return placed;
    };
    const asks = async (orderId: string, issue: 'bill' | 'taste') => {
      const { lines } = await one.read(orderId);
      const items = issue === 'bill' ? {} : { items: [{ lineId: lines[0]!.lineId, quantity: 1 }] };
      const body = { orderId, issue, ...items };
      return (await one.call(help.claim, { body }, { 'idempotency-key': randomUUID() })).body.ticket;
    };
    const placed = await order();
    expect((await asks(placed.orderId, 'taste')).money?.amount).toBeGreaterThan(0);
    await server.advance(25 * HOUR);
    expect(await points(one)).toBe(100);
    // All the rest of it goes back as well, by a person, once its customer has left and come again.
    expect((await one.call(contract.optOut, {})).body.lost).toBe(100);
    const more = await starts(70);
    await enroll(one);
    await ends(more);
    const { eventId } = await asks(placed.orderId, 'bill');
    await db.deleteFrom('jobs').where('kind', '=', 'help.desk').execute();
    const { money } = (await one.call(help.tickets, {})).body.tickets.find((ticket) => ticket.issue === 'taste')!;
    const rest = String((placed.bill.total - money!.amount) / 100);
    await answerByPerson(db, eventId, { amount: rest, isRefused: false });
    await server.advance(60);
    expect(await points(one)).toBe(70);
    await openShop(server);
  });

  test('a reward comes back when all that was paid for its order does', async () => {
    await openShop(server);
    const one = await joined(600);
    await one.fill(2, 'R');
    await reward(one);
    const { order } = (await one.submit({ paymentMode: 'COD' })).body;
    await server.advance(2 * HOUR);
    expect(await points(one)).toBe(0);
    const body = { orderId: order.orderId, issue: 'notDelivered' } as const;
    await one.call(help.claim, { body }, { 'idempotency-key': randomUUID() });
    await server.advance(1300);
    expect(await points(one)).toBe(600);
    expect((await entries(one)).map(({ title, amount }) => [title, amount])).toEqual([
      ['Refund Points', 600],
      ['Pizza Pals Points', -600],
      ['Promo Points', 600],
    ]);
  });

  raced('who joins many times at once is one member', async () => {
    const one = await member(server);
    const all = await Promise.all(
      Array.from({ length: 16 }, () => one.call(contract.register, { query: { enroll: 'true' } })),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(new Set(all.map(({ body }) => body.loyalty.info.loyaltyCardCode)).size).toBe(1);
  });

  test('the points for joining come once: not with a card alone, not to who is in already, not to who comes back', async () => {
    const [one, holder] = [await member(server), await member(server)];
    const running = [await starts(50)];
    try {
      await enroll(holder, 'false');
      expect((await loyalty(holder)).info.enrollmentStatus).toBe('NOT_ENROLLED');
      for (const _ of [1, 2]) expect((await enroll(one)).balance.overall.points).toBe(50);
      // One for newcomers that begins later is none for members.
      running.push(await starts(70));
      expect((await enroll(one)).balance.overall.points).toBe(50);
      expect(await points(holder)).toBe(0);
      expect((await enroll(holder)).balance.overall.points).toBe(120);
      expect((await holder.call(contract.optOut, {})).body.lost).toBe(120);
      expect((await enroll(holder)).balance.overall.points).toBe(0);
    } finally {
      await ends(...running);
    }
  });

  test('who leaves loses everything, also what is on its way, and begins at 0 [LOY-02] [API-68]', async () => {
    const one = await joined(600);
    await delivered(one);
    await one.fill(2, 'R');
    await reward(one);
    const { order } = (await one.submit({ paymentMode: 'COD' })).body;
    const left = await one.call(contract.optOut, {});
    expect(left.body).toMatchObject({
      lost: 0,
      loyalty: { info: { enrollmentStatus: 'OPTED_OUT' }, balance: { overall: { points: 0 } }, waiting: [] },
    });
    await enroll(one);
    await one.cancel(order.orderId);
    await server.advance(26 * HOUR);
    await openShop(server);
    expect(await loyalty(one)).toMatchObject({ balance: { overall: { points: 0 } }, waiting: [] });
    const rich = await joined(250);
    expect((await rich.call(contract.optOut, {})).body.lost).toBe(250);
    expect((await rich.call(contract.optOut, {})).body.lost).toBe(0);
    expect((await entries(rich))[0]).toMatchObject({ amount: -250, balanceAfter: 0, reason: 'You left the programme' });
    // A second time the same.
    const more = await starts(70);
    expect((await enroll(rich)).balance.overall.points).toBe(70);
    await ends(more);
    expect((await rich.call(contract.optOut, {})).body.lost).toBe(70);
    expect((await entries(rich)).map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
      [-70, 0],
      [70, 70],
      [-250, 0],
      [250, 250],
    ]);
    // Of nothing nothing is written.
    const poor = await joined(0);
    expect((await poor.call(contract.optOut, {})).body.lost).toBe(0);
    expect(await entries(poor)).toEqual([]);
  });

  test('the movements come page by page from 1, newest first, since an instant, with the country’s code [LOY-13] [LOY-X02]', async () => {
    const one = await joined(0);
    const account = (
      await db
        .selectFrom('loyalty_members')
        .select('account_id')
        .where('user_id', '=', one.userId)
        .executeTakeFirstOrThrow()
    ).account_id;
    const start = await now();
    for (let n = 1; n <= 23; n += 1)
      await transact(db, async (tx) => {
        await movePoints(tx, {
          accountId: account,
          reason: 'PROMO',
          about: `${account}:none-${n}`,
          amount: n,
          at: start + n,
        });
      });
    const page = async (query: Parameters<typeof one.call<typeof contract.transactions>>[1]['query']) =>
      await one.call(contract.transactions, { query });
    const { loyaltyProgramCode } = countryConfig('IN').LOYALTY_INFO_DEFAULT_DATA;
    const { body } = await page({ loyaltyProgramCode });
    expect([body.pageNumber, body.pages, body.total, body.entries.length]).toEqual([1, 2, 23, 20]);
    expect(body.entries[0]).toMatchObject({ title: 'Promo Points', amount: 23, reason: 'From us', at: start + 23 });
    expect((await page({ loyaltyProgramCode, pageNumber: '2' })).body.entries.map(({ amount }) => amount)).toEqual([
      3, 2, 1,
    ]);
    expect((await page({ from: String(start + 20) })).body.total).toBe(4);
    expect(codeOf(await page({ loyaltyProgramCode: 'OTHER' }))).toBe('PROGRAMME');
    expect(body.entries.every(({ reason, at }) => reason !== '' && at > 0)).toBe(true);
  });

  test.each(['in', 'lk', 'bg'])(
    'programme, questions and terms of %s, for everybody [LOY-14] [CFG-26] [API-68]',
    async (country) => {
      const answer = await fetch(`${server.url}/content/ve1/loyalty/programme`, {
        headers: { api_key: `${country}-web` },
      });
      const { programme } = (await answer.json()) as { programme: contract.LoyaltyProgramme };
      const { earnPointsPerOrder, redeemPoints, slices, programName } =
        countryConfig(country).LOYALTY_INFO_DEFAULT_DATA;
      expect(programme.programName).toBe(programName);
      expect(programme.info.map(({ text }) => text)).toEqual([
        `The first order of a day earns ${earnPointsPerOrder} points. That is one slice.`,
        `${slices} slices make a whole pizza: ${redeemPoints} points.`,
        'A whole pizza gets you a free regular pizza, whichever recipe you like best.',
      ]);
      expect(programme.faq[0]).toEqual({
        q: 'When do I get my points?',
        a: '24 to 48 hours after a successful order, for the first eligible order of the day.',
      });
      expect(programme.terms.length).toBeGreaterThan(5);
    },
  );

  test('a look-up of a store tells its programme when the header asks for it [LOY-16] [API-59]', async () => {
    const body = { latitude: 28.64, longitude: 77.22, deliveryType: 'DELIVERY' as const };
    const ask = async (headers: Record<string, string>) => [
      (await server.call(stores.lookup, { body }, { headers })).body.loyaltyProgramCode,
      (await server.call(stores.localities, { city: 'New Delhi', query: {} }, { headers })).body.loyaltyProgramCode,
    ];
    expect(await ask({ getStoreLoyaltyProgramCode: 'true' })).toEqual(['PIZZAPALS', 'PIZZAPALS']);
    expect((await ask({}))[0]).toBeUndefined();
    const ofStore = async (storeId: string, apiKey: string) =>
      (
        await server.call(
          stores.localitiesOfStore,
          { storeId },
          { apiKey, headers: { [stores.LOYALTY_HEADER]: 'true' } },
        )
      ).body.loyaltyProgramCode;
    expect(await ofStore('10101', 'in-web')).toBe('PIZZAPALS');
    const { programme } = (await server.call(contract.programme, {}, { apiKey: 'lk-web' })).body;
    expect(await ofStore('20101', 'lk-web')).toBe(programme.loyaltyProgramCode);
    const there = { latitude: 6.915, longitude: 79.855, deliveryType: 'DELIVERY' as const };
    const found = await server.call(
      stores.lookup,
      { body: there },
      { apiKey: 'lk-web', headers: { [stores.LOYALTY_HEADER]: 'true' } },
    );
    expect(found.body.loyaltyProgramCode).toBe(programme.loyaltyProgramCode);
  });

  raced(
    '32 orders, cancellations and redemptions at once spend no point twice, and every entry is in the sum',
    async () => {
      const people: Customer[] = [];
      while (people.length < 4) people.push(await joined(1_250, 'IN', PICKUP));
      const held = new Map<Customer, string[]>(people.map((one) => [one, []]));
      const submitted = async (one: Customer) => {
        await one.fill(2, 'R');
        await reward(one);
        const answer = await one.submit({ paymentMode: 'COD' });
        if (answer.status === 200) held.get(one)!.push(answer.body.order.orderId);
        return answer;
      };
      await Promise.all(
        people.flatMap((one, n) =>
          Array.from({ length: 8 }, async (_, turn) => {
            if ((n + turn) % 4 === 3) await one.call(contract.register, { query: { enroll: 'true' } });
            else if ((n + turn) % 4 === 2 && held.get(one)!.length > 0) await one.cancel(held.get(one)!.at(-1)!);
            else await submitted(one);
          }),
        ),
      );
      for (const one of people) {
        const all = await entries(one);
        const balance = await points(one);
        expect(all.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
        expect(balance).toBeGreaterThanOrEqual(0);
        let rewarded = 0;
        for (const orderId of held.get(one)!) {
          const order = await one.read(orderId);
          if (order.orderStatus !== 'CANCELLED' && order.bill.lines.some(({ id }) => id === 'discount:REWARD'))
            rewarded += 1;
        }
        expect(balance).toBe(1_250 - 600 * rewarded);
      }
    },
  );

  describe('what is paid back of an order that was delivered', () => {
    // A shop of its own: the books of the other one know no such refund.
    let before: { server: TestServer; db: Root };
    let own: Shop;
    beforeAll(async () => {
      before = { server, db };
      own = await openedShop({ engine });
      ({ server, db } = own);
    });
    afterAll(async () => {
      ({ server, db } = before);
      await own.stop();
    });

    test.each([
      ['had arrived before', 0],
      ['had arrived before the points came', 26],
      ['arrives after', -1],
    ])('an order that is paid back leaves the points of its day to the next one, which %s', async (_, hours) => {
      const one = await joined(0, 'IN', PICKUP);
      const ordered = async () => {
        const order = await one.paid();
        await server.advance(2 * HOUR);
        return order;
      };
      const first = await ordered();
      let next = hours < 0 ? undefined : await ordered();
      if (hours > 0) await server.advance(hours * HOUR);
      const at = await now();
      await transact(db, async (tx) => {
        const capture = (await payingCapture(tx, first.orderId))!;
        await writeRefund(tx, (await paymentById(tx, capture.payment_id))!, capture, 'HELP', true, at);
      });
      await server.advance(5);
      next ??= await ordered();
      await server.advance(hours > 0 ? 5 : 26 * HOUR);
      expect(await points(one)).toBe(100);
      const earned = (await one.call(contract.transactions, { query: {} })).body.entries.filter(
        ({ amount }) => amount > 0,
      );
      expect(earned[0]!.orderId).toBe(next.orderId);
      await openShop(server);
    });

    raced('an order that is paid back in full gives its points back, once, and nobody owes points', async () => {
      for (const isSpent of [false, true]) {
        const one = await joined(isSpent ? 500 : 0, 'IN', PICKUP);
        const order = await one.paid();
        await server.advance(26 * HOUR);
        await openShop(server);
        expect(await points(one)).toBe(isSpent ? 600 : 100);
        if (isSpent) {
          await one.fill(2, 'R');
          await reward(one);
          expect((await one.submit({ paymentMode: 'COD' })).status).toBe(200);
        }
        const at = await now();
        await transact(db, async (tx) => {
          const capture = (await payingCapture(tx, order.orderId))!;
          const payment = (await paymentById(tx, capture.payment_id))!;
          await writeRefund(tx, payment, capture, 'HELP', true, at);
        });
        await server.advance(5);
        expect(await points(one)).toBe(0);
        expect((await entries(one)).filter(({ reason }) => reason.includes('was paid back'))).toHaveLength(
          isSpent ? 0 : 1,
        );
      }
    });
  });
});
