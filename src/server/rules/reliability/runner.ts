import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS, doubledMs } from '../../../domain/time.ts';
import type { JobOutcome } from '../../call/counts.ts';
import { jobs, type Runner } from '../../call/jobs.ts';
import { awayIn } from '../../call/outside.ts';
import type { Services } from '../../call/services.ts';
import { withTimeout } from '../../call/withTimeout.ts';
import type { Root } from '../../store/db.ts';
import {
  claimJob,
  dueLanes,
  failJob,
  finishJob,
  giveBack,
  nextJobAt,
  putOffJob,
  JOB_LEASE_MS,
} from '../../store/jobs.ts';
import type { JobRow } from '../../store/jobs.ts';
import { now, raiseOffset, readSystem } from '../../store/system.ts';
import { inTrace, traceOfJob } from '../../trace.ts';

const POLL_MS = 500;
const TRIES = 10;
const FIRST_RETRY_MS = 250;
const BUSY_WAIT_MS = 25;
/** How long a job waits for a provider that does not answer; then its tries count. */
const WAIT_AT_MOST_MS = 24 * HOUR_MS;
/** Shorter than a job's lease: when another process takes the job over, this one has let go of it. */
const DEADLINE_MS = JOB_LEASE_MS - 2_000;

/**
 * How many jobs of a lane one process does at a time, in the order in which lanes are begun: what the stores wait for
 * comes first. The steps of orders keep their order.
 */
const WIDTHS = {
  outbox: 4,
  codes: 4,
  order: 1,
  payment: 4,
  refund: 2,
  receipt: 2,
  notice: 4,
  loyalty: 2,
  league: 2,
  bank: 2,
  sweep: 1,
} as const;
const FIRST = Object.keys(WIDTHS);
const kindOf = (lane: string) => lane.split(':')[0]!;
const widthOf = (lane: string): number => (WIDTHS as Readonly<Record<string, number>>)[kindOf(lane)] ?? 1;
/** Lanes that are not named come last. */
const rankOf = (lane: string) => (FIRST.indexOf(kindOf(lane)) + FIRST.length + 1) % (FIRST.length + 1);

export function jobRunner(db: Root, services: Services): Runner {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  /** The clock moves, job by job; meanwhile no lane is begun. */
  let isAdvancing = false;
  let turn: Promise<unknown> = Promise.resolve();
  const working = new Map<string, Set<Promise<void>>>();
  const held = new Set<JobRow>();

  async function run(job: JobRow): Promise<void> {
    const handler = jobs.of(job.kind);
    held.add(job);
    const started = performance.now();
    const { kind, lane } = job;
    const tried = (outcome: JobOutcome) =>
      services.counts.tried({ kind, lane, outcome, seconds: (performance.now() - started) / 1000 });
    try {
      // Its process ended in the middle of the last try, perhaps because of it.
      if (job.attempts > TRIES) throw new Error('no try of it came to an end');
      if (handler === undefined) throw new Error(`No handler for the job '${job.kind}'.`);
      // It must be safe to repeat: what takes longer is done again.
      const done = await withTimeout(
        handler(JSON.parse(job.payload) as never, {
          db,
          services,
          now: job.runAt,
          jobId: job.id,
          attempt: job.attempts,
        }),
        DEADLINE_MS,
      );
      if (done !== 'finished') await finishJob(db, job);
      tried('done');
    } catch (error) {
      // Given back: it is another's by now.
      if (!held.has(job)) return;
      // A provider that does not answer uses up no tries: the job waits until it does.
      const away = awayIn(error);
      if (away !== undefined && (await now(db)) - job.runAt < WAIT_AT_MOST_MS)
        return await putOffJob(db, job, String(error), away.retryInMs);
      const last = job.attempts >= TRIES;
      tried(last ? 'given_up' : 'failed');
      services.log[last ? 'error' : 'warn'](
        { job: job.kind, jobId: job.id, attempt: job.attempts, error: String(error) },
        last ? 'job given up' : 'job failed, will be tried again',
      );
      await failJob(db, job, String(error), last ? null : doubledMs(FIRST_RETRY_MS, job.attempts - 1));
    } finally {
      held.delete(job);
    }
  }

  /**
   * Does what is due, one job after another. All lanes at once (null) also waits for other processes.
   * @param found is told of each job that is begun
   */
  async function drain(lane: string | null, found = () => {}): Promise<void> {
    while (!stopped) {
      const job = await claimJob(db, await now(db), lane);
      if (job === null || (job === 'busy' && lane !== null)) return;
      if (job === 'busy') {
        await sleep(BUSY_WAIT_MS);
        continue;
      }
      found();
      await inTrace(traceOfJob(job.trace, job.id), () => run(job));
    }
  }

  /** One more works on a lane, if it has room; it calls the next one when it has found something to do. */
  function work(lane: string): void {
    const workers = working.get(lane) ?? new Set();
    working.set(lane, workers);
    if (isAdvancing || workers.size >= widthOf(lane)) return;
    const own = drain(lane, () => work(lane))
      .catch((error: unknown) => services.log.error({ error: String(error), lane }, 'jobs could not be read'))
      .finally(() => workers.delete(own));
    workers.add(own);
  }

  /** Begins the lanes in which something is due, as far as they are not at work already. */
  async function begin(): Promise<void> {
    if (isAdvancing) return;
    const lanes = await dueLanes(db, await now(db));
    if (isAdvancing || stopped) return;
    for (const lane of lanes.sort((a, b) => rankOf(a) - rankOf(b))) work(lane);
  }
  const idle = () => Promise.all([...working.values()].flatMap((workers) => [...workers]));

  const runner: Runner = {
    advance(ms) {
      const mine = turn.then(async () => {
        isAdvancing = true;
        try {
          await idle();
          const start = await readSystem(db);
          const target = start.now + ms;
          for (;;) {
            await drain(null);
            const next = await nextJobAt(db);
            const at = await readSystem(db);
            if (stopped || next === null || next > target) break;
            if (next > at.now) await raiseOffset(db, at.offsetMs + (next - at.now));
          }
          await raiseOffset(db, start.offsetMs + ms);
          await drain(null);
        } finally {
          isAdvancing = false;
        }
        const { now: at, offsetMs } = await readSystem(db);
        return { now: at, offsetMs };
      });
      turn = mine.catch(() => undefined);
      return mine;
    },
    start() {
      const poll = (): void => {
        timer = setTimeout(() => {
          begin()
            .catch((error: unknown) => services.log.error({ error: String(error) }, 'jobs could not be read'))
            .finally(() => {
              if (!stopped) poll();
            });
        }, POLL_MS);
        timer.unref();
      };
      poll();
    },
    async stop(patienceMs) {
      stopped = true;
      clearTimeout(timer);
      await turn;
      const hanging = new Promise<'hanging'>((done) => {
        setTimeout(() => done('hanging'), patienceMs).unref();
      });
      if ((await Promise.race([idle(), hanging])) !== 'hanging') return;
      const left = [...held];
      held.clear();
      await giveBack(db, left);
    },
  };
  return runner;
}
