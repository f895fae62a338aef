import { useEffect, useEffectEvent } from 'react';

/**
 * Runs `run` as long as it is mounted and the page is visible. Unmounting or hiding the page aborts its signal; showing
 * the page again or another `name` starts it again.
 */
export function While({ name, run }: { name: string; run: (signal: AbortSignal) => void }) {
  const start = useEffectEvent(run);
  useEffect(() => {
    let stopping: AbortController | null = null;
    const look = () => {
      const isSeen = document.visibilityState === 'visible';
      if (isSeen && stopping === null) start((stopping = new AbortController()).signal);
      if (!isSeen) {
        stopping?.abort();
        stopping = null;
      }
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      stopping?.abort();
    };
  }, [name]);
  return null;
}
