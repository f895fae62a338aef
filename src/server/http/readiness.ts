import type { Breaker } from '../call/outside.ts';
import type { Log } from '../call/services.ts';
import { withTimeout } from '../call/withTimeout.ts';
import type { Root } from '../store/db.ts';
import { lateJobs } from '../store/jobs.ts';
import { pendingMigrations } from '../store/migrate.ts';
import { isUnwritable, tryWriting } from '../store/diskSpace.ts';
import { reach } from '../store/system.ts';
import { MINUTE_MS } from '../../domain/time.ts';

const DEADLINE_MS = 2_000;
/** More frequent checks get the last answer: a check costs two writes. */
const KEPT_MS = 250;
const LATE_MS = MINUTE_MS;

type State = 'ok' | 'warning' | 'failed';
/** `failed`: calls cannot be served. `warning`: they can, and somebody should look. */
interface Check {
  readonly status: State;
  /** What is wrong, in words for an operator, without addresses or names of customers. */
  readonly says?: string;
  readonly [detail: string]: unknown;
}
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<'process' | 'database' | 'migrations' | 'room' | 'jobs' | 'providers', Check>>;
}

const OK: Check = { status: 'ok' };
const STOPPING: Check = { status: 'failed', says: 'it is told to stop' };
const UNASKED: Check = { status: 'failed', says: 'unknown without the database' };

const answered = <T>(work: Promise<T>): Promise<T> => withTimeout(work, DEADLINE_MS);

/** What is asked of the process itself. */
export interface ProcessState {
  isDraining(): boolean;
  breakerStates(): readonly Breaker[];
}

/** Whether this process can serve calls, and what is wrong, with one entry for each thing that is looked at. */
export function readiness(db: Root, log: Log, { isDraining, breakerStates }: ProcessState): () => Promise<Readiness> {
  const failed = (check: string, says: string) => (error: unknown) => {
    log.warn({ check, error }, 'not ready');
    return { status: 'failed', says } satisfies Check;
  };
  const room = () =>
    tryWriting(db).then(
      () => OK,
      (error: unknown) =>
        failed(
          'room',
          isUnwritable(error) ? 'nothing can be written: the disk is full, or read only' : 'a write failed',
        )(error),
    );
  const migrations = async (): Promise<Check> => {
    const pending = await pendingMigrations(db);
    return pending.length === 0 ? OK : { status: 'failed', says: 'tables are older than this release', pending };
  };
  const jobs = async (): Promise<Check> => {
    const { late, oldestMs, givenUp } = await lateJobs(db, LATE_MS);
    if (late > 0) return { status: 'warning', says: 'jobs are late', late, oldestMs, givenUp };
    return givenUp > 0 ? { status: 'warning', says: 'jobs were given up', givenUp } : OK;
  };
  const providers = (): Check => {
    const away = breakerStates().filter(({ state }) => state !== 'closed');
    return away.length === 0 ? OK : { status: 'warning', says: 'providers do not answer', away };
  };
  async function look(): Promise<Readiness> {
    const database = await answered(reach(db)).then(() => OK, failed('database', 'it does not answer'));
    const asked = async (name: string, check: () => Promise<Check>) =>
      database.status === 'ok' ? await answered(check()).catch(failed(name, 'it could not be looked at')) : UNASKED;
    const checks = {
      process: isDraining() ? STOPPING : OK,
      database,
      migrations: await asked('migrations', migrations),
      room: await asked('room', room),
      jobs: await asked('jobs', jobs),
      providers: providers(),
    };
    return { isReady: Object.values(checks).every(({ status }) => status !== 'failed'), checks };
  }
  let kept: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;
  return () => {
    if (kept === undefined || isDraining() || Date.now() - kept.at >= KEPT_MS)
      kept = { at: Date.now(), answer: look() };
    return kept.answer;
  };
}
