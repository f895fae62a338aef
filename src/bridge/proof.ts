import type { Challenge } from '../contract/challenge.ts';
import { withTimeout } from '../domain/withTimeout.ts';
import { loadChunk } from './scripts.ts';

const WORK_TIMEOUT_MS = 60_000;
/** Without a worker the page works in slices, between which it answers taps. */
const SLICE_MS = 12;

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string };
}

/** The page's content security policy (trusted-types proof) lets a policy of this name be made once. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

function newWorker(): Worker {
  const url = new URL('proof.js', document.baseURI).href;
  policy ??= (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('proof', {
    createScriptURL: () => url,
  });
  return new Worker(policy?.createScriptURL(url) ?? url);
}

function inWorker(challenge: Challenge, over: AbortSignal): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const worker = newWorker();
    over.addEventListener('abort', () => worker.terminate());
    worker.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data);
    worker.onerror = () => reject(new Error('the worker of a challenge did not start'));
    worker.postMessage(challenge);
  });
}

async function inSlices(challenge: Challenge, over: AbortSignal): Promise<number | null> {
  const { search } = await loadChunk(() => import('../domain/proofOfWork.ts'));
  for (let from = 0; from <= challenge.upTo && !over.aborted;) {
    const { n, next } = search(challenge, from, SLICE_MS);
    if (n !== null) return n;
    from = next;
    await new Promise((done) => {
      setTimeout(done, 0);
    });
  }
  return null;
}

/**
 * Does the work of a challenge: in a worker, or, where there is none (a sandboxed frame), here.
 * @param stop ends it, and whatever works for it
 * @throws Error when it has no answer, is stopped, or takes longer than a minute
 */
export async function answerOf(challenge: Challenge, stop: AbortSignal): Promise<number> {
  const over = new AbortController();
  const stopped = new Promise<null>((done) => {
    const end = () => done(null);
    if (stop.aborted) end();
    stop.addEventListener('abort', end);
    over.signal.addEventListener('abort', () => stop.removeEventListener('abort', end));
  });
  const work = inWorker(challenge, over.signal).catch(() => inSlices(challenge, over.signal));
  try {
    const n = await withTimeout(Promise.race([work, stopped]), WORK_TIMEOUT_MS);
    if (n === null) throw new Error('a challenge without an answer');
    return n;
  } finally {
    over.abort();
  }
}
