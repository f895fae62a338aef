import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as railway from '#text/railway.ts';
import * as text from '#text/server.ts';
import type { RailRun, RailStop } from '../../src/server/call/railway.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { paidWord, trainCancelRule, trainView, type KitchenStep } from '../../src/server/rules/order/trainView.ts';
import { isOpenFor, nextLook, stopsBetween, stopState, storeOfStation } from '../../src/server/rules/trains/journey.ts';
import type { OrderRow } from '../../src/server/store/orders.ts';
import { readTrainSeed } from '../../src/server/store/seeds.ts';
import type { KnownStop, TrainRow } from '../../src/server/store/trains.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const india = catalogueFromDisk(countryConfig('IN'));
const { stations } = readTrainSeed('IN')!;
const served = stations.find(({ code }) => storeOfStation(india, code) !== undefined)!;
const store = storeOfStation(india, served.code)!;
/** 1 PM in India, on a Wednesday: every store is open. */
const AT = Date.UTC(2027, 0, 13, 7, 30);
const stop = (more: Partial<RailStop> = {}): RailStop => ({
  code: served.code,
  name: served.name,
  scheduledAt: AT - 5 * MINUTE,
  arrivesAt: AT,
  departsAt: AT + 10 * MINUTE,
  platform: '4',
  missed: null,
  hasArrived: false,
  ...more,
});

describe('whether an order can come to a halt', () => {
  const state = (now: number, more: Partial<RailStop> = {}, offline: readonly string[] = []) =>
    stopState({ catalogue: india, offline: new Set(offline), now }, stop(more));
  const cutoff = AT - served.cutoffMinutes * MINUTE;
  test.each([
    ['too early', AT - 96 * HOUR - 1, 'TOO_EARLY'],
    ['from four days before', AT - 96 * HOUR, 'OPEN'],
    ['until the cut-off', cutoff - 1, 'OPEN'],
    ['not at the cut-off', cutoff, 'CLOSED'],
    ['while the train comes', AT - 1, 'CLOSED'],
    ['once it is there', AT, 'PASSED'],
  ])('%s', (_, now, expected) => {
    expect(state(now)).toBe(expected);
  });
  test('its store rests, or is shut at that hour', () => {
    expect(state(cutoff - HOUR, {}, [store.id])).toBe('STORE_SHUT');
    expect(state(cutoff - HOUR, {}, ['other'])).toBe('OPEN');
    const hours = Object.fromEntries(
      ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((day) => [
        day,
        { open: '12:30', close: '13:02', closesNextDay: false },
      ]),
    );
    const during = (at: number) => isOpenFor(india, { ...store, hours }, at);
    // It begins half an hour before, and hands over two minutes after.
    expect([AT - MINUTE, AT, AT + MINUTE].map(during)).toEqual([false, false, false]);
    const longer = { ...hours, wed: { open: '12:30', close: '13:03', closesNextDay: false } };
    expect([AT - MINUTE, AT, AT + MINUTE].map((at) => isOpenFor(india, { ...store, hours: longer }, at))).toEqual([
      false,
      true,
      false,
    ]);
  });
  test('a store brings to a station only if it has food for trains', () => {
    const bare = { ...store, services: ['DELIVERY'] };
    expect(
      storeOfStation({ ...india, stores: new Map([...india.stores, [store.id, bare]]) }, served.code),
    ).toBeUndefined();
    expect(storeOfStation({ ...india, stores: new Map() }, served.code)).toBeUndefined();
    for (const { code, serviceable } of stations) if (!serviceable) expect(storeOfStation(india, code)).toBeUndefined();
  });
});

