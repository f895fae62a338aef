import type { ReactNode } from 'react';
import css from './Fold.module.css';
import { ChevronIcon } from './pictures/icons.ts';

interface FoldProps {
  icon?: ReactNode;
  title: ReactNode;
  /** What is set inside, so that nobody has to unfold it to know. */
  detail?: ReactNode;
  /** At the far end, for example an amount. */
  end?: ReactNode;
  /** A word instead of the arrow, for example "Change". */
  change?: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
}

/** One line that says what is set, and unfolds to change it. */
export function Fold({ icon, title, detail, end, change, isOpen, onToggle, children }: FoldProps) {
  return (
    <details
      className={css.fold}
      open={isOpen}
      // It also reports what the page itself has unfolded.
      onToggle={({ currentTarget }) => currentTarget.open !== isOpen && onToggle(currentTarget.open)}
    >
      <summary className={css.row}>
        {icon !== undefined && <span className={css.icon}>{icon}</span>}
        <span className={css.words}>
          <span className={css.title}>{title}</span>
          {detail !== undefined && <span className={css.detail}>{detail}</span>}
        </span>
        {end !== undefined && <span className={css.end}>{end}</span>}
        {change === undefined ? (
          <span className={css.arrow}>
            <ChevronIcon size={18} />
          </span>
        ) : (
          <span className={css.change}>{change}</span>
        )}
      </summary>
      <div className={css.inside}>{children}</div>
    </details>
  );
}
