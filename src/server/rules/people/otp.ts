import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Country } from '../../../../country/shape.ts';
import { errors, t } from '../../call/language.ts';
import {
  boundText,
  maySend,
  OTP_DIGITS,
  OTP_LIFE_SECONDS,
  OTP_RESEND_SECONDS,
  OTP_SENDS_A_DAY,
  OTP_TRIES,
  otpCode,
} from '../../../domain/otp.ts';
import { internationalPhone, phoneNumber } from '../../../domain/phone.ts';
import { refuse } from '../../call/refusal.ts';
import type { Call } from '../../call/call.ts';
import { transact } from '../../store/db.ts';
import type { Tx } from '../../store/db.ts';
import {
  codeById,
  forgetSend,
  markCodeUsed,
  noteSend,
  putCode,
  sendsTo,
  takeTry,
  takeTurn,
} from '../../store/sessions.ts';
import { countUse, secret } from '../../store/system.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/**
 * How many SMS one IP address may cause in an hour. It stops abuse that costs money (SMS pumping); a home or an office
 * stays far below.
 */
const SENDS_AN_HOUR_PER_ADDRESS = 60;

/** A code is bound to its purpose, the number, and the person who asked, so a stranger can neither use nor void it. */
export interface CodeOf {
  /** 'login', or for example 'cod:TRANSACTION'. */
  readonly purpose: string;
  /** The country's own digits; see numberOf(). */
  readonly mobile: string;
  readonly userId: string;
  readonly country: Country;
}

const idOf = (of: CodeOf): string => `${of.purpose}|${of.country.COUNTRY_CODE}|${of.mobile}|${of.userId}`;
const hashOf = (pepper: string, salt: string, code: string): string =>
  createHmac('sha256', pepper).update(salt).update(code).digest('base64url');
const pepperOf = (db: Call['db'] | Tx): Promise<string> =>
  secret(db, 'codes', () => randomBytes(32).toString('base64url'));

/** The number in the country's own digits. @throws Refusal 422 INVALID_MOBILE (specification section 5) */
export function numberOf(typed: string, country: Country): string {
  return (
    phoneNumber(typed, country) ??
    refuse(422, 'INVALID_MOBILE', errors.mobileInvalid({ digits: country.PHONE_DIGIT }), { field: 'mobile' })
  );
}

export interface Sent {
  readonly expiresInSeconds: number;
  readonly resendInSeconds: number;
  readonly sendsLeft: number;
  readonly digits: number;
}

/**
 * Sends a code by SMS; the last one of the same purpose, number and person becomes void (product.md 4.2).
 * @param more.pageHost the page's host, for the message's last line
 * @param more.details kept with the code and given back when it is right
 * @throws Refusal 429 OTP_WAIT, 429 OTP_LIMIT, 502 SMS_FAILED
 */
