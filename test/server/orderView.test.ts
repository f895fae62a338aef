import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as development from '../../src/contract/development.ts';
import * as orders from '../../src/contract/orders.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as stores from '../../src/contract/stores.ts';
import * as tracking from '../../src/contract/tracking.ts';
import { shownKm } from '../../src/domain/geo.ts';
import * as words from '#text/orders.ts';
import * as text from '#text/server.ts';
import { jobs } from '../../src/server/call/jobs.ts';
import { NotBelieved } from '../../src/server/call/payments.ts';
import type { Services } from '../../src/server/call/services.ts';
import { cancelRule } from '../../src/server/rules/order/orders.ts';
import { nextStep, progressOf, riderTimes, stepOf } from '../../src/server/rules/order/orderView.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { searchOrders } from '../../src/server/rules/order/search.ts';
import { checkAtMs, watchOf } from '../../src/server/rules/placing/settle.ts';
import { riderOf } from '../../src/server/rules/order/riders.ts';
import { etaForOthers, riderAt } from '../../src/server/rules/order/tracking.ts';
import { lengthOf, pathOf } from '../../src/server/rules/order/simulatedRoute.ts';
import type { OrderRow } from '../../src/server/store/orders.ts';
import { paymentById, type PaymentRow } from '../../src/server/store/payments.ts';

import { engines } from '../kit/server.ts';
import { late, member, pay, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const NOW = 1_000_000;
const SECOND = 1000;
const payment = (more: Partial<PaymentRow> = {}): PaymentRow => ({
  id: 'pay_1',
  order_id: 'ord_1',
  attempt: 1,
  reference: 'ref_1',
  user_id: 'u',
  mode: 'UPI',
  label: 'UPI',
  amount: 45_000,
  currency: 'INR',
  state: 'SENT',
  step: null,
  details: '{}',
  return_path: '/',
  created_at: 500_000,
  settle_by: 1_400_000,
  settled_at: null,
  code: null,
  link: null,
  holder: null,
  ...more,
});

test('the step of a payment is to be done until its time is over, and a link is open as long as its payer may try again', () => {
  const step = { kind: 'redirect', url: 'https://bank.example/pay', expiresAt: NOW + 1 } as unknown as PaymentStep;
  const asked = { step: JSON.stringify(step) };
  expect([stepOf(payment(asked), NOW), stepOf(payment(asked), NOW + 1)]).toEqual([step, null]);
  expect(stepOf(payment({ ...asked, state: 'UNKNOWN' }), NOW)).toBeNull();
  const endless = { kind: 'none' };
  expect(stepOf(payment({ step: JSON.stringify(endless) }), NOW * 9)).toEqual(endless);
  // A link is open as long as its payer may try again.
  const linked = (code: string, more: Partial<PaymentRow> = {}) =>
    nextStep(payment({ link: 'token', state: 'FAILED', code, ...more }), NOW);
  expect(linked('DECLINED')).toEqual({ kind: 'link', transactionId: 'pay_1', token: 'token', expiresAt: 1_400_000 });
  expect([linked('EXPIRED'), linked('DECLINED', { settle_by: NOW })]).toEqual([null, null]);
});

test('an open payment is asked about at 2, 4, 8, 15 and 30 seconds, and every 30 seconds then', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 10].map((n) => checkAtMs(n) / SECOND)).toEqual([2, 4, 8, 15, 30, 60, 90, 210]);
});
test('what is paid, or due at the door, is not watched; cash that waits for a code is only given up', () => {
  const kinds = (more: Partial<PaymentRow>) =>
    watchOf(payment(more)).map(({ kind, runAt, lane }) => [kind, runAt, lane]);
  expect(kinds({})).toEqual([
    ['payment.check', 502_000, 'payment:UPI'],
    ['payment.expire', 1_400_000, 'payment:UPI'],
  ]);
  expect(kinds({ mode: 'COD', state: 'OTP_NEEDED' })).toEqual([['payment.expire', 1_400_000, 'payment:COD']]);
  expect(kinds({ state: 'CAPTURED' })).toEqual([]);
  expect(kinds({ mode: 'COD', state: 'DUE_AT_DOOR' })).toEqual([]);
});

