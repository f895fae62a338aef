import { useEffect, useRef } from 'react';

/** Runs while it is on a page that is looked at; stops when it goes, when the page is hidden, and begins anew for another `name`. */
export function While({ name, run }: { name: string; run: (signal: AbortSignal) => void }) {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    let stopping: AbortController | null = null;
    const look = () => {
      const isSeen = document.visibilityState === 'visible';
      if (isSeen && stopping === null) latest.current((stopping = new AbortController()).signal);
      if (!isSeen) { stopping?.abort(); stopping = null; }
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => { document.removeEventListener('visibilitychange', look); stopping?.abort(); };
  }, [name]);
  return null;
}
