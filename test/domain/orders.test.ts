import * as t from '#text/orders.ts';
import { describe, expect, it } from 'vitest';
import { OrderStatus } from '../../src/contract/names.ts';
import { localDay } from '../../src/domain/hours.ts';
import {
  businessDaysAfter,
  DUPLICATE_WINDOW_MINUTES,
  isFinal,
  isHandedOver,
  isLost,
  mayMove,
  PENDING_MINUTES,
  refundWindow,
  RETRY_AFTER_MINUTES,
  serviceCode,
  serviceLabel,
  statusNews,
  stepNews,
  TRANSITIONS,
  type Actor,
  type Service,
  type Stage,
} from '../../src/domain/orders.ts';

const STATUSES = OrderStatus.options;
const SERVICES: readonly Service[] = ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN', 'IRCTC'];
const ACTORS: readonly Actor[] = ['customer', 'store', 'system'];

describe('order states [ORD-22]', () => {
  it('move as the table says and in no other way', () => {
    const moves = [null, ...STATUSES].flatMap((from) =>
      STATUSES.filter((to) =>
        SERVICES.some((service) => ACTORS.some((actor) => mayMove(from, to, service, actor))),
      ).map((to) => `${from ?? '(none)'} > ${to}`),
    );
    expect(moves.sort()).toEqual(
      [
        ...['(none) > ADVANCE ORDER', '(none) > ORDER PLACED', '(none) > PENDING', 'ADVANCE ORDER > CANCELLED'],
        ...['ADVANCE ORDER > ORDER PLACED', 'INPROCESS > CANCELLED', 'INPROCESS > PICKED'],
        ...['INPROCESS > PICKED UP', 'ORDER PLACED > CANCELLED', 'ORDER PLACED > INPROCESS'],
        ...['PENDING > ADVANCE ORDER', 'PENDING > FAILED', 'PENDING > ORDER PLACED', 'PICKED UP > CANCELLED'],
        'PICKED UP > DELIVERED',
      ].sort(),
    );
  });

  it('end in FAILED, CANCELLED, DELIVERED or PICKED, and every other one gets there [ORD-10] [ORD-11]', () => {
    expect(STATUSES.filter(isFinal).sort()).toEqual(['CANCELLED', 'DELIVERED', 'FAILED', 'PICKED']);
    for (const service of SERVICES) {
      const reached = new Set<string | null>([null]);
      for (let grew = true; grew;) {
        grew = false;
        for (const move of TRANSITIONS) {
          if (reached.has(move.from) && !reached.has(move.to) && (move.services?.includes(service) ?? true)) {
            reached.add(move.to);
            grew = true;
          }
        }
      }
      expect(reached.has('DELIVERED'), service).toBe(service === 'DELIVERY' || service === 'IRCTC');
      expect(reached.has('PICKED'), service).toBe(service !== 'DELIVERY' && service !== 'IRCTC');
    }
  });

  it('are brought or collected by service [ORD-12] [ORD-11]', () => {
    for (const service of SERVICES) {
      const isBrought = service === 'DELIVERY' || service === 'IRCTC';
      expect(mayMove('INPROCESS', 'PICKED UP', service, 'store'), service).toBe(isBrought);
      expect(mayMove('INPROCESS', 'PICKED', service, 'store'), service).toBe(!isBrought);
    }
  });

  it('let the customer cancel before the kitchen begins, the store also after [ORD-X04]', () => {
    const cancellable = (actor: Actor) =>
      STATUSES.filter((from) => mayMove(from, 'CANCELLED', 'DELIVERY', actor)).sort();
    expect(cancellable('customer')).toEqual(['ADVANCE ORDER', 'ORDER PLACED']);
    expect(cancellable('store')).toEqual(['INPROCESS', 'ORDER PLACED', 'PICKED UP']);
    expect(cancellable('system')).toEqual([]);
  });
});

