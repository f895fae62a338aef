import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { NotBelieved, type ProviderStatus } from '../../call/payments.ts';
import { userIdOf, type Call, type RawContext } from '../../call/call.ts';
import { jobs } from '../../call/jobs.ts';
import type { Services } from '../../call/services.ts';
import { rehearse, transact } from '../../store/db.ts';
import type { Db, Root, Tx } from '../../store/db.ts';
import { enqueue, type NewJob } from '../../store/jobs.ts';
import { readKey } from '../../store/idempotency.ts';
import { lockOrder, orderById } from '../../store/orders.ts';
import {
  addCapture,
  addNotice,
  CLOSED,
  GIVEN_UP,
  latestPayment,
  movePayment,
  OPEN_STATES,
  paymentById,
  paymentByReference,
  providerOf,
  type PaymentRow,
  UNTOLD,
} from '../../store/payments.ts';
import { aboutOrder } from '../../trace.ts';
import { writeRefund } from '../payment/refunds.ts';
import { failOrder } from '../order/cancellation.ts';
import { placeOrder } from './placed.ts';

/** When an open payment is checked, in ms after its start: at 2, 4, 8, 15 and 30 s, then every 30 s. */
const CHECKS_MS = [2000, 4000, 8000, 15_000, 30_000] as const;
const CHECK_EVERY_MS = 30_000;
/**
 * Money may still arrive, without notice, after a payment was given up: it is checked again at these times, in ms after
 * that.
 */
const LATE_CHECKS_MS = [5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS] as const;

export function checkAtMs(n: number): number {
  return CHECKS_MS[n] ?? CHECKS_MS[4] + (n - 4) * CHECK_EVERY_MS;
}

/** The jobs that check an open payment and that give it up in the end, if it has any. Cash is not checked. */
export function watchOf(
  payment: Pick<PaymentRow, 'id' | 'created_at' | 'settle_by' | 'mode' | 'details' | 'state'>,
): readonly NewJob[] {
  if (payment.state === 'CAPTURED' || payment.state === 'DUE_AT_DOOR') return [];
  const lane = `payment:${providerOf(payment)}`;
  const expire: NewJob = {
    kind: 'payment.expire',
    lane,
    runAt: payment.settle_by,
    payload: { paymentId: payment.id },
    key: `payment.expire:${payment.id}`,
  };
  const check: NewJob = {
    kind: 'payment.check',
    lane,
    runAt: payment.created_at + checkAtMs(0),
    payload: { paymentId: payment.id, n: 0 },
    key: `payment.check:${payment.id}:0`,
  };
  return payment.mode === 'COD' ? [expire] : [check, expire];
}

/**
 * Asks the provider, server to server, and applies its answer. Only the provider's answer makes an order paid.
 * @throws when the provider cannot be reached; nothing has changed then
 */
async function settle(db: Root, services: Services, paymentId: string, now: number): Promise<void> {
  const payment = (await paymentById(db, paymentId))!;
  if (payment.mode === 'COD') return;
  await applyAnswer(db, services, payment, services.payments.status(payment), now);
}

/**
 * Closes an attempt that nobody has begun to pay, so that the customer can choose another way. Where the provider
 * cannot be told to close it, it is over on our side, and money that arrives all the same goes back.
 * @throws when the provider cannot be reached; nothing has changed then
 */
async function closeAttempt(db: Db, services: Services, payment: PaymentRow, now: number): Promise<void> {
  await applyAnswer(db, services, payment, services.payments.cancel(payment), now, true);
}

/**
 * Asks the provider about an open payment and stores the result. When the provider does not answer, nothing changes.
 */
export async function settleNow({ db, services, now, requestId }: Call, payment: PaymentRow): Promise<void> {
  if (!OPEN_STATES.includes(payment.state) || payment.mode === 'COD') return;
  try {
    await settle(db, services, payment.id, now);
  } catch (error) {
    services.log.warn({ error: String(error), paymentId: payment.id, requestId }, 'the provider did not answer');
  }
}

/**
 * Closes an attempt that nobody has begun to pay, so that the customer can choose another way. Of an unknown one money
 * may be under way: the provider is asked how it ended, and told nothing.
 */
export async function closeIfUnpaid(call: Call, payment: PaymentRow): Promise<void> {
  const { db, services, now } = call;
  if (payment.state === 'UNKNOWN') return await settleNow(call, payment);
  if (!OPEN_STATES.includes(payment.state) || payment.mode === 'COD') return;
  try {
    await closeAttempt(db, services, payment, now);
  } catch (error) {
    services.log.warn({ error: String(error), paymentId: payment.id }, 'an attempt could not be closed');
  }
}

