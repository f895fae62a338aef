import { useEffect, useEffectEvent, useRef } from 'react';
import { confetti } from './confetti.ts';
import css from './Celebration.module.css';

const SHOWN_MS = 6_000;

/** Good news with a short shower of confetti. It is announced once and disappears by itself. */
export function Celebration({ message, second, onDone }: { message: string; second: string; onDone: () => void }) {
  const place = useRef<HTMLParagraphElement>(null);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (place.current) confetti(place.current);
    const timer = setTimeout(() => done(), SHOWN_MS);
    return () => clearTimeout(timer);
    // Once for each piece of news.
  }, [message, second]);
  return (
    <p ref={place} className={css.news} role="status">
      <b>{message}</b> {second}
    </p>
  );
}
