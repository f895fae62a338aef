import { MINUTE_MS } from '../../../domain/time.ts';
import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { ANSWER_HEADER, type Challenge, type Use } from '../../../contract/challenge.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { Db } from '../../store/db.ts';
import { derived, hashed, newToken } from '../../store/ids.ts';
import { countUse, secret } from '../../store/system.ts';

const LIFE_MS = 5 * MINUTE_MS;
/** One try takes 1 MiB and about 20 ms of a slow phone: all of them stay below 2 s there. */
const COST = 1024;
const UP_TO = 63;
const TARGET_BYTES = 16;
/** Answers to one challenge that are looked at: whoever searched for it knows the right one, and each costs us a try. */
const ANSWERS = 3;

const keyOf = (db: Db): Promise<string> => secret(db, 'challenges', newToken);
const work = (n: number, salt: string): Promise<string> =>
  new Promise((resolve, reject) => {
    scrypt(String(n), salt, TARGET_BYTES, { N: COST, r: 8, p: 1 }, (error, found) =>
      error === null ? resolve(found.toString('hex')) : reject(error),
    );
  });

const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(hashed(a)), Buffer.from(hashed(b)));
const sealed = async (call: Call, use: string, expiresAt: string, salt: string, target: string) =>
  derived(await keyOf(call.db), [userIdOf(call), use, expiresAt, salt, target].join('\n')).slice(0, 22);

/** A challenge for this caller. Nothing of it is stored: the seal in its token says that it is ours. */
export async function newChallenge(call: Call, use: Use): Promise<Challenge> {
  const salt = randomBytes(12).toString('hex');
  const target = await work(randomInt(UP_TO + 1), salt);
  const expiresAt = call.now + LIFE_MS;
  const seal = await sealed(call, use, String(expiresAt), salt, target);
  return { token: [use, expiresAt, salt, target, seal].join('.'), salt, target, cost: COST, upTo: UP_TO, expiresAt };
}

/** Whether the call carries the answer to a challenge that was set for this use and this caller. It is good once. */
export async function hasProof(call: Call, use: Use): Promise<boolean> {
  const [forUse = '', expiresAt = '', salt = '', target = '', seal = '', n = ''] = call
    .header(ANSWER_HEADER)
    .split('.');
  if (forUse !== use || !/^\d{1,3}$/.test(n) || !(Number(expiresAt) > call.now)) return false;
  if (!isSame(seal, await sealed(call, use, expiresAt, salt, target))) return false;
  if ((await countUse(call.db, `answers|${salt}`, LIFE_MS, call.now)).used > ANSWERS) return false;
  if ((await work(Number(n), salt)) !== target) return false;
  return (await countUse(call.db, `proof|${salt}`, LIFE_MS, call.now)).used === 1;
}
