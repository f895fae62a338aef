import * as t from '#text/feedback.ts';
import { useId, type ReactNode } from 'react';
import { StarIcon } from '../pictures/icons.ts';
import css from './Stars.module.css';

/** A rating from 1 to `max`: native radio buttons that look like stars. */
export function Stars({
  legend,
  value,
  max = 5,
  error,
  onChange,
}: {
  legend: ReactNode;
  value: number | null;
  max?: number;
  error?: ReactNode;
  onChange: (value: number) => void;
}) {
  const name = useId();
  return (
    <fieldset className={css.group} aria-describedby={error ? `${name}-error` : undefined}>
      <legend className={css.legend}>{legend}</legend>
      <div className={css.stars}>
        {Array.from({ length: max }, (_, at) => at + 1).map((star) => (
          <label key={star} className={css.star} data-lit={(value !== null && star <= value) || undefined}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={star}
              checked={star === value}
              onChange={() => onChange(star)}
            />
            <span className="visually-hidden">{t.stars({ count: star })}</span>
            <StarIcon size={36} fill={value !== null && star <= value} />
          </label>
        ))}
      </div>
      {error && (
        <p className={css.error} id={`${name}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** A rating that was given. */
export function StarsGiven({ value, max = 5 }: { value: number; max?: number }) {
  return (
    <span className={css.given} role="img" aria-label={t.stars({ count: value })}>
      {Array.from({ length: max }, (_, at) => (
        <span key={at} data-lit={at < value || undefined}>
          <StarIcon size={18} fill={at < value} />
        </span>
      ))}
    </span>
  );
}
