import { useEffect, useEffectEvent } from 'react';

/** Calls `run` every `everyMs` milliseconds, as long as it is mounted and the page is visible. */
export function Repeat({ everyMs, run }: { everyMs: number; run: () => void }) {
  const turn = useEffectEvent(run);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') turn();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return null;
}