describe('the rider', () => {
  const store = { latitude: 28.6, longitude: 77.2 };
  const door = { latitude: 28.63, longitude: 77.23 };
  const order = { id: 'ord_1', country: 'IN' };
  const times = { leftAt: 0, arrivesAt: 600_000, usualMs: 480_000 };
  const name = riderOf(order.id, order.country);
  const way = lengthOf(pathOf(order.id, store, door));
  const km = Math.round(way * 10) / 10;

  test.each([
    [0, 0, text.riderToGo({ name, km, minutes: 8 })],
    [300_000, 0.5, text.riderToGo({ name, km: Math.round(way * 5) / 10, minutes: 4 })],
    [600_000, 1, text.riderAtDoor({ name })],
    [700_000, 1, text.riderAtDoor({ name })],
    // Under 50 metres: no kilometres, and never no minutes.
    [597_000, 0.995, text.riderCloseBy({ name, minutes: 1 })],
    [-5, 0, text.riderToGo({ name, km, minutes: 8 })],
  ])('after %d ms: %d of the way', (now, progress, said) => {
    expect(riderAt(order, store, door, times, now)).toMatchObject({ name, progress, text: said });
  });
  test('who arrives at once has arrived', () => {
    expect(progressOf({ leftAt: 5, arrivesAt: 5, usualMs: 0 }, 6)).toBe(1);
  });
  test('is timed from the store to the door, and only between them', () => {
    const steps = [
      { id: 'QC', status: 'INPROCESS', stage: 'QC', at: 1, usualMs: 1 },
      { id: 'PICKED UP', status: 'PICKED UP', stage: null, at: 100, usualMs: 5 },
      { id: 'DELIVERED', status: 'DELIVERED', stage: null, at: 900, usualMs: 700 },
    ];
    const row = (status: string, of: object[] | null) =>
      ({ status, life: of === null ? null : JSON.stringify({ delayMs: 0, steps: of }) }) as OrderRow;
    expect(riderTimes(row('PICKED UP', steps))).toEqual({ leftAt: 100, arrivesAt: 900, usualMs: 700 });
    expect(riderTimes(row('INPROCESS', steps))).toBeNull();
    expect(riderTimes(row('DELIVERED', steps))).toBeNull();
    expect(riderTimes(row('PICKED UP', null))).toBeNull();
    expect(riderTimes(row('PICKED UP', steps.slice(0, 2)))).toBeNull();
  });
  test('others are told when, and not why: a reason may tell how far off somebody lives', () => {
    expect(etaForOthers({ from: 1, to: 2, rate: 0.8, reason: '3 km to go', moved: 'x' })).toEqual({
      from: 1,
      to: 2,
      rate: 0.8,
      reason: '',
      moved: 'x',
    });
    expect(etaForOthers(null)).toBeNull();
  });
});

