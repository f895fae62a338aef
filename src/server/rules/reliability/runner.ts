import { jobs, type Runner } from '../../call/jobs.ts';
import type { Services } from '../../call/services.ts';
import type { Db, Root } from '../../store/db.ts';
import { claimJob, failJob, finishJob, nextJobAt } from '../../store/jobs.ts';
import type { JobRow } from '../../store/jobs.ts';
import { now, raiseOffset, readSystem } from '../../store/system.ts';

const POLL_MS = 500;
const TRIES = 10;
const FIRST_RETRY_MS = 250;
const BUSY_WAIT_MS = 25;

export function jobRunner(db: Root, services: Services): Runner {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  async function run(job: JobRow): Promise<void> {
    const handler = jobs.of(job.kind);
    try {
      if (handler === undefined) throw new Error(`No handler for the job '${job.kind}'.`);
      await handler(JSON.parse(job.payload) as never, {
        db,
        services,
        now: job.runAt,
        jobId: job.id,
        attempt: job.attempts,
      });
      await finishJob(db, job.id);
    } catch (error) {
      const last = job.attempts >= TRIES;
      services.log[last ? 'error' : 'warn'](
        { job: job.kind, jobId: job.id, attempt: job.attempts, error: String(error) },
        last ? 'job given up' : 'job failed, will be tried again',
      );
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

  /** Does one piece of work at a time in this process. The claims keep other processes from the same jobs. */
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
          runner
            .runDue()
            .catch((error: unknown) => services.log.error({ error: String(error) }, 'jobs could not be read'))
            .finally(() => {
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
