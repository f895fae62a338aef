// How often a function of ours runs, by the engine's own count: nothing is wrapped, and the product does not know of it.
import { Session } from 'node:inspector/promises';

/** @param file how the address of the function's script ends */
export async function callsOf(file: string, name: string, work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.endsWith(file))
      .flatMap(({ functions }) => functions)
      .filter(({ functionName }) => functionName === name)
      .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
  } finally {
    session.disconnect();
  }
}
