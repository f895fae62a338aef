import { useEffect, useRef } from 'react';

/** Runs again and again while it is on a page that is looked at. */
export function Repeat({ everyMs, run }: { everyMs: number; run: () => void }) {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const timer = setInterval(() => { if (document.visibilityState === 'visible') latest.current(); }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return null;
}
