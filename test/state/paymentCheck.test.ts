import * as t from '#text/payment.ts';
import { expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as orders from '../../src/contract/orders.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import * as payments from '../../src/contract/payments.ts';
import { checkAnswerAtom, checkLinkAtom, checkPaidAtom, checkTasks } from '../../src/state/payment/paymentCheck.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { lookAfterAtom, nextStepAtom, orderAtom, putOrderAtom } from '../../src/state/orders/orders.ts';
import { linkModeAtom, linkStepAtom, payByLinkAtom, payLinkState } from '../../src/state/payment/paylinks.ts';
import { pay, PICKUP, visitor } from '../server/shop.ts';
import { between, fails, openAtStore, openCustomer, placeOrder } from './customer.ts';
import { shopOfPage } from './shopOfPage.ts';

const server = shopOfPage();

test('whoever has paid while the page was asking is told of what is asked after that, and not of before', async () => {
  const { customer, order } = await unpaid();
  const real = customer.get(apiAtom);
  let asked = 0;
  const held: (() => void)[] = [];
  const end = between(customer, async (next, endpoint) => {
    if (endpoint.path !== orders.confirm.path) return await next();
    asked += 1;
    const answer = await next();
    if (asked === 1) await new Promise<void>((done) => held.push(done));
    return answer;
  });
  // The page looks after its order, twice: one call.
  const looking = [customer.set(lookAfterAtom, order), customer.set(lookAfterAtom, order)];
  await vi.waitFor(() => expect(held).toHaveLength(1));
  const { next } = await real.call(payments.transaction, { transactionId: order.transactionId });
  await pay(server, next!);
  const checking = customer.set(checkPaidAtom, order);
  held[0]!();
  expect([await checking, asked, (await Promise.all(looking)).map((one) => one.orderStatus)]).toEqual([
    true,
    2,
    ['PENDING', 'PENDING'],
  ]);
  expect(customer.get(orderAtom)!.orderStatus).toBe('ORDER PLACED');
  end();
});

const begin = (sentence: (facts: { time: string }) => string) =>
  new RegExp(`^${sentence({ time: 'x' }).split('x')[0]}`);
async function unpaid() {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 1 });
  await customer.set(syncCartAtom);
  const orderId = await placeOrder(customer);
  const { order } = await customer.get(apiAtom).call(orders.byId, { orderId });
  return { customer, order, orderId };
}

test('money that has arrived needs no sentence, and an answer that is not true any more is none', async () => {
  const { customer, order, orderId } = await unpaid();
  expect(await customer.set(checkPaidAtom, order)).toBe(true);
  expect(customer.get(checkAnswerAtom)(orderId)).toMatch(begin(t.checkNothing));
  // Another order on the page says nothing about this one.
  customer.set(putOrderAtom, { ...order, orderId: 'another', payment: { ...order.payment, state: 'UNKNOWN' } });
  expect(customer.get(checkAnswerAtom)(orderId)).toMatch(begin(t.checkNothing));
  expect(customer.get(checkAnswerAtom)('another')).toBe('');
  // The bank says meanwhile that it knows nothing: what was heard before is old.
  customer.set(putOrderAtom, { ...order, payment: { ...order.payment, state: 'UNKNOWN' } });
  expect(customer.get(checkAnswerAtom)(orderId)).toBe('');
  const next = customer.get(nextStepAtom)!;
  await pay(server, next);
  expect(await customer.set(checkPaidAtom, order)).toBe(true);
  expect([customer.get(orderAtom)?.payment.state, customer.get(checkAnswerAtom)(orderId)]).toEqual(['CAPTURED', '']);
  expect(customer.get(checkTasks.isBusyAtom)).toBe(false);
});

test('a bank that does not know is said, with the time since which it is asked', async () => {
  const { customer, order, orderId } = await unpaid();
  const unknown = {
    ...order,
    payment: { ...order.payment, state: 'UNKNOWN' as const, startedAt: Date.UTC(2026, 10, 25, 6, 30) },
  };
  between(customer, () => ({ order: unknown, next: null }));
  expect(await customer.set(checkPaidAtom, order)).toBe(true);
  expect(customer.get(checkAnswerAtom)(orderId)).toMatch(/12:00:00/);
});

test('who pays for somebody else hears the same, once at a time: nothing yet, nobody could be asked, or that it has arrived', async () => {
  const who = await visitor(server, 'IN', PICKUP);
  const { next } = await who.order({ paymentMode: 'LINK' });
  const { token } = next as Extract<typeof next, { kind: 'link' }>;
  const payer = openCustomer(server);
  const answer = () => payer.get(checkAnswerAtom)(token);
  const checking = payer.set(checkLinkAtom, token);
  expect(payer.get(checkTasks.isBusyAtom)).toBe(true);
  await Promise.all([payer.set(checkLinkAtom, token), checking]);
  expect([
    payer.get(checkTasks.isBusyAtom),
    payer.calls.filter((path) => path === paylinks.byToken.path).length,
  ]).toEqual([false, 1]);
  expect(answer()).toMatch(begin(t.checkNothing));
  const mend = fails(payer, paylinks.byToken, new Failure('offline'));
  await payer.set(checkLinkAtom, token);
  expect(answer()).toMatch(begin(t.checkUnasked));
  mend();
  payer.set(linkModeAtom, 'UPI');
  await payer.set(payByLinkAtom, token);
  await pay(server, payer.get(linkStepAtom)!);
  await vi.waitFor(async () => {
    await payer.set(checkLinkAtom, token);
    expect([payer.get(payLinkState.atom).data?.state, answer()]).toEqual(['PAID', '']);
  });
});
