import type { ReactNode } from 'react';
import css from './Card.module.css';

/** A box around things that belong together. `flush` removes its inner margin. */
export function Card({
  title,
  end,
  flush,
  children,
}: {
  title?: ReactNode;
  end?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={css.card} data-flush={flush}>
      {title !== undefined && (
        <header className={css.head}>
          <h2>{title}</h2>
          {end}
        </header>
      )}
      {children}
    </section>
  );
}
