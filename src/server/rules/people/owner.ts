import { phoneNumber } from '../../../domain/phone.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { countryConfig } from '../../../../country/index.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { sessionById } from '../../store/sessions.ts';
import { checkCode, guess, refuseCode, sendCode, type CodeMessage, type CodeOf, type SentCode } from './otp.ts';

interface NamedBy {
  /** What may name the caller; a phone number unless it says otherwise. */
  readonly by?: 'number' | 'id' | 'either';
  /** The field that named somebody else. */
  readonly field?: string;
}
/**
 * A path or a body names its caller. Somebody else is reported as missing, as a person who does not exist is.
 * @throws Refusal 404 NOT_FOUND
 */
export function mustNameCaller({ caller }: Call, named: string, { by = 'number', field }: NamedBy = {}): void {
  const { userId, mobile, country } = caller;
  const isId = by !== 'number' && named === userId;
  const isNumber = by !== 'id' && mobile !== null && phoneNumber(named, countryConfig(country)) === mobile;
  if (!isId && !isNumber) refuse(404, 'NOT_FOUND', errors.notFound, field === undefined ? {} : { field });
}

// Some things are not done for whoever holds a phone that is logged in, but for its owner: with a code to the account's
// number. An account without a number (of a payment app) is known by a login of just now.

const FRESH_MS = 10 * MINUTE_MS;

const codeFor = (call: Call, purpose: string, mobile: string): CodeOf => ({
  purpose,
  mobile,
  userId: userIdOf(call),
  country: countryConfig(call.caller.country),
});

/** Whether this session was logged in to in the last minutes. */
export async function isFresh(call: Call): Promise<boolean> {
  const session = call.caller.sessionId === null ? undefined : await sessionById(call.db, call.caller.sessionId);
  return session !== undefined && call.now - session.created_at <= FRESH_MS;
}

const loginAgain = (): never => refuse(403, 'LOGIN_AGAIN', t.loginAgain);

/** Sends the code to the account's number. @throws Refusal 403 LOGIN_AGAIN where there is none, and those of sendCode */
export async function sendProof(call: Call, purpose: string, more: CodeMessage): Promise<SentCode> {
  const { mobile } = call.caller;
  return await sendCode(call, codeFor(call, purpose, mobile ?? loginAgain()), more);
}

/**
 * Does `work` in a transaction, if the code is right; without a number, if the login is fresh.
 * @throws Refusal 403 LOGIN_AGAIN, those of a wrong code, and those of `work`: then the code stays good
 */
export async function proved<T>(
  call: Call,
  purpose: string,
  code: string | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { mobile } = call.caller;
  if (mobile === null) {
    if (!(await isFresh(call))) loginAgain();
    return await transact(call.db, work);
  }
  const done = await guess(call, () =>
    transact(call.db, async (tx) => {
      const verdict = await checkCode(tx, codeFor(call, purpose, mobile), code ?? '', call.now);
      return verdict.kind === 'right' ? { kind: 'done' as const, value: await work(tx) } : verdict;
    }),
  );
  return done.kind === 'done' ? done.value : refuseCode(done);
}
