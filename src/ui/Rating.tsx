import { useId, type ReactNode } from 'react';
import css from './Rating.module.css';

interface RatingProps {
  legend: ReactNode;
  /** Highest value; the lowest is 0 for a scale of 10, otherwise 1. */
  max: number;
  value: number | null;
  onChange: (value: number) => void;
  /** What the ends mean, lowest and highest. */
  ends?: [low: string, high: string];
}

/** A row of native radio buttons with a number each. */
export function Rating({ legend, max, value, onChange, ends }: RatingProps) {
  const name = useId();
  const first = max === 10 ? 0 : 1;
  return (
    <fieldset className={css.rating}>
      <legend>{legend}</legend>
      <div className={css.row}>
        {Array.from({ length: max - first + 1 }, (_, at) => at + first).map((mark) => (
          <label key={mark}>
            <input type="radio" className="visually-hidden" name={name} value={mark} checked={mark === value} onChange={() => onChange(mark)} />
            <span>{mark}</span>
          </label>
        ))}
      </div>
      {ends && (
        <div className={css.ends}>
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
    </fieldset>
  );
}
