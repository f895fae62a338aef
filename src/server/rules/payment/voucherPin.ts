import { countryConfig } from '../../../../country/index.ts';
import { voucherPin } from '../../../domain/funds.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { jobs } from '../../call/jobs.ts';
import { errors, inLanguage, languageAsked } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { setPin, voucherByNumber } from '../../store/vouchers.ts';
import { checkCode, guess, promiseCode, refuseCode, sendPromised, type CodeOf } from '../people/otp.ts';
import { PIN_TRIES, pinHash, typedHash } from './vouchers.ts';

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

/**
 * Promises a code that sets a forgotten pin anew. All of it is the same whether there is such an e-voucher or not: nobody
 * finds out which exist.
 */
export async function promisePinCode(call: Call, number: string): Promise<void> {
  const hash = await typedHash(call, number);
  const { country } = call.caller;
  const of = pinCode(hash, userIdOf(call), country);
  const payload: PinPromise = { hash, userId: of.userId, country, language: languageAsked() };
  await promiseCode(call, of, hash, (tx) => enqueue(tx, { kind: 'codes.pin', runAt: call.now, payload }));
}

/** @throws Refusal 422 EGV_PIN, those of a code */
export async function changePin(
  call: Call,
  typed: { readonly number: string; readonly code: string; readonly pin?: string | undefined },
): Promise<void> {
  const hash = await typedHash(call, typed.number);
  const of = pinCode(hash, userIdOf(call), call.caller.country);
  const pin = voucherPin(typed.pin ?? '') ?? refuse(422, 'EGV_PIN', errors.egvPin, { field: 'pin' });
  const check = async (tx: Tx) => {
    const found = await checkCode(tx, of, typed.code, call.now);
    const voucher = found.kind === 'right' ? await voucherByNumber(tx, call.caller.country, hash) : undefined;
    if (voucher !== undefined) await setPin(tx, voucher.id, await pinHash(tx, pin), PIN_TRIES);
    return found;
  };
  const verdict = await guess(call, () => transact(call.db, check));
  if (verdict.kind !== 'right') refuseCode(verdict);
}
