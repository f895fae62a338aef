import type { ReactNode } from 'react';
import css from './Field.module.css';
import type { FieldTexts } from './Field.tsx';

/**
 * Label above, hint and error below. The error's element is always in the page: screen readers announce only what
 * appears inside an element they know.
 */
export function FieldFrame({ id, label, hint, error, children }: FieldTexts & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      <div className={css.hint} id={`${id}-hint`}>
        {hint}
      </div>
      <div className={css.error} id={`${id}-error`} aria-live="polite">
        {error}
      </div>
    </div>
  );
}
