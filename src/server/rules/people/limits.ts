import { HOUR_MS, HOUR_S } from '../../../domain/time.ts';
import { ANSWER_HEADER, type Use } from '../../../contract/challenge.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { Db } from '../../store/db.ts';
import { countUse, countWithin, countsOf, takeBack } from '../../store/system.ts';
import { hasProof } from './challenge.ts';
import { signsOf } from './fingerprint.ts';

// One place decides how often anybody may have a code sent, may guess at one, and may try a coupon: all that sends or
// checks a code comes here. Why these numbers: decisions/2026-11-22-codes.md.

/** In an hour: so many just so, up to so many with a proof of work each, and then no more. */
type Range = readonly [free: number, most: number];
interface Budget {
  /** What a proof has to be for. */
  readonly use: Use;
  /** Of one session. A new one costs nothing, so it stops a person and not a machine. */
  readonly caller?: Range;
  /** Of one address: an IPv4 address, or the /64 of IPv6 that one line has. Many share one, so it asks for proofs early and says no late. */
  readonly address?: Range;
  /** Of what is guessed at, where many guess at one thing from everywhere: a number. */
  readonly target?: Range;
  /** Of the same, from one address: so that nobody uses up alone what all have together. */
  readonly targetHere?: Range;
  /** Of the /24 or /48 around it: the least that is routed, so what somebody who has many addresses has them in. */
  readonly network?: Range;
  /** With what it shares its counts of addresses and networks. */
  readonly shares?: 'sends';
  /** A device that has shown signs of a program works for each, from the first one on. */
  readonly bySigns?: true;
}

/** Messages with a code: they cost money, and somebody's peace. */
const SENDS = { use: 'codes', address: [20, 600], network: [60, 1200], bySigns: true } as const satisfies Budget;

const BUDGETS = {
  /** By SMS, or by whoever sends theirs. */
  sends: SENDS,
  /** By email. Only an account asks for one, and whatever address it typed gets it: a person has one address, or mistypes it. */
  emails: { ...SENDS, caller: [5, 10], shares: 'sends' },
  /** Requests for money that a UPI id gets on its phone, whosever it is; the ones that are paid are not counted. */
  collects: {
    use: 'codes',
    caller: [10, 10],
    address: [60, 60],
    network: [240, 240],
    target: [5, 5],
    targetHere: [3, 3],
  },
  /** Wrong codes of login, cash, a new pin and a linked wallet. Each code has five tries of its own. */
  codes: { use: 'guesses', address: [30, 300], network: [120, 1200] },
  /** Wrong numbers and pins of e-vouchers: a person mistypes a few, a machine that guesses needs more. */
  vouchers: { use: 'guesses', caller: [20, 20], address: [20, 100], network: [100, 500] },
  /** Wrong codes that carry the memory of one device to another: there are about 850 billion. */
  memories: { use: 'guesses', caller: [20, 20], address: [60, 300], network: [240, 1200] },
  /** Wrong passwords. A number has few tries, and the code by SMS stays open beside them. */
  passwords: { use: 'guesses', address: [30, 300], network: [120, 1200], target: [5, 10] },
  /** Passwords that are set, right proof or not: each costs as much work as a login, which others wait for meanwhile. */
  newPasswords: { use: 'guesses', caller: [8, 30], address: [60, 300], network: [240, 1200] },
  /** Ways to a provider of accounts elsewhere: each is remembered for a day. */
  socials: { use: 'guesses', caller: [20, 40], address: [240, 1200], network: [960, 4800] },
  /** Coupon codes that were tried. */
  coupons: { use: 'coupons', caller: [40, 120], address: [120, 1200], network: [480, 4800], bySigns: true },
  /** Codes that an assistant names for its customer. Its address is its maker's, and thousands come from there. */
  namedCoupons: { use: 'coupons', caller: [40, 40] },
  /** PNRs that were looked up. Ten digits are few, and the number is somebody's journey. */
  pnrs: { use: 'guesses', caller: [30, 60], address: [60, 300], network: [240, 1200] },
  /** PNRs that are no ticket's: a person mistypes a few. */
  pnrGuesses: { use: 'guesses', caller: [6, 12], address: [15, 60], network: [60, 240] },
  /** Copies of all that is known of a customer, which read every table. */
  copies: { use: 'guesses', caller: [10, 10], address: [60, 120], network: [240, 480] },
  /** Challenges that were set: each costs us a little work too. As many as all that may be done with one. */
  challenges: { use: 'codes', address: [2400, 2400], network: [9600, 9600] },
  /** The first ones of a session, so that somebody who asks for all that an address has locks nobody out who wants to work. */
  firstChallenges: { use: 'codes', caller: [6, 6] },
} as const satisfies Record<string, Budget>;
type BudgetName = keyof typeof BUDGETS;

