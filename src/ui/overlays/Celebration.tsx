import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react';
import { confetti } from './confetti.ts';
import css from './Celebration.module.css';

const SHOWN_MS = 6_000;

/** Good news with a short shower of confetti. It is announced once and disappears by itself, or with its page. */
export function Celebration({
  name,
  message = name,
  second,
  onDone,
}: {
  /** What it is about; another one is other news. */
  name: string;
  message?: ReactNode;
  second: string;
  onDone: () => void;
}) {
  const place = useRef<HTMLParagraphElement>(null);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (place.current) confetti(place.current);
    const timer = setTimeout(() => done(), SHOWN_MS);
    return () => clearTimeout(timer);
    // Once for each piece of news.
  }, [name, second]);
  useLayoutEffect(() => {
    const shown = place.current;
    // It left with its page, which React hides first where the next one is waited for; where effects only run again it is
    // still there.
    return () =>
      queueMicrotask(() => {
        if (!shown?.isConnected || shown.closest('[style*="none"]')) done();
      });
  }, []);
  return (
    <p ref={place} className={css.news} role="status">
      <b>{message}</b> {second}
    </p>
  );
}
