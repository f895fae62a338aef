import type { ProviderStatus } from '../../call/payments.ts';
import { jobs } from '../../call/jobs.ts';
import type { Services } from '../../call/services.ts';
import { transact } from '../../store/db.ts';
import type { Db, Root, Tx } from '../../store/db.ts';
import { enqueue, type NewJob } from '../../store/jobs.ts';
import { lockOrder, orderById } from '../../store/orders.ts';
import { addCapture, GIVEN_UP, movePayment, OPEN_STATES, paymentById, type PaymentRow } from '../../store/payments.ts';
import { writeRefund } from '../payment/refunds.ts';
import { failOrder } from './ending.ts';
import { placeOrder } from './life.ts';

/** When an open payment is checked, in ms after its start: at 2, 4, 8, 15 and 30 s, then every 30 s. */
const CHECKS_MS = [2000, 4000, 8000, 15_000, 30_000] as const;
const CHECK_EVERY_MS = 30_000;
/**
 * Money may still arrive, without notice, after a payment was given up: it is checked again at these times, in ms after
 * that.
 */
const LATE_CHECKS_MS = [5 * 60_000, 60 * 60_000, 6 * 3_600_000, 24 * 3_600_000] as const;

export function checkAtMs(n: number): number {
  return CHECKS_MS[n] ?? CHECKS_MS[4] + (n - 4) * CHECK_EVERY_MS;
}

/** Schedules the checks of an open payment and the moment when it is given up. Cash is not checked. */
export async function watchPayment(
  tx: Db,
  payment: Pick<PaymentRow, 'id' | 'created_at' | 'settle_by' | 'mode'>,
): Promise<void> {
  const expire: NewJob = {
    kind: 'payment.expire',
    runAt: payment.settle_by,
    payload: { paymentId: payment.id },
    key: `payment.expire:${payment.id}`,
  };
  const check: NewJob = {
    kind: 'payment.check',
    runAt: payment.created_at + checkAtMs(0),
    payload: { paymentId: payment.id, n: 0 },
    key: `payment.check:${payment.id}:0`,
  };
  await enqueue(tx, ...(payment.mode === 'COD' ? [expire] : [check, expire]));
}

/**
 * Asks the provider, server to server, and applies its answer. Only the provider's answer makes an order paid.
 * @throws when the provider cannot be reached; nothing has changed then
 */
export async function settle(db: Root, services: Services, paymentId: string, now: number): Promise<void> {
  const payment = await paymentById(db, paymentId);
  if (payment === undefined || payment.mode === 'COD') return;
  await applyStatus(db, payment, await services.payments.status(payment), now);
}

/**
 * Applies a provider's answer. Safe to repeat and in any order: every move is guarded, and every movement of money has
 * a row of its own.
 */
export async function applyStatus(
  db: Db,
  seen: Pick<PaymentRow, 'id' | 'order_id'>,
  status: ProviderStatus,
  now: number,
): Promise<void> {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, seen.order_id);
    const payment = await paymentById(tx, seen.id);
    if (order === undefined || payment === undefined) return;
    for (const capture of status.captures) await takeCapture(tx, order.id, payment.id, capture, now);
    if (status.state === 'FAILED' || status.state === 'CANCELLED') {
      await movePayment(tx, payment.id, OPEN_STATES, { state: 'FAILED', code: status.code, settled_at: now });
    } else if (status.state === 'PENDING') {
      await movePayment(tx, payment.id, ['CREATED', 'SENT'], { state: 'UNKNOWN' });
    }
    if (status.reversal !== null && status.reversal.amount > 0) {
      await writeRefund(
        tx,
        payment,
        { id: status.reversal.id, amount: status.reversal.amount },
        'PAYMENT_FAILED',
        true,
        now,
      );
    }
  });
}

async function takeCapture(
  tx: Tx,
  orderId: string,
  paymentId: string,
  capture: ProviderStatus['captures'][number],
  now: number,
): Promise<void> {
  const order = await orderById(tx, orderId);
  const payment = await paymentById(tx, paymentId);
  if (order === undefined || payment === undefined) return;
  const fits = capture.amount === payment.amount && capture.currency === payment.currency;
  // At most one capture pays an order: the one that pays changes the state of order and payment, and a unique index of
  // the table enforces it too.
  const pays = fits && order.status === 'PENDING' && OPEN_STATES.includes(payment.state);
  const isNew = await addCapture(tx, {
    id: capture.id,
    payment_id: paymentId,
    order_id: orderId,
    amount: capture.amount,
    currency: capture.currency,
    at: capture.at,
    pays: pays ? 1 : 0,
  });
  if (!isNew) return;
  if (pays) {
    await movePayment(tx, paymentId, OPEN_STATES, { state: 'CAPTURED', settled_at: now });
    await placeOrder(tx, order, now);
    return;
  }
  if (!fits) await movePayment(tx, paymentId, OPEN_STATES, { state: 'FAILED', code: 'AMOUNT', settled_at: now });
  if (capture.amount > 0)
    await writeRefund(
      tx,
      payment,
      capture,
      fits ? (payment.state === 'CAPTURED' ? 'PAID_TWICE' : 'PAID_LATE') : 'AMOUNT',
      false,
      now,
    );
}

jobs.on<{ paymentId: string; n: number }>('payment.check', async ({ paymentId, n }, { db, services, now }) => {
  const payment = await paymentById(db, paymentId);
  if (payment === undefined || !OPEN_STATES.includes(payment.state)) return;
  const next = payment.created_at + checkAtMs(n + 1);
  if (next < payment.settle_by) {
    await enqueue(db, {
      kind: 'payment.check',
      runAt: next,
      payload: { paymentId, n: n + 1 },
      key: `payment.check:${paymentId}:${n + 1}`,
    });
  }
  try {
    await settle(db, services, paymentId, now);
  } catch (error) {
    // The next check asks again. A provider that is down must not fill the table with retries.
    services.log.warn({ error: String(error), paymentId }, 'a payment could not be checked');
  }
});

/**
 * Fifteen minutes are over: cancels the attempt at the provider and applies its answer. If the attempt is still open
 * then, it fails, and so does the order unless another attempt is open.
 */
jobs.on<{ paymentId: string }>('payment.expire', async ({ paymentId }, { db, services, now }) => {
  const payment = await paymentById(db, paymentId);
  if (payment === undefined) return;
  if (OPEN_STATES.includes(payment.state) && payment.mode !== 'COD') {
    try {
      await applyStatus(db, payment, await services.payments.cancel(payment), now);
    } catch (error) {
      services.log.warn({ error: String(error), paymentId }, 'a payment was given up without an answer');
    }
  }
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, payment.order_id);
    if (order === undefined) return;
    const gaveUp = await movePayment(tx, paymentId, OPEN_STATES, { state: 'FAILED', code: GIVEN_UP, settled_at: now });
    if (gaveUp && payment.mode !== 'COD') {
      for (const [n, afterMs] of LATE_CHECKS_MS.entries()) {
        await enqueue(tx, {
          kind: 'payment.late',
          runAt: now + afterMs,
          payload: { paymentId },
          key: `payment.late:${paymentId}:${n}`,
        });
      }
    }
    if (now >= order.settle_by) await failOrder(tx, order, now);
  });
});

jobs.on<{ paymentId: string }>('payment.late', async ({ paymentId }, { db, services, now }) => {
  await settle(db, services, paymentId, now);
});
