// Guests' carts that join an account's, over HTTP, 1,000 times: no line lost or revived, in either order, as often as it is sent.
import fc from 'fast-check';
import { meeting, openMeetings, playMeeting } from '../kit/merges.ts';
import { startServer, type Engine } from '../kit/server.ts';

const RUNS = 1_000;

export async function benchMerges({ names }: { names: readonly Engine[] }): Promise<void> {
  for (const engine of names) {
    const server = await startServer({ engine });
    const started = performance.now();
    try {
      await openMeetings(server);
      await fc.assert(
        fc.asyncProperty(meeting, (one) => playMeeting(server, one)),
        { numRuns: RUNS, endOnFailure: true },
      );
      console.log(
        `\nCarts joined over HTTP (${engine}): ${RUNS} of ${RUNS} meetings of two guests and an account as reckoned, ${((performance.now() - started) / RUNS).toFixed(0)} ms each`,
      );
    } catch (failed) {
      console.error(failed);
      process.exitCode = 1;
    } finally {
      await server.stop();
    }
  }
}
