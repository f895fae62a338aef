import { useEffect, useRef } from 'react';
import { confetti } from './confetti.ts';
import css from './Celebration.module.css';

const SHOWN_MS = 6_000;

/** Good news with a short shower; goes by itself, says it once. */
export function Celebration({ message, second, onDone }: { message: string; second: string; onDone: () => void }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (place.current) confetti(place.current);
    const timer = setTimeout(onDone, SHOWN_MS);
    return () => clearTimeout(timer);
    // Once per piece of news; the caller's closure does not start it again.
  }, [message, second]);
  return (
    <p ref={place} className={css.news} role="status">
      <b>{message}</b> {second}
    </p>
  );
}
