import type { ReactNode } from 'react';
import css from './CheckBox.module.css';

/** A checkbox whose whole line can be tapped. */
export function CheckBox({
  label,
  detail,
  end,
  checked,
  disabled,
  error,
  onChange,
}: {
  label: ReactNode;
  detail?: ReactNode;
  end?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  /** Id of the element that says what is wrong. */
  error?: string | undefined;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className={css.line}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={css.words}>
        {label}
        {detail !== undefined && <span className={css.detail}>{detail}</span>}
      </span>
      {end}
    </label>
  );
}
