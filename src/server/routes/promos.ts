import type { PaymentMode } from '../../contract/names.ts';
import * as payments from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import * as messages from '../../domain/messages.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { transact } from '../store/db.ts';
import type { Tx } from '../store/db.ts';
import { readKey } from '../store/idempotency.ts';
import { lockOrder, orderById } from '../store/orders.ts';
import { latestPayment } from '../store/payments.ts';
import { anotherAttempt, mustBePayable } from '../rules/anotherAttempt.ts';
import { begin } from '../rules/attempts.ts';
import { fingerprint, keyOf, once } from '../rules/idempotency.ts';
import { paymentView, type OrderSnapshot } from '../rules/orderView.ts';
import { changePromo } from '../rules/transactionPromo.ts';
import { closeIfUnpaid, optionsOf, ownPayment } from './payments.ts';

interface Wish { readonly transactionId: string; readonly promo: string; readonly query: { paymentMode?: PaymentMode | undefined; cardToken?: string | undefined; look?: 'true' | 'false' | undefined } }
type Totals = { before: number; after: number };

/** Carries what a look saw out of a transaction that must not happen. */
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

async function changed(call: Call, endpoint: typeof payments.applyPromo | typeof payments.removePromo, { transactionId, promo, query }: Wish) {
  const { db } = call;
  const isOn = endpoint.method === 'POST';
  const isLook = query.look === 'true';
  const key = keyOf(call);
  const { payment, order } = await ownPayment(call, transactionId);
  const last = await latestPayment(db, order.id);
  const isNew = await readKey(db, userIdOf(call), key) === undefined;
  if (isNew && last?.id !== payment.id) refuse(409, 'PAYMENT_CLOSED', messages.PAYMENT_FAILED);
  const mode = query.paymentMode ?? payment.mode;
  const kept = mode === payment.mode ? (JSON.parse(payment.details) as { cardToken: string | null }).cardToken ?? undefined : undefined;
  const wish = { code: promo, isOn, mode, cardToken: query.cardToken ?? kept };
  const options = await optionsOf(call);
  const work = async (tx: Tx, look: boolean) => {
    const locked = await lockOrder(tx, order.id);
    if (locked === undefined) return refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
    // Whether the open attempt can be closed is seen when it is; a look changes nothing, so it need not know.
    if (!look) await mustBePayable(tx, locked);
    else if (locked.status !== 'PENDING') refuse(409, 'ALREADY_PAID', messages.MONEY_TAKEN);
    const now = await changePromo(tx, call, locked, wish);
    const totals = { before: locked.total, after: now.total };
    if (look) throw new Looked(totals, JSON.parse(now.snapshot) as OrderSnapshot);
    return { paymentId: (await anotherAttempt(tx, call, now, { mode, cardToken: wish.cardToken, options })).id, totals };
  };
  try {
    // A code that does not fit closes nothing: it is tried before the open attempt is given up.
    if (isLook || isNew) {
      const seen = await transact(db, (tx) => work(tx, true)).catch((error: unknown) => { if (error instanceof Looked) return error; throw error; });
      if (isLook && seen instanceof Looked) return { status: 'SUCCESS' as const, total: shown(seen.totals), bill: seen.snapshot.bill };
      if (last !== undefined) await closeIfUnpaid(call, last);
    }
    return await once(call, key, fingerprint(`${endpoint.method} ${endpoint.path}`, { transactionId, promo, query }), (tx) => work(tx, false), async ({ paymentId, totals }) => {
      const next = await begin(call, paymentId);
      const { payment: own } = await ownPayment(call, paymentId);
      const after = await orderById(db, order.id) ?? order;
      return { status: 'SUCCESS' as const, total: shown(totals), bill: (JSON.parse(after.snapshot) as OrderSnapshot).bill, payment: paymentView(own, after.status === 'PENDING'), next };
    });
  } catch (error) {
    // A code that may not be used is an answer, as on a cart; the transaction stays as it was.
    if (error instanceof Refusal && error.errors.some(({ code }) => code === 'COUPON' || code.startsWith('COUPON_'))) return { status: 'FAILED' as const, errors: [...error.errors] };
    throw error;
  }
}

export const promoRoutes: Route[] = [
  on(payments.applyPromo, (input, call) => changed(call, payments.applyPromo, input)),
  on(payments.removePromo, (input, call) => changed(call, payments.removePromo, input)),
];