/** Ends the attempts to pay in cash whose code nobody has typed. */
export async function endUnconfirmed(tx: Tx, attempts: readonly PaymentRow[], now: number): Promise<void> {
  for (const { id } of attempts)
    await movePayment(tx, id, ['OTP_NEEDED'], { state: 'FAILED', code: 'CANCELLED', settled_at: now });
}

/**
 * Closes the last attempt of an order, if it may be, before a call that makes another one or ends the order. A repeated
 * call closes nothing: it would be the attempt that the first one opened.
 * @param key the call's idempotency key
 * @param rehearsal what the call will do then: where that is refused, the open attempt stays
 */
export async function closeLast(
  call: Call,
  orderId: string,
  key: string,
  rehearsal?: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  // Read the attempt before the key, so that it cannot be one that the first call opens in between.
  const last = await latestPayment(call.db, orderId);
  if (last === undefined || (await readKey(call.db, userIdOf(call), key)) !== undefined) return;
  if (rehearsal !== undefined && OPEN_STATES.includes(last.state)) await rehearse(call.db, rehearsal);
  await closeIfUnpaid(call, last);
}

/**
 * Judges a receipt of the customer's page. One that the vendor has signed says that money is on its way: the payment is
 * unknown until the provider has told how it ended. Any other changes nothing: it is only what a page says.
 */
export async function takeReceipt(call: Call, payment: PaymentRow, receipt: string): Promise<void> {
  const { db, services, now } = call;
  if (!OPEN_STATES.includes(payment.state) || payment.mode === 'COD') return;
  try {
    const says = await services.payments.receipt(payment, receipt, now);
    if (says === 'SUCCESS' || says === 'PENDING')
      await movePayment(db, payment.id, ['CREATED', 'SENT'], { state: 'UNKNOWN' });
  } catch (error) {
    if (error instanceof NotBelieved) noteIncident(services, payment, error);
    else services.log.warn({ error: String(error), paymentId: payment.id }, 'a receipt could not be judged');
  }
  await settleNow(call, payment);
}

/** Asks for the status of a payment of which a provider has given notice: the answer decides, and not the notice. */
export async function takeNotice(
  { bases, now, services, requestId }: RawContext,
  { reference, status }: { readonly reference: string; readonly status: string },
): Promise<void> {
  // A notice does not say which country it is about.
  for (const { db, services: its } of bases) {
    const payment = await paymentByReference(db, reference);
    // A signed notice about an unknown reference is accepted and ignored.
    if (payment === undefined) continue;
    const order = await orderById(db, payment.order_id);
    if (order !== undefined) aboutOrder(order);
    const isNew = await addNotice(db, reference, status, now);
    // The same notice again may mean a second capture, which has the same status. Asking once more does no harm.
    if (!isNew) services.log.info({ reference, requestId }, 'a notice came again');
    await settle(db, its, payment.id, now);
  }
}

/**
 * Applies what a provider answers. An answer that must not be believed changes nothing but that the payment is unknown:
 * it is not paid, and the customer is not asked to pay again.
 * @throws when the provider cannot be reached; nothing has changed then
 */
export async function applyAnswer(
  db: Db,
  services: Services,
  payment: PaymentRow,
  answer: Promise<ProviderStatus>,
  now: number,
  isClosing = false,
): Promise<void> {
  try {
    await applyStatus(db, payment, await answer, now, isClosing);
  } catch (error) {
    if (!(error instanceof NotBelieved)) throw error;
    noteIncident(services, payment, error);
    await movePayment(db, payment.id, ['CREATED', 'SENT'], { state: 'UNKNOWN' });
  }
}

/** Writes down an answer that was not believed: somebody has to look at it. */
export function noteIncident(
  { log, counts }: Pick<Services, 'log' | 'counts'>,
  payment: PaymentRow,
  { message }: NotBelieved,
): void {
  const { id: paymentId, reference, mode } = payment;
  counts.incident('PAYMENT');
  log.error(
    { incident: 'PAYMENT', paymentId, reference, mode, error: message },
    'an answer about a payment was not believed',
  );
}

const fits = (capture: ProviderStatus['captures'][number], payment: PaymentRow) =>
  capture.amount === payment.amount && capture.currency === payment.currency;

/**
 * Applies a provider's answer. Safe to repeat and in any order: every move is guarded, and every movement of money has
 * a row of its own.
 * @throws NotBelieved when only other amounts than the open attempt's were paid; once it is over, they go back
 */
