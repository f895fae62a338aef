import { workersHere } from '../bridge/workers.ts';
import { HOUR_MS } from '../domain/time.ts';

const ASK_EVERY_MS = HOUR_MS;
const TAKE_OVER_MS = 3_000;

/**
 * Lets the waiting service worker take over, then reloads the page: once, and only because the customer asked for it.
 */
function takeOver(waiting: ServiceWorker): void {
  let isDone = false;
  const reload = () => {
    if (isDone) return;
    isDone = true;
    location.reload();
  };
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  setTimeout(reload, TAKE_OVER_MS);
  waiting.postMessage({ type: 'skip-waiting' });
}

/**
 * Calls `tell` when another version of this page is ready. Asks for one when the page comes back into view. @returns
 * what stops it
 */
export function watchUpdates(tell: (take: () => void) => void): () => void {
  const workers = workersHere();
  if (!workers) return () => {};
  const stopping = new AbortController();
  const { signal } = stopping;
  void workers.ready.then((registration) => {
    if (signal.aborted) return;
    const offer = () => {
      const { waiting } = registration;
      // Without a controller this page came from the network, so there is no older version to replace.
      if (waiting && workers.controller && !signal.aborted) tell(() => takeOver(waiting));
    };
    const follow = () => registration.installing?.addEventListener('statechange', offer, { signal });
    let askedAt = Date.now();
    registration.addEventListener('updatefound', follow, { signal });
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.hidden) return;
        offer();
        // A phone's clock may be put back.
        if (Math.abs(Date.now() - askedAt) < ASK_EVERY_MS) return;
        askedAt = Date.now();
        registration.update().catch(() => undefined);
      },
      { signal },
    );
    follow();
    offer();
  });
  return () => stopping.abort();
}