describe('a search among orders', () => {
  const india = catalogueFromDisk(countryConfig('IN'));
  const dishes = (...ids: readonly string[]) =>
    JSON.stringify(
      ids.map((id) => {
        const item = india.items.get(id);
        return [id, item?.name ?? id, item?.kind ?? 'SIDE', item?.foodType ?? 'VEG'];
      }),
    );
  const found = (search: string, ...list: readonly [id: string, dishes: string][]) =>
    searchOrders(
      india,
      list.map(([id, own], n) => ({ id, number: String(100 + n), dishes: own })),
      search,
    );
  const drink: [string, string] = ['drink', dishes('BV001')];
  const bread: [string, string] = ['bread', dishes('SD001')];
  const both: [string, string] = ['both', dishes('BV001', 'SD001')];

  test.each<[string, readonly string[]]>([
    ['garlic', ['bread', 'both']],
    ['GARLICK', ['bread', 'both']],
    ['coke', ['drink', 'both']],
    ['coke garlic', ['both']],
    // The number of an order, alone or with what is in it.
    ['101', ['bread']],
    ['garlic 102', ['both']],
    ['drink 999', []],
    // What is left out is in none of them.
    ['no garlic', ['drink']],
    ['coke without garlic', ['drink']],
    ['no caffeine', []],
  ])('for "%s" finds %j', (search, ids) => {
    const hit = found(search, drink, bread, both);
    if (ids.length > 0) expect(hit).toEqual({ ids, isNear: false });
    else expect(hit.ids.every((id) => ['drink', 'bread', 'both'].includes(id))).toBe(true);
  });
  test('says of what only comes near that it does, and nothing of nothing', () => {
    expect(found('coke xylophone', drink, bread)).toEqual({ ids: ['drink'], isNear: true });
    // The word that is not known may say that there shall be no garlic.
    expect(found('garlic xylophone', drink, bread)).toEqual({ ids: [], isNear: false });
    expect(found('xylophone', drink, bread)).toEqual({ ids: [], isNear: false });
    expect(found('  ', drink, bread)).toEqual({ ids: [], isNear: false });
    expect(found('garlic')).toEqual({ ids: [], isNear: false });
  });
  test('knows a dish that has left the menu by the name that it had', () => {
    const gone: [string, string] = ['gone', JSON.stringify([['OLD1', 'Moonlight special', 'PIZZA', 'VEG']])];
    expect(found('moonlight', gone, drink)).toEqual({ ids: ['gone'], isNear: false });
    const deal = [...india.deals.values()][0]!;
    const combo: [string, string] = ['combo', JSON.stringify([[deal.id, deal.name, 'DEAL', 'VEG']])];
    expect(found(deal.name, combo, drink).ids).toEqual(['combo']);
  });
});

describe('whether an order may be taken back', () => {
  const order = { confirmedAt: null, confirmsAt: null, startsAt: null };
  test.each<[string, Parameters<typeof cancelRule>[0], number, boolean, number | null, string]>([
    [
      'is open until a later one begins',
      { ...order, status: 'ADVANCE ORDER', startsAt: NOW },
      NOW - 1,
      true,
      NOW,
      text.cancelUntilStarted,
    ],
    [
      'is over as it begins',
      { ...order, status: 'ADVANCE ORDER', startsAt: NOW },
      NOW,
      false,
      NOW,
      text.cancelUntilStarted,
    ],
    [
      'is told by when the store will confirm it',
      { ...order, status: 'ORDER PLACED', confirmsAt: NOW },
      NOW,
      true,
      NOW + 60_000,
      text.cancelUntilConfirmed({ seconds: 60 }),
    ],
    [
      'is told by when it has',
      { ...order, status: 'ORDER PLACED', confirmsAt: NOW, confirmedAt: NOW + 9 },
      NOW,
      true,
      NOW + 60_009,
      text.cancelUntilConfirmed({ seconds: 60 }),
    ],
    [
      'is open to the last moment of that minute',
      { ...order, status: 'ORDER PLACED', confirmedAt: NOW },
      NOW + 60_000,
      true,
      NOW + 60_000,
      text.cancelUntilConfirmed({ seconds: 60 }),
    ],
    [
      'is over a minute later',
      { ...order, status: 'ORDER PLACED', confirmedAt: NOW },
      NOW + 60_001,
      false,
      null,
      text.cancelOver,
    ],
    ['is over in the kitchen', { ...order, status: 'INPROCESS', confirmedAt: NOW }, NOW, false, null, text.cancelOver],
    ['is not known before the money is', { ...order, status: 'PENDING' }, NOW, false, null, text.cancelAwaitsPayment],
    ['is no question of what is over', { ...order, status: 'PICKED' }, NOW, false, null, text.cancelFinished],
  ])('%s', (_, of, now, possible, open, rule) => {
    expect(cancelRule(of, now)).toEqual({ possible, until: open, rule });
  });
});

