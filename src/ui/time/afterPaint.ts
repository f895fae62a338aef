import { useEffect, useState } from 'react';

const UNPAINTED_MS = 200;

/** Calls `act` after the next frame is drawn, or soon in a page that draws none. @returns what cancels it */
export function afterPaint(act: () => void): () => void {
  let isDone = false;
  const once = () => {
    if (!isDone) {
      isDone = true;
      act();
    }
  };
  const late = setTimeout(once, UNPAINTED_MS);
  const frame = requestAnimationFrame(() => setTimeout(once));
  return () => {
    isDone = true;
    clearTimeout(late);
    cancelAnimationFrame(frame);
  };
}

/** What a value was until the frame is drawn that shows what else has changed with it: a deferred value may be drawn in that frame. */
export function useAfterPaint<T>(value: T): T {
  const [shown, setShown] = useState({ value });
  useEffect(() => (shown.value === value ? undefined : afterPaint(() => setShown({ value }))), [shown, value]);
  return shown.value;
}
