import type { ReactNode } from 'react';
import { RadioCards } from '../ui/RadioCards.tsx';
import css from './Choice.module.css';

interface ChoiceProps<V extends string> {
  readonly legend: string;
  readonly hint?: ReactNode;
  readonly options: readonly { readonly value: V; readonly text: string; readonly detail?: string }[];
  readonly value: V | null;
  readonly onChange: (value: V) => void;
  /** With a line of explanation below each. */
  readonly tiles?: boolean;
  /** The legend is for screen readers only. */
  readonly quiet?: boolean;
}

/** One of a few, side by side in a narrow panel. */
export function Choice<V extends string>({ legend, hint, options, value, onChange, tiles, quiet }: ChoiceProps<V>) {
  return (
    <div className={css.choice} data-wide={tiles}>
      <RadioCards
        tiles
        legend={legend}
        quietLegend={quiet === true}
        value={value}
        onChange={onChange}
        options={options.map(({ value: own, text, detail }) => ({
          value: own,
          title: text,
          ...(detail !== undefined && { detail }),
        }))}
      />
      {hint && <p className={css.hint}>{hint}</p>}
    </div>
  );
}
