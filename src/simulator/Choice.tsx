import { useId, type ReactNode } from 'react';
import css from './Choice.module.css';

interface Option<V extends string> {
  readonly value: V;
  readonly text: string;
  readonly detail?: string;
}

interface ChoiceProps<V extends string> {
  readonly legend: string;
  readonly hint?: ReactNode;
  readonly options: readonly Option<V>[];
  readonly value: V | null;
  readonly onChange: (value: V) => void;
  /** Cards with a line of explanation instead of one row. */
  readonly tiles?: boolean;
  /** The legend is for screen readers only. */
  readonly quiet?: boolean;
  readonly disabled?: boolean;
}

/** One of a few: native radio buttons, as a row of segments or as tiles. */
export function Choice<V extends string>({
  legend,
  hint,
  options,
  value,
  onChange,
  tiles,
  quiet,
  disabled,
}: ChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset
      className={css.choice}
      data-tiles={tiles}
      disabled={disabled}
      aria-describedby={hint ? `${name}-hint` : undefined}
    >
      <legend className={quiet ? 'visually-hidden' : undefined}>{legend}</legend>
      <div className={css.options}>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span className={css.face}>
              <span className={css.text}>{option.text}</span>
              {option.detail !== undefined && <span className={css.detail}>{option.detail}</span>}
            </span>
          </label>
        ))}
      </div>
      {hint && (
        <p className={css.hint} id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
