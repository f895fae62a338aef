import type { ReactNode } from 'react';
import css from './Card.module.css';

/** A plate for things that belong together. `flush` leaves the inner margin to the content. */
export function Card({ title, end, flush, children }: { title?: ReactNode; end?: ReactNode; flush?: boolean; children: ReactNode }) {
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
