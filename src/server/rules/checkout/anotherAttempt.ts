import type { PaymentMode } from '../../../contract/names.ts';
import { optionsNamed, type PaymentOption } from '../../../contract/payments.ts';
import { errors, railway as say, t } from '../../call/language.ts';
import { countryConfig } from '../../../../country/index.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { cardOffersOf } from '../../store/cardOffers.ts';
import type { Db, Tx } from '../../store/db.ts';
import { setOrder, type OrderRow, snapshotOf } from '../../store/orders.ts';
import { hasConfirmed, OPEN_STATES, paymentsOf, type PaymentRow } from '../../store/payments.ts';
import { nowState } from '../../../domain/hours.ts';
import { windowOf } from '../../../domain/trains.ts';
import { trainByEither } from '../../store/trains.ts';
import { addAttempt, mustOwnCard, needsCode } from './attempts.ts';
import { returnPath } from '../hosts/hosts.ts';
import { couponByCode } from '../offers/coupons.ts';
import { paymentSays } from '../offers/couponConditions.ts';
import { holdersFor, takeWayToPay, wayHolder } from '../offers/firstOrder.ts';
import { firstOrderOf } from './checkout.ts';
import { mustFit, payableRest } from '../payment/funds.ts';
import { linkedProvider, walletLink } from '../payment/linkedWallets.ts';
import { choiceOf, modeProblem } from '../payment/modes.ts';
import { nowText } from '../places/stores.ts';
import { SETTLE_MS } from '../../call/payments.ts';
import { placeOrder } from '../placing/placed.ts';
import { endUnconfirmed } from '../placing/settle.ts';

export interface NextAttempt {
  readonly mode: PaymentMode;
  readonly cardToken: string | undefined;
  readonly options: readonly PaymentOption[];
  /** Paid from the provider's wallet that is linked to the account. */
  readonly linked?: boolean | undefined;
  /** Id of the bank or service of the mode. */
  readonly choice?: string | undefined;
  /** Token of the pay link, if somebody else pays through one. */
  readonly link?: string | undefined;
  readonly isRehearsal?: boolean;
}

/** @throws Refusal 409 ORDER_FAILED, ALREADY_PAID */
function mustBeUnpaid({ status }: OrderRow): void {
  if (status === 'FAILED' || status === 'CANCELLED') refuse(409, 'ORDER_FAILED', errors.orderFailed);
  if (status !== 'PENDING') refuse(409, 'ALREADY_PAID', errors.moneyTaken);
}

/**
 * Checks that the order is unpaid and that no attempt may still be paid; in a rehearsal one may, which is closed after it.
 * @throws Refusal 409 ORDER_FAILED, ALREADY_PAID, PAYMENT_UNKNOWN
 */
export async function mustBePayable(tx: Tx, order: OrderRow, isRehearsal = false): Promise<PaymentRow[]> {
  mustBeUnpaid(order);
  const attempts = await paymentsOf(tx, [order.id]);
  if (isRehearsal) return attempts;
  if (attempts.some((attempt) => OPEN_STATES.includes(attempt.state) && attempt.state !== 'OTP_NEEDED'))
    refuse(409, 'PAYMENT_UNKNOWN', errors.moneyUnknown);
  return attempts;
}

const isToTrain = (order: OrderRow): boolean => order.delivery_type === 'IRCTC';

/**
 * Until when an order can be paid at the latest: to a train by its cut-off, else while it can still be ready before the
 * store closes, on the day for which it is wanted.
 * @throws Refusal 422 TRAIN_CUTOFF, STORE_CLOSED where that is past
 */
export async function payableUntil(
  db: Db,
  order: OrderRow,
  { country, stores }: CountryCatalogue,
  now: number,
): Promise<number> {
  if (isToTrain(order)) {
    const train = await trainByEither(db, order.id);
    if (train === undefined) return Number.POSITIVE_INFINITY;
    const { payUntil } = windowOf(train.arrives_at, train.cutoff_minutes);
    return now < payUntil
      ? payUntil
      : refuse(422, 'TRAIN_CUTOFF', say.cutoff({ minutes: train.cutoff_minutes }), { field: 'train' });
  }
  const store = stores.get(order.store_id);
  if (store === undefined) return Number.POSITIVE_INFINITY;
  const wanted = nowState(store, order.scheduled_for ?? now, country.timeZone);
  if (wanted.isOpen && now < wanted.payBy) return wanted.payBy;
  const hours = nowText(country, store, nowState(store, now, country.timeZone), now);
  return refuse(422, 'STORE_CLOSED', t.payTooLate({ hours }));
}

