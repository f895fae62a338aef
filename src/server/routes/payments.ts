import * as payments from '../../contract/payments.ts';
import type { PaymentOption } from '../../contract/payments.ts';
import { errors, t } from '../call/language.ts';
import { OTP_LIFE_SECONDS, OTP_RESEND_SECONDS } from '../../domain/otp.ts';
import { countryConfig } from '../../../country/index.ts';
import { blockedFor } from '../call/features.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import { NotBelieved } from '../call/payments.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { RawRoute, Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { transact, type Tx } from '../store/db.ts';
import { lockOrder, orderById, snapshotOf, type OrderRow } from '../store/orders.ts';
import {
  addNotice,
  lastPaidMode,
  latestPayment,
  movePayment,
  OPEN_STATES,
  paymentById,
  setHolder,
  paymentByReference,
  type PaymentRow,
} from '../store/payments.ts';
import { anotherAttempt, mustBePayable } from '../rules/checkout/anotherAttempt.ts';
import { begin, codeOfPayment, sendCashCode } from '../rules/checkout/attempts.ts';
import { fundsOffered } from '../rules/payment/funds.ts';
import { fingerprint, keyOf, once } from '../rules/reliability/idempotency.ts';
import { readKey } from '../store/idempotency.ts';
import { optionsFor } from '../rules/payment/modes.ts';
import { nextStep, paymentView } from '../rules/order/orderView.ts';
import { hosts } from '../rules/hosts/hosts.ts';
import { checkCode, guess, refuseCode } from '../rules/people/otp.ts';
import { applyAnswer, closeAttempt, noteIncident, settle } from '../rules/order/settle.ts';
import { placeOrder } from '../rules/order/life.ts';
import { fitsBin } from '../rules/offers/coupons.ts';
import { takeWayToPay, upiHolder } from '../rules/offers/firstOrder.ts';
import { countForNumber } from '../rules/offers/redeem.ts';
import { parseSwitches } from '../store/switches.ts';
import { onLogin } from '../rules/people/sessions.ts';
import { isVpa } from '../../domain/upi.ts';
import { keepCardOffers, moveCardOffers } from '../store/cardOffers.ts';
import { aboutOrder } from '../trace.ts';

/**
 * The caller's own payment and its order. Somebody else's payment is reported as missing.
 * @throws Refusal 404 NOT_FOUND
 */
export async function ownPayment(call: Call, transactionId: string): Promise<{ payment: PaymentRow; order: OrderRow }> {
  const payment = await paymentById(call.db, transactionId);
  const order = payment && (await orderById(call.db, payment.order_id));
  if (
    payment === undefined ||
    order === undefined ||
    order.user_id !== userIdOf(call) ||
    order.country !== call.caller.country
  ) {
    return refuse(404, 'NOT_FOUND', errors.notFound);
  }
  aboutOrder(order);
  return { payment, order };
}

/**
 * Asks the provider about an open payment and stores the result. When the provider does not answer, nothing changes.
 */
export async function settleNow(call: Call, payment: PaymentRow): Promise<void> {
  if (!OPEN_STATES.includes(payment.state) || payment.mode === 'COD') return;
  try {
    await settle(call.db, call.services, payment.id, call.now);
  } catch (error) {
    call.services.log.warn(
      { error: String(error), paymentId: payment.id, requestId: call.requestId },
      'the provider did not answer',
    );
  }
}

async function viewAgain(call: Call, transactionId: string) {
  const { payment, order } = await ownPayment(call, transactionId);
  return { payment, order, view: paymentView(payment, order.status === 'PENDING') };
}

/**
 * Judges a receipt of the customer's page. One that the vendor has signed says that money is on its way: the payment is
 * unknown until the provider has told how it ended. Any other changes nothing: it is only what a page says.
 */
async function takeReceipt(call: Call, payment: PaymentRow, receipt: string): Promise<void> {
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

/**
 * Closes an attempt that nobody has begun to pay, so that the customer can choose another way. Of an unknown one money
 * may be under way: the provider is asked how it ended, and told nothing.
 */
export async function closeIfUnpaid(call: Call, payment: PaymentRow): Promise<void> {
  if (payment.state === 'UNKNOWN') return await settleNow(call, payment);
  if (!OPEN_STATES.includes(payment.state) || payment.mode === 'COD') return;
  try {
    await closeAttempt(call.db, call.services, payment, call.now);
  } catch (error) {
    call.services.log.warn({ error: String(error), paymentId: payment.id }, 'an attempt could not be closed');
  }
}

/** The modes of the caller's country and host, and which of them nobody can pay at present. */
export async function optionsOf(call: Call): Promise<PaymentOption[]> {
  const { caller, db } = call;
  const country = countryConfig(caller.country);
  const { seeds } = await call.services.catalogue.of(db, caller.country, call.seen);
  const options = optionsFor(
    country,
    seeds,
    caller.host,
    blockedFor(country, caller.host, parseSwitches(call.seen.switches).features),
  );
  return options.map((option) =>
    call.services.payments.isAway(option.id, caller.host)
      ? { ...option, disabledReason: t.modeAway({ mode: option.label }) }
      : option,
  );
}

/** Where the fields for a card are, if one can be paid with. */
export function fieldsFor({ services }: Call, options: readonly PaymentOption[]): { cardFields?: string } {
  const address = services.cardFields;
  return address !== null && options.some(({ id }) => id === 'CARD') ? { cardFields: address } : {};
}

export const paymentRoutes: Route[] = [
  on(payments.options, async (_input, call) => {
    const options = await optionsOf(call);
    return { status: 'SUCCESS' as const, options, ...fundsOffered(call, options), ...fieldsFor(call, options) };
  }),

  on(payments.lastSuccessful, async (_input, call) => {
    const mode = await lastPaidMode(call.db, userIdOf(call));
    const isOffered = (await optionsOf(call)).some((option) => option.id === mode);
    return { status: 'SUCCESS' as const, mode: isOffered ? mode : null };
  }),

  on(payments.codOtp, async ({ transactionId, body }, call) => {
    const { payment, order } = await ownPayment(call, transactionId);
    const life = { expiresInSeconds: OTP_LIFE_SECONDS, resendInSeconds: OTP_RESEND_SECONDS };
    if (payment.mode !== 'COD') refuse(409, 'NO_CODE', t.badInput);
    if (payment.state === 'DUE_AT_DOOR' || payment.state === 'CAPTURED')
      return { status: 'SUCCESS' as const, sent: false, verified: true, ...life };
    if (payment.state !== 'OTP_NEEDED') {
      // Another way to pay has taken its place: how that stands is the answer.
      await transact(call.db, (tx) => mustBePayable(tx, order));
      refuse(409, 'ORDER_FAILED', errors.orderFailed);
    }
    const of = codeOfPayment(payment, order);
    if (body.code === undefined) {
      const sent = await sendCashCode(call, payment, order);
      return {
        status: 'SUCCESS' as const,
        sent: true,
        verified: false,
        expiresInSeconds: sent.expiresInSeconds,
        resendInSeconds: sent.resendInSeconds,
      };
    }
    const typed = body.code;
    const check = async (tx: Tx) => {
      const locked = await lockOrder(tx, order.id);
      const found = await checkCode(tx, of, typed, call.now);
      if (
        found.kind === 'right' &&
        locked !== undefined &&
        (await movePayment(tx, payment.id, ['OTP_NEEDED'], { state: 'DUE_AT_DOOR' }))
      ) {
        await placeOrder(tx, locked, call.now);
        await countForNumber(tx, locked, countryConfig(locked.country), call.now);
      }
      return found;
    };
    const verdict = await guess(call, () => transact(call.db, check));
    if (verdict.kind !== 'right') {
      // The same code arrived twice at once. The first request was right, so this one succeeds too.
      const after = await paymentById(call.db, payment.id);
      if (after?.state !== 'DUE_AT_DOOR') refuseCode(verdict);
    }
    const after = await paymentById(call.db, payment.id);
    if (after?.state !== 'DUE_AT_DOOR') refuse(409, 'ORDER_FAILED', errors.orderFailed);
    return { status: 'SUCCESS' as const, sent: false, verified: true, ...life };
  }),

  on(payments.status, async ({ query }, call) => {
    const { payment } = await ownPayment(call, query.transactionId);
    await settleNow(call, payment);
    const { order, view } = await viewAgain(call, query.transactionId);
    return { status: 'SUCCESS' as const, payment: view, orderId: order.id, orderStatus: order.status };
  }),

  on(payments.transaction, async ({ transactionId }, call) => {
    const { payment, order, view } = await viewAgain(call, transactionId);
    return { status: 'SUCCESS' as const, payment: view, orderId: order.id, next: nextStep(payment, call.now) };
  }),

  on(payments.chargeStatus, async ({ transactionId }, call) => {
    await settleNow(call, (await ownPayment(call, transactionId)).payment);
    return { status: 'SUCCESS' as const, payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.retry, async ({ body }, call) => {
    const { db } = call;
    const key = keyOf(call);
    const userId = userIdOf(call);
    const order = await ownOrder(call, body.orderId);
    // Read the last attempt before the idempotency key, so that a repeated call never closes the attempt that the first
    // call opened.
    const last = await latestPayment(db, order.id);
    if (last !== undefined && (await readKey(db, userId, key)) === undefined) await closeIfUnpaid(call, last);
    const options = await optionsOf(call);
    return await once(
      call,
      key,
      fingerprint(payments.retry.path, body),
      async (tx) => {
        const locked = await lockOrder(tx, order.id);
        if (locked === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
        return {
          paymentId: (
            await anotherAttempt(tx, call, locked, {
              mode: body.paymentMode,
              cardToken: body.cardToken,
              linked: body.linked,
              choice: body.paymentChoice,
              options,
            })
          ).id,
        };
      },
      async ({ paymentId }) => {
        const next = await begin(call, paymentId);
        return { status: 'SUCCESS' as const, payment: (await viewAgain(call, paymentId)).view, next };
      },
    );
  }),

  on(payments.upiCollect, async ({ transactionId, body }, call) => {
    const { payment, order } = await ownPayment(call, transactionId);
    if (payment.mode !== 'UPI' || !OPEN_STATES.includes(payment.state))
      refuse(409, 'PAYMENT_CLOSED', errors.paymentFailed);
    const vpa = body.vpa.trim();
    if (!isVpa(vpa)) refuse(422, 'INVALID_VPA', t.vpaInvalid, { field: 'vpa' });
    if (!(await takeUpi(call, { order, payment, vpa }))) refuse(409, 'PAYMENT_CLOSED', errors.paymentFailed);
    try {
      await applyAnswer(call.db, call.services, payment, call.services.payments.collect(payment, vpa), call.now);
    } catch (error) {
      call.services.log.warn({ error: String(error), paymentId: payment.id }, 'a collect request was not answered');
      refuse(502, 'PROVIDER', t.bankAway);
    }
    return { status: 'SUCCESS' as const, payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.receipt, async ({ transactionId, body }, call) => {
    const { payment } = await ownPayment(call, transactionId);
    await takeReceipt(call, payment, body.receipt);
    return { status: 'SUCCESS' as const, payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.cardToken, async ({ body }, call) => {
    const done = await taken(call, body.token);
    if ('problems' in done) throw new Refusal(422, done.problems);
    await keepCardOffers(call.db, userIdOf(call), done.card, await codesForBin(call, done.card.bin), call.now);
    const { fingerprint: _own, ...card } = done.card;
    return { status: 'SUCCESS' as const, ...card };
  }),
];

onLogin((tx, { guestUserId, userId }) => moveCardOffers(tx, guestUserId, userId));

/**
 * Counts a UPI id as the one that pays for an order with an offer for a first order, and notes by what it is known again.
 * @returns false, and nothing is counted, when the order or the payment is over by now: what it had is given back already
 * @throws Refusal 422 COUPON_FIRST_ORDER
 */
export async function takeUpi(
  call: Call,
  { order, payment, vpa }: { readonly order: OrderRow; readonly payment: PaymentRow; readonly vpa: string },
): Promise<boolean> {
  return await transact(call.db, async (tx) => {
    // Whoever cancels or gives up locks the order, too, and gives back what it has used.
    const locked = await lockOrder(tx, order.id);
    const attempt = await paymentById(tx, payment.id);
    if (locked?.status !== 'PENDING' || attempt === undefined || !OPEN_STATES.includes(attempt.state)) return false;
    const holder = await upiHolder(tx, vpa);
    await takeWayToPay(tx, await call.services.catalogue.of(tx, order.country), {
      codes: snapshotOf(locked).coupons,
      holders: [holder],
      orderId: order.id,
      field: 'vpa',
      now: call.now,
    });
    await setHolder(tx, attempt.id, holder.id);
    return true;
  });
}

/** The codes of the coupons that are valid for cards with these first digits. */
export async function codesForBin(call: Call, bin: string): Promise<string[]> {
  const { coupons } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  return [...coupons.values()]
    .filter((coupon) => coupon.bins !== undefined && fitsBin(coupon, bin))
    .map(({ code }) => code);
}

async function taken(call: Call, token: string) {
  try {
    return await call.services.payments.take(token);
  } catch (error) {
    call.services.log.warn(
      { error: error instanceof Error ? error.name : 'unknown', requestId: call.requestId },
      'the card vault did not answer',
    );
    return refuse(502, 'PROVIDER', t.bankAway);
  }
}

/** The caller's own order. Somebody else's order is reported as missing. @throws Refusal 404 NOT_FOUND */
export async function ownOrder(call: Call, orderId: string): Promise<OrderRow> {
  const order = await orderById(call.db, orderId);
  if (order === undefined || order.user_id !== userIdOf(call) || order.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.notFound);
  aboutOrder(order);
  return order;
}

const WEBHOOK_AT_MOST_BYTES = 64 * 1024;

/**
 * The webhook of a provider, which may call more than once and in any order. A notice is only a reason to ask for the
 * status, and that answer decides. The reply is 200 only after the notices were handled, so that otherwise the provider
 * sends them again.
 */
function webhook(method: 'GET' | 'POST', from: string): RawRoute {
  return {
    method,
    path: `/webhooks/${from}`,
    embedded: false,
    async handler(context, { bases, now, services, requestId }) {
      const { headers, url } = context.req.raw;
      const { pathname, search } = new URL(url);
      const body = new Uint8Array(await context.req.arrayBuffer());
      const notices =
        body.length > WEBHOOK_AT_MOST_BYTES
          ? null
          : await services.payments.webhook(from, { method, path: `${pathname}${search}`, headers, body });
      if (notices === null) {
        services.log.warn({ from, method, bytes: body.length, requestId }, 'a webhook call was not believed');
        return new Response('{"status":"FAILED"}', { status: 401, headers: { 'content-type': 'application/json' } });
      }
      for (const { reference, status } of notices) {
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
      return new Response('{"status":"SUCCESS"}', { headers: { 'content-type': 'application/json' } });
    },
  };
}

/** The webhooks of the bank and of the hosts that have one: `/webhooks/<name>`. */
export function paymentHooks(): RawRoute[] {
  const names = hosts()
    .filter((host) => host.webhook !== undefined)
    .map(({ name }) => name);
  return ['bank', ...names].flatMap((name) => [webhook('POST', name), webhook('GET', name)]);
}
