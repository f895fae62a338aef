import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Country } from '../../../../country/shape.ts';
import { ANSWER_HEADER } from '../../../contract/challenge.ts';
import { errors, t } from '../../call/language.ts';
import {
  boundText,
  maySend,
  type SendVerdict,
  OTP_DIGITS,
  OTP_LIFE_SECONDS,
  OTP_RESEND_SECONDS,
  OTP_SENDS_A_DAY,
  OTP_TRIES,
  otpCode,
} from '../../../domain/otp.ts';
import { internationalPhone, phoneNumber } from '../../../domain/phone.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import { refuse } from '../../call/refusal.ts';
import type { Call } from '../../call/call.ts';
import type { Services } from '../../call/services.ts';
import { transact } from '../../store/db.ts';
import type { Db, Root, Tx } from '../../store/db.ts';
import { hashed } from '../../store/ids.ts';
import { isDeviceOf } from '../../store/devices.ts';
import {
  codeById,
  exchangeCode,
  forgetSend,
  markCodeUsed,
  noteSend,
  putCode,
  sendsTo,
  takeTry,
  takeTurn,
} from '../../store/sessions.ts';
import { countWithin, secret, takeBack } from '../../store/system.ts';
import { hostOfPage } from '../hosts/hosts.ts';
import { hasProof } from './challenge.ts';
import { deviceOf } from './devices.ts';
import { askForProof, isOwnMachine, mayDo, refuseUntil, takeOne, takeOneBack, unlessFailed } from './limits.ts';