export async function sendCode(
  call: Call,
  of: CodeOf,
  more: { pageHost?: string | undefined; details?: unknown } = {},
): Promise<Sent> {
  const { now } = call;
  const mobile = internationalPhone(of.mobile, of.country);
  const perAddress = await countUse(call.db, `otp-ip|${call.ip}`, HOUR_MS, now);
  if (perAddress.used > addressLimit(call)) refuse(429, 'OTP_LIMIT', errors.otpLimit);
  const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
  const salt = randomBytes(16).toString('base64url');
  const pepper = await pepperOf(call.db);
  const verdict = await transact(call.db, async (tx) => {
    await takeTurn(tx, mobile, now);
    const sends = await sendsTo(tx, mobile, now - DAY_MS);
    const may = maySend(sends, now);
    if (!may.ok) return may;
    await putCode(tx, {
      id: idOf(of),
      salt,
      hash: hashOf(pepper, salt, code),
      at: now,
      endsAt: now + OTP_LIFE_SECONDS * 1000,
      tries: OTP_TRIES,
      details: JSON.stringify(more.details ?? null),
    });
    return {
      ...may,
      sendsLeft: Math.min(may.sendsLeft, OTP_SENDS_A_DAY - sends.length - 1),
      sendId: await noteSend(tx, mobile, now),
    };
  });
  if (!verdict.ok) {
    if (verdict.reason === 'wait')
      refuse(429, 'OTP_WAIT', t.otpWait({ seconds: verdict.waitSeconds }), { field: 'mobile' });
    refuse(429, 'OTP_LIMIT', errors.otpLimit, { field: 'mobile' });
  }
  try {
    const text = t.otpMessage({ app: of.country.appName, code });
    await call.services.sms.send(call.db, mobile, boundText(text, code, hostOf(more.pageHost)));
  } catch (error) {
    call.services.log.warn({ requestId: call.requestId, error }, 'an SMS could not be sent');
    // A message that was never sent does not count against the customer.
    await forgetSend(call.db, verdict.sendId);
    refuse(502, 'SMS_FAILED', errors.internalServerError);
  }
  return {
    expiresInSeconds: OTP_LIFE_SECONDS,
    resendInSeconds: OTP_RESEND_SECONDS,
    sendsLeft: verdict.sendsLeft,
    digits: OTP_DIGITS,
  };
}

function addressLimit(call: Call): number {
  return call.services.development ? Number.MAX_SAFE_INTEGER : SENDS_AN_HOUR_PER_ADDRESS;
}

/** Only a valid host name may stand in a message that bears our name. */
function hostOf(host: string | undefined): string | undefined {
  return host !== undefined && /^[a-z0-9]([a-z0-9.-]{0,100}[a-z0-9])?$/i.test(host) ? host.toLowerCase() : undefined;
}

export type CodeVerdict =
  | { readonly kind: 'right'; readonly details: unknown }
  | { readonly kind: 'wrong' | 'expired' | 'tries' | 'none' };

/**
 * Checks a code inside the caller's transaction, which must COMMIT whatever the verdict is: it counts the wrong tries.
 * So return the verdict from the transaction, and refuse afterwards with `refuseCode`.
 */
export async function checkCode(tx: Tx, of: CodeOf, typed: string, now: number): Promise<CodeVerdict> {
  const row = await codeById(tx, idOf(of));
  if (row === undefined || row.used_at !== null) return { kind: 'none' };
  if (row.ends_at <= now) return { kind: 'expired' };
  const code = otpCode(typed);
  // A typing mistake that cannot be a code costs no try.
  if (code === null) return { kind: 'wrong' };
  // The try is counted before the code is looked at, so that parallel guesses share the five tries.
  const left = await takeTry(tx, row.id, row.salt);
  if (left === null) return { kind: (await codeById(tx, row.id))?.used_at === null ? 'tries' : 'none' };
  const given = Buffer.from(hashOf(await pepperOf(tx), row.salt, code));
  if (!timingSafeEqual(given, Buffer.from(row.hash))) return { kind: left === 0 ? 'tries' : 'wrong' };
  if (!(await markCodeUsed(tx, row.id, row.salt, now))) return { kind: 'none' };
  return { kind: 'right', details: JSON.parse(row.details) as unknown };
}

/** Refuses a code that was not right. @throws Refusal 422 OTP_WRONG, OTP_EXPIRED, OTP_TRIES, OTP_FAILED */
export function refuseCode(verdict: Exclude<CodeVerdict, { kind: 'right' }>): never {
  if (verdict.kind === 'wrong') refuse(422, 'OTP_WRONG', errors.otpWrong, { field: 'code' });
  if (verdict.kind === 'expired') refuse(422, 'OTP_EXPIRED', t.otpExpired, { field: 'code' });
  if (verdict.kind === 'tries') refuse(422, 'OTP_TRIES', t.otpTries, { field: 'code' });
  // No code was asked for, or it was used already.
  refuse(422, 'OTP_FAILED', errors.otpFailed, { field: 'code' });
}
