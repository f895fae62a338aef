import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { PaymentMode } from '../../src/contract/names.ts';
import * as payments from '../../src/contract/payments.ts';
import { optionsState } from '../../src/state/checkout/modes.ts';
import { placing } from '../../src/state/checkout/placing.ts';
import { cardAtom } from '../../src/state/drafts/card.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { chooseWithinAtom } from '../../src/state/drafts/paymentChoice.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { nextStepAtom, orderAtom, settleOrderAtom } from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import {
  changePromoAtom,
  goOnPayingAtom,
  promoTasks,
  lookAtPromoAtom,
  promoLookAtom,
  promoTypedAtom,
  retryPaymentAtom,
} from '../../src/state/after/anotherAttempt.ts';
import type { TestServer } from '../kit/server.ts';
import { openedShop, pay, PICKUP, visitor, type Shop } from '../server/shop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { enteredCard } from './typed.ts';

let shop: Shop;
let server: TestServer;
const assign = vi.fn<(address: string) => void>();
beforeAll(async () => {
  shop = await openedShop({ settings: { distDir: null } });
  ({ server } = shop);
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
  vi.stubGlobal('location', { assign, hostname: 'pizza.example' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await shop.stop();
});

/** Somebody whose order of four pizzas waits for its payment, or was declined, on their page. */
async function unpaid({
  coupon,
  mode = 'UPI',
  isDeclined = true,
}: { coupon?: string; mode?: PaymentMode; isDeclined?: boolean } = {}) {
  const who = await visitor(server, 'IN', PICKUP);
  await who.fill(4, 'M');
  if (coupon) await who.coupon(coupon);
  const { body } = await who.submit({ paymentMode: mode });
  if (isDeclined) {
    await pay(server, body.next, 'decline');
    await who.confirm(body.order);
  }
  const customer = openCustomer(server, { as: who.person.reply });
  return { who, customer, order: await who.read(body.order.orderId), next: body.next };
}
/** From now on this call of the customer's page is answered so. */
function answers(customer: Customer, { method, path }: Pick<Endpoint, 'method' | 'path'>, reply: object): void {
  const api = customer.get(apiAtom);
  customer.set(apiAtom, {
    ...api,
    call: ((endpoint, input, options) =>
      endpoint.path === path && endpoint.method === method
        ? Promise.resolve(reply)
        : api.call(endpoint, input, options)) as Api['call'],
  });
}
const times = (customer: Customer, { path }: { path: string }) => customer.calls.filter((one) => one === path).length;

describe('another attempt after a declined one', () => {
  test('asks for the same money once, and leads to its step', async () => {
    const { customer, order } = await unpaid();
    expect(order.payment.mayPayAgain).toBe(true);
    customer.set(cardAtom, { token: 'of before', lastFour: '1111', brand: 'Visa' });
    const trying = customer.set(retryPaymentAtom, order, 'UPI');
    expect(customer.get(placing.isBusyAtom)).toBe(true);
    await Promise.all([customer.set(retryPaymentAtom, order, 'UPI'), trying]);
    expect([customer.get(placing.isBusyAtom), times(customer, payments.retry)]).toEqual([false, 1]);
    const now = customer.get(orderAtom)!;
    expect(now).toMatchObject({
      orderId: order.orderId,
      payment: { mode: 'UPI', state: 'SENT', amount: order.bill.total },
    });
    expect([now.transactionId, now.transactionId === order.transactionId]).toEqual([now.payment.transactionId, false]);
    expect([customer.get(nextStepAtom)?.kind, customer.replaced]).toEqual(['upi', [`/payment/${order.orderId}`]]);
    expect(customer.get(journalAtom)).toMatchObject({ orderId: order.orderId, step: 'paying' });
    // The card of a try is for that try alone.
    expect(customer.get(cardAtom)).toBeNull();
    await pay(server, customer.get(nextStepAtom)!);
    expect(await customer.set(settleOrderAtom, now)).toMatchObject({ orderStatus: 'ORDER PLACED' });
  });

  test('by card takes the card that was entered; at a bank the one that was chosen, whose page comes at once', async () => {
    const { customer, order } = await unpaid();
    const { token, lastFour, brand } = await enteredCard(customer, server);
    customer.set(cardAtom, { token, lastFour, brand });
    await customer.set(retryPaymentAtom, order, 'CARD');
    expect([customer.get(orderAtom)?.payment.mode, customer.get(popupAtom)]).toEqual(['CARD', null]);

    const { customer: other, order: own } = await unpaid();
    await other.set(optionsState.load);
    const bank = other
      .get(optionsState.atom)
      .data!.options.find(({ id }) => id === 'NETBANKING')!
      .choices!.at(-1)!;
    other.set(chooseWithinAtom, 'NETBANKING', bank.id);
    assign.mockClear();
    await other.set(retryPaymentAtom, own, 'NETBANKING');
    expect(other.get(orderAtom)?.payment.label).toContain(bank.label);
    expect(assign.mock.calls).toEqual([[expect.stringContaining('/bank')]]);
  });

  test.each([
    ['refused', errors.nothingTaken],
    ['offline', errors.lookBeforePaying],
  ] as const)(
    'a try that is %s says what that means for the money, and may be made again with the same card',
    async (kind, second) => {
      const { customer, order } = await unpaid();
      const card = { token: 'x', lastFour: '1111', brand: 'Visa' };
      customer.set(cardAtom, card);
      const list = kind === 'refused' ? [{ code: 'X', displayMsg: 'Not now.' }] : [];
      fails(customer, payments.retry, new Failure(kind, { errors: list }));
      await customer.set(retryPaymentAtom, order, 'CARD');
      expect(customer.get(popupAtom)).toMatchObject({ second });
      expect([customer.get(cardAtom), customer.get(placing.isBusyAtom), customer.went]).toEqual([card, false, []]);
    },
  );
});

describe('an offer that needs the mode which has failed', () => {
  const OFFER = { coupon: 'UPI75', mode: 'UPI' } as const;

  test('where it cannot be asked what it would cost, nothing was taken; a refusal is said in its words', async () => {
    const { customer, order } = await unpaid(OFFER);
    fails(customer, payments.removePromo, new Failure('offline'));
    await customer.set(retryPaymentAtom, order, 'NETBANKING');
    expect(customer.get(popupAtom)).toMatchObject({ message: errors.connectionLost, second: errors.nothingTaken });
    answers(customer, payments.removePromo, { status: 'FAILED', errors: [{ code: 'X', displayMsg: 'Too late.' }] });
    await customer.set(retryPaymentAtom, order, 'NETBANKING');
    expect(customer.get(popupAtom)).toEqual({ message: 'Too late.', right: { label: errors.ok } });
    answers(customer, payments.removePromo, { status: 'FAILED' });
    await customer.set(retryPaymentAtom, order, 'NETBANKING');
    expect(customer.get(popupAtom)).toEqual({ message: expect.stringMatching(/\w/), right: { label: errors.ok } });
  });
});

describe('a code on an order that waits for its payment', () => {
  test('one that does not fit says so beside it, and takes away the price of another one', async () => {
    const { customer, order } = await unpaid({ isDeclined: false });
    customer.set(promoTypedAtom, 'UPI75');
    await customer.set(lookAtPromoAtom, order);
    customer.set(promoTypedAtom, 'NOSUCHCODE');
    await customer.set(lookAtPromoAtom, order);
    expect([customer.get(promoTasks.problemsAtom).code ?? '', customer.get(promoLookAtom)]).toEqual([
      serverText.couponUnknown,
      null,
    ]);
    customer.set(promoTasks.clear);
    await customer.set(changePromoAtom, order, { code: 'NOSUCHCODE', isOn: true });
    expect([customer.get(promoTasks.problemsAtom).code ?? '', customer.get(promoTypedAtom), customer.went]).toEqual([
      serverText.couponUnknown,
      'NOSUCHCODE',
      [],
    ]);
    expect(customer.get(placing.isBusyAtom)).toBe(false);
    fails(customer, payments.applyPromo, new Failure('offline'));
    await customer.set(lookAtPromoAtom, order);
    expect([customer.get(promoTasks.problemsAtom).code ?? '', customer.get(promoTasks.isBusyAtom)]).toEqual([
      errors.connectionLost,
      false,
    ]);
    await customer.set(changePromoAtom, order, { code: 'UPI75', isOn: true });
    expect(customer.get(popupAtom)).toMatchObject({ message: errors.connectionLost, second: errors.lookBeforePaying });
    expect(customer.get(placing.isBusyAtom)).toBe(false);
  });
});

describe('a payment that is gone on with', () => {
  test('its step is opened once; what a host was asked for is looked at before its sheet opens again', async () => {
    const { customer, order, next } = await unpaid({ isDeclined: false });
    await Promise.all([customer.set(goOnPayingAtom, order, next), customer.set(goOnPayingAtom, order, next)]);
    expect([customer.replaced, customer.get(placing.isBusyAtom)]).toEqual([[`/payment/${order.orderId}`], false]);
    await pay(server, next);
    customer.went.length = 0;
    const step = { kind: 'host', transactionId: order.transactionId } as payments.PaymentStep;
    await customer.set(goOnPayingAtom, order, step);
    // It was paid meanwhile: nobody is asked again.
    expect([customer.get(orderAtom)?.orderStatus, customer.went, customer.get(placing.isBusyAtom)]).toEqual([
      'ORDER PLACED',
      [],
      false,
    ]);
  });

  test('where nobody can be asked, no sheet is opened', async () => {
    const { customer, order } = await unpaid({ isDeclined: false });
    await server.switches({ faults: [{ match: 'confirm', status: 500, times: 5 }] });
    await customer.set(goOnPayingAtom, order, {
      kind: 'host',
      transactionId: order.transactionId,
    } as payments.PaymentStep);
    await server.switches({ faults: [] });
    expect([customer.went, customer.get(placing.isBusyAtom)]).toEqual([[], false]);
  });
});
