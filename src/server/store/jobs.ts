import type { CompiledQuery } from 'kysely';
import { traceToKeep } from '../trace.ts';
import { readSystem, wallNow } from './system.ts';
import { newId } from './ids.ts';
import { engineOf, type Db, type Tables } from './db.ts';
import { first, prepared } from './preparedStatement.ts';

export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly lane: string;
  readonly payload: string;
  /** When it fell due, in epoch ms of the shop's clock. */
  readonly runAt: number;
  /** Counted with each claim, also when its process then ends without a word. */
  readonly attempts: number;
  /** What it keeps of the trace in which it was asked for. */
  readonly trace: string | null;
}

/** Longer than any job may take. After this, a job whose process died can be taken by another process. */
export const JOB_LEASE_MS = 20_000;

export interface NewJob {
  readonly kind: string;
  readonly runAt: number;
  readonly payload: unknown;
  readonly key?: string;
  /**
   * Jobs of one lane wait for each other and for nobody else, so that a provider which hangs holds up its own. By default
   * the first word of the kind; `payment:PAYTM` is a lane of its own, as wide as those of `payment`.
   */
  readonly lane?: string;
}

type JobColumns = Tables['jobs'];

const add = prepared((db, given: { readonly rows: readonly JobColumns[] }) =>
  db
    .insertInto('jobs')
    .values(given.rows)
    .onConflict((c) => c.column('unique_key').doNothing()),
);

/**
 * Stores jobs that run when their time has come. A job is left out when one with the same `key` is still there.
 * @param jobs `runAt` in epoch ms of the shop's clock
 */
export async function enqueue(db: Db, ...jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await add(db, { rows: rowsOf(jobs) });
}

/**
 * The same, to be written with what the jobs belong to.
 * @param own a job that this process does as soon as it is committed, and nobody else until the end of its lease
 * @param wall the real time, epoch ms
 */
export function newJobs(
  db: Db,
  jobs: readonly NewJob[],
  own: NewJob,
  wall: number,
): { add: CompiledQuery; own: Claim } {
  const rows = rowsOf([...jobs, own]);
  const row = Object.assign(rows.at(-1)!, { state: 'RUN', attempts: 1, lease_until: wall + JOB_LEASE_MS });
  return { add: add.of(db, { rows }), own: row };
}

const rowsOf = (jobs: readonly NewJob[]): JobColumns[] =>
  jobs.map((job) => ({
    id: newId('job'),
    kind: job.kind,
    lane: job.lane ?? job.kind.split('.')[0]!,
    unique_key: job.key ?? null,
    run_at: Math.ceil(job.runAt),
    payload: JSON.stringify(job.payload ?? null),
    state: 'DUE',
    attempts: 0,
    lease_until: 0,
    error: null,
    trace: traceToKeep(),
  }));

/** Removes a job by its key, unless it is running. */
export async function dropJob(db: Db, key: string): Promise<void> {
  await db.deleteFrom('jobs').where('unique_key', '=', key).where('state', '=', 'DUE').execute();
}

/** Jobs that nobody has begun `lateMs` after they could have been, and those that were given up. */
export async function lateJobs(db: Db, lateMs: number): Promise<{ late: number; oldestMs: number; givenUp: number }> {
  const { now: at, offsetMs } = await readSystem(db);
  const wall = at - offsetMs;
  const late = await db
    .selectFrom('jobs')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('run_at').as('oldest')])
    .where('state', '<>', 'DEAD')
    .where('run_at', '<=', at - lateMs)
    .where('lease_until', '<=', wall - lateMs)
    .executeTakeFirstOrThrow();
  const dead = await db
    .selectFrom('jobs')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('state', '=', 'DEAD')
    .executeTakeFirstOrThrow();
  return {
    late: Number(late.count),
    oldestMs: late.oldest === null ? 0 : at - late.oldest,
    givenUp: Number(dead.count),
  };
}

/** Named, not as all but DEAD: so that the index leads past the jobs of later. */
const WAITING = ['DUE', 'RUN'] as const;

const due = prepared((db, given: { at: number; wall: number }) =>
  db
    .selectFrom('jobs')
    .select('lane')
    .distinct()
    .where('state', 'in', WAITING)
    .where('run_at', '<=', given.at)
    .where('lease_until', '<=', given.wall),
);

