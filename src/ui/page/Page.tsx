import type { ReactNode } from 'react';
import css from './Page.module.css';

interface PageProps {
  /** Two columns where there is room for them: of equal width, or the first one wider; `aside`: a third `Column` below the first. */
  columns?: 'even' | 'first' | 'aside';
  busy?: boolean;
  children: ReactNode;
}

/** The content between a screen's bars: one column of a width that reads well, or two `Column`s. */
export function Page({ columns, busy, children }: PageProps) {
  return (
    <div className={css.page} data-columns={columns} aria-busy={busy}>
      {children}
    </div>
  );
}

export function Column({ children }: { children: ReactNode }) {
  return <div className={css.column}>{children}</div>;
}

/** Buttons one below the other, no wider than a thumb reaches. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>;
}

/** A quiet sentence between more important things. With `isNews` screen readers announce its changes. */
export function Aside({ isNews, children }: { isNews?: boolean; children: ReactNode }) {
  return (
    <p className={css.aside} role={isNews ? 'status' : undefined}>
      {children}
    </p>
  );
}