it('services have their labels beside the state [ORD-17] [ORD-19] [ORD-20]', () => {
  expect(SERVICES.map(serviceLabel)).toEqual(['DELIVERY', 'TAKEAWAY', 'CURBSIDE PICKUP', 'DINE-IN', 'IRCTC']);
});

it('services have their codes: what is collected and paid at the counter is another one', () => {
  expect(SERVICES.map((service) => serviceCode(service, false))).toEqual(['D', 'P', 'CURB', 'DINEIN', 'IRCTC']);
  expect(SERVICES.map((service) => serviceCode(service, true))).toEqual(['D', 'T', 'CURB', 'DINEIN', 'IRCTC']);
});

it('an order ends with food in somebody’s hands or without', () => {
  expect(STATUSES.filter(isHandedOver).sort()).toEqual(['DELIVERED', 'PICKED']);
  expect(STATUSES.filter(isLost).sort()).toEqual(['CANCELLED', 'FAILED']);
});

it('is moved by the one who may', () => {
  const movers = (from: OrderStatus | null, to: OrderStatus, service: Service = 'DELIVERY') =>
    ACTORS.filter((by) => mayMove(from, to, service, by));
  expect(movers(null, 'PENDING')).toEqual(['system']);
  expect(movers(null, 'ORDER PLACED')).toEqual(['system']);
  expect(movers(null, 'ADVANCE ORDER')).toEqual(['system']);
  expect(movers('PENDING', 'ORDER PLACED')).toEqual(['system']);
  expect(movers('PENDING', 'ADVANCE ORDER')).toEqual(['system']);
  expect(movers('PENDING', 'FAILED')).toEqual(['customer', 'system']);
  expect(movers('ADVANCE ORDER', 'ORDER PLACED')).toEqual(['system']);
  expect(movers('ADVANCE ORDER', 'CANCELLED')).toEqual(['customer']);
  expect(movers('ADVANCE ORDER', 'CANCELLED', 'IRCTC')).toEqual(['customer', 'system']);
  expect(movers('ORDER PLACED', 'INPROCESS')).toEqual(['store', 'system']);
  expect(movers('ORDER PLACED', 'CANCELLED')).toEqual(['customer', 'store']);
  expect(movers('INPROCESS', 'PICKED UP', 'IRCTC')).toEqual(['store', 'system']);
  expect(movers('INPROCESS', 'PICKED', 'CURB')).toEqual(['store', 'system']);
  expect(movers('PICKED UP', 'DELIVERED', 'IRCTC')).toEqual(['store', 'system']);
  expect(movers('INPROCESS', 'CANCELLED')).toEqual(['store']);
  expect(movers('PICKED UP', 'CANCELLED')).toEqual(['store']);
  expect(movers('PICKED UP', 'CANCELLED', 'PICKUP')).toEqual([]);
});

it('a step has the news of its stage, else of its status', () => {
  expect([stepNews('INPROCESS', 'READY', 'CURB'), stepNews('INPROCESS', 'READY', 'CURB', true)]).toEqual([
    'READY_CURB',
    'READY_BAY',
  ]);
  expect([stepNews('INPROCESS', 'READY', 'DINEIN'), stepNews('INPROCESS', 'READY', 'PICKUP')]).toEqual([
    'READY_TABLE',
    'READY',
  ]);
  expect([stepNews('INPROCESS', 'BAKE', 'CURB'), stepNews('INPROCESS', 'PREP', 'DINEIN')]).toEqual(['BAKE', 'PREP']);
  expect([stepNews('PICKED UP', null, 'IRCTC'), stepNews('PICKED UP', null, 'DELIVERY')]).toEqual(['ON_WAY', 'ON_WAY']);
  expect([stepNews('PICKED', null, 'DINEIN'), stepNews('PICKED', null, 'CURB')]).toEqual(['SERVED', 'PICKED']);
  for (const service of ['DINEIN', 'IRCTC'] as const)
    for (const status of ['PENDING', 'ORDER PLACED', 'INPROCESS', 'DELIVERED', 'CANCELLED', 'FAILED'] as const)
      expect(statusNews(status, service), `${status} ${service}`).toBe(statusNews(status, 'DELIVERY'));
  expect([statusNews('PICKED UP', 'DINEIN'), statusNews('PICKED', 'IRCTC')]).toEqual(['ON_WAY', 'PICKED']);
  expect(STATUSES.map((status) => statusNews(status, 'DELIVERY')).sort()).toEqual(
    ['ADVANCE', 'CANCELLED', 'DELIVERED', 'FAILED', 'MAKING', 'ON_WAY', 'PENDING', 'PICKED', 'PLACED'].sort(),
  );
});