/** The lanes in which a job is free to be claimed at `at`. */
export async function dueLanes(db: Db, at: number): Promise<string[]> {
  const { rows } = await due(db, { at, wall: await wallNow(db) });
  return rows.map(({ lane }) => lane);
}

const claim = prepared((db, given: { lane?: string; at: number; wall: number; lease: number }) => {
  const free = db
    .selectFrom('jobs')
    .select('id')
    .$if(given.lane !== undefined, (query) => query.where('lane', '=', given.lane!))
    .where('state', '<>', 'DEAD')
    .where('run_at', '<=', given.at)
    .where('lease_until', '<=', given.wall)
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
    // Of a lane, several workers take one each; of all, the earliest, even if it means to wait for who is claiming it.
    .$if(engineOf(db) === 'postgres', (query) =>
      given.lane === undefined ? query.forUpdate() : query.forUpdate().skipLocked(),
    );
  return db
    .updateTable('jobs')
    .set((e) => ({ state: 'RUN', lease_until: given.lease, attempts: e('attempts', '+', 1) }))
    .where('id', '=', free)
    .returning(['id', 'kind', 'lane', 'payload', 'run_at as runAt', 'attempts', 'trace']);
});

/**
 * Claims the next job of a lane, or of all (null), that is due at `at`, for this process alone. `busy`: none of all is
 * free, but another process works on one. For a job that failed, `lease_until` is the time of its next try.
 */
export async function claimJob(db: Db, at: number, lane: string | null = null): Promise<JobRow | 'busy' | null> {
  const wall = await wallNow(db);
  const claimed = await first(claim(db, { at, wall, lease: wall + JOB_LEASE_MS, ...(lane === null ? {} : { lane }) }));
  if (claimed !== undefined) return claimed;
  if (lane !== null) return null;
  const running = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'RUN')
    .where('run_at', '<=', at)
    .limit(1)
    .executeTakeFirst();
  return running === undefined ? null : 'busy';
}

/** One try at a job. After the end of its lease another may have begun: what the first says then counts for nothing. */
export type Claim = Pick<JobRow, 'id' | 'attempts'>;

/** Removes a job that is done, to be written with what it was done for. */
export const jobFinished = prepared((db, given: Claim) =>
  db.deleteFrom('jobs').where('id', '=', given.id).where('state', '=', 'RUN').where('attempts', '=', given.attempts),
);

/** Removes a job that is done. */
export async function finishJob(db: Db, { id, attempts }: Claim): Promise<void> {
  await jobFinished(db, { id, attempts });
}

async function leave(
  db: Db,
  { id, attempts }: Claim,
  set: { error?: string; state: 'DUE' | 'DEAD'; lease_until: number; attempts?: number },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set(set)
    .where('id', '=', id)
    .where('state', '=', 'RUN')
    .where('attempts', '=', attempts)
    .execute();
}

/** @param retryInMs null: it is given up */
export async function failJob(db: Db, claim: Claim, error: string, retryInMs: number | null): Promise<void> {
  if (retryInMs === null) return await leave(db, claim, { error, state: 'DEAD', lease_until: 0 });
  await leave(db, claim, { error, state: 'DUE', lease_until: (await wallNow(db)) + retryInMs });
}

/** Lets another process do jobs that this one has begun and will not finish. The try does not count. */
export async function giveBack(db: Db, jobs: readonly Claim[]): Promise<void> {
  for (const job of jobs) await leave(db, job, { state: 'DUE', lease_until: 0, attempts: job.attempts - 1 });
}

/** Leaves a job for later without counting this try. */
export async function putOffJob(db: Db, claim: Claim, error: string, retryInMs: number): Promise<void> {
  const lease_until = (await wallNow(db)) + retryInMs;
  await leave(db, claim, { error, state: 'DUE', lease_until, attempts: claim.attempts - 1 });
}

/** When the earliest job falls due; null when there is none. A job that waits for another try does not count. */
export async function nextJobAt(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('state', '=', 'DUE')
    .where('lease_until', '=', 0)
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.run_at ?? null;
}
