import { DAY_MS } from '../../../src/domain/time.ts';
import { createHmac, randomInt } from 'node:crypto';
import { OTP_LIFE_SECONDS, OTP_RESEND_SECONDS, OTP_TRIES, otpCode } from '../../../src/domain/otp.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import type { RawContext } from '../../../src/server/call/call.ts';
import { decide } from '../../../src/server/vendors/bankDesk.ts';
import { decimal, minorOf } from '../../../src/domain/money.ts';
import { PAYTM_CODE } from './checksum.ts';
import { isSame } from '../../../src/server/providers/signing.ts';
import { lockCharge, movementsOf } from '../../../src/server/store/bank.ts';
import { transact } from '../../../src/server/store/db.ts';
import type { Tx } from '../../../src/server/store/db.ts';
import { hashed, newToken } from '../../../src/server/store/ids.ts';
import {
  addDebit,
  addVendorGrant,
  debitsOf,
  dropVendorGrant,
  moveVendorBalance,
  openVendorWallet,
  setReturned,
  takeVendorTry,
  vendorBalance,
  vendorGrant,
} from '../../../src/server/store/linkedWallets.ts';
import { text } from '../../../src/server/vendors/bankInterface.ts';
import { CHANNEL, deskKey, gateway, result } from './desk.ts';

// The imitated gateway's wallets. A wallet is linked by a code that the gateway itself sends. Our own side never reads these
// tables.

/** A new wallet's balance, minor units. */
export const OPENING_BALANCE = 100_000;
const TOKEN_LIFE_MS = 180 * DAY_MS;

const ok = (more: object = {}) => ({ ...result('S', PAYTM_CODE.success, 'Success'), ...more });
const no = (code: string, message: string) => result('F', code, message);

/** Credits refunds of this wallet's charges that came since the last call. */
async function takeReturns(tx: Tx, mobile: string): Promise<void> {
  // Locks the wallet's row until this transaction ends, so that nobody spends from it meanwhile.
  await moveVendorBalance(tx, mobile, 0);
  for (const debit of await debitsOf(tx, mobile)) {
    const movements = await movementsOf(tx, debit.charge_id);
    const done = movements.filter((movement) => movement.kind !== 'in' && movement.done_at !== null);
    // A refunded second capture was never debited here.
    const back = Math.min(
      debit.amount,
      done.reduce((sum, movement) => sum + movement.amount, 0),
    );
    if (back > debit.returned && (await setReturned(tx, debit.charge_id, debit.returned, back)))
      await moveVendorBalance(tx, mobile, back - debit.returned);
  }
}

async function mobileOf({ db, now }: RawContext, token: string): Promise<string | null> {
  const grant = await vendorGrant(db, hashed(token), 'token');
  return grant === undefined || grant.ends_at <= now ? null : grant.mobile;
}

export const walletDesk: readonly RawRoute[] = [
  gateway('/wallet/otp', async (body, { db, now, services }) => {
    const mobile = text(body['mobile']);
    if (!/^\d{10}$/.test(mobile)) return no(PAYTM_CODE.system, 'System error');
    const state = newToken();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const key = await deskKey(db);
    await addVendorGrant(db, {
      hash: hashed(state),
      kind: 'asked',
      mobile,
      code_hash: createHmac('sha256', key).update(state).update(code).digest('base64url'),
      tries_left: OTP_TRIES,
      ends_at: now + OTP_LIFE_SECONDS * 1000,
    });
    await services.sms.send(
      db,
      `+91${mobile}`,
      `${code} ties your Paytm wallet to a merchant. It is valid for 5 minutes. Never share it.`,
    );
    return ok({ state, resendInSeconds: OTP_RESEND_SECONDS });
  }),
  gateway('/wallet/validate', async (body, { db, now }) => {
    const state = text(body['state']);
    const asked = await vendorGrant(db, hashed(state), 'asked');
    if (asked === undefined || asked.ends_at <= now) return no(PAYTM_CODE.expired, 'Code expired');
    const code = otpCode(text(body['otp']));
    const left = code === null ? asked.tries_left : await takeVendorTry(db, asked.hash);
    if (left === null) return no(PAYTM_CODE.cancelled, 'Too many tries');
    const key = await deskKey(db);
    const isRight =
      code !== null &&
      isSame(asked.code_hash ?? '', createHmac('sha256', key).update(state).update(code).digest('base64url'));
    if (!isRight) return no(left === 0 ? PAYTM_CODE.cancelled : PAYTM_CODE.declined, 'Wrong code');
    if (!(await dropVendorGrant(db, asked.hash))) return no(PAYTM_CODE.expired, 'Code used');
    const token = newToken();
    await openVendorWallet(db, asked.mobile, OPENING_BALANCE);
    await addVendorGrant(db, {
      hash: hashed(token),
      kind: 'token',
      mobile: asked.mobile,
      code_hash: null,
      tries_left: 0,
      ends_at: now + TOKEN_LIFE_MS,
    });
    return ok({ token, mobile: asked.mobile });
  }),
  gateway('/wallet/balance', async (body, aside) => {
    const mobile = await mobileOf(aside, text(body['token']));
    if (mobile === null) return no(PAYTM_CODE.expired, 'Not linked');
    return await transact(aside.db, async (tx) => {
      await takeReturns(tx, mobile);
      return ok({ balance: decimal(await vendorBalance(tx, mobile)) });
    });
  }),
  gateway('/wallet/withdraw', async (body, aside) => {
    const mobile = await mobileOf(aside, text(body['token']));
    if (mobile === null) return no(PAYTM_CODE.expired, 'Not linked');
    return await transact(aside.db, async (tx) => {
      const charge = await lockCharge(tx, text(body['orderId']));
      if (charge === undefined || charge.channel !== CHANNEL || minorOf(text(body['txnAmount'])) !== charge.amount)
        return no(PAYTM_CODE.duplicate, 'Invalid order id');
      // A repeated request: its status tells what became of it.
      if (charge.state !== 'WAITING') return ok();
      await takeReturns(tx, mobile);
      if ((await vendorBalance(tx, mobile)) < charge.amount)
        return no(PAYTM_CODE.balance, 'Not enough money in the wallet');
      const decided = await decide(tx, charge.reference, null, aside.now);
      if (decided?.debited !== 1) return ok();
      if (!(await moveVendorBalance(tx, mobile, -charge.amount)))
        throw new Error('a wallet was spent at the same time');
      await addDebit(tx, { charge_id: charge.id, mobile, amount: charge.amount, returned: 0 });
      return ok();
    });
  }),
  gateway('/wallet/unlink', async (body, { db }) => {
    await dropVendorGrant(db, hashed(text(body['token'])));
    return ok();
  }),
];
