import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as cart from '../../src/contract/cart.ts';
import * as contract from '../../src/contract/orders.ts';
import type { PaymentOrder } from '../../src/bridge/hostBridge.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import { deviceOrdersAtom } from '../../src/state/orders/deviceOrders.ts';
import { hostAtom, pathAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import {
  activeOrdersAtom,
  askProviderAtom,
  cancelOrderAtom,
  isOrderGoneAtom,
  isReportedAtom,
  isSubmittingAtom,
  nextStepAtom,
  orderAtom,
  orderState,
  putOrderAtom,
  recentOrders,
  renewOrderAtom,
  reportedAtom,
  resumePaymentAtom,
  settleJournalAtom,
  settleOrderAtom,
  sheetOfAtom,
  sheetQuestion,
  waitingSentenceAtom,
} from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';

import { pay, PICKUP, visitor, type Customer as Buyer } from '../server/shop.ts';
import { fails, meanwhile, openCustomer, type Customer } from './customer.ts';
import { shopHere } from '../server/shopHere.ts';

const { server } = shopHere({ settings: { distDir: null } });

const pageOf = (who: Buyer): Customer => openCustomer(server, { as: who.person.reply });
/** Somebody whose order waits for its payment, on their page. */
async function unpaid(key: string = randomUUID()) {
  const who = await visitor(server, 'IN', PICKUP);
  const { order, next } = await who.order({ key });
  return { who, order, next, key, customer: pageOf(who) };
}
const journalOf = (orderId: string | null, key: string = randomUUID(), at = Date.now()) => ({
  key,
  orderId,
  step: 'paying' as const,
  at,
});
const withPayment = (order: OrderView, payment: Partial<OrderView['payment']>): OrderView => ({
  ...order,
  payment: { ...order.payment, ...payment },
});

test('what an open payment waits for: a code, its own end, or an answer that is lost', async () => {
  const { order, customer } = await unpaid();
  const says = (payment: Partial<OrderView['payment']>) =>
    customer.get(waitingSentenceAtom)(withPayment(order, payment));
  expect([says({ state: 'SENT' }), says({ state: 'OTP_NEEDED' }), says({ state: 'UNKNOWN' })]).toEqual([
    errors.moneyWaitedFor,
    errors.codeWaitedFor,
    errors.moneyUnknown,
  ]);
  customer.set(reportedAtom, 'another');
  expect([says({ state: 'SENT' }), customer.get(isReportedAtom)(order)]).toEqual([errors.moneyWaitedFor, false]);
  customer.set(reportedAtom, order.transactionId);
  expect([says({ state: 'SENT' }), customer.get(isReportedAtom)(order)]).toEqual([errors.moneyUnknown, true]);
});

describe('a payment sheet that is waited for', () => {
  test('ends with its attempt, or with another attempt of its order, and not with another order', async () => {
    const { who, order } = await unpaid();
    const ends: readonly [Partial<OrderView>, boolean][] = [
      [{}, false],
      [withPayment(order, { state: 'FAILED' }), true],
      [{ orderStatus: 'ORDER PLACED' }, true],
      [{ transactionId: 'txn_other' }, true],
      [{ orderId: 'ord_other', transactionId: 'txn_other' }, false],
    ];
    for (const [change, isEnded] of ends) {
      const customer = pageOf(who);
      customer.set(putOrderAtom, order);
      const requestPayment = () => new Promise(() => {});
      customer.set(
        hostAtom,
        new Proxy(customer.host, {
          get: (host, name) => (name === 'requestPayment' ? requestPayment : Reflect.get(host, name)) as unknown,
        }),
      );
      customer.set(sheetOfAtom, order.transactionId);
      void customer.set(sheetQuestion.ask, {} as PaymentOrder);
      customer.set(putOrderAtom, { ...order, ...change });
      expect(customer.get(sheetQuestion.atom), JSON.stringify(change)).toBe(isEnded ? 'idle' : 'asked');
    }
  });
});

describe('what the server says of an order', () => {
  test('while its payment is open, the next step stays; then it is over, and the host and this device know', async () => {
    const { who, order, next, customer } = await unpaid();
    const settled = vi.fn<(orderId: string) => Promise<void>>(() => Promise.resolve());
    customer.set(
      hostAtom,
      new Proxy(customer.host, {
        get: (host, name) => (name === 'paymentSettled' ? settled : Reflect.get(host, name)) as unknown,
      }),
    );
    customer.set(journalAtom, journalOf(order.orderId));
    customer.set(putOrderAtom, order, next);
    expect([customer.get(orderAtom), customer.get(nextStepAtom)]).toEqual([order, next]);
    customer.set(putOrderAtom, order);
    expect([customer.get(nextStepAtom), customer.get(journalAtom)?.step, settled.mock.calls]).toEqual([
      next,
      'paying',
      [],
    ]);
    expect(customer.get(deviceOrdersAtom).map(({ orderId }) => orderId)).toEqual([order.orderId]);
    await pay(server, next);
    const now = await customer.set(settleOrderAtom, order);
    expect(now.orderStatus).toBe('ORDER PLACED');
    expect([customer.get(nextStepAtom), settled.mock.calls]).toEqual([null, [[order.orderId]]]);
    expect(customer.get(journalAtom)).toMatchObject({ orderId: order.orderId, step: 'watching' });
    customer.set(putOrderAtom, { ...now, orderStatus: 'PICKED' });
    expect(customer.get(journalAtom)).toBeNull();
    expect(who.mobile).not.toBe('');
  });

  test('once one order is over, another one of this device that is under way is gone on with', async () => {
    const { who, order, customer } = await unpaid();
    const { order: other } = await who.order();
    await customer.set(recentOrders.load);
    expect(customer.get(activeOrdersAtom).map(({ orderId }) => orderId)).toEqual([other.orderId, order.orderId]);
    customer.set(journalAtom, journalOf(order.orderId));
    customer.set(putOrderAtom, { ...order, orderStatus: 'CANCELLED' });
    expect(customer.get(journalAtom)).toMatchObject({
      key: other.orderId,
      orderId: other.orderId,
      step: 'watching',
    });
    // The one on screen counts as it was last heard.
    expect(customer.get(activeOrdersAtom).map(({ orderId }) => orderId)).toEqual([other.orderId]);
    customer.set(putOrderAtom, { ...other, orderStatus: 'DELIVERED' });
    expect([customer.get(activeOrdersAtom).map(({ orderId }) => orderId), customer.get(journalAtom)]).toEqual([
      [order.orderId],
      { ...journalOf(order.orderId, order.orderId), step: 'watching', at: expect.any(Number) },
    ]);
    // An order that is none of the journal's changes nothing in it.
    const before = customer.get(journalAtom);
    customer.set(putOrderAtom, { ...other, orderStatus: 'DELIVERED' });
    expect(customer.get(journalAtom)).toBe(before);
  });

  test('an order that has failed brings its dishes back, if that is news', async () => {
    const { order, who } = await unpaid();
    let customer = pageOf(who);
    const isCartAsked = (now: OrderView) => {
      customer.calls.length = 0;
      customer.set(putOrderAtom, now);
      return customer.calls.includes(cart.byId.path);
    };
    const failed = { ...order, orderStatus: 'FAILED' as const };
    expect(isCartAsked(failed)).toBe(false);
    expect(isCartAsked(order)).toBe(false);
    expect(isCartAsked({ ...order, orderStatus: 'CANCELLED' })).toBe(false);
    expect(isCartAsked(failed)).toBe(true);
    expect(isCartAsked(failed)).toBe(false);
    customer = pageOf(who);
    customer.set(journalAtom, journalOf(order.orderId));
    expect(isCartAsked(failed)).toBe(true);
    customer = pageOf(who);
    customer.set(putOrderAtom, order);
    expect(isCartAsked({ ...failed, orderId: 'ord_other' })).toBe(false);
  });

  test('asked what became of the money: a refusal is shown, a bad network says nothing', async () => {
    const { order, customer } = await unpaid();
    fails(customer, contract.confirm, new Failure('offline'));
    expect([await customer.set(askProviderAtom, order), await customer.set(settleOrderAtom, order)]).toEqual([
      null,
      order,
    ]);
    expect(customer.get(popupAtom)).toBeNull();
    const list = [{ code: 'X', displayMsg: 'Not yours.' }];
    fails(customer, contract.confirm, new Failure('refused', { errors: list }));
    expect([await customer.set(askProviderAtom, order), customer.get(popupAtom)?.message]).toEqual([
      null,
      'Not yours.',
    ]);
  });

  test('of one that was told a moment ago and is gone since, its page says that it is gone', async () => {
    const { customer, order } = await unpaid();
    customer.set(putOrderAtom, order);
    await customer.set(renewOrderAtom, order.orderId);
    expect(customer.get(orderState.atom).status).toBe('ready');
    fails(customer, contract.byId, new Failure('refused', { httpStatus: 404, errors: [] }));
    await customer.set(orderState.load, order.orderId);
    customer.set(putOrderAtom, order);
    await customer.set(renewOrderAtom, order.orderId);
    expect([customer.get(orderState.atom).status, customer.get(isOrderGoneAtom)(order.orderId)]).toEqual([
      'failed',
      true,
    ]);
  });

  test('that was cancelled while it was loaded stays cancelled on the page', async () => {
    const { order, next, customer } = await unpaid();
    await pay(server, next);
    await customer.set(settleOrderAtom, order);
    meanwhile(customer, contract.byId, () => customer.set(cancelOrderAtom, order.orderId));
    await customer.set(orderState.load, order.orderId);
    expect(customer.get(orderAtom)?.orderStatus).toBe('CANCELLED');
  });

  test('cancelled, it is so on the page; one that cannot be cancelled stands, and that is said', async () => {
    const { order, next, customer } = await unpaid();
    await pay(server, next);
    await customer.set(settleOrderAtom, order);
    fails(customer, contract.byId, new Failure('offline'));
    await customer.set(cancelOrderAtom, order.orderId);
    expect([customer.get(orderAtom)?.orderStatus, customer.get(popupAtom)]).toEqual(['CANCELLED', null]);
    fails(customer, contract.cancel, new Failure('offline'));
    await customer.set(cancelOrderAtom, order.orderId);
    expect(customer.get(popupAtom)).toMatchObject({ message: errors.connectionLost, second: errors.orderStands });
  });
});

describe('an order under way when the page was closed', () => {
  test('that was submitted is found by its key, and gone on with', async () => {
    const { order, next, key, customer } = await unpaid();
    await customer.set(settleJournalAtom);
    expect(customer.calls).toEqual([]);
    customer.set(pathAtom, '/order/open');
    customer.set(journalAtom, journalOf(null, key));
    await customer.set(settleJournalAtom);
    expect(customer.get(journalAtom)).toMatchObject({ key, orderId: order.orderId, step: 'paying' });
    expect([customer.get(orderAtom)?.orderId, customer.get(nextStepAtom)?.kind]).toEqual([order.orderId, next.kind]);
    expect(customer.replaced).toEqual([`/order/${order.orderId}`]);
  });

  test('that has not come to the server is waited for a while, then withdrawn, said to be lost, and leads back to the cart', async () => {
    const { customer } = await unpaid();
    const early = journalOf(null);
    for (const path of ['/order/open', '/menu']) {
      customer.set(pathAtom, path);
      customer.set(journalAtom, early);
      await customer.set(settleJournalAtom);
      expect([customer.get(journalAtom), customer.get(toastAtom), customer.went]).toEqual([early, null, []]);
    }
    for (const [path, leads, ageMs] of [
      ['/menu', [], 10_000],
      // The phone's clock was a day fast then.
      ['/menu', [], -86_400_000],
      ['/order/open?x=1', ['/cart'], 10_000],
    ] as const) {
      customer.set(pathAtom, path);
      customer.set(toastAtom, null);
      customer.set(journalAtom, { ...early, at: Date.now() - ageMs });
      await customer.set(settleJournalAtom);
      expect([customer.get(journalAtom), customer.get(toastAtom)?.message, customer.replaced]).toEqual([
        null,
        errors.submitLost,
        leads,
      ]);
    }
  });

  test('while this page waits for its own submit nobody asks', async () => {
    const { customer, order } = await unpaid();
    customer.set(isSubmittingAtom, true);
    customer.set(journalAtom, journalOf(null));
    customer.calls.length = 0;
    await customer.set(settleJournalAtom);
    expect(customer.calls).toEqual([]);
    customer.set(journalAtom, journalOf(order.orderId));
    await customer.set(settleJournalAtom);
    expect(customer.calls).toContain(contract.byId.path);
  });

  test('that was paid meanwhile is known as paid; without a network it is asked for later; of somebody else it is forgotten', async () => {
    const { order, next, customer } = await unpaid();
    customer.set(journalAtom, journalOf(order.orderId));
    await pay(server, next);
    await customer.set(settleJournalAtom);
    expect(customer.get(orderAtom)?.orderStatus).toBe('ORDER PLACED');
    customer.calls.length = 0;
    await customer.set(settleJournalAtom);
    expect(customer.calls).toEqual([contract.byId.path]);

    const { customer: away, order: waits } = await unpaid();
    const journal = journalOf(waits.orderId);
    away.set(journalAtom, journal);
    fails(away, contract.byId, new Failure('offline'));
    await away.set(settleJournalAtom);
    expect(away.get(journalAtom)).toEqual(journal);

    const { customer: stranger } = await unpaid();
    stranger.set(journalAtom, journalOf(order.orderId));
    await stranger.set(settleJournalAtom);
    expect(stranger.get(journalAtom)).toBeNull();
  });
});

describe('the page of a payment that still needs the customer', () => {
  test('without an order it is the cart', async () => {
    const { customer } = await unpaid();
    expect(await customer.set(resumePaymentAtom, '')).toBeNull();
    expect(customer.replaced).toEqual(['/cart']);
  });

  test('shows the step that is open, after the provider was asked', async () => {
    const { order, next, customer } = await unpaid();
    expect(await customer.set(resumePaymentAtom, order.orderId)).toMatchObject({ kind: next.kind });
    expect([customer.went, customer.calls.includes(contract.confirm.path)]).toEqual([[], true]);
    // Nobody can be asked: the step comes with the payment.
    const away = pageOf((await unpaid()).who);
    expect(await away.set(resumePaymentAtom, order.orderId)).toBeNull();
    expect(away.went).toEqual([]);
    const { order: own, customer: other } = await unpaid();
    fails(other, contract.confirm, new Failure('offline'));
    expect(await other.set(resumePaymentAtom, own.orderId)).toMatchObject({ kind: next.kind });
    expect(other.calls).toContain(payments.transaction.path);
    const { order: third, customer: lost } = await unpaid();
    fails(lost, contract.confirm, new Failure('offline'));
    fails(lost, payments.transaction, new Failure('offline'));
    expect(await lost.set(resumePaymentAtom, third.orderId)).toBeNull();
    expect(lost.replaced).toEqual([`/order/${third.orderId}`]);
  });

  test('asks nobody what the submit has told a moment ago', async () => {
    const { order, next, customer } = await unpaid();
    customer.set(putOrderAtom, order, next);
    customer.set(journalAtom, journalOf(order.orderId));
    await customer.set(settleJournalAtom, { isFirst: true });
    expect(await customer.set(resumePaymentAtom, order.orderId)).toMatchObject({ kind: next.kind });
    expect(customer.calls).toEqual([]);
    // The host has news of it.
    await customer.set(settleJournalAtom);
    expect(customer.calls).toEqual([contract.confirm.path]);
  });

  test.each(['approve', 'decline'] as const)('leads on to the order once it was answered: %s', async (answer) => {
    const { order, next, customer } = await unpaid();
    await pay(server, next, answer);
    expect(await customer.set(resumePaymentAtom, order.orderId)).toBeNull();
    expect(customer.replaced).toEqual([`/order/${order.orderId}`]);
  });

  test('an order that cannot be read leads nowhere, and nothing is asked of the provider', async () => {
    const { order, customer } = await unpaid();
    fails(customer, contract.byId, new Failure('offline'));
    expect(await customer.set(resumePaymentAtom, order.orderId)).toBeNull();
    expect([customer.went, customer.calls, customer.get(orderState.atom).status]).toEqual([[], [], 'failed']);
  });
});
