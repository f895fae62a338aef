import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { isConnectionLoss } from './postgres.ts';
import type { Root } from './db.ts';

/** The greatest age of data read from a replica, as long as the primary can be asked. */
export const REPLICA_BEHIND_AT_MOST_MS = 2_000;
const LOOK_EVERY_MS = 500;
const LOOK_AGAIN_MS = 50;
/** A pooler keeps calls waiting while the database behind it is away: who may ask elsewhere does so after this. */
const ANSWERS_WITHIN_MS = 1_000;

/** A streaming replica, as one process knows it. */
export interface Replica {
  readonly db: Root;
  /** Whether it holds all that was committed REPLICA_BEHIND_AT_MOST_MS ago. Asking keeps the answer up to date. */
  isFresh(): boolean;
  /** Looks how old what it holds is, ms; at most as long as ANSWERS_WITHIN_MS. */
  behindMs(): Promise<number>;
}

/** Position in the write-ahead log: of what was written, and at a standby of what was applied. */
const POSITION = sql<string>`case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end`;

/**
 * Compares positions in the log, so that no clock and no traffic on the primary is relied on: when the replica has passed
 * where the primary was, it is as fresh as that moment. Nothing runs while nobody asks; the first question after a
 * pause is answered with no.
 */
export function replica(primary: Root, db: Root): Replica {
  let freshAt = -Infinity;
  let lookedAt = -Infinity;
  let looking: Promise<void> | null = null;
  /** Where the primary was, and when; asked again until the replica has passed it. */
  let mark: { readonly at: number; readonly position: string } | null = null;

  const look = (): Promise<void> =>
    (looking ??= compare()
      // One of the two is away; then nothing is known to be fresh soon, which is the answer.
      .catch(() => {})
      .finally(() => {
        looking = null;
      }));
  async function compare(): Promise<void> {
    if (mark === null) {
      const at = performance.now();
      const { rows } = await sql<{ position: string }>`select ${POSITION}::text as position`.execute(primary);
      mark = { at, position: rows[0]!.position };
    }
    const { rows } = await sql<{
      passed: boolean | null;
    }>`select ${POSITION} >= ${mark.position}::pg_lsn as passed`.execute(db);
    if (rows[0]?.passed !== true) return;
    freshAt = mark.at;
    mark = null;
  }

  return {
    db,
    isFresh() {
      const now = performance.now();
      if (now - lookedAt >= LOOK_EVERY_MS) {
        lookedAt = now;
        void look();
      }
      return now - freshAt <= REPLICA_BEHIND_AT_MOST_MS;
    },
    async behindMs() {
      const asked = performance.now();
      while (freshAt < asked && performance.now() - asked < ANSWERS_WITHIN_MS) {
        await look();
        if (freshAt < asked) await sleep(LOOK_AGAIN_MS);
      }
      return Math.max(performance.now() - freshAt, 0);
    },
  };
}

const LATE = Symbol('late');
type Outcome<T> = { readonly value: T } | { readonly refused: unknown };

/** @throws only what says that the database was away */
async function ended<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work };
  } catch (error) {
    if (isConnectionLoss(error)) throw error;
    return { refused: error };
  }
}

/**
 * Reads what may be old: at the replica while it keeps up, else at the primary. When the one is gone, or silent, the other
 * is asked too, and whichever answers first is believed: a replica that is late tells more than none. `work` only reads,
 * and may run twice.
 */
export async function readOld<T>(primary: Root, other: Replica | null, work: (db: Root) => Promise<T>): Promise<T> {
  if (other === null) return await work(primary);
  const [first, second] = other.isFresh() ? [other.db, primary] : [primary, other.db];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((done) => {
    timer = setTimeout(() => done(LATE), ANSWERS_WITHIN_MS);
  });
  const one = ended(work(first));
  let answer: Outcome<T> | typeof LATE = await Promise.race([one, late]).catch(() => LATE);
  clearTimeout(timer);
  if (answer === LATE)
    answer = await Promise.any([one, ended(work(second))]).catch((error: AggregateError) => {
      throw error.errors[0];
    });
  if ('refused' in answer) throw answer.refused;
  return answer.value;
}