async function applyStatus(
  db: Db,
  seen: Pick<PaymentRow, 'id' | 'order_id'>,
  status: ProviderStatus,
  now: number,
  isClosing: boolean,
): Promise<void> {
  await transact(db, async (tx) => {
    const order = (await lockOrder(tx, seen.order_id))!;
    const payment = (await paymentById(tx, seen.id))!;
    const [first] = status.captures;
    if (
      first !== undefined &&
      OPEN_STATES.includes(payment.state) &&
      !status.captures.some((own) => fits(own, payment))
    )
      throw new NotBelieved(
        `another amount: ${first.amount} ${first.currency}, not ${payment.amount} ${payment.currency}`,
      );
    for (const capture of status.captures) await takeCapture(tx, order.id, payment.id, capture, now);
    if (status.state === 'FAILED' || status.state === 'CANCELLED') {
      // What waited for the bank may have left the account already.
      const isUntold = status.reversal === 'UNTOLD' && payment.state === 'UNKNOWN';
      const code = isUntold ? UNTOLD : status.code;
      await movePayment(tx, payment.id, OPEN_STATES, { state: 'FAILED', code, settled_at: now });
    } else if (status.state === 'PENDING') {
      await movePayment(tx, payment.id, ['CREATED', 'SENT'], { state: 'UNKNOWN' });
    } else if (isClosing && (status.state === 'NONE' || status.state === 'WAITING')) {
      const closed = { state: 'FAILED', code: CLOSED, settled_at: now } as const;
      if (await movePayment(tx, payment.id, ['CREATED', 'SENT'], closed)) await watchLate(tx, payment, now);
    }
    if (status.reversal !== null && status.reversal !== 'UNTOLD' && status.reversal.amount > 0) {
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

/** Schedules the checks for money that arrives after a payment was given up. */
async function watchLate(tx: Tx, payment: PaymentRow, now: number): Promise<void> {
  await enqueue(
    tx,
    ...LATE_CHECKS_MS.map((afterMs, n): NewJob => ({
      kind: 'payment.late',
      lane: `payment:${providerOf(payment)}`,
      runAt: now + afterMs,
      payload: { paymentId: payment.id },
      key: `payment.late:${payment.id}:${n}`,
    })),
  );
}

async function takeCapture(
  tx: Tx,
  orderId: string,
  paymentId: string,
  capture: ProviderStatus['captures'][number],
  now: number,
): Promise<void> {
  const order = (await orderById(tx, orderId))!;
  const payment = (await paymentById(tx, paymentId))!;
  const isDue = fits(capture, payment);
  // At most one capture pays an order: the one that pays changes the state of order and payment, and a unique index of
  // the table enforces it too.
  const pays = isDue && order.status === 'PENDING' && OPEN_STATES.includes(payment.state);
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
  if (capture.amount > 0)
    await writeRefund(
      tx,
      payment,
      capture,
      isDue ? (payment.state === 'CAPTURED' ? 'PAID_TWICE' : 'PAID_LATE') : 'AMOUNT',
      false,
      now,
    );
}

jobs.on<{ paymentId: string; n: number }>('payment.check', async ({ paymentId, n }, { db, services, now }) => {
  const payment = (await paymentById(db, paymentId))!;
  if (!OPEN_STATES.includes(payment.state)) return;
  const next = payment.created_at + checkAtMs(n + 1);
  if (next < payment.settle_by) {
    await enqueue(db, {
      kind: 'payment.check',
      lane: `payment:${providerOf(payment)}`,
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
  const payment = (await paymentById(db, paymentId))!;
  if (OPEN_STATES.includes(payment.state) && payment.mode !== 'COD') {
    try {
      await closeAttempt(db, services, payment, now);
    } catch (error) {
      services.log.warn({ error: String(error), paymentId }, 'a payment was given up without an answer');
    }
  }
  await transact(db, async (tx) => {
    const order = (await lockOrder(tx, payment.order_id))!;
    const gaveUp = await movePayment(tx, paymentId, OPEN_STATES, { state: 'FAILED', code: GIVEN_UP, settled_at: now });
    if (gaveUp && payment.mode !== 'COD') await watchLate(tx, payment, now);
    if (now >= order.settle_by) await failOrder(tx, order, now);
  });
});

jobs.on<{ paymentId: string }>('payment.late', async ({ paymentId }, { db, services, now }) => {
  await settle(db, services, paymentId, now);
});
