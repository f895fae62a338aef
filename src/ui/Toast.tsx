import { useEffect, useState, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import css from './Toast.module.css';

interface ToastProps {
  /** Null hides it; its element stays in the page, so that the next sentence is announced. */
  message: ReactNode;
  action?: { text: string; onPress: () => void } | undefined;
  onDone: () => void;
  /** Milliseconds on screen, at least 5000. The time stops while a pointer or the focus is on it. */
  durationMs?: number;
}

const TOAST_MINIMUM_MS = 5000;

export function Toast({ message, action, onDone, durationMs = 6000 }: ToastProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (message === null || held) return;
    const timer = setTimeout(onDone, Math.max(durationMs, TOAST_MINIMUM_MS));
    return () => clearTimeout(timer);
  }, [message, held, durationMs, onDone]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <div className={css.place} role="status">
      {message !== null && (
        <div className={css.toast} onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
          <span className={css.words}>{message}</span>
          {action && (
            <Button kind="quiet" small onClick={action.onPress}>
              {action.text}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
