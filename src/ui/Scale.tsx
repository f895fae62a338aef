import { useId, type ReactNode } from 'react';
import css from './Scale.module.css';

/** A number from `min` to `max`, each a native radio button, with words for both ends. */
export function Scale({
  legend,
  min,
  max,
  low,
  high,
  value,
  error,
  onChange,
}: {
  legend: ReactNode;
  min: number;
  max: number;
  low: ReactNode;
  high: ReactNode;
  value: number | null;
  error?: ReactNode;
  onChange: (value: number) => void;
}) {
  const name = useId();
  return (
    <fieldset className={css.group} aria-describedby={error ? `${name}-ends ${name}-error` : `${name}-ends`}>
      <legend className={css.legend}>{legend}</legend>
      <div className={css.numbers}>
        {Array.from({ length: max - min + 1 }, (_, at) => min + at).map((number) => (
          <label key={number} className={css.option}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={number}
              checked={number === value}
              onChange={() => onChange(number)}
            />
            <span className={css.number}>{number}</span>
          </label>
        ))}
      </div>
      <p className={css.ends} id={`${name}-ends`}>
        <span>{low}</span>
        <span>{high}</span>
      </p>
      {error && (
        <p className={css.error} id={`${name}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
