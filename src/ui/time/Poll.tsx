import { useEffect, useEffectEvent } from 'react';
import { doubledMs } from '../../domain/time.ts';

interface PollProps {
  /**
   * Milliseconds between an answer and the next question. They vary a little, so that many pages do not ask at the same
   * moment.
   */
  everyMs: number;
  /** Milliseconds: after failures the wait doubles up to this. */
  mostMs: number;
  /** Resolves to whether it worked. It has a deadline of its own and never rejects. */
  run: () => Promise<boolean>;
}

/** Asks again and again while the page is visible, and at once when it becomes visible again; never twice at a time. */
export function Poll({ everyMs, mostMs, run }: PollProps) {
  const turn = useEffectEvent(run);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isAsking = false;
    let isOver = false;
    const ask = async () => {
      clearTimeout(timer);
      if (isAsking || isOver || document.visibilityState === 'hidden') return;
      isAsking = true;
      failures = (await turn()) ? 0 : failures + 1;
      isAsking = false;
      if (!isOver)
        timer = setTimeout(() => void ask(), doubledMs(everyMs, failures, mostMs) * (0.8 + 0.4 * Math.random()));
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
