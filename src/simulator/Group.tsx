import { useId, type ReactNode } from 'react';
import css from './Group.module.css';

/** Plates of the control panel that belong together. */
export function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section id={id} className={css.group} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}