/**
 * What pays an order in the end must be what its coupons are for.
 * @throws Refusal 422 COUPON_PAYMENT_MODE (`field` is the coupon)
 */
export function mustKeepCoupons(
  order: OrderRow,
  mode: PaymentMode,
  {
    catalogue,
    cardCodes,
  }: { readonly catalogue: CountryCatalogue; readonly cardCodes?: ReadonlySet<string> | undefined },
): void {
  for (const code of snapshotOf(order).coupons) {
    const coupon = couponByCode(catalogue, code);
    const says = coupon ? paymentSays(coupon, mode, { catalogue, bin: null, cardCodes }) : null;
    if (says !== null) refuse(422, 'COUPON_PAYMENT_MODE', says, { field: code });
  }
}

/**
 * Makes another payment attempt for an unpaid order, which the caller has locked. The last attempt must have failed for
 * certain, so that an order is never paid twice. Asks no outside service.
 * @throws Refusal 409 as mustBePayable; 422 PAYMENT_MODE, CASH_LIMIT, COUPON_PAYMENT_MODE (`field` is the coupon)
 */
export async function anotherAttempt(
  tx: Tx,
  call: Call,
  order: OrderRow,
  { mode, cardToken, options, link, linked, choice, isRehearsal }: NextAttempt,
): Promise<PaymentRow> {
  const { now } = call;
  const attempts = await mustBePayable(tx, order, isRehearsal);
  await endUnconfirmed(tx, attempts, now);
  const attemptNumber = (attempts.at(-1)?.attempt ?? 0) + 1;
  const rest = await payableRest(tx, order, { mode, attempt: attemptNumber }, now);
  const problem = modeProblem(countryConfig(order.country), options, mode, rest);
  if (problem !== null) throw new Refusal(422, [problem]);
  await mustFit(tx, order.id, mode);
  const provider = linked === true ? linkedProvider(await walletLink(tx, call, mode)) : undefined;
  const catalogue = await call.services.catalogue.of(tx, order.country);
  const cardCodes = mode === 'CARD' ? await cardOffersOf(tx, userIdOf(call), cardToken, now) : undefined;
  mustKeepCoupons(order, mode, { catalogue, cardCodes });
  await mustOwnCard(tx, call, mode, cardToken);
  const of = { deliveryType: order.delivery_type, cardToken, linked, paymentMode: mode };
  await takeWayToPay(tx, catalogue, {
    codes: snapshotOf(order).coupons,
    holders: await holdersFor(tx, call.caller, firstOrderOf(call, of), now),
    orderId: order.id,
    field: 'paymentMode',
    now,
  });
  const named = optionsNamed(options, order.delivery_type);
  const until = await payableUntil(tx, order, catalogue, now);
  const settleBy = Math.min(now + SETTLE_MS, until);
  const isCash = mode === 'COD';
  await setOrder(tx, order.id, { settle_by: settleBy });
  const attempt = await addAttempt(
    tx,
    order,
    {
      attempt: attemptNumber,
      mode,
      label: provider?.label ?? named.find((own) => own.id === mode)?.label ?? mode,
      amount: rest,
      linked: provider !== undefined,
      choice: choiceOf(options, mode, choice),
      cardToken: cardToken ?? null,
      holder: await wayHolder(tx, userIdOf(call), firstOrderOf(call, of), now),
      needsCode:
        !isToTrain(order) &&
        needsCode(call.caller, mode, order.mobile, isCash && (await hasConfirmed(tx, userIdOf(call), order.mobile))),
      settleBy,
      host: call.caller.host,
      returnPath: returnPath(call.header('returnpath'), order.country, call.caller.host),
      ...(link === undefined ? {} : { link }),
    },
    now,
  );
  if (attempt.state === 'DUE_AT_DOOR') await placeOrder(tx, { ...order, settle_by: settleBy }, now);
  return attempt;
}