/** The network around an address as `Call.ip` writes it. */
function networkOf(ip: string): string {
  if (ip.endsWith('::/64')) return `${ip.slice(0, -5).split(':').slice(0, 3).join(':')}::/48`;
  return ip.split('.').length === 4 ? `${ip.split('.').slice(0, 3).join('.')}.0/24` : ip;
}

/** On a developer's own machine everybody calls from one address. */
export const isOwnMachine = ({ services, ip }: Pick<Call, 'services' | 'ip'>): boolean =>
  services.development && (ip.startsWith('127.') || ip === '0:0:0:0::/64');

/** One budget, or several of the same use: a call that two would ask for a proof is asked for one, and counts in both or in none. */
type Budgets = BudgetName | readonly [BudgetName, ...BudgetName[]];
const namesOf = (what: Budgets): readonly [BudgetName, ...BudgetName[]] => (typeof what === 'string' ? [what] : what);

interface Counter {
  readonly id: string;
  readonly range: Range;
}
/** What is counted for this call, with the range of each. @param target what is guessed at */
const countersOf = (call: Call, what: Budgets, target?: string): readonly Counter[] =>
  namesOf(what).flatMap((one) => countersOfOne(call, one, target));
function countersOfOne(call: Call, what: BudgetName, target?: string): Counter[] {
  const { caller, address, network, target: ofTarget, targetHere, shares }: Budget = BUDGETS[what];
  const many = shares ?? what;
  return [
    ...(ofTarget === undefined || target === undefined ? [] : [{ id: `${what}-of|${target}`, range: ofTarget }]),
    ...(caller === undefined ? [] : [{ id: `${what}|${userIdOf(call)}`, range: caller }]),
    ...(isOwnMachine(call)
      ? []
      : [
          ...(targetHere === undefined || target === undefined
            ? []
            : [{ id: `${what}-of|${target}|${call.ip}`, range: targetHere }]),
          ...(address === undefined ? [] : [{ id: `${many}-ip|${call.ip}`, range: address }]),
          ...(network === undefined ? [] : [{ id: `${many}-net|${networkOf(call.ip)}`, range: network }]),
        ]),
  ];
}

/** How long to wait, as people say it. @param seconds at least 1 */
export function waitText(seconds: number): string {
  if (seconds <= 90) return t.waitSeconds({ count: seconds });
  return seconds <= 90 * 60
    ? t.waitMinutes({ count: Math.ceil(seconds / 60) })
    : t.waitHours({ count: Math.ceil(seconds / HOUR_S) });
}
export const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000));

/** A sentence that says how long to wait. */
type Over = (values: { readonly time: string }) => string;
interface RefusedAs {
  readonly code?: string;
  readonly says?: Over;
  readonly field?: string;
}
/** @param until when there is one again (epoch ms). @throws Refusal 429 TOO_MANY, which says how long that is */
export function refuseUntil(
  until: number,
  now: number,
  { code = 'TOO_MANY', says = (time) => t.tooOften(time), ...more }: RefusedAs = {},
): never {
  const waitSeconds = secondsUntil(until, now);
  refuse(429, code, says({ time: waitText(waitSeconds) }), { ...more, waitSeconds });
}

/**
 * Counts one more of this hour, also one that is refused: what a page or a program sends by itself, and so far more than
 * any has reason to.
 * @param saysWhen whether the answer says when there is one again: to a program that waits for it
 * @throws Refusal 429 TOO_MANY
 */
export async function withinHour(db: Db, id: string, most: number, now: number, saysWhen = false): Promise<void> {
  const { used, endsAt } = await countUse(db, id, HOUR_MS, now);
  const more = saysWhen ? { waitSeconds: secondsUntil(endsAt, now) } : {};
  if (used > most) refuse(429, 'TOO_MANY', t.tooManyRequests, more);
}

/** @throws Refusal 428 CHALLENGE: the same call is welcome with a proof of work, or with another where its own is none */
export function askForProof(call: Pick<Call, 'header'>): never {
  refuse(428, 'CHALLENGE', call.header(ANSWER_HEADER) === '' ? t.challenge : t.challengeAgain);
}

/** @property until when there is one again (epoch ms) */
type Standing = 'free' | 'proof' | { readonly until: number };
const untilOf = (over: readonly { readonly endsAt: number }[]) => Math.max(...over.map(({ endsAt }) => endsAt));

