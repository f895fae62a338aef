import type { ReactNode } from 'react';
import css from './ProgressBar.module.css';

/** How far the customer has come, for example towards free delivery. Its sentence says the same as the bar. */
export function ProgressBar({
  value,
  max,
  label,
  children,
}: {
  value: number;
  max: number;
  label: string;
  children: ReactNode;
}) {
  const part = max > 0 ? Math.min(1, Math.max(0, value / max)) : 1;
  return (
    <div className={css.progress}>
      <div className={css.text}>{children}</div>
      <div
        className={css.bar}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(part * 100)}
      >
        <div style={{ width: `${part * 100}%` }} data-full={part === 1 || undefined} />
      </div>
    </div>
  );
}
