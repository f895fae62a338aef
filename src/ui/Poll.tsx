import { useEffect, useRef } from 'react';

interface PollProps {
  /** Between an answer and the next question, in milliseconds; about, so that many pages do not ask in step. */
  everyMs: number;
  /** After failures the wait doubles up to this. */
  mostMs: number;
  /** Answers whether it worked; has a deadline of its own and never rejects. */
  run: () => Promise<boolean>;
}

/** Asks again and again while the page is looked at, and at once when it is looked at again; never twice at a time. */
export function Poll({ everyMs, mostMs, run }: PollProps) {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isAsking = false;
    let isOver = false;
    const ask = async () => {
      clearTimeout(timer);
      if (isAsking || isOver || document.visibilityState === 'hidden') return;
      isAsking = true;
      failures = await latest.current() ? 0 : failures + 1;
      isAsking = false;
      if (!isOver) timer = setTimeout(() => void ask(), Math.min(mostMs, everyMs * 2 ** failures) * (0.8 + 0.4 * Math.random()));
    };
    const look = () => void ask();
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [everyMs, mostMs]);
  return null;
}
