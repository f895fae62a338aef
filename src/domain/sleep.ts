/** A signal that aborts after `ms`. (AbortSignal.timeout is newer than our oldest browser.) */
export function timeoutSignal(ms: number): AbortSignal {
  const over = new AbortController();
  setTimeout(() => over.abort(), ms);
  return over.signal;
}

/** Resolves after `ms`, or as soon as `signal` aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      clearTimeout(timer);
      // A page's own signal outlives many pauses.
      signal.removeEventListener('abort', over);
      done();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener('abort', over);
    if (signal.aborted) over();
  });
}
