import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Meta } from './meta.ts';
import type { Bundle } from './bundles.ts';
import type { Built, ThreadData } from './thread.ts';

/** Each thread holds the packages and sources that it reads: some 250 MB. */
const MOST_THREADS = 4;

/**
 * What one thread makes, one after the other: the languages of one host in one country share their first step, and a country's
 * payment apps and frame most of their units.
 */
function families(bundles: readonly Bundle[], due: readonly number[]): number[][] {
  const all = new Map<string, number[]>();
  for (const at of due) {
    const { cc, host } = bundles[at] as Bundle;
    const name = `${cc}/${host.isFull ? host.name : ''}`;
    all.set(name, [...(all.get(name) ?? []), at]);
  }
  // The longest first, so that the threads end together.
  return [...all.values()].sort((a, b) => b.length - a.length);
}

/**
 * Builds these of the bundles, on as many threads as the machine has processors. Resolves to their metas, by their number.
 * @throws what went wrong with the first bundle that could not be built, with esbuild's errors
 */
export async function buildOnThreads(
  bundles: readonly Bundle[],
  due: readonly number[],
  data: ThreadData,
): Promise<ReadonlyMap<number, Meta>> {
  const waiting = families(bundles, due);
  const metas = new Map<number, Meta>();
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: data });
      let own: number[] = [];
      let isOver = false;
      const end = async () => {
        isOver = true;
        await thread.terminate();
      };
      const next = () => {
        if (own.length === 0) own = waiting.shift() ?? [];
        const at = own.shift();
        if (at === undefined) void end().then(resolve);
        else thread.postMessage(at);
      };
      thread.on('error', reject);
      // Some ends say nothing before: a process.exit in what it imports.
      thread.on('exit', (code) => {
        if (!isOver) reject(new Error(`A thread of the build ended (${code}) in the middle of its work.`));
      });
      thread.on('message', (built: Built) => {
        if ('meta' in built) {
          metas.set(built.at, built.meta);
          next();
          return;
        }
        waiting.length = 0;
        const { stack, errors } = built;
        void end().then(() => reject(Object.assign(new Error(stack), { stack, errors })));
      });
      next();
    });
  const threads = Math.min(availableParallelism(), MOST_THREADS, waiting.length);
  await Promise.all(Array.from({ length: threads }, one));
  return metas;
}
