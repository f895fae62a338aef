import type { Root } from '../store/db.ts';
import type { Services } from './services.ts';

interface JobContext {
  readonly db: Root;
  readonly services: Services;
  /** When the job became due (epoch ms), not when it actually runs. */
  readonly now: number;
  readonly jobId: string;
  readonly attempt: number;
}

/**
 * A job may run more than once, because a process can die after the work and before the job is marked as done. So write
 * only updates that are safe to repeat. `finished`: the work has marked it by itself, in its own transaction.
 */
export type JobHandler<P> = (payload: P, context: JobContext) => Promise<void | 'finished'>;

const handlers = new Map<string, JobHandler<never>>();

/**
 * The register of all kinds of jobs. Modules register theirs when they are imported: `jobs.on('order.advance', ...)`.
 */
export const jobs = {
  on<P>(kind: string, handler: JobHandler<P>): void {
    if (handlers.has(kind)) throw new Error(`Two handlers for the job '${kind}'.`);
    handlers.set(kind, handler);
  },
  kinds: (): Iterable<string> => handlers.keys(),
  of: (kind: string): JobHandler<never> | undefined => handlers.get(kind),
};

/** Runs the jobs; used at start-up and by the developer's clock. */
export interface Runner {
  /** Moves the clock forward and runs all jobs that become due on the way, in the order of their times. */
  advance(ms: number): Promise<{ now: number; offsetMs: number }>;
  /** Looks for due jobs from now on. Each lane is worked on by itself. */
  start(): void;
  /**
   * Begins no more jobs and waits for those that run. Those that hang longer than this (ms) are other processes' at once,
   * not at the end of their lease.
   */
  stop(patienceMs: number): Promise<void>;
}
