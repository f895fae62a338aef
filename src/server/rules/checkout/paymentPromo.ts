import type { EndpointInput } from '../../../contract/endpoint.ts';
import type * as payments from '../../../contract/payments.ts';
import { money } from '../../../contract/price.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { errors as errorText } from '../../call/language.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { rehearse, type Tx } from '../../store/db.ts';
import { readKey } from '../../store/idempotency.ts';
import { orderById, snapshotOf, type OrderRow } from '../../store/orders.ts';
import { latestPayment } from '../../store/payments.ts';
import { paymentView } from '../order/orderView.ts';
import { lockedOr404, ownPayment } from '../order/rights.ts';
import { optionsOf } from '../payment/modes.ts';
import { fingerprint, keyOf } from '../reliability/idempotency.ts';
import { anotherAttempt, mustBePayable } from './anotherAttempt.ts';
import { begin } from './attempts.ts';
import { changePromo } from './transactionPromo.ts';
import { onUnpaidOrder } from './unpaidOrder.ts';

type Totals = { before: number; after: number };

const shown = ({ before, after }: Totals) => ({ before: money(before), after: money(after) });

/**
 * Puts a code on the order of a payment or takes it off, with another attempt for the new total; `look` only says what
 * the total would be. A code that may not be used is an answer like any other.
 */
export async function promoOnPayment(
  call: Call,
  endpoint: typeof payments.applyPromo,
  { transactionId, promo, query }: EndpointInput<typeof payments.applyPromo>,
) {
  const { db } = call;
  const isOn = endpoint.method === 'POST';
  const isLook = query.look === 'true';
  const key = keyOf(call);
  const { payment, order } = await ownPayment(call, transactionId);
  const last = await latestPayment(db, order.id);
  const isNew = (await readKey(db, userIdOf(call), key)) === undefined;
  if (isNew && last?.id !== payment.id) refuse(409, 'PAYMENT_CLOSED', errorText.paymentFailed);
  const mode = query.paymentMode ?? payment.mode;
  const kept = (mode === payment.mode ? JSON.parse(payment.details) : {}) as {
    cardToken?: string | null;
    choice?: { id: string };
  };
  const wish = { code: promo, isOn, mode, cardToken: query.cardToken ?? kept.cardToken ?? undefined };
  const choice = query.paymentChoice ?? kept.choice?.id;
  const options = await optionsOf(call);
  const changed = async (tx: Tx, locked: OrderRow, isRehearsal: boolean) => {
    await mustBePayable(tx, locked, isRehearsal);
    const now = await changePromo(tx, call, locked, wish);
    return { now, totals: { before: locked.total, after: now.total } satisfies Totals };
  };
  try {
    if (isLook) {
      const { now, totals } = await rehearse(db, async (tx) => changed(tx, await lockedOr404(tx, order.id), true));
      return { total: shown(totals), bill: snapshotOf(now).bill };
    }
    return await onUnpaidOrder(
      call,
      {
        orderId: order.id,
        key,
        print: fingerprint(`${endpoint.method} ${endpoint.path}`, { transactionId, promo, query }),
      },
      async (tx, locked, isRehearsal) => {
        const { now, totals } = await changed(tx, locked, isRehearsal);
        const another = { mode, cardToken: wish.cardToken, options, choice, isRehearsal };
        return { paymentId: (await anotherAttempt(tx, call, now, another)).id, totals };
      },
      async ({ paymentId, totals }) => {
        const next = await begin(call, paymentId);
        const { payment: own } = await ownPayment(call, paymentId);
        const after = (await orderById(db, order.id)) ?? order;
        return {
          total: shown(totals),
          bill: snapshotOf(after).bill,
          payment: paymentView(own, after.status === 'PENDING'),
          next,
        };
      },
    );
  } catch (error) {
    // A code that may not be used is a normal reply, as it is on a cart. The transaction was rolled back.
    if (error instanceof Refusal && error.errors.some(({ code }) => code === 'COUPON' || code.startsWith('COUPON_')))
      return { status: 'FAILED' as const, errors: [...error.errors] };
    throw error;
  }
}
