import { inTime } from '../domain/deadline.ts';

const RETRIES = 5;
export const RETRY_WAIT_MS = 1_000;
const CHUNK_TIMEOUT_MS = 120_000;

const wait = (ms: number) => new Promise((done) => { setTimeout(done, ms); });

/** Scripts that are in the browser's cache by now, the page's own first of all. */
const fetched = new Map<string, Promise<unknown>>([[import.meta.url, Promise.resolve()]]);

/**
 * Fetches a script and all that it imports. A page never asks again for a module that failed once, be it only imported by the one
 * that was wanted: so each is in the cache before it is asked for as a module.
 */
function fetchScript(address: string): Promise<unknown> {
  let all = fetched.get(address);
  if (!all) {
    all = (async () => {
      const reply = await fetch(address);
      if (!reply.ok) throw new Error(address);
      await Promise.all(Array.from((await reply.text()).matchAll(SCRIPT), ([, name]) => fetchScript(new URL(name!, address).href)));
    })();
    fetched.set(address, all);
    all.catch(() => fetched.delete(address));
  }
  return all;
}
/** As the bundler writes it. */
const SCRIPT = /(?:from|import)"(\.\/[^"]+\.js)"/g;

/** A chunk of script, tried again up to 5 times, 1000 ms apart (specification section 2). */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  // Its address, as the bundler writes it; the page that draws the first screens beforehand has its files beside it.
  const [, name] = /^http/.test(import.meta.url) ? /import\("(\.\/[^"]+\.js)"\)/.exec(String(load)) ?? [] : [];
  for (let tries = 0; ; tries += 1) {
    try {
      if (name) await inTime(fetchScript(new URL(name, import.meta.url).href), CHUNK_TIMEOUT_MS);
      return await inTime(load(), CHUNK_TIMEOUT_MS);
    } catch (thrown) {
      if (tries === RETRIES) throw thrown;
      await wait(RETRY_WAIT_MS);
    }
  }
}