describe.each(await engines())('an order as it is read on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  const shown = ({ steps }: OrderView) => steps.map(({ id, state }) => `${state} ${id}`);
  const labels = ({ steps }: OrderView) => steps.map(({ label }) => label);
  const wayOf = ({ orderId, store, address }: OrderView) => lengthOf(pathOf(orderId, store, address!));
  const STEP = (news: Parameters<typeof words.step>[0]['news']) => words.step({ news });
  /** The seconds from one step of the plan to the next are the catalogue's. */
  const WAY_MINUTES = 12.5;

  test('what is brought: its steps at the catalogue’s times, and its way as it gets less [ORD-12] [ORD-14] [ORD-15]', async () => {
    const customer = await member(server);
    const { order } = await customer.order({ paymentMode: 'COD' });
    const began = order.steps[0]!.at!;
    expect(shown(order)).toEqual([
      ...['current ORDER PLACED', 'next CONFIRMED', 'next PREP', 'next BAKE', 'next QC', 'next PICKED UP'],
      'next DELIVERED',
    ]);
    expect(labels(order)).toEqual(
      (['PLACED', 'CONFIRMED', 'PREP', 'BAKE', 'QC', 'ON_WAY', 'DELIVERED'] as const).map(STEP),
    );
    expect(order.steps.slice(1).map(({ at }) => at)).toEqual([null, null, null, null, null, null]);
    expect(order.cancel).toEqual({
      possible: true,
      until: began + 80_000,
      rule: text.cancelUntilConfirmed({ seconds: 60 }),
    });
    expect(order.way).toEqual({ km: shownKm(wayOf(order)), minutes: 13, progress: null });
    expect([order.eta!.from, order.eta!.to].map((at) => Math.round((at - began) / 60_000))).toEqual([20, 30]);
    expect(order.eta).toMatchObject({ rate: 0.8, reason: text.etaKeepsUp });
    expect(order.eta).not.toHaveProperty('moved');
    for (const name of ['scheduledFor', 'parts', 'noPromise', 'handOverCode', 'retryAt', 'train', 'group', 'cutlery'])
      expect(order).not.toHaveProperty(name);
    // As long as the customer may cancel, the kitchen has not begun.
    await server.advance(65);
    expect(await customer.read(order.orderId)).toMatchObject({ orderStatus: 'ORDER PLACED', stage: 'CONFIRMED' });
    await server.advance(185);
    const baking = await customer.read(order.orderId);
    expect(shown(baking).slice(2, 5)).toEqual(['done PREP', 'current BAKE', 'next QC']);
    expect(baking.steps.slice(0, 4).map(({ at }) => at! - began)).toEqual([0, 20_000, 80_000, 240_000]);
    expect(baking.cancel).toEqual({ possible: false, until: null, rule: text.cancelOver });
    await server.advance(640);
    const away = await customer.read(order.orderId);
    const { progress, km, minutes } = away.way!;
    expect(progress).toBeGreaterThan(0.2);
    expect(progress).toBeLessThan(0.5);
    expect(km).toBe(shownKm(wayOf(order) * (1 - progress!)));
    expect(minutes).toBe(Math.round(WAY_MINUTES * (1 - progress!)));
    expect(away.eta!.reason).toBe(text.etaToGo({ km }));
    const { body: map } = await customer.call(tracking.onMap, { orderId: order.orderId });
    const { latitude, longitude } = order.store;
    const door = { latitude: order.address!.latitude, longitude: order.address!.longitude };
    expect(map).toMatchObject({
      store: { latitude, longitude },
      customer: door,
      route: pathOf(order.orderId, { latitude, longitude }, door),
    });
    await server.advance(522);
    // There are no minutes less than one.
    expect((await customer.read(order.orderId)).way).toMatchObject({ minutes: 1 });
    await server.advance(60);
    const done = await customer.read(order.orderId);
    expect(shown(done).map((one) => one.split(' ')[0])).toEqual(Array(7).fill('done'));
    expect(done.steps.map(({ at }) => (at! - began) / 1000)).toEqual([0, 20, 80, 240, 600, 690, 1440]);
    expect(done).toMatchObject({
      orderStatus: 'DELIVERED',
      promise: { state: 'kept' },
      way: null,
      eta: null,
      rider: null,
      cancel: { possible: false, until: null, rule: text.cancelFinished },
    });
    expect(done).not.toHaveProperty('retryAt');
  });

  test('an unpaid order has all steps ahead, one that may be paid cannot be cancelled, a given-up one was never placed', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    expect(shown(order)).toEqual(
      ['ORDER PLACED', 'CONFIRMED', 'PREP', 'BAKE', 'QC', 'PICKED UP', 'DELIVERED'].map((id) => `next ${id}`),
    );
    expect(order).toMatchObject({
      eta: null,
      way: null,
      promise: null,
      cancel: { possible: true, until: null, rule: text.cancelUnpaid },
      payment: { state: 'SENT', mayPayAgain: false },
    });
    await pay(server, next, 'pending');
    await customer.confirm(order);
    expect(await customer.read(order.orderId)).toMatchObject({
      payment: { state: 'UNKNOWN' },
      cancel: { possible: false, until: null, rule: text.cancelAwaitsPayment },
    });
    const other = await visitor(server);
    const second = (await other.order()).order;
    const gone = (await other.cancel(second.orderId)).body.order;
    expect(shown(gone)).toEqual(['done FAILED']);
    expect(labels(gone)).toEqual([STEP('FAILED')]);
    expect(gone.steps[0]!.at).toBeGreaterThanOrEqual(second.placedAt);
    expect(gone).toMatchObject({ way: null, eta: null, cancel: { possible: false, rule: text.cancelFinished } });
    for (const name of ['handOverCode', 'noPromise', 'retryAt']) expect(gone).not.toHaveProperty(name);
  });

  test('one that is taken back ends after what was done of it, with neither promise nor code', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    const placed = (await customer.confirm(order)).order;
    expect(placed.promise).toMatchObject({ state: 'running' });
    expect(placed.handOverCode).toMatch(/^\d{4}$/);
    await server.advance(30);
    const gone = (await customer.cancel(order.orderId)).body.order;
    expect(shown(gone)).toEqual(['done ORDER PLACED', 'done CONFIRMED', 'done CANCELLED']);
    expect(labels(gone).at(-1)).toBe(STEP('CANCELLED'));
    expect(gone.steps.at(-1)!.at! - gone.steps[0]!.at!).toBeGreaterThanOrEqual(30_000);
    expect(gone).toMatchObject({ promise: null, way: null, eta: null, rider: null });
    expect(gone).not.toHaveProperty('handOverCode');
    expect(gone).not.toHaveProperty('retryAt');
    // What was to be paid at the door is not paid any more.
    const cash = await member(server);
    const due = (await cash.order({ paymentMode: 'COD' })).order;
    expect((await cash.cancel(due.orderId)).body.order).toMatchObject({
      refund: null,
      payment: { state: 'FAILED', mayPayAgain: false, isGivenUp: false },
    });
  });

  test('one for later says when it begins and comes, also to who has its link; once begun, it has no promise still', async () => {
    const probe = await visitor(server);
    const { timeSlots } = (await probe.call(stores.byId, { storeId: '10101', query: { timeSlots: 'true' } })).body;
    const slot = timeSlots![1]!;
    const customer = await member(server, 'IN', { ...probe.where, slotId: slot.id });
    const { order } = await customer.order({ paymentMode: 'COD' });
    expect(shown(order)).toEqual([
      'current ADVANCE ORDER',
      ...['ORDER PLACED', 'CONFIRMED', 'PREP', 'BAKE', 'QC', 'PICKED UP', 'DELIVERED'].map((id) => `next ${id}`),
    ]);
    expect([order.steps[0]!.label, order.steps[0]!.at! - order.placedAt]).toEqual([STEP('ADVANCE'), 0]);
    const begins = slot.startsAt - 1_440_000;
    expect(order).toMatchObject({
      scheduledFor: slot.startsAt,
      noPromise: text.laterOrder,
      cancel: { possible: true, until: begins, rule: text.cancelUntilStarted },
      eta: { from: begins + 20 * 60_000, to: begins + 30 * 60_000, rate: 0.8, reason: text.etaBooked },
      way: { km: shownKm(wayOf(order)), minutes: 13, progress: null },
    });
    const { token } = (await customer.call(tracking.share, { orderHistoryId: order.orderId })).body;
    const seen = async () => (await server.call(tracking.shared, { token })).body.order;
    expect(await seen()).toEqual({
      orderType: 'DELIVERY',
      serviceLabel: 'DELIVERY',
      orderStatus: 'ADVANCE ORDER',
      storeName: order.store.name,
      steps: order.steps,
      eta: { from: begins + 20 * 60_000, to: begins + 30 * 60_000, rate: 0.8, reason: '' },
      scheduledFor: slot.startsAt,
      progress: null,
      isOver: false,
      text: words.status({ news: 'ADVANCE' }),
    });
    const { now } = (await server.call(development.clock, {})).body;
    await server.advance(Math.ceil((begins - now) / 1000) + 30);
    const begun = await customer.read(order.orderId);
    expect(begun).toMatchObject({ orderStatus: 'ORDER PLACED', promise: null, noPromise: text.laterOrder });
    expect(shown(begun).slice(0, 2)).toEqual(['done ORDER PLACED', 'current CONFIRMED']);
    expect(await seen()).toMatchObject({ text: words.status({ news: 'PLACED' }), isOver: false });
    await server.advance(1_440);
    expect(await customer.read(order.orderId)).toMatchObject({ orderStatus: 'DELIVERED', promise: null });
  });

  test('of several refunds that of the payment which counts is shown, else the first; what help or a promise gave is not', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next, 'decline');
    await customer.confirm(order);
    const { body: again } = await customer.retry({ orderId: order.orderId, paymentMode: 'NETBANKING' });
    await pay(server, again.next);
    await customer.confirm(order, again.payment.transactionId);
    await customer.cancel(order.orderId);
    const own = await db
      .selectFrom('refunds')
      .selectAll()
      .where('order_id', '=', order.orderId)
      .executeTakeFirstOrThrow();
    expect(own).toMatchObject({ payment_id: again.payment.transactionId, reason: 'CANCELLED' });
    const other = { ...own, id: randomUUID(), capture_id: 'other', payment_id: order.transactionId, amount: 100 };
    await db
      .insertInto('refunds')
      .values({ ...other, created_at: own.created_at - 1, reason: 'PAID_LATE' })
      .execute();
    const refund = async () => (await customer.read(order.orderId)).refund;
    expect(await refund()).toEqual({
      amount: order.bill.total,
      state: 'STARTED',
      startedAt: own.created_at,
      expectedFrom: own.expected_from,
      expectedTo: own.expected_to,
      paidAt: null,
    });
    const told = (id: string, reason: string) =>
      db.updateTable('refunds').set({ reason }).where('id', '=', id).execute();
    for (const reason of ['HELP', 'PROMISE']) {
      await told(own.id, reason);
      expect((await refund())!.amount).toBe(100);
    }
    await told(other.id, 'HELP');
    expect(await refund()).toBeNull();
  });

  test('each of several orders has its own credit, payment and messages', async () => {
    const customer = await member(server);
    const missed = async (size: 'R' | 'M') => {
      await customer.fill(1, size);
      const { order } = (await customer.submit({ paymentMode: 'COD' })).body;
      await late(server, db, order.orderId);
      return order;
    };
    const [small, large] = [await missed('R'), await missed('M')];
    const both: OrderView[] = [];
    for (const size of ['R', 'M'] as const) {
      await customer.fill(1, size);
      both.push((await customer.submit({ paymentMode: 'COD' })).body.order);
    }
    await server.advance(700);
    await customer.call(
      tracking.tellRider,
      { orderHistoryId: both[0]!.orderId, body: { text: 'The green gate' } },
      { 'idempotency-key': randomUUID() },
    );
    const all = (await customer.call(orders.recent, {})).body.orders;
    const of = ({ orderId }: OrderView) => all.find((one) => one.orderId === orderId)!;
    expect(small.bill.total).toBeLessThan(large.bill.total);
    for (const one of [small, large])
      expect(of(one)).toMatchObject({
        transactionId: one.transactionId,
        promise: { state: 'missed', credit: Math.min(30_000, one.bill.total), paid: { way: 'DOOR' } },
      });
    expect(both.map((one) => of(one).rider?.notesLeft)).toEqual([4, 5]);
    expect(both.map((one) => of(one).promise)).toEqual(
      both.map(({ promise }) => ({ ...promise, deadline: expect.any(Number) as number })),
    );
  });

  test('a bank that gives no answer about a payment is asked again until its time is over, and for a day after that', async () => {
    const customer = await visitor(server);
    const { transactionId: paymentId, orderId } = (await customer.order()).order;
    const written = async () => (await paymentById(db, paymentId))!;
    const { created_at: began, settle_by: ends, reference } = await written();
    const said: unknown[] = [];
    let failure = new Error('away');
    const services = {
      payments: { status: () => Promise.reject(failure), cancel: () => Promise.reject(failure) },
      log: {
        warn: (of: object, what: string) => said.push([of, what]),
        error: (of: object, what: string) => said.push([of, what]),
      },
      counts: { incident: (kind: string) => said.push(kind) },
    } as unknown as Services;
    const run = (kind: string, payload: object, now: number) =>
      jobs.of(kind)!(payload as never, { db, services, now, jobId: 'none', attempt: 1 });
    const dueAt = async (key: string) =>
      (await db.selectFrom('jobs').select(['run_at', 'lane']).where('unique_key', '=', key).executeTakeFirst()) ?? null;
    const check = (n: number) => run('payment.check', { paymentId, n }, began + 1);

    await check(7);
    expect(await dueAt(`payment.check:${paymentId}:8`)).toEqual({ run_at: began + 150_000, lane: 'payment:UPI' });
    expect(said).toEqual([[{ error: 'Error: away', paymentId }, 'a payment could not be checked']]);
    await check(31);
    expect(await dueAt(`payment.check:${paymentId}:32`)).toEqual({ run_at: began + 870_000, lane: 'payment:UPI' });
    // The next one would be when its time is over.
    await check(32);
    expect(await dueAt(`payment.check:${paymentId}:33`)).toBeNull();
    expect((await written()).state).toBe('SENT');
    // An answer that must not be believed is an incident, and the payment is not known to have failed.
    said.length = 0;
    failure = new NotBelieved('forged');
    await check(32);
    expect(said).toEqual([
      'PAYMENT',
      [
        { incident: 'PAYMENT', paymentId, reference, mode: 'UPI', error: 'forged' },
        'an answer about a payment was not believed',
      ],
    ]);
    expect((await written()).state).toBe('UNKNOWN');
    said.length = 0;
    failure = new Error('away');
    await run('payment.expire', { paymentId }, ends);
    expect(said).toEqual([[{ error: 'Error: away', paymentId }, 'a payment was given up without an answer']]);
    expect(await written()).toMatchObject({ state: 'FAILED', code: 'EXPIRED', settled_at: ends });
    expect(await customer.read(orderId)).toMatchObject({ orderStatus: 'FAILED', retryAt: ends + 15 * 60_000 });
    const late = await Promise.all([0, 1, 2, 3, 4].map((n) => dueAt(`payment.late:${paymentId}:${n}`)));
    expect(late.map((job) => job && (job.run_at - ends) / 60_000)).toEqual([5, 60, 360, 1_440, null]);
    // What is over is not asked after any more.
    await check(9);
    expect([await dueAt(`payment.check:${paymentId}:10`), said.length]).toEqual([null, 1]);
    await run('payment.expire', { paymentId }, ends + 1);
    expect([(await written()).settled_at, said.length]).toEqual([ends, 1]);
  });
});
