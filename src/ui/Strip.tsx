import type { ReactNode } from 'react';
import css from './Strip.module.css';

/** A polite live region that is always there, so that what appears in it is read out. Empty, it takes no room. */
export function Strip({ children }: { children?: ReactNode }) {
  return (
    <div className={css.strip} role="status">
      {children}
    </div>
  );
}
