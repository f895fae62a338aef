import type { Services } from '../http/services.ts';
import type { Db, Root } from '../store/db.ts';
import { claimJob, failJob, finishJob, nextJobAt } from '../store/jobs.ts';
import type { JobRow } from '../store/jobs.ts';
import { now, raiseOffset, readSystem } from '../store/system.ts';

export interface JobContext {
  readonly db: Root;
  readonly services: Services;
  /** The moment the job fell due (epoch ms), not the moment it happens to run. */
  readonly now: number;
  readonly jobId: string;
  readonly attempt: number;
}

/** May run more than once (a process can die between the effect and the tick-off): write guarded updates. */
export type JobHandler<P> = (payload: P, context: JobContext) => Promise<void>;

const handlers = new Map<string, JobHandler<never>>();

/** The only list of what can be done later. Modules of routes register at import: `jobs.on('order.advance', ...)`. */
export const jobs = {
  on<P>(kind: string, handler: JobHandler<P>): void {
    if (handlers.has(kind)) throw new Error(`Two handlers for the job '${kind}'.`);
    handlers.set(kind, handler as JobHandler<never>);
  },
};

const POLL_MS = 500;
const TRIES = 10;
const FIRST_RETRY_MS = 250;
const BUSY_WAIT_MS = 25;

export interface Runner {
  /** Runs everything that is due now; settles when nothing due is left. */
  runDue(): Promise<void>;
  /** Moves the clock and runs, in the order of their times, all jobs that fall due on the way. */
  advance(ms: number): Promise<{ now: number; offsetMs: number }>;
  start(): void;
  /** Lets the job at hand finish. */
  stop(): Promise<void>;
}

export function jobRunner(db: Root, services: Services): Runner {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  async function run(job: JobRow): Promise<void> {
    const handler = handlers.get(job.kind);
    try {
      if (handler === undefined) throw new Error(`No handler for the job '${job.kind}'.`);
      await handler(JSON.parse(job.payload) as never, { db, services, now: job.runAt, jobId: job.id, attempt: job.attempts });
      await finishJob(db, job.id);
    } catch (error) {
      const last = job.attempts >= TRIES;
      services.log[last ? 'error' : 'warn']({ job: job.kind, jobId: job.id, attempt: job.attempts, error: String(error) }, last ? 'job given up' : 'job failed, will be tried again');
      await failJob(db, job.id, String(error), last ? null : FIRST_RETRY_MS * 2 ** (job.attempts - 1));
    }
  }

  async function drain(until: (db: Db) => Promise<number>): Promise<void> {
    while (!stopped) {
      const job = await claimJob(db, await until(db));
      if (job === null) return;
      if (job === 'busy') await new Promise((done) => setTimeout(done, BUSY_WAIT_MS));
      else await run(job);
    }
  }

  /** One at a time in this process; other processes are kept off by the claims. */
  function queued(work: () => Promise<void>): Promise<void> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  const runner: Runner = {
    runDue: () => queued(() => drain(now)),
    async advance(ms) {
      await queued(async () => {
        const start = await readSystem(db);
        const target = start.now + ms;
        for (;;) {
          await drain(now);
          const next = await nextJobAt(db);
          const at = await readSystem(db);
          if (stopped || next === null || next > target) break;
          if (next > at.now) await raiseOffset(db, at.offsetMs + (next - at.now));
        }
        await raiseOffset(db, start.offsetMs + ms);
        await drain(now);
      });
      const { now: at, offsetMs } = await readSystem(db);
      return { now: at, offsetMs };
    },
    start() {
      const poll = (): void => {
        timer = setTimeout(() => {
          runner.runDue().catch((error: unknown) => services.log.error({ error: String(error) }, 'jobs could not be read')).finally(() => {
            if (!stopped) poll();
          });
        }, POLL_MS);
        timer.unref();
      };
      poll();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
  return runner;
}
