import { Fragment, useId, type ReactNode } from 'react';
import css from './RadioCards.module.css';

interface RadioOption<V extends string> {
  value: V;
  title: ReactNode;
  detail?: ReactNode;
  /** At the far end: a price, a badge. */
  end?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  /** Shown right below the option: what choosing it asks for or offers. */
  below?: ReactNode;
}

interface RadioCardsProps<V extends string> {
  legend: ReactNode;
  options: readonly RadioOption<V>[];
  value: V | null;
  onChange: (value: V) => void;
  /** Lines of a list, from edge to edge, instead of cards. */
  rows?: boolean;
  /** Side by side instead of one under the other. */
  tiles?: boolean;
  /** The legend is for screen readers only. */
  quietLegend?: boolean;
  error?: ReactNode;
}

/** Native radio buttons that look like cards, so arrow keys, forms and screen readers work as usual. */
export function RadioCards<V extends string>({
  legend,
  options,
  value,
  onChange,
  rows,
  tiles,
  quietLegend,
  error,
}: RadioCardsProps<V>) {
  const name = useId();
  return (
    <fieldset
      className={css.group}
      data-rows={rows}
      data-tiles={tiles}
      aria-describedby={error ? `${name}-error` : undefined}
    >
      <legend className={quietLegend ? 'visually-hidden' : css.legend}>{legend}</legend>
      <div className={css.options}>
        {options.map((option) => (
          <Fragment key={option.value}>
            <label className={css.option}>
              <input
                type="radio"
                className="visually-hidden"
                name={name}
                value={option.value}
                checked={option.value === value}
                disabled={option.disabled}
                onChange={() => onChange(option.value)}
              />
              <span className={css.card}>
                {option.icon}
                <span className={css.words}>
                  <span className={css.title}>{option.title}</span>
                  {option.detail !== undefined && <span className={css.detail}>{option.detail}</span>}
                </span>
                {option.end !== undefined && <span className={css.end}>{option.end}</span>}
              </span>
            </label>
            {option.below && <div className={css.below}>{option.below}</div>}
          </Fragment>
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
