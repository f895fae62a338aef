import type { PaymentMode } from '../../contract/names.ts';
import * as payments from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import { errors as errorText } from '../call/language.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { transact } from '../store/db.ts';
import type { Tx } from '../store/db.ts';
import { readKey } from '../store/idempotency.ts';
import { lockOrder, orderById, type OrderSnapshot, snapshotOf } from '../store/orders.ts';
import { latestPayment } from '../store/payments.ts';
import { anotherAttempt, mustBePayable } from '../rules/checkout/anotherAttempt.ts';
import { begin } from '../rules/checkout/attempts.ts';
import { fingerprint, keyOf, once } from '../rules/reliability/idempotency.ts';
import { paymentView } from '../rules/order/orderView.ts';
import { changePromo } from '../rules/checkout/transactionPromo.ts';
import { closeIfUnpaid, optionsOf, ownPayment } from './payments.ts';

interface Wish {
  readonly transactionId: string;
  readonly promo: string;
  readonly query: {
    paymentMode?: PaymentMode | undefined;
    cardToken?: string | undefined;
    paymentChoice?: string | undefined;
    look?: 'true' | 'false' | undefined;
  };
}
type Totals = { before: number; after: number };

/** Thrown to roll back the transaction after a code was only tried; carries the result. */
class Looked extends Error {
  readonly totals: Totals;
  readonly snapshot: OrderSnapshot;
  constructor(totals: Totals, snapshot: OrderSnapshot) {
    super('only looked');
    this.totals = totals;
    this.snapshot = snapshot;
  }
}

const shown = ({ before, after }: Totals) => ({ before: money(before), after: money(after) });

async function changed(call: Call, endpoint: typeof payments.applyPromo, { transactionId, promo, query }: Wish) {
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
  const work = async (tx: Tx, look: boolean) => {
    const locked = await lockOrder(tx, order.id);
    if (locked === undefined) return refuse(404, 'NOT_FOUND', errorText.notFound);
    // A real change must make sure that no payment is still open. A preview changes nothing, so an unpaid order is
    // enough.
    if (!look) await mustBePayable(tx, locked);
    else if (locked.status !== 'PENDING') refuse(409, 'ALREADY_PAID', errorText.moneyTaken);
    const now = await changePromo(tx, call, locked, wish);
    const totals = { before: locked.total, after: now.total };
    if (look) throw new Looked(totals, snapshotOf(now));
    return {
      paymentId: (await anotherAttempt(tx, call, now, { mode, cardToken: wish.cardToken, options, choice })).id,
      totals,
    };
  };
  try {
    // Try the code before the open attempt is closed, so that a code that does not fit closes nothing.
    if (isLook || isNew) {
      const seen = await transact(db, (tx) => work(tx, true)).catch((error: unknown) => {
        if (error instanceof Looked) return error;
        throw error;
      });
      if (isLook && seen instanceof Looked)
        return { status: 'SUCCESS' as const, total: shown(seen.totals), bill: seen.snapshot.bill };
      if (last !== undefined) await closeIfUnpaid(call, last);
    }
    return await once(
      call,
      key,
      fingerprint(`${endpoint.method} ${endpoint.path}`, { transactionId, promo, query }),
      (tx) => work(tx, false),
      async ({ paymentId, totals }) => {
        const next = await begin(call, paymentId);
        const { payment: own } = await ownPayment(call, paymentId);
        const after = (await orderById(db, order.id)) ?? order;
        return {
          status: 'SUCCESS' as const,
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

export const promoRoutes: Route[] = [
  on(payments.applyPromo, (input, call) => changed(call, payments.applyPromo, input)),
  on(payments.removePromo, (input, call) => changed(call, payments.removePromo, input)),
];
