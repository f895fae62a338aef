import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { internationalPhone } from '../../../domain/phone.ts';
import { PASSWORD_FROM, PASSWORD_TO, passwordLength } from '../../../domain/password.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { countryConfig } from '../../../../country/index.ts';
import { t } from '../../call/language.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { isDeviceOf } from '../../store/devices.ts';
import { passwordOf, putPassword } from '../../store/passwords.ts';
import { accountOfMobileIfAny, sessionById } from '../../store/sessions.ts';
import { deviceOf } from './devices.ts';
import { mayDo, takeOneBack, unlessFailed } from './limits.ts';
import { tellOwner } from './accountNews.ts';
import { proved } from './owner.ts';
import { endOthers } from './sessions.ts';

/** One of the costs that OWASP names as the least: 32 MiB, and about a fifth of a second of one core. Tests that hash a hundred times lower it. */
export const cost = { N: 2 ** 15, r: 8, p: 3 };
const MEMORY_BYTES = 64 * 2 ** 20;
const HASH_BYTES = 32;
/** Of Node's four threads two are left for everything else. */
const AT_ONCE = 2;
/** A login after so many others would wait for more than a few seconds. */
const WAITING_AT_MOST = 24;
const FRESH_MS = 10 * MINUTE_MS;
/** For whoever has no password: the same work is done as for whoever has one. */
const nobodys = (): string => written(randomBytes(16).toString('base64url'), randomBytes(HASH_BYTES));

let working = 0;
const waiting: (() => void)[] = [];

/** Takes one of the places for this work. @throws Refusal 503 BUSY */
async function place<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) {
    if (waiting.length >= WAITING_AT_MOST) refuse(503, 'BUSY', t.tooManyRequests);
    await new Promise<void>((go) => waiting.push(go));
  } else working += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // Its place goes on to who waits.
    if (next === undefined) working -= 1;
    else next();
  }
}

const worked = (password: string, salt: string, [N, r, p]: readonly [number, number, number]): Promise<Buffer> =>
  place(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: MEMORY_BYTES }, (error, key) =>
          error === null ? resolve(key) : reject(error),
        );
      }),
  );

const written = (salt: string, key: Buffer): string =>
  `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt}$${key.toString('base64url')}`;

async function hashOf(password: string): Promise<string> {
  const salt = randomBytes(16).toString('base64url');
  const key = await worked(password, salt, [cost.N, cost.r, cost.p]);
  return written(salt, key);
}

/** @param stored as hashOf() made it, with the cost of its time; undefined for nobody */
async function matches(stored: string | undefined, password: string): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = (stored ?? nobodys()).split('$');
  const wanted = Buffer.from(key, 'base64url');
  const found = await worked(password, salt, [Number(n), Number(r), Number(p)]);
  return timingSafeEqual(found, wanted) && stored !== undefined;
}

/** Those that are tried first everywhere, in lower case; of eight characters and more. */
const COMMON = new Set(
  'password|password1|password12|password123|passw0rd|12345678|123456789|1234567890|0123456789|0987654321|987654321|87654321|11111111|00000000|22222222|88888888|99999999|12341234|11223344|12121212|123123123|1q2w3e4r|1q2w3e4r5t|1qaz2wsx|qwertyui|qwertyuiop|qwerty123|qwerty12|qwer1234|asdfghjk|asdfghjkl|zxcvbnm123|abcd1234|abc12345|abcdefgh|a1b2c3d4|aa123456|a1234567|iloveyou|iloveyou1|sunshine|princess|football|baseball|superman|batman123|trustno1|welcome1|welcome123|letmein1|letmein123|admin123|administrator|changeme|master123|monkey123|dragon123|computer|internet|whatever|starwars|pokemon1|samsung1|india123|india@123|password@123|pass@123|admin@123|welcome@123|krishna123|jaishreeram|srilanka|bangladesh|pizza123|pizzapizza|goldenoven|iloveyou123|test1234|user1234|p@ssw0rd|p@ssword|passpass|michelle|jennifer|charlie1|liverpool|chelsea1|cricket123|sachin123'.split(
    '|',
  ),
);

/** @throws Refusal 422 PASSWORD_SHORT, PASSWORD_LONG, PASSWORD_COMMON */
function mustBeStrong(password: string, mobile: string | null): void {
  const more = { field: 'password' };
  const length = passwordLength(password);
  if (length < PASSWORD_FROM) refuse(422, 'PASSWORD_SHORT', t.passwordShort({ count: PASSWORD_FROM }), more);
  if (length > PASSWORD_TO) refuse(422, 'PASSWORD_LONG', t.passwordLong({ count: PASSWORD_TO }), more);
  const plain = password.normalize('NFKC').toLowerCase();
  const isOneSign = new Set(plain).size === 1;
  if (COMMON.has(plain) || isOneSign || (mobile !== null && plain.replace(/^\+/, '').endsWith(mobile)))
    refuse(422, 'PASSWORD_COMMON', t.passwordCommon, more);
}

