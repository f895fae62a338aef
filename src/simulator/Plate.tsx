import { useState, type ReactNode } from 'react';
import { Fold } from '../ui/Fold.tsx';
import css from './Plate.module.css';

interface PlateProps {
  readonly id?: string;
  readonly icon: ReactNode;
  readonly title: ReactNode;
  /** One line that says what the switches below are for. */
  readonly about?: ReactNode;
  readonly end?: ReactNode;
  readonly children?: ReactNode;
}

/** A card of the control panel. */
export function Plate({ id, icon, title, about, end, children }: PlateProps) {
  return (
    <section className={css.plate} id={id} aria-labelledby={id && `${id}-title`}>
      <header className={css.head}>
        <span className={css.icon}>{icon}</span>
        <h3 id={id && `${id}-title`}>{title}</h3>
        {end}
      </header>
      {about !== undefined && <p className={css.about}>{about}</p>}
      {children !== undefined && <div className={css.inside}>{children}</div>}
    </section>
  );
}

/** Switches that are seldom wanted. */
export function Rare({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Fold title={title} isOpen={isOpen} onToggle={setOpen}>
      {children}
    </Fold>
  );
}
