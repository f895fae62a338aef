import type { ReactNode } from 'react';
import css from './HomeCard.module.css';

/** A card at the end of home, where it moves nothing. */
export function HomeCard({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside className={css.card} aria-label={label}>
      {children}
    </aside>
  );
}
