import * as contract from '../../contract/vouchers.ts';
import { money } from '../../contract/price.ts';
import { countryConfig } from '../../../country/index.ts';
import { voucherPin } from '../../domain/funds.ts';
import { jobs } from '../call/jobs.ts';
import { errors, inLanguage, languageAsked, t } from '../call/language.ts';
import { OTP_LIFE_SECONDS, OTP_RESEND_SECONDS } from '../../domain/otp.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { mustBePayable } from '../rules/checkout/anotherAttempt.ts';
import { addAttempt } from '../rules/checkout/attempts.ts';
import { returnPath } from '../rules/hosts/hosts.ts';
import { restOf, takeFunds } from '../rules/payment/funds.ts';
import { fingerprint, keyOf, once } from '../rules/reliability/idempotency.ts';
import { viewOf } from '../rules/order/orderView.ts';
import { checkCode, guess, numberOf, promiseCode, refuseCode, sendPromised, type CodeOf } from '../rules/people/otp.ts';
import { onLogin } from '../rules/people/sessions.ts';
import { placeOrder } from '../rules/order/life.ts';
import {
  issueVoucher,
  LINKED_AT_MOST,
  mustHaveVouchers,
  onlyOnAccount,
  openVoucher,
  PIN_TRIES,
  pinHash,
  typedHash,
  voucherView,
} from '../rules/payment/vouchers.ts';
import { transact, type Tx } from '../store/db.ts';
import { enqueue } from '../store/jobs.ts';
import { readKey } from '../store/idempotency.ts';
import { lockOrder, orderById } from '../store/orders.ts';
import { latestPayment, movePayment } from '../store/payments.ts';
import { lockUser } from '../store/sessions.ts';
import {
  linkVoucher,
  moveVouchers,
  setPin,
  setVoucherMobile,
  unlinkVoucher,
  voucherByNumber,
  vouchersOf,
} from '../store/vouchers.ts';
import { closeIfUnpaid, ownOrder } from './payments.ts';

const SUCCESS = 'SUCCESS' as const;

async function ownVouchers(call: Call): Promise<contract.Voucher[]> {
  const rows = await vouchersOf(call.db, userIdOf(call));
  return rows.filter((row) => row.country === call.caller.country).map((row) => voucherView(row, call.now));
}

/** The code for a new pin is one of the typed number, whatever it is the number of. */
const pinCode = (hash: string, userId: string, country: string): CodeOf => ({
  purpose: `egv:${hash}`,
  mobile: '',
  userId,
  country: countryConfig(country),
});

interface PinPromise {
  readonly hash: string;
  readonly userId: string;
  readonly country: string;
  readonly language: string;
}
jobs.on<PinPromise>('codes.pin', async (promise, { db, services, now }) => {
  const voucher = await voucherByNumber(db, promise.country, promise.hash);
  const of = pinCode(promise.hash, promise.userId, promise.country);
  const to = voucher?.mobile ?? null;
  await inLanguage(promise.language, () => sendPromised(db, services, { ...of, to, at: now }));
});