/** Signs of a program cost a proof and no more: neither is anything refused for them, nor does anybody wait. */
async function isAskedBySigns(call: Call, what: Budgets): Promise<boolean> {
  const bySigns = namesOf(what).some((one) => (BUDGETS[one] as Budget).bySigns);
  const signs = bySigns ? await signsOf(call) : [];
  if (signs.length > 0) call.services.log.info({ requestId: call.requestId, signs, what }, 'signs of a program');
  return signs.length > 0;
}

/** How this caller would stand with one more. */
async function next(call: Call, what: Budgets, target?: string): Promise<Standing> {
  const counters = countersOf(call, what, target);
  const ids = counters.map(({ id }) => id);
  const known = await countsOf(call.db, ids, call.now);
  const used = counters.map(({ id, range }) => ({ range, used: 0, endsAt: call.now, ...known.get(id) }));
  const over = used.filter((one) => one.used >= one.range[1]);
  if (over.length > 0) return { until: untilOf(over) };
  return used.some((one) => one.used >= one.range[0]) ? 'proof' : 'free';
}

/**
 * Counts one more in each counter that has room, or in none: then it is told of those that have none.
 * @param which the end of their ranges that is meant: 0 without a proof, 1 with one
 */
async function countIn(call: Call, which: 0 | 1, what: Budgets, target?: string) {
  const counted = await Promise.all(
    countersOf(call, what, target).map(async ({ id, range }) => ({
      id,
      range,
      ...(await countWithin(call.db, id, range[which], HOUR_MS, call.now)),
    })),
  );
  const over = counted.filter(({ isCounted }) => !isCounted);
  if (over.length > 0)
    await Promise.all(counted.filter(({ isCounted }) => isCounted).map(({ id }) => takeBack(call.db, id)));
  return over;
}

interface GuessOptions {
  /** What is guessed at. */
  readonly target?: string | undefined;
  readonly isNoGuess?: boolean;
}

/**
 * Counts one, if there is one left. What lacks its proof, or is refused, is not counted: many share an address, and
 * somebody there who asks without end and works for nothing would use up what is left for those who do.
 * @param isProven asked where a proof may be wanted
 * @param isNoGuess it is known to be right, so that signs of a program say nothing of it
 * @returns when there is one again (epoch ms), or null: it was counted
 * @throws Refusal 428 CHALLENGE
 */
export async function takeOne(
  call: Call,
  what: Budgets,
  isProven: () => Promise<boolean>,
  { target, isNoGuess = false }: GuessOptions = {},
): Promise<{ readonly until: number } | null> {
  const within = await next(call, what, target);
  if (typeof within === 'object') return within;
  const standing = within === 'free' && !isNoGuess && (await isAskedBySigns(call, what)) ? 'proof' : within;
  if (standing === 'proof' && !(await isProven())) askForProof(call);
  let over = await countIn(call, standing === 'free' ? 0 : 1, what, target);
  // Others took the last ones without a proof at the same moment: this one has to bring one.
  if (over.length > 0 && standing === 'free' && over.every(({ range: [free, most] }) => free < most)) {
    if (!(await isProven())) askForProof(call);
    over = await countIn(call, 1, what, target);
  }
  return over.length > 0 ? { until: untilOf(over) } : null;
}

/** Counts one less: it was right, or nothing came of it. */
export async function takeOneBack(call: Call, what: Budgets, target?: string): Promise<void> {
  await Promise.all(countersOf(call, what, target).map(({ id }) => takeBack(call.db, id)));
}

/**
 * Counts one; a guess before it is looked at, so that parallel ones share what is left. What is right costs nothing:
 * `takeOneBack`.
 * @param says the sentence where there is none left
 * @throws Refusal 428 CHALLENGE, 429 TOO_MANY
 */
export async function mayDo(call: Call, what: Budgets, guessed: GuessOptions = {}, says?: Over): Promise<void> {
  const [{ use }] = namesOf(what).map((one): Budget => BUDGETS[one]) as [Budget];
  const over = await takeOne(call, what, () => hasProof(call, use), guessed);
  if (over !== null) refuseUntil(over.until, call.now, says === undefined ? {} : { says });
}

/**
 * Does what one was counted for. If it throws, nothing was found out and nothing sent, and so it is not counted: neither
 * a busy shop nor a provider that is away uses up what anybody has left.
 */
export async function unlessFailed<T>(call: Call, what: Budgets, work: () => Promise<T>, target?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await takeOneBack(call, what, target).catch((failed: unknown) =>
      call.services.log.warn({ requestId: call.requestId, error: String(failed) }, 'a use was not taken back'),
    );
    throw error;
  }
}
