import type { ReactNode } from 'react';
import css from './FoldHead.module.css';

/** The line that opens a part of the builder: what it is, and what is chosen there now. Stands in a `details`. */
export function FoldHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <summary className={css.head}>
      <b>{title}</b>
      <span>{children}</span>
    </summary>
  );
}
