import type { ReactNode } from 'react';
import css from './EmptyState.module.css';

/** Says that there is nothing here, or that something ended: a picture, what it means, and what to do next. */
export function EmptyState({
  picture,
  title,
  children,
  action,
}: {
  picture?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={css.empty}>
      {picture}
      <h2>{title}</h2>
      {children !== undefined && <div className={css.text}>{children}</div>}
      {action}
    </div>
  );
}