/** A code is bound to its purpose, the number, and the person who asked, so a stranger can neither use nor void it. */
export interface CodeOf {
  /** 'login', or for example 'cod:TRANSACTION'. */
  readonly purpose: string;
  /** The recipient: the country's own digits, see numberOf(); or an email, in small letters. */
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

export interface SentCode {
  readonly expiresInSeconds: number;
  readonly resendInSeconds: number;
  readonly sendsLeft: number;
  readonly digits: number;
}

/** Of all codes in an hour: strangers without a proof get a half, and known devices still get one when all are gone. */
const SHARES = { open: 0.5, proof: 1, known: 1.25 } as const;

/** The recipient of a message with a code. */
interface Receiver {
  /** What sends are counted by: a number, international, or what stands for one. */
  readonly key: string;
  /**
   * The budget of whoever has shown before that the number is theirs. Strangers share the others, so that they can never
   * use this one up. Null for a stranger.
   */
  readonly known: string | null;
  /** What the sends of strangers are counted as. */
  readonly as: 'sends' | 'emails';
  /** Whether the caller has a code for the same that is still good. */
  hasCode(db: Db): Promise<boolean>;
}

/** The budget of the caller's own for this number: by their session, or by the device of an earlier login with it. */
async function knownLane(call: Call, { mobile, country }: Pick<CodeOf, 'mobile' | 'country'>): Promise<string | null> {
  const { caller } = call;
  if (caller.isLoggedIn && caller.mobile === mobile && caller.country === country.COUNTRY_CODE) return 'owner';
  const device = deviceOf(call);
  const isKnown = device !== null && (await isDeviceOf(call.db, { device, country: country.COUNTRY_CODE, mobile }));
  return isKnown ? `device:${device}` : null;
}

type SendRefusal = Exclude<SendVerdict, { ok: true }>;
type Lane = readonly [lane: string, share: keyof typeof SHARES];

const OF_ALL = 'sends|all';
/** Takes one of all codes of this hour. @returns what stands against it: nothing, a proof, or the time (epoch ms) */
async function takeOfAll(tx: Tx, call: Call, share: keyof typeof SHARES): Promise<'free' | 'proof' | number> {
  if (isOwnMachine(call)) return 'free';
  const id = OF_ALL;
  const { codesAnHour } = call.services;
  const most = Math.max(1, Math.floor(codesAnHour * SHARES[share]));
  const { used, endsAt, isCounted } = await countWithin(tx, id, most, HOUR_MS, call.now);
  if (!isCounted) return share === 'open' && used < codesAnHour ? 'proof' : endsAt;
  if (used === codesAnHour)
    call.services.log.error({ incident: 'CODES', codesAnHour }, 'all codes of this hour are sent: CODES_AN_HOUR');
  return 'free';
}

const refuseWait = (call: Call, until: number): never =>
  refuseUntil(until, call.now, { code: 'OTP_LIMIT', says: (time) => t.otpLimit(time), field: 'mobile' });

/**
 * Decides whether a code may be sent, for every kind of code, and in the same transaction does `work`, which stores it.
 * A stranger who has used up what strangers may have for this number is not refused, but asked for a proof of work; with
 * one there is a second budget, as large.
 * @returns `forget`, for a message that could not be sent: it counts against nobody
 * @throws Refusal 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT
 */
async function allowSend(
  call: Call,
  to: Receiver,
  work: (tx: Tx) => Promise<void>,
): Promise<{ sendsLeft: number; forget: () => Promise<void> }> {
  // Endless requests are refused at the cost of one read, and before anything is locked.
  if (to.known === null && call.header(ANSWER_HEADER) === '') {
    const may = maySend(await sendsTo(call.db, to.key, call.now - DAY_MS, 'open'), call.now);
    if (!may.ok) return refuseSend(call, may, await to.hasCode(call.db), true);
  }
  const isProven = to.known === null && (await hasProof(call, 'codes'));
  const over = to.known === null ? await takeOne(call, to.as, () => Promise.resolve(isProven)) : null;
  if (over !== null) return refuseWait(call, over.until);
  const lanes: Lane[] =
    to.known === null
      ? isProven
        ? [
            ['open', 'proof'],
            ['proof', 'proof'],
          ]
        : [['open', 'open']]
      : [[to.known, 'known']];
  const take = () => transact(call.db, (tx) => takeSend(tx, call, to, lanes, work));
  const verdict = to.known === null ? await unlessFailed(call, to.as, take) : await take();
  if (verdict.kind === 'taken') {
    const { sendsLeft, sendId } = verdict;
    return { sendsLeft, forget: () => forgetAll(call, to, sendId) };
  }
  // Nothing is sent, so that it uses up nothing of what others at the same address have left.
  if (to.known === null) await takeOneBack(call, to.as);
  if (verdict.kind === 'all') return verdict.ofAll === 'proof' ? askForProof(call) : refuseWait(call, verdict.ofAll);
  return refuseSend(call, verdict.refused, verdict.hasCode, to.known === null && !isProven);
}

async function forgetAll(call: Call, to: Receiver, sendId: string): Promise<void> {
  await forgetSend(call.db, sendId);
  if (!isOwnMachine(call)) await takeBack(call.db, OF_ALL);
  if (to.known === null) await takeOneBack(call, to.as);
}

function refuseSend(call: Call, { reason, waitSeconds }: SendRefusal, hasCode: boolean, mayProve: boolean): never {
  // Somebody else may have had the last code: theirs is of no use here.
  if (reason === 'wait' && hasCode)
    refuse(429, 'OTP_WAIT', t.otpWait({ seconds: waitSeconds }), { field: 'mobile', waitSeconds });
  if (mayProve) askForProof(call);
  return refuseWait(call, call.now + waitSeconds * 1000);
}

type SendOutcome =
  | { readonly kind: 'taken'; readonly sendsLeft: number; readonly sendId: string }
  | { readonly kind: 'all'; readonly ofAll: 'proof' | number }
  | { readonly kind: 'refused'; readonly refused: SendRefusal; readonly hasCode: boolean };

/** Takes a send out of the first of these budgets that has one. */
async function takeSend(
  tx: Tx,
  call: Call,
  to: Receiver,
  lanes: readonly Lane[],
  work: (tx: Tx) => Promise<void>,
): Promise<SendOutcome> {
  const { now } = call;
  await takeTurn(tx, to.key, now);
  const refused: SendRefusal[] = [];
  for (const [lane, share] of lanes) {
    const sends = await sendsTo(tx, to.key, now - DAY_MS, lane);
    const may = maySend(sends, now);
    if (may.ok) {
      const ofAll = await takeOfAll(tx, call, share);
      if (ofAll !== 'free') return { kind: 'all', ofAll };
      await work(tx);
      return {
        kind: 'taken',
        sendsLeft: Math.min(may.sendsLeft, OTP_SENDS_A_DAY - sends.length - 1),
        sendId: await noteSend(tx, to.key, lane, now),
      };
    }
    refused.push(may);
  }
  const [soonest] = refused.sort((a, b) => a.waitSeconds - b.waitSeconds);
  return { kind: 'refused', refused: soonest!, hasCode: await to.hasCode(tx) };
}

async function newCodeFor(tx: Tx): Promise<{ code: string; salt: string; hash: string }> {
  const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
  const salt = randomBytes(16).toString('base64url');
  return { code, salt, hash: hashOf(await pepperOf(tx), salt, code) };
}

/** Stores a new code, in the place of an earlier one of the same. @returns the code */
async function storeCode(tx: Tx, of: CodeOf, at: number, details: unknown): Promise<string> {
  const { code, salt, hash } = await newCodeFor(tx);
  await putCode(tx, {
    id: idOf(of),
    salt,
    hash,
    at,
    endsAt: at + OTP_LIFE_SECONDS * 1000,
    tries: OTP_TRIES,
    details: JSON.stringify(details ?? null),
  });
  return code;
}

const hasCode = (of: CodeOf, now: number) => async (db: Db) => {
  const row = await codeById(db, idOf(of));
  return row !== undefined && row.used_at === null && row.ends_at > now;
};

export interface CodeMessage {
  /** The host in the message's last line, whose page is offered the code: the one that the page named, or ours; none without it. */
  page?: { readonly host?: string | undefined } | undefined;
  /** Kept with the code and given back when it is right. */
  details?: unknown;
  /** Says what the code is for, where it is for no login. */
  text?: (of: { app: string; code: string }) => string;
}

/**
 * Sends a code by SMS; the last one of the same purpose, number and person becomes void (product.md 4.2).
 * @throws Refusal 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT, 502 SMS_FAILED
 */
export async function sendCode(call: Call, of: CodeOf, more: CodeMessage = {}): Promise<SentCode> {
  const { now } = call;
  const mobile = internationalPhone(of.mobile, of.country);
  let code = '';
  const { sendsLeft, forget } = await allowSend(
    call,
    { key: mobile, known: await knownLane(call, of), as: 'sends', hasCode: hasCode(of, now) },
    async (tx) => {
      code = await storeCode(tx, of, now, more.details);
    },
  );
  try {
    const text = (more.text ?? t.otpMessage)({ app: of.country.appName, code });
    await call.services.sms.send(
      call.db,
      mobile,
      boundText(text, code, more.page && hostOfPage(call.services.origin, more.page.host)),
    );
  } catch (error) {
    call.services.log.warn({ requestId: call.requestId, error }, 'an SMS could not be sent');
    await forget();
    refuse(502, 'SMS_FAILED', errors.internalServerError);
  }
  return {
    expiresInSeconds: OTP_LIFE_SECONDS,
    resendInSeconds: OTP_RESEND_SECONDS,
    sendsLeft,
    digits: OTP_DIGITS,
  };
}

/**
 * Sends a code by email, within the limits of all codes. Nobody has shown before that an email is theirs, so it is a
 * stranger's.
 * @param to the address as its owner writes it
 * @throws Refusal 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT, 502 EMAIL_AWAY
 */
export async function sendEmail(call: Call, of: CodeOf, to: string): Promise<SentCode> {
  let code = '';
  const { sendsLeft, forget } = await allowSend(
    call,
    // Nobody is to read here who was written to.
    { key: `email:${hashed(of.mobile)}`, known: null, as: 'emails', hasCode: hasCode(of, call.now) },
    async (tx) => {
      code = await storeCode(tx, of, call.now, null);
    },
  );
  const app = of.country.appName;
  try {
    await call.services.email.send(call.db, {
      to,
      subject: t.emailSubject({ app }),
      text: t.otpMessage({ app, code }),
    });
  } catch (error) {
    call.services.log.warn({ requestId: call.requestId, error }, 'an email could not be sent');
    await forget();
    refuse(502, 'EMAIL_AWAY', t.emailAway, { field: 'email' });
  }
  return { expiresInSeconds: OTP_LIFE_SECONDS, resendInSeconds: OTP_RESEND_SECONDS, sendsLeft, digits: OTP_DIGITS };
}

/**
 * Has somebody else send their code to a number, such as the provider of a wallet.
 * @throws Refusal 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT, and what `send` throws: then nothing is counted
 */
export async function sendTheirCode<T>(
  call: Call,
  of: Pick<CodeOf, 'mobile' | 'country'>,
  send: () => Promise<T>,
): Promise<T> {
  const { forget } = await allowSend(
    call,
    {
      key: internationalPhone(of.mobile, of.country),
      known: await knownLane(call, of),
      as: 'sends',
      hasCode: () => Promise.resolve(true),
    },
    () => Promise.resolve(),
  );
  try {
    return await send();
  } catch (error) {
    await forget();
    throw error;
  }
}

/**
 * Promises a code to whoever a secret belongs to, and says nothing about whether there is anybody: all that depends on it
 * is done later, by `sendPromised`. Until then a code that nobody knows stands in its place.
 * @param secretHash what the secret is stored as; its sends are counted by it
 * @throws Refusal 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT
 */
export async function promiseCode(
  call: Call,
  of: CodeOf,
  secretHash: string,
  plan: (tx: Tx) => Promise<void>,
): Promise<void> {
  const key = `${of.purpose.split(':')[0]}:${secretHash}`;
  const to: Receiver = { key, known: null, as: 'sends', hasCode: hasCode(of, call.now) };
  await allowSend(call, to, async (tx) => {
    await storeCode(tx, of, call.now, null);
    await plan(tx);
  });
}

/**
 * Makes a promised code a real one, and sends it unless there is nobody or the number has had as many as a number may
 * have. The tries that were made of it count.
 * @param of.to the country's own digits; null: nobody
 */
export async function sendPromised(
  db: Root,
  { sms, origin }: Pick<Services, 'sms' | 'origin'>,
  of: CodeOf & { readonly to: string | null; readonly at: number },
): Promise<void> {
  const mobile = of.to === null ? null : internationalPhone(of.to, of.country);
  const lane = of.purpose.split(':')[0]!;
  const sent = await transact(db, async (tx) => {
    const { code, salt, hash } = await newCodeFor(tx);
    await exchangeCode(tx, idOf(of), { salt, hash });
    if (mobile === null) return null;
    await takeTurn(tx, mobile, of.at);
    if (!maySend(await sendsTo(tx, mobile, of.at - DAY_MS, lane), of.at).ok) return null;
    return { code, to: mobile, id: await noteSend(tx, mobile, lane, of.at) };
  });
  if (sent === null) return;
  try {
    const text = t.otpMessage({ app: of.country.appName, code: sent.code });
    await sms.send(db, sent.to, boundText(text, sent.code, hostOfPage(origin)));
  } catch (error) {
    await forgetSend(db, sent.id);
    throw error;
  }
}

export type CodeVerdict =
  | { readonly kind: 'right'; readonly details: unknown }
  | { readonly kind: 'wrong' | 'expired' | 'tries' | 'none' };

/**
 * Runs a check of a code, which must return its verdict, and counts a wrong one.
 * @throws Refusal 428 CHALLENGE, 429 TOO_MANY before it, where this caller has guessed wrong too often
 */
export async function guess<T extends { readonly kind: string }>(call: Call, check: () => Promise<T>): Promise<T> {
  await mayDo(call, 'codes');
  const verdict = await unlessFailed(call, 'codes', check);
  if (!['wrong', 'tries', 'none'].includes(verdict.kind)) await takeOneBack(call, 'codes');
  return verdict;
}

/**
 * Checks a code inside the caller's transaction, which must COMMIT whatever the verdict is: it counts the wrong tries.
 * So return the verdict from the transaction, and refuse afterwards with `refuseCode`.
 */
export async function checkCode(tx: Tx, of: CodeOf, typed: string, now: number): Promise<CodeVerdict> {
  const found = await lookAtCode(tx, of, typed, now);
  if (found.kind !== 'right') return found;
  if (!(await markCodeUsed(tx, found.id, found.salt, now))) return { kind: 'none' };
  return { kind: 'right', details: found.details };
}

/**
 * Checks codes that count only together: none is used up before all of them are right.
 * @returns for a wrong one also which, from 0
 */
export async function checkCodes(
  tx: Tx,
  codes: readonly { readonly of: CodeOf; readonly typed: string }[],
  now: number,
): Promise<{ readonly kind: 'right' } | (Exclude<CodeVerdict, { kind: 'right' }> & { readonly at: number })> {
  const right: { readonly id: string; readonly salt: string }[] = [];
  for (const [at, { of, typed }] of codes.entries()) {
    const found = await lookAtCode(tx, of, typed, now);
    if (found.kind !== 'right') return { ...found, at };
    right.push(found);
  }
  for (const [at, { id, salt }] of right.entries())
    if (!(await markCodeUsed(tx, id, salt, now))) return { kind: 'none', at };
  return { kind: 'right' };
}

type TypedVerdict =
  | { readonly kind: 'right'; readonly details: unknown; readonly id: string; readonly salt: string }
  | Exclude<CodeVerdict, { kind: 'right' }>;

/** Looks at a code at the cost of a try, and leaves a right one as it is. */
async function lookAtCode(tx: Tx, of: CodeOf, typed: string, now: number): Promise<TypedVerdict> {
  const row = await codeById(tx, idOf(of));
  if (row === undefined || row.used_at !== null) return { kind: 'none' };
  if (row.ends_at <= now) return { kind: 'expired' };
  const code = otpCode(typed);
  // A typing mistake that cannot be a code costs no try.
  if (code === null) return { kind: 'wrong' };
  // The try is counted before the code is looked at, so that parallel guesses share the five tries.
  const left = await takeTry(tx, row.id, row.salt);
  if (left === null) {
    const after = await codeById(tx, row.id);
    // A promised code became a real one in between: the guess is one at that.
    if (after !== undefined && after.salt !== row.salt) return await lookAtCode(tx, of, typed, now);
    return { kind: after?.used_at === null ? 'tries' : 'none' };
  }
  const given = Buffer.from(hashOf(await pepperOf(tx), row.salt, code));
  if (!timingSafeEqual(given, Buffer.from(row.hash))) return { kind: left === 0 ? 'tries' : 'wrong' };
  return { kind: 'right', details: JSON.parse(row.details) as unknown, id: row.id, salt: row.salt };
}

/** Refuses a code that was not right. @throws Refusal 422 OTP_WRONG, OTP_EXPIRED, OTP_TRIES, OTP_FAILED */
export function refuseCode(verdict: Exclude<CodeVerdict, { kind: 'right' }>, field = 'code'): never {
  if (verdict.kind === 'wrong') refuse(422, 'OTP_WRONG', errors.otpWrong, { field });
  if (verdict.kind === 'expired') refuse(422, 'OTP_EXPIRED', t.otpExpired, { field });
  if (verdict.kind === 'tries') refuse(422, 'OTP_TRIES', t.otpTries, { field });
  // No code was asked for, or it was used already.
  refuse(422, 'OTP_FAILED', errors.otpFailed, { field });
}
