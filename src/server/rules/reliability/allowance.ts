import { HOUR_MS } from '../../../domain/time.ts';
import * as activity from '../../../contract/activity.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import * as experiments from '../../../contract/experiments.ts';
import * as fingerprint from '../../../contract/fingerprint.ts';
import * as pageErrors from '../../../contract/pageErrors.ts';
import type { Call } from '../../call/call.ts';
import type { Db } from '../../store/db.ts';
import { countsOf, countUse } from '../../store/system.ts';
import { currentTrace } from '../../trace.ts';
import { refuseUntil } from '../people/limits.ts';

// What callers may leave behind in an hour, in bytes of rows: limits on calls say nothing of it, where one call is a
// hundred times another. It is measured where statements are sent (store/db.ts), so that no way to write is forgotten.
// A customer with an account has proved a number, and counts against their own limit alone. (decisions/2026-11-28-allowances.md)

const MB = 1_000_000;

/** What pages tell of themselves has a part of its own, so that it never takes what customers need. */
const TELEMETRY_PART = 1 / 7;
/** One guest. */
const OF_GUEST = 1 * MB;
/** One account. */
const OF_ACCOUNT = 8 * MB;

/** As many bytes are kept in mind before they are counted in the database, so that a call costs no statement. */
const IN_MIND = 32_768;
/** How long a process relies on its last count of the others. */
const KNOWN_FOR_MS = 10_000;
/** A call leaves no more than so many times its body, and this. */
const TIMES_BODY = 4;
const LEAST = 4_096;
/** And where its answer is kept for a repeated call, that. */
const KEPT_ANSWER = 32_768;

/** What pages tell of themselves. */
const TELEMETRY: ReadonlySet<Endpoint> = new Set<Endpoint>([
  activity.collect,
  activity.savePageView,
  experiments.batch,
  experiments.events,
  experiments.push,
  experiments.trackGoal,
  experiments.trackUser,
  fingerprint.send,
  pageErrors.report,
]);

interface Count {
  /** In the database, as this process last saw it. */
  counted: number;
  /** Of calls that have ended. */
  inMind: number;
  /** Of calls under way, as much as they may leave. */
  underWay: number;
  endsAt: number;
  seenAt: number;
}

interface Share {
  readonly id: string;
  readonly most: number;
}

/** What a process knows, by the one object that a database shares with its transactions. */
const known = new WeakMap<object, Map<string, Count>>();

function countsIn(db: Db): Map<string, Count> {
  const { adapter } = db.getExecutor();
  const own = known.get(adapter) ?? new Map<string, Count>();
  known.set(adapter, own);
  return own;
}

/** @param ip of the caller, as `Call.ip` writes it */
function sharesOf(call: Pick<Call, 'caller' | 'ip' | 'services'>, isTelemetry: boolean): readonly Share[] {
  const { isLoggedIn, userId } = call.caller;
  // Thousands share an address, and each leaves 10 to 20 KB with an order.
  const ofAddress = call.services.addressMegabytes * MB;
  if (isTelemetry) return [{ id: `left-told|${call.ip}`, most: ofAddress * TELEMETRY_PART }];
  if (isLoggedIn) return [{ id: `left|${userId}`, most: OF_ACCOUNT }];
  return [
    { id: `left-ip|${call.ip}`, most: ofAddress },
    ...(userId === null ? [] : [{ id: `left|${userId}`, most: OF_GUEST }]),
  ];
}

/** The count of each share; those of which this process has not heard lately are read together. */
async function countsOfAll(db: Db, shares: readonly Share[], now: number): Promise<Count[]> {
  const counts = countsIn(db);
  const isKnown = (own: Count | undefined) => own !== undefined && now < own.endsAt && now - own.seenAt < KNOWN_FOR_MS;
  const old = shares.map(({ id }) => id).filter((id) => !isKnown(counts.get(id)));
  const inDb = await countsOf(db, old, now);
  for (const id of old) {
    const own = counts.get(id);
    const isSame = own !== undefined && now < own.endsAt;
    const { used = 0, endsAt = isSame ? own.endsAt : now + HOUR_MS } = inDb.get(id) ?? {};
    const count = own ?? { counted: 0, inMind: 0, underWay: 0, endsAt: 0, seenAt: 0 };
    Object.assign(count, { counted: used, endsAt, seenAt: now, ...(isSame ? {} : { inMind: 0 }) });
    counts.set(id, count);
  }
  const all = shares.map(({ id }) => counts.get(id)!);
  if (counts.size > 10_000) forgetOver(counts, now);
  return all;
}

function forgetOver(counts: Map<string, Count>, now: number): void {
  for (const [id, { endsAt, underWay }] of counts) if (endsAt <= now && underWay === 0) counts.delete(id);
}

async function add(db: Db, { id }: Share, count: Count, bytes: number, now: number): Promise<void> {
  count.inMind += bytes;
  if (count.inMind < IN_MIND) return;
  const more = count.inMind;
  count.inMind = 0;
  const { used, endsAt } = await countUse(db, id, HOUR_MS, now, more);
  Object.assign(count, { counted: used, endsAt, seenAt: now });
}

/** Whether a call may leave anything: what only reads is never refused for it. */
const mayWrite = (endpoint: Endpoint): boolean => endpoint.method !== 'GET' || TELEMETRY.has(endpoint);

/**
 * Keeps room for what a call may leave behind, and counts what it has left.
 * @param size bytes of its body, and whether its answer is kept
 * @throws Refusal 429 TOO_MUCH, and what `work` throws
 */
export async function withinAllowance<T>(
  call: Call,
  endpoint: Endpoint,
  { bodyBytes, isKept }: { readonly bodyBytes: number; readonly isKept: boolean },
  work: () => Promise<T>,
): Promise<T> {
  if (endpoint.access === 'development') return await work();
  const { db, now } = call;
  const shares = sharesOf(call, TELEMETRY.has(endpoint));
  const counts = await countsOfAll(db, shares, now);
  const taken = shares.map((share, at) => ({ share, count: counts[at]! }));
  const kept = mayWrite(endpoint) ? LEAST + bodyBytes * TIMES_BODY + (isKept ? KEPT_ANSWER : 0) : 0;
  for (const { share, count } of taken)
    if (kept > 0 && count.counted + count.inMind + count.underWay + kept > share.most)
      refuseUntil(count.endsAt, now, { code: 'TOO_MUCH' });
  for (const { count } of taken) count.underWay += kept;
  try {
    return await work();
  } finally {
    const wrote = currentTrace()?.wrote ?? 0;
    for (const { share, count } of taken) {
      count.underWay -= kept;
      // What was done is done, whether it can be counted or not.
      await add(db, share, count, wrote, now).catch((error: unknown) =>
        call.services.log.warn({ error: String(error) }, 'what an address has left was not counted'),
      );
    }
  }
}
