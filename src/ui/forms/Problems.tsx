import type { ReactNode } from 'react';
import css from './Problems.module.css';

/** What keeps the customer from going on; announced when it appears. */
export function Problems({ children }: { children: ReactNode }) {
  return (
    <div className={css.problems} role="alert">
      {children}
    </div>
  );
}
