import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `run` every `everyMs` milliseconds, as long as it is mounted and the page is visible. It waits for what `run`
 * returns: on a slow line a question that took the place of the one before would never be answered.
 */
export function Repeat({ everyMs, run }: { everyMs: number; run: () => unknown }) {
  const turn = useEffectEvent(run);
  useEffect(() => {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning || document.visibilityState !== 'visible') return;
      isRunning = true;
      void Promise.resolve(turn()).finally(() => {
        isRunning = false;
      });
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return null;
}
