import { useEffect, useState, type ReactNode } from 'react';
import css from './Field.module.css';
import { useHeardAtOnce } from '../heard.ts';

/** As long as an error is announced that a field shows when it is left. */
const LEFT_MS = 1000;

export interface FieldTexts {
  label: ReactNode;
  hint?: ReactNode;
  /** Shown and announced below the field; also marks it as invalid. */
  error?: ReactNode;
}

interface FrameProps extends FieldTexts {
  id: string;
  /** Said at once, while the field has the focus: that not all of a text fits. */
  cut: string | undefined;
  children: ReactNode;
}

/**
 * Label above, hint and error below. An error is heard once: announced when the field has just been left, and otherwise
 * as the field's description, when the form puts the focus there. Its element is always in the page: screen readers
 * announce only what appears inside an element they know.
 */
export function FieldFrame({ id, label, hint, error, cut, children }: FrameProps) {
  const [isLeft, setLeft] = useState(false);
  useHeardAtOnce();
  useEffect(() => {
    if (!isLeft) return;
    const timer = setTimeout(() => setLeft(false), LEFT_MS);
    return () => clearTimeout(timer);
  }, [isLeft]);
  return (
    <div className={css.field} onBlur={() => setLeft(true)} onFocus={() => setLeft(false)}>
      <label htmlFor={id}>{label}</label>
      {children}
      <div className={css.hint} id={`${id}-hint`}>
        {hint}
      </div>
      <div className={css.error} id={`${id}-error`} aria-live={isLeft || cut ? 'polite' : 'off'}>
        {error ?? cut}
      </div>
    </div>
  );
}
