import type { ReactNode } from 'react';
import css from './Problems.module.css';

/** What stands in the way, read out as it appears. */
export function Problems({ children }: { children: ReactNode }) {
  return <div className={css.problems} role="alert">{children}</div>;
}
