import { HOUR_MS } from '../../../domain/time.ts';
import { refundExpected } from '../../call/bankDays.ts';
import { jobs } from '../../call/jobs.ts';
import type { ProviderStatus } from '../../call/payments.ts';
import type { Db, Tx } from '../../store/db.ts';
import { newId } from '../../store/ids.ts';
import { enqueue } from '../../store/jobs.ts';
import { lookAtSlices } from '../league/score.ts';
import { lookAtPoints } from '../loyalty/loyalty.ts';
import {
  addRefund,
  markRefunded,
  paymentById,
  providerOf,
  refundById,
  type PaymentRow,
  type RefundRow,
} from '../../store/payments.ts';

/** The reason on refunds of what the help gave back. */
export const HELP_REASON = 'HELP';

/**
 * Records that a capture, or a part of it, is refunded: once per capture, or once per `part` of it. It is sent after the
 * commit. A refund that the provider makes by itself (`byProvider`) is only watched. Parts do not know of each other:
 * whoever names one has looked at what is left, with the order locked.
 */
export async function writeRefund(
  tx: Tx,
  payment: PaymentRow,
  of: { id: string; amount: number; part?: string },
  reason: string,
  byProvider: boolean,
  now: number,
): Promise<void> {
  const window = refundExpected(now, payment.currency);
  const id = newId('rfd');
  const refund: RefundRow = {
    id,
    capture_id: of.part === undefined ? of.id : `${of.id}:${of.part}`,
    part_of: of.part === undefined ? null : of.id,
    payment_id: payment.id,
    order_id: payment.order_id,
    amount: of.amount,
    currency: payment.currency,
    reason,
    state: 'STARTED',
    by_provider: byProvider ? 1 : 0,
    created_at: now,
    expected_from: window.from,
    expected_to: window.to,
    paid_at: null,
  };
  const isNew = await addRefund(tx, refund);
  if (!isNew) return;
  await lookAtPoints(tx, payment.order_id, id, now);
  await lookAtSlices(tx, payment.order_id, id, now);
  const lane = `refund:${providerOf(payment)}`;
  if (!byProvider)
    await enqueue(tx, { kind: 'refund.send', lane, runAt: now, payload: { refundId: id }, key: `refund.send:${id}` });
  await enqueue(tx, {
    kind: 'refund.check',
    lane,
    runAt: window.from,
    payload: { refundId: id, n: 0 },
    key: `refund.check:${id}:0`,
  });
}

/** A refund that is not paid yet, with its payment; undefined when nothing is left to do. */
async function openRefund(db: Db, refundId: string) {
  const refund = (await refundById(db, refundId))!;
  return refund.state === 'PAID' ? undefined : { refund, payment: (await paymentById(db, refund.payment_id))! };
}

const toRefund = (refund: RefundRow, { reference, mode, details }: PaymentRow) => ({
  refundId: refund.id,
  reference,
  mode,
  details,
  captureId: refund.part_of ?? refund.capture_id,
  amount: refund.amount,
});

jobs.on<{ refundId: string }>('refund.send', async ({ refundId }, { db, services }) => {
  const open = await openRefund(db, refundId);
  if (open === undefined) return;
  const { refund, payment } = open;
  await services.payments.refund(toRefund(refund, payment));
});

const isReturned = ({ reversal }: ProviderStatus) => reversal !== null && reversal !== 'UNTOLD' && reversal.done;

const REFUND_CHECK_EVERY_MS = 24 * HOUR_MS;
const REFUND_CHECKS = 30;
jobs.on<{ refundId: string; n: number }>('refund.check', async ({ refundId, n }, { db, services, now }) => {
  const open = await openRefund(db, refundId);
  if (open === undefined) return;
  const { refund, payment } = open;
  const done =
    refund.by_provider === 1
      ? isReturned(await services.payments.status(payment))
      : (await services.payments.refund(toRefund(refund, payment))).done;
  if (done) return await markRefunded(db, refundId, now);
  if (n + 1 < REFUND_CHECKS) {
    await enqueue(db, {
      kind: 'refund.check',
      lane: `refund:${providerOf(payment)}`,
      runAt: now + REFUND_CHECK_EVERY_MS,
      payload: { refundId, n: n + 1 },
      key: `refund.check:${refundId}:${n + 1}`,
    });
  } else {
    services.counts.incident('REFUND');
    services.log.error({ refundId }, 'a refund has not arrived after thirty days');
  }
});
