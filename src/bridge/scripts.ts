import { withTimeout } from '../domain/withTimeout.ts';

const RETRIES = 5;
export const RETRY_WAIT_MS = 1_000;
const CHUNK_TIMEOUT_MS = 120_000;

const wait = (ms: number) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/** Runs a dynamic import, trying again up to 5 times, 1000 ms apart (specification section 2). */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await withTimeout(load(), CHUNK_TIMEOUT_MS);
    } catch (thrown) {
      if (tries === RETRIES) throw thrown;
      await wait(RETRY_WAIT_MS);
    }
  }
}