export const voucherRoutes: Route[] = [
  on(contract.verify, async ({ body }, call) => {
    mustHaveVouchers(call);
    const { voucher, balance } = await openVoucher(call, body);
    return { status: SUCCESS, voucher: voucherView({ ...voucher, balance }, call.now) };
  }),

  on(contract.link, async ({ body }, call) => {
    mustHaveVouchers(call);
    const userId = userIdOf(call);
    const { voucher, balance } = await openVoucher(call, body);
    await transact(call.db, async (tx) => {
      await lockUser(tx, userId);
      const own = await vouchersOf(tx, userId);
      if (own.length >= LINKED_AT_MOST && !own.some((row) => row.id === voucher.id))
        refuse(422, 'EGV_FULL', errors.egvFull);
      await linkVoucher(tx, userId, voucher.id, call.now);
      // A code to reset a forgotten pin goes to this number. It is set once, by the first customer who links the
      // e-voucher.
      if (call.caller.mobile !== null) await setVoucherMobile(tx, voucher.id, call.caller.mobile);
    });
    return { status: SUCCESS, voucher: voucherView({ ...voucher, balance }, call.now) };
  }),

  on(contract.balance, async (_input, call) => {
    mustHaveVouchers(call);
    return { status: SUCCESS, vouchers: await ownVouchers(call) };
  }),

  on(contract.unlink, async ({ voucherId }, call) => {
    mustHaveVouchers(call);
    const own = (await vouchersOf(call.db, userIdOf(call))).filter(({ id }) => id === voucherId);
    if (onlyOnAccount(own, call.now).length > 0) refuse(409, 'EGV_ONLY_HERE', t.egvOnlyHere, { field: 'voucherId' });
    await unlinkVoucher(call.db, userIdOf(call), voucherId);
    return { status: SUCCESS, vouchers: await ownVouchers(call) };
  }),

  on(contract.redeem, async ({ body }, call) => {
    mustHaveVouchers(call);
    const { db, now } = call;
    const key = keyOf(call);
    const order = await ownOrder(call, body.orderId);
    const last = await latestPayment(db, order.id);
    if (last !== undefined && (await readKey(db, userIdOf(call), key)) === undefined) await closeIfUnpaid(call, last);
    return await once(
      call,
      key,
      fingerprint(contract.redeem.path, body),
      async (tx) => {
        const locked = await lockOrder(tx, order.id);
        if (locked === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
        const attempts = await mustBePayable(tx, locked);
        for (const attempt of attempts)
          await movePayment(tx, attempt.id, ['OTP_NEEDED'], { state: 'FAILED', code: 'CANCELLED', settled_at: now });
        const before = await restOf(tx, locked);
        if (body.amount > before)
          throw new Refusal(422, [{ code: 'FUNDS_CHANGED', displayMsg: t.fundsChanged, field: 'amount' }]);
        await takeFunds(tx, call, locked, { vouchers: [{ voucherId: body.voucherId, amount: body.amount }] }, 'EGV');
        if (body.amount === before) {
          await addAttempt(
            tx,
            locked,
            {
              attempt: (attempts.at(-1)?.attempt ?? 0) + 1,
              mode: 'EGV',
              label: t.egv,
              amount: 0,
              cardToken: null,
              needsCode: false,
              host: call.caller.host,
              returnPath: returnPath(call.header('returnpath'), locked.country, call.caller.host),
            },
            now,
          );
          await placeOrder(tx, locked, now);
        }
        return { orderId: locked.id };
      },
      async ({ orderId }) => {
        const after = (await orderById(db, orderId))!;
        return { status: SUCCESS, order: await viewOf(db, after, now), rest: money(await restOf(db, after)) };
      },
    );
  }),

  on(contract.resetPin, async ({ body }, call) => {
    mustHaveVouchers(call);
    const life = { expiresInSeconds: OTP_LIFE_SECONDS, resendInSeconds: OTP_RESEND_SECONDS };
    // All up to the answer is the same whether there is such an e-voucher or not: nobody finds out which exist.
    const hash = await typedHash(call, body.number);
    const of = pinCode(hash, userIdOf(call), call.caller.country);
    if (body.code === undefined) {
      const promise: PinPromise = {
        hash,
        userId: of.userId,
        country: call.caller.country,
        language: languageAsked(),
      };
      await promiseCode(call, of, hash, (tx) => enqueue(tx, { kind: 'codes.pin', runAt: call.now, payload: promise }));
      return { status: SUCCESS, sent: true, changed: false, ...life };
    }
    const pin = voucherPin(body.pin ?? '') ?? refuse(422, 'EGV_PIN', errors.egvPin, { field: 'pin' });
    const typed = body.code;
    const check = async (tx: Tx) => {
      const found = await checkCode(tx, of, typed, call.now);
      const voucher = found.kind === 'right' ? await voucherByNumber(tx, call.caller.country, hash) : undefined;
      if (voucher !== undefined) await setPin(tx, voucher.id, await pinHash(tx, pin), PIN_TRIES);
      return found;
    };
    const verdict = await guess(call, () => transact(call.db, check));
    if (verdict.kind !== 'right') refuseCode(verdict);
    return { status: SUCCESS, sent: false, changed: true, ...life };
  }),

  on(contract.issue, async ({ body }, call) => {
    const { country } = call.caller;
    const mobile = body.mobile === undefined ? null : numberOf(body.mobile, countryConfig(country));
    return {
      status: SUCCESS,
      ...(await issueVoucher(call.db, { country, amount: body.amount, mobile, days: body.days, now: call.now })),
    };
  }),
];

onLogin((tx, { guestUserId, userId }) => moveVouchers(tx, guestUserId, userId));