it('every state and stage has words of its own [ORD-21] [ORD-15]', () => {
  const status = (...of: Parameters<typeof statusNews>) => t.status({ news: statusNews(...of) });
  const stage = (one: Stage, service: Service) => t.step({ news: stepNews('INPROCESS', one, service) });
  expect(new Set(STATUSES.map((one) => status(one, 'DELIVERY'))).size).toBe(STATUSES.length);
  expect(status('PENDING', 'DELIVERY')).toBe('Pending confirmation');
  expect([status('PICKED', 'PICKUP'), status('PICKED', 'DINEIN')]).toEqual(['Picked up', 'Served']);
  expect([status('PICKED UP', 'DELIVERY'), status('PICKED UP', 'IRCTC')]).toEqual([
    'Out for delivery',
    'On the way to your train',
  ]);
  const stages = ['CONFIRMED', 'PREP', 'BAKE', 'QC', 'READY'] as const;
  expect(new Set(stages.map((one) => stage(one, 'PICKUP'))).size).toBe(stages.length);
  expect(new Set(['PICKUP', 'CURB', 'DINEIN'].map((service) => stage('READY', service as Service))).size).toBe(3);
});

it.each([
  [
    'India, after midnight of a Saturday that is a Friday elsewhere',
    'Asia/Kolkata',
    ['sat', 'sun'],
    '2027-01-16T02:00+05:30',
    '2027-01-21',
  ],
  ['India, before midnight of a Sunday', 'Asia/Kolkata', ['sat', 'sun'], '2027-01-17T23:30+05:30', '2027-01-21'],
  [
    'Bangladesh, whose banks rest on Friday and Saturday',
    'Asia/Dhaka',
    ['fri', 'sat'],
    '2027-01-14T10:00+06:00',
    '2027-01-20',
  ],
  ['Bangladesh, on a Sunday', 'Asia/Dhaka', ['fri', 'sat'], '2027-01-17T10:00+06:00', '2027-01-21'],
] as const)(
  'a refund of four business days arrives by the days of the place: %s [PAY-23]',
  (_where, timeZone, weekend, at, day) => {
    expect(localDay(refundWindow(Date.parse(at), { timeZone, weekend }).from, timeZone)).toBe(day);
  },
);

it('a refund is dated 4 to 10 business days ahead, weekends left out [PAY-23]', () => {
  const india = { timeZone: 'Asia/Kolkata', weekend: ['sat', 'sun'] } as const;
  const friday = Date.parse('2027-01-15T10:00:00Z');
  expect(new Date(businessDaysAfter(friday, 1, india)).toISOString()).toBe('2027-01-18T10:00:00.000Z');
  const { from, to } = refundWindow(friday, india);
  expect([new Date(from).toISOString(), new Date(to).toISOString()]).toEqual([
    '2027-01-21T10:00:00.000Z',
    '2027-01-29T10:00:00.000Z',
  ]);
  const saturday = Date.parse('2027-01-16T10:00:00Z');
  expect(
    [0, 1, 5, 6].map((days) => new Date(businessDaysAfter(saturday, days, india)).toISOString().slice(0, 10)),
  ).toEqual(['2027-01-16', '2027-01-18', '2027-01-22', '2027-01-25']);
  expect([DUPLICATE_WINDOW_MINUTES, RETRY_AFTER_MINUTES, PENDING_MINUTES]).toEqual([30, 15, 15]);
});