describe('a run', () => {
  const codes = ['A', 'B', 'C', 'D'];
  const run = { run: 'r', number: '1', name: 'n', isCancelled: false } as const;
  const whole: RailRun = {
    ...run,
    stops: codes.map((code, n) => stop({ code, arrivesAt: AT + n * HOUR, departsAt: AT + n * HOUR + MINUTE })),
  };
  const place = (code: string) => ({ code, name: code });
  test.each([
    ['B', 'C', 'BC'],
    ['A', 'D', 'ABCD'],
    ['B', 'B', 'B'],
    // Stations that the railway does not list are its ends.
    ['X', 'B', 'AB'],
    ['C', 'X', 'CD'],
    ['X', 'Y', 'ABCD'],
  ])('from %s to %s stops at %s', (from, to, expected) => {
    expect(
      stopsBetween(whole, { from: place(from), to: place(to) })
        .map(({ code }) => code)
        .join(''),
    ).toBe(expected);
  });
});

test.each([
  [24 * HOUR + 1, 60],
  [24 * HOUR, 30],
  [6 * HOUR + 1, 30],
  [6 * HOUR, 10],
  [2 * HOUR + 1, 10],
  [2 * HOUR, 5],
  [HOUR / 2 + 1, 5],
  [HOUR / 2, 2],
  [0, 2],
  [-HOUR + 1, 2],
  [-HOUR, 10],
])('%d ms before the train the railway is asked again after %d minutes', (left, minutes) => {
  expect(nextLook({ arrives_at: AT, question: null }, AT - left)).toBe(minutes * MINUTE);
  // Whoever was asked something hears of a change within five minutes.
  expect(nextLook({ arrives_at: AT, question: '{}' }, AT - left)).toBe((left > 2 * HOUR ? minutes : 5) * MINUTE);
});

