import type { ReactNode } from 'react';
import css from './Chips.module.css';

export interface Chip {
  id: string;
  text: string;
  icon?: ReactNode;
}

/**
 * Toggle buttons side by side, on as many lines as they need: nobody finds a button that has to be scrolled into view.
 */
export function Chips({
  label,
  chips,
  pressed,
  onToggle,
}: {
  label: string;
  chips: readonly Chip[];
  pressed: readonly string[];
  onToggle: (id: string) => void;
}) {
  return (
    <div className={css.chips} role="group" aria-label={label}>
      {chips.map(({ id, text, icon }) => (
        <button
          key={id}
          type="button"
          className={css.chip}
          aria-pressed={pressed.includes(id)}
          onClick={() => onToggle(id)}
        >
          {/* Its words say the same. */}
          {icon && (
            <span aria-hidden className={css.icon}>
              {icon}
            </span>
          )}
          {text}
        </button>
      ))}
    </div>
  );
}
