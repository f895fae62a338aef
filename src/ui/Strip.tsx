import type { ReactNode } from 'react';
import css from './Strip.module.css';

/** A polite live region. It is always in the page, so that what appears in it is announced; empty, it takes no room. */
export function Strip({ children }: { children?: ReactNode }) {
  return (
    <div className={css.strip} role="status">
      {children}
    </div>
  );
}
