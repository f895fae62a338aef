import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentOption } from '../../contract/payments.ts';
import * as messages from '../../domain/messages.ts';
import { countryConfig } from '../../../country/index.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { userIdOf } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import { cardOffersOf } from '../store/cardOffers.ts';
import type { Tx } from '../store/db.ts';
import { setOrder, type OrderRow } from '../store/orders.ts';
import { movePayment, OPEN_STATES, paymentsOf, type PaymentRow } from '../store/payments.ts';
import { addAttempt, returnPath } from './attempts.ts';
import { couponByCode, paymentSays } from './coupons.ts';
import { mustFit, restOf } from './funds.ts';
import { mustBeLinked } from './linkedWallets.ts';
import { modeProblem } from './modes.ts';
import type { OrderSnapshot } from './orderView.ts';
import { SETTLE_MS } from './payments.ts';
import { placeOrder } from './settlement.ts';

export interface NextAttempt {
  readonly mode: PaymentMode;
  readonly cardToken: string | undefined;
  readonly options: readonly PaymentOption[];
  /** From the wallet that is tied to the account. */
  readonly linked?: boolean | undefined;
  /** Token of the link that the payer came by. */
  readonly link?: string | undefined;
}

/** An unpaid order whose last attempt is over for certain. @throws Refusal 409 ORDER_FAILED, ALREADY_PAID, PAYMENT_UNKNOWN */
export async function mustBePayable(tx: Tx, order: OrderRow): Promise<PaymentRow[]> {
  if (order.status === 'FAILED' || order.status === 'CANCELLED') refuse(409, 'ORDER_FAILED', messages.ORDER_FAILED);
  if (order.status !== 'PENDING') refuse(409, 'ALREADY_PAID', messages.MONEY_TAKEN);
  const attempts = await paymentsOf(tx, [order.id]);
  if (attempts.some((attempt) => OPEN_STATES.includes(attempt.state) && attempt.state !== 'OTP_NEEDED')) refuse(409, 'PAYMENT_UNKNOWN', messages.MONEY_UNKNOWN);
  return attempts;
}

/**
 * Another attempt for an unpaid order, which the caller has locked: only after the last one is known to have failed, so that
 * one order is paid once. Nothing outside is asked.
 * @throws Refusal 409 as mustBePayable; 422 PAYMENT_MODE, CASH_LIMIT, COUPON_PAYMENT_MODE (`field` is the coupon)
 */
export async function anotherAttempt(tx: Tx, call: Call, order: OrderRow, { mode, cardToken, options, link, linked }: NextAttempt): Promise<PaymentRow> {
  const { now } = call;
  const attempts = await mustBePayable(tx, order);
  for (const attempt of attempts) await movePayment(tx, attempt.id, ['OTP_NEEDED'], { state: 'FAILED', code: 'CANCELLED', settled_at: now });
  const rest = await restOf(tx, order);
  const problem = modeProblem(countryConfig(order.country), options, mode, rest);
  if (problem !== null) throw new Refusal(422, [problem]);
  await mustFit(tx, order.id, mode);
  const provider = linked === true ? await mustBeLinked(tx, call, mode) : undefined;
  const catalogue = await call.services.catalogue.of(tx, order.country);
  const cardCodes = mode === 'CARD' ? await cardOffersOf(tx, userIdOf(call), cardToken, now) : undefined;
  for (const code of (JSON.parse(order.snapshot) as OrderSnapshot).coupons) {
    const coupon = couponByCode(catalogue, code);
    const says = coupon ? paymentSays(coupon, { catalogue, paymentMode: mode, bin: null, cardCodes }) : null;
    if (says !== null) refuse(422, 'COUPON_PAYMENT_MODE', says, { field: code });
  }
  const settleBy = now + SETTLE_MS;
  await setOrder(tx, order.id, { settle_by: settleBy });
  const needsCode = mode === 'COD' && (!call.caller.isLoggedIn || call.caller.mobile !== order.mobile);
  const attempt = await addAttempt(tx, order, {
    attempt: (attempts.at(-1)?.attempt ?? 0) + 1, mode, label: provider?.label ?? options.find((own) => own.id === mode)?.label ?? mode, amount: rest, linked: provider !== undefined, cardToken: cardToken ?? null, needsCode,
    returnPath: returnPath(call.header('returnpath'), order.country, order.partner), host: call.header('x-host'), ...(link === undefined ? {} : { link }),
  }, now);
  if (attempt.state === 'DUE_AT_DOOR') await placeOrder(tx, { ...order, settle_by: settleBy }, now);
  return attempt;
}
