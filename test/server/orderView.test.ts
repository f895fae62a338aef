import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as text from '#text/server.ts';
import { nextStep, paymentView, progressOf, riderTimes, stepOf } from '../../src/server/rules/order/orderView.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { searchOrders } from '../../src/server/rules/order/search.ts';
import { checkAtMs, watchOf } from '../../src/server/rules/order/settle.ts';
import { riderOf } from '../../src/server/rules/order/riders.ts';
import { etaForOthers, riderAt } from '../../src/server/rules/order/tracking.ts';
import { lengthOf, pathOf } from '../../src/server/rules/order/way.ts';
import type { OrderRow } from '../../src/server/store/orders.ts';
import type { PaymentRow } from '../../src/server/store/payments.ts';

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

describe('a payment as its customer sees it', () => {
  test.each([
    ['CREATED', true],
    ['OTP_NEEDED', true],
    ['SENT', true],
    ['UNKNOWN', true],
    ['CAPTURED', false],
    ['FAILED', false],
    ['REFUNDED', false],
    ['DUE_AT_DOOR', false],
  ] as const)('%s: whether it is still open is %s', (state, isOpen) => {
    expect(paymentView(payment({ state }), true)).toMatchObject({
      transactionId: 'pay_1',
      mode: 'UPI',
      label: 'UPI',
      amount: 45_000,
      state,
      startedAt: 500_000,
      settlesBy: isOpen ? 1_400_000 : null,
      mayPayAgain: state === 'FAILED',
      isGivenUp: false,
    });
    expect(paymentView(payment({ state }), false).mayPayAgain).toBe(false);
  });
  test.each([
    ['FAILED', 'EXPIRED', true],
    ['FAILED', 'UNTOLD', true],
    ['FAILED', 'CLOSED', false],
    ['FAILED', 'CANCELLED', false],
    ['UNKNOWN', 'EXPIRED', false],
  ] as const)('%s with %s is given up: %s', (state, code, isGivenUp) => {
    expect(paymentView(payment({ state, code }), true).isGivenUp).toBe(isGivenUp);
  });
});

describe('what a page has to do for a payment', () => {
  const step = { kind: 'redirect', url: 'https://bank.example/pay', expiresAt: NOW + 1 } as unknown as PaymentStep;
  const asked = { step: JSON.stringify(step) };
  test.each([
    ['CREATED', true],
    ['OTP_NEEDED', true],
    ['SENT', true],
    ['UNKNOWN', false],
    ['CAPTURED', false],
    ['FAILED', false],
  ] as const)('%s: it is asked for is %s', (state, isAsked) => {
    expect(stepOf(payment({ ...asked, state }), NOW)).toEqual(isAsked ? step : null);
  });
  test('until its time is over; without one as long as it is open; nothing where there is nothing to do', () => {
    expect(stepOf(payment(asked), NOW + 1)).toBeNull();
    const endless = { kind: 'none' };
    expect(stepOf(payment({ step: JSON.stringify(endless) }), NOW * 9)).toEqual(endless);
    expect(stepOf(payment(), NOW)).toBeNull();
  });
  test.each([
    ['open', asked, true],
    ['unknown', { ...asked, state: 'UNKNOWN' }, false],
    ['refused by the payer’s bank', { state: 'FAILED', code: 'DECLINED' }, true],
    ['given up', { state: 'FAILED', code: 'EXPIRED' }, false],
    ['refused, and its time is over', { state: 'FAILED', code: 'DECLINED', settle_by: NOW }, false],
    ['paid', { state: 'CAPTURED' }, false],
  ] as const)('a link is waited for while its payment is %s', (_, more, isWaited) => {
    expect(nextStep(payment({ link: 'token', ...(more as Partial<PaymentRow>) }), NOW)).toEqual(
      isWaited
        ? {
            kind: 'link',
            transactionId: 'pay_1',
            token: 'token',
            expiresAt: 'settle_by' in more ? more.settle_by : 1_400_000,
          }
        : null,
    );
  });
  test('whoever pays without a link does the step itself', () => {
    expect(nextStep(payment(asked), NOW)).toEqual(step);
    expect(nextStep(payment({ state: 'FAILED', code: 'DECLINED' }), NOW)).toBeNull();
  });
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
  ])('for "%s" finds %j', (search, ids) => {
    const hit = found(search, drink, bread, both);
    if (ids.length > 0) expect(hit).toEqual({ ids, isNear: false });
    else expect(hit.ids.every((id) => ['drink', 'bread', 'both'].includes(id))).toBe(true);
  });
  test('says of what only comes near that it does, and nothing of nothing', () => {
    expect(found('garlic xylophone', drink, bread)).toEqual({ ids: ['bread'], isNear: true });
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
