import { useId, type ReactNode } from 'react';
import css from './Segment.module.css';

/** A short choice in one line: native radio buttons side by side. */
export function Segment<V extends string>({
  legend,
  quietLegend,
  options,
  value,
  onChange,
}: {
  legend: string;
  quietLegend?: boolean;
  options: readonly { readonly value: V; readonly text: ReactNode; readonly label?: string }[];
  value: V | null;
  onChange: (value: V) => void;
}) {
  const name = useId();
  return (
    <fieldset className={css.segment}>
      <legend className={quietLegend ? 'visually-hidden' : undefined}>{legend}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-label={option.label}
            />
            <span>{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
