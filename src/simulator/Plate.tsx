import { useState, type ReactNode } from 'react';
import { Fold } from '../ui/Fold.tsx';
import { RadioCards } from '../ui/forms/RadioCards.tsx';
import css from './Plate.module.css';

/** A card of the control panel; `about` is one line that says what its switches are for. */
export function Plate({ title, about, children }: { title: string; about?: ReactNode; children?: ReactNode }) {
  return (
    <section className={css.plate} aria-label={title}>
      <h2>{title}</h2>
      {about !== undefined && <p className={css.note}>{about}</p>}
      {children}
    </section>
  );
}

/** Switches that are seldom wanted. */
export function Rare({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Fold title={title} isOpen={isOpen} onToggle={setOpen}>
      <div className={css.rare}>{children}</div>
    </Fold>
  );
}

interface ChoiceProps<V extends string> {
  readonly legend: string;
  readonly hint?: string | undefined;
  /** Value, title, and a line that explains it. */
  readonly options: readonly (readonly [V, string, string?])[];
  readonly value: V | null;
  readonly onChange: (value: V) => void;
  /** The legend is for screen readers only. */
  readonly quiet?: boolean;
}

/** One of a few, side by side. */
export function Choice<V extends string>({ legend, hint, options, value, onChange, quiet }: ChoiceProps<V>) {
  return (
    <div className={css.choice} data-wide={options[0]?.[2] !== undefined}>
      <RadioCards
        tiles
        legend={legend}
        quietLegend={quiet === true}
        value={value}
        onChange={onChange}
        options={options.map(([own, title, detail]) => ({ value: own, title, detail }))}
      />
      {hint !== undefined && <p className={css.note}>{hint}</p>}
    </div>
  );
}

type Option = readonly [value: string, text: string];

/** One of many; the options stand in groups by their group's name, '' for none. */
export function Select({
  label,
  groups,
  value,
  onChange,
}: {
  readonly label: string;
  readonly groups: Readonly<Record<string, readonly Option[]>>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const drawn = Object.entries(groups).map(([group, options]) => {
    const own = options.map(([id, text]) => (
      <option key={id} value={id}>
        {text}
      </option>
    ));
    return group === '' ? (
      own
    ) : (
      <optgroup key={group} label={group}>
        {own}
      </optgroup>
    );
  });
  return (
    <label className={css.select}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {drawn}
      </select>
    </label>
  );
}
