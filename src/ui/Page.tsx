import type { ReactNode } from 'react';
import css from './Page.module.css';

interface PageProps {
  /** Two columns where there is room for them: of one width, or the first the wider one. */
  columns?: 'even' | 'first';
  busy?: boolean;
  children: ReactNode;
}

/** What stands between a screen's bars: one column as wide as one reads, or two `Column`s. */
export function Page({ columns, busy, children }: PageProps) {
  return <div className={css.page} data-columns={columns} aria-busy={busy}>{children}</div>;
}

export function Column({ children }: { children: ReactNode }) {
  return <div className={css.column}>{children}</div>;
}

/** What can be done here, one below the other and no wider than a thumb's way. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>;
}

/** A quiet sentence between what matters. `isNews` is read out when it changes. */
export function Aside({ isNews, children }: { isNews?: boolean; children: ReactNode }) {
  return <p className={css.aside} role={isNews ? 'status' : undefined}>{children}</p>;
}