/**
 * What the guesses at a password are counted by. A device that was logged in with the number before has its own: nobody
 * else can use it up.
 */
async function targetOf(call: Call, mobile: string): Promise<string> {
  const { country } = call.caller;
  const device = deviceOf(call);
  const isKnown = device !== null && (await isDeviceOf(call.db, { device, country, mobile }));
  return `${internationalPhone(mobile, countryConfig(country))}${isKnown ? `|${device}` : ''}`;
}

/**
 * The account of a number whose password this is, and what it was checked against. Known and unknown numbers get the same
 * answer after the same work.
 * @throws Refusal 422 PASSWORD_WRONG, 428 CHALLENGE, 429 TOO_MANY, 503 BUSY
 */
export async function accountOfPassword(
  call: Call,
  mobile: string,
  password: string,
): Promise<{ readonly userId: string; readonly hash: string }> {
  const target = await targetOf(call, mobile);
  await mayDo(call, 'passwords', { target });
  const look = async () => {
    const account = await accountOfMobileIfAny(call.db, call.caller.country, mobile);
    const stored = account === undefined ? undefined : await passwordOf(call.db, account.id);
    return { account, stored, isRight: await matches(stored?.hash, password) };
  };
  const { account, stored, isRight } = await unlessFailed(call, 'passwords', look, target);
  if (!isRight || account === undefined || stored === undefined) return refuseWrong();
  await takeOneBack(call, 'passwords', target);
  return { userId: account.id, hash: stored.hash };
}

/** @throws Refusal 422 PASSWORD_WRONG */
export function refuseWrong(): never {
  refuse(422, 'PASSWORD_WRONG', t.passwordWrong, { field: 'password' });
}

/** Whether it is still the password that was checked; asked in the transaction that opens the session. */
export const isStill = async (tx: Tx, { userId, hash }: { userId: string; hash: string }): Promise<boolean> =>
  (await passwordOf(tx, userId))?.hash === hash;

/** A code that logged this session in a moment ago proves the number as well as another one would. */
async function isProven(call: Call): Promise<boolean> {
  const session = await sessionById(call.db, call.caller.sessionId!);
  return session !== undefined && session.login_type === 'mobile' && call.now - session.created_at <= FRESH_MS;
}

export async function passwordStanding(call: Call): Promise<{ isSet: boolean; needsProof: boolean }> {
  return {
    isSet: (await passwordOf(call.db, userIdOf(call))) !== undefined,
    needsProof: !(await isProven(call)),
  };
}

/**
 * Sets the account's password. The first one ends nothing; a change ends all that was logged in elsewhere; the one that
 * it has already, as when an answer was lost, changes nothing, and nobody is told of it again.
 * @throws Refusal 422 PASSWORD_..., 403 PROOF_NEEDED, those of a code, 428 CHALLENGE, 429 TOO_MANY, 503 BUSY
 */
export async function changePassword(
  call: Call,
  { password, current, code }: { password: string; current?: string | undefined; code?: string | undefined },
): Promise<number> {
  const userId = userIdOf(call);
  mustBeStrong(password, call.caller.mobile);
  const isByCode = code !== undefined && code !== '';
  const isByPassword = !isByCode && current !== undefined;
  await mayDo(call, isByPassword ? ['newPasswords', 'passwords'] : 'newPasswords', { target: userId });
  const { country, mobile } = call.caller;
  /** The same work whether it is another one or not: nobody without a proof finds out by how long it takes. */
  const put = async () => {
    const stored = await passwordOf(call.db, userId);
    const isSame = await matches(stored?.hash, password);
    const hash = await hashOf(password);
    return async (tx: Tx) => (isSame ? 0 : await putHash(tx, hash));
  };
  const putHash = async (tx: Tx, hash: string) => {
    const isChange = await putPassword(tx, userId, hash, call.now);
    if (mobile !== null) await tellOwner(tx, { userId, country, mobile }, { kind: 'password' }, call.now);
    return isChange ? await endOthers(tx, call, 'password') : 0;
  };
  if (isByCode) return await proved(call, 'password', code, await put());
  if (isByPassword) {
    const look = async () => await matches((await passwordOf(call.db, userId))?.hash, current);
    if (!(await unlessFailed(call, 'passwords', look, userId)))
      refuse(422, 'PASSWORD_WRONG', t.passwordCurrentWrong, { field: 'current' });
    await takeOneBack(call, 'passwords', userId);
  } else if (!(await isProven(call))) refuse(403, 'PROOF_NEEDED', t.passwordProof, { field: 'code' });
  return await transact(call.db, await put());
}