describe('a train order as its passenger sees it', () => {
  const kept: KnownStop[] = ['AAA', served.code, 'ZZZ'].map((code, n) => ({
    code,
    name: `Station ${code}`,
    arrivesAt: AT + (n - 1) * HOUR,
    hasArrived: false,
    isMissed: false,
  }));
  const row = (more: Partial<TrainRow> = {}): TrainRow => ({
    id: 'trn_1',
    user_id: 'u',
    country: 'IN',
    order_id: 'ord_1',
    store_id: store.id,
    station: served.code,
    run: 'r',
    train_number: '12345',
    train_name: 'Express',
    pnr: null,
    pnr_end: '6789',
    coach: 'B2',
    berth: '14',
    passenger_name: null,
    passenger_mobile: null,
    mobile: '9800000001',
    language: 'en',
    checked_at: null,
    stops: JSON.stringify(kept),
    scheduled_at: AT - 20 * MINUTE,
    agreed_at: AT,
    arrives_at: AT,
    departs_at: AT + 10 * MINUTE,
    platform: null,
    cutoff_minutes: 45,
    halted_at: null,
    question: null,
    answer_by: null,
    code_tries: 0,
    seen_at: AT,
    forget_at: AT,
    created_at: AT,
    ...more,
  });
  const order = (status: string, more: Partial<OrderRow> = {}) =>
    ({ status, total: 50_000, hand_over_code: 'ABC234', ...more }) as OrderRow;
  const NOW = AT - 5 * HOUR;
  const view = (
    of: TrainRow,
    own: OrderRow | null,
    more: { kitchen?: readonly KitchenStep[]; mode?: 'UPI' | 'COD'; now?: number } = {},
  ) => trainView(of, own, { news: [], kitchen: [], now: NOW, ...more });

  test.each([
    ['PENDING', 'UNPAID', true, false],
    ['ADVANCE ORDER', 'ORDERED', true, true],
    ['ORDER PLACED', 'ORDERED', true, true],
    ['INPROCESS', 'ORDERED', true, true],
    ['PICKED UP', 'ORDERED', false, true],
    ['DELIVERED', 'DELIVERED', false, true],
    ['CANCELLED', 'CANCELLED', false, false],
    ['FAILED', 'FAILED', false, false],
  ])('%s is %s; its seat may be changed: %s; its code is shown: %s', (status, state, mayChange, isCoded) => {
    const seen = view(row(), order(status));
    expect(seen).toMatchObject({ state, mayChange });
    expect(seen.handOverCode).toBe(isCoded ? 'ABC234' : undefined);
  });
  test('an order of before there were codes has none', () => {
    expect(view(row(), order('ADVANCE ORDER', { hand_over_code: null }))).not.toHaveProperty('handOverCode');
  });
  test('before it is ordered it is saved, and may go at any time', () => {
    expect(view(row({ order_id: null, checked_at: 1 }), null)).toMatchObject({
      state: 'SAVED',
      mayChange: true,
      isPhoneChecked: true,
      cancel: { possible: true, until: null, rule: text.cancelUnpaid },
      passenger: null,
    });
    expect(view(row({ passenger_name: 'Asha', passenger_mobile: '98' }), null).passenger).toEqual({
      name: 'Asha',
      mobile: '98',
    });
    expect(view(row({ passenger_name: 'Asha' }), null).passenger).toEqual({ name: 'Asha', mobile: '' });
  });
  test('the halt is told in minutes, and a train that is early has no delay', () => {
    expect(view(row(), null)).toMatchObject({
      orderUntil: AT - 45 * MINUTE,
      payUntil: AT - 40 * MINUTE,
      station: { haltMinutes: 10, delayMinutes: 20, name: served.name, city: served.city },
      isPhoneChecked: false,
    });
    expect(view(row({ scheduled_at: AT + HOUR }), null).station.delayMinutes).toBe(0);
    expect(view(row({ station: 'XXXX' }), null).station).toMatchObject({ name: 'XXXX', city: '' });
  });

  test.each([
    ['ADVANCE ORDER', AT - 2 * HOUR - 1, true, railway.cancelUntil],
    ['ORDER PLACED', AT - 2 * HOUR - 1, true, railway.cancelUntil],
    ['ADVANCE ORDER', AT - 2 * HOUR, false, railway.cancelLate],
    ['INPROCESS', AT - 9 * HOUR, false, railway.cancelBegun],
    ['PICKED UP', AT - 9 * HOUR, false, railway.cancelBegun],
    ['PENDING', AT, true, text.cancelUnpaid],
    ['DELIVERED', AT, false, text.cancelFinished],
    ['CANCELLED', AT - 9 * HOUR, false, text.cancelFinished],
  ] as const)('%s at %d: that it can be cancelled is %s', (status, now, possible, rule) => {
    expect(trainCancelRule({ arrives_at: AT }, { status }, now)).toEqual({
      possible,
      until: possible && status !== 'PENDING' ? AT - 2 * HOUR : null,
      rule,
    });
  });

  describe('a question', () => {
    const question = {
      kind: 'LATE',
      mayWait: true,
      others: [{ station: 'ZZZ', name: 'Zed', storeId: 's', arrivesAt: AT + HOUR, orderUntil: AT }],
      lacking: [{ station: 'YYY', name: 'Why', dishes: ['Garlic bread', 'Dip'] }],
    };
    const asked = (more: object = {}, of: Partial<TrainRow> = {}) =>
      row({ question: JSON.stringify({ ...question, ...more }), answer_by: AT - HOUR, ...of });
    const questionOf = (of: TrainRow, status = 'ADVANCE ORDER', mode: 'UPI' | 'COD' = 'UPI') =>
      view(of, order(status), { mode }).question;

    test('of a late train: its new time, other stations, or the money', () => {
      expect(view(asked(), order('ADVANCE ORDER')).state).toBe('ASKING');
      expect(questionOf(asked())).toEqual({
        kind: 'LATE',
        text: railway.questionLate({ minutes: 20, station: served.name, time: '1 PM' }),
        otherwise: railway.otherwise({ paid: 'yes', time: '12 PM' }),
        answerBy: AT - HOUR,
        whyNot: [railway.questionLacking({ station: 'Why', dishes: 'Garlic bread, Dip' })],
        choices: [
          {
            choice: 'TIME',
            label: railway.choiceTime,
            detail: railway.choiceTimeDetail({ station: served.name, time: '1 PM' }),
            arrivesAt: AT,
          },
          {
            choice: 'STATION',
            label: railway.choiceStation({ station: 'Zed' }),
            detail: railway.choiceStationDetail({ time: '2 PM' }),
            stationId: 'ZZZ',
            arrivesAt: AT + HOUR,
          },
          {
            choice: 'REFUND',
            label: railway.choiceRefund({ paid: 'yes' }),
            detail: railway.choiceRefundDetail({ paid: 'yes', amount: '₹500' }),
            amount: 50_000,
          },
        ],
      });
    });
    test('of one that does not stop: no new time, and no money where none was paid', () => {
      const seen = questionOf(asked({ kind: 'SKIPPED', mayWait: false, others: [] }), 'ADVANCE ORDER', 'COD')!;
      expect(seen).toMatchObject({
        text: railway.questionSkipped({ station: served.name }),
        otherwise: railway.otherwise({ paid: 'no', time: '12 PM' }),
      });
      expect(seen.choices).toEqual([
        {
          choice: 'REFUND',
          label: railway.choiceRefund({ paid: 'no' }),
          detail: railway.choiceRefundDetail({ paid: 'no', amount: '₹500' }),
        },
      ]);
    });
    test('is there only while it is open', () => {
      expect(questionOf(row())).toBeNull();
      expect(questionOf(asked({}, { answer_by: null }))).toBeNull();
      expect(questionOf(asked(), 'CANCELLED')).toBeNull();
      expect(view(asked(), order('ADVANCE ORDER')).question).toBeNull();
      expect(view(asked(), null, { mode: 'UPI' }).question).toBeNull();
    });
    test('cash is the only way that has nothing to give back', () => {
      expect([paidWord('COD'), paidWord('UPI'), paidWord(undefined)]).toEqual(['no', 'yes', 'yes']);
    });
  });

  describe('train and kitchen on one line', () => {
    const step = (id: string, at: number | null, expectedAt: number | null): KitchenStep => ({
      id,
      label: id,
      at,
      expectedAt,
    });
    const kitchen = [
      step('PREP', AT - 30 * MINUTE, null),
      step('BAKE', null, AT - 20 * MINUTE),
      step('DELIVERED', null, AT + 1),
    ];
    const line = (of: TrainRow, own: OrderRow | null) =>
      view(of, own, { kitchen }).timeline.map(({ id, state }) => `${id} ${state}`);
    const came = (...at: string[]) =>
      JSON.stringify(kept.map((one) => ({ ...one, hasArrived: at.includes(one.code) })));

    test('by time, up to the station of the order', () => {
      expect(line(row({ stops: came('AAA') }), order('INPROCESS'))).toEqual([
        'TRAIN AAA done',
        'PREP current',
        'BAKE next',
        `TRAIN ${served.code} next`,
        'DELIVERED next',
      ]);
      const { timeline } = view(row(), order('INPROCESS'), { kitchen });
      expect(timeline.find(({ id }) => id === 'BAKE')?.label).toBe('BAKE');
      expect(timeline).toContainEqual({
        id: 'DELIVERED',
        kind: 'KITCHEN',
        label: railway.stepHandOver,
        at: null,
        expectedAt: AT + 1,
        state: 'next',
      });
      expect(view(row({ stops: came('AAA') }), null).timeline[0]).toEqual({
        id: 'TRAIN AAA',
        kind: 'TRAIN',
        label: railway.stepArrives({ station: 'Station AAA' }),
        at: AT - HOUR,
        expectedAt: null,
        state: 'current',
      });
    });
    test('without a stop that the train does not make, and once it is over without what did not happen', () => {
      const missed = JSON.stringify(kept.map((one) => ({ ...one, isMissed: one.code === 'AAA' })));
      expect(line(row({ stops: missed }), order('INPROCESS'))[0]).toBe('PREP current');
      expect(line(row({ stops: came('AAA') }), order('CANCELLED'))).toEqual(['TRAIN AAA done', 'PREP done']);
    });
  });
});
