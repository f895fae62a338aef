import css from './Select.module.css';

type Option = readonly [value: string, text: string];
interface SelectProps {
  readonly label: string;
  /** With their group's name, where they have groups. */
  readonly options: readonly Option[] | ReadonlyMap<string, readonly Option[]>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Options = ({ of }: { of: readonly Option[] }) =>
  of.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));

/** One of many. */
export function Select({ label, options, value, onChange }: SelectProps) {
  return (
    <label className={css.select}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options instanceof Map ? (
          [...options].map(([group, own]) => (
            <optgroup key={group} label={group}>
              <Options of={own} />
            </optgroup>
          ))
        ) : (
          <Options of={options as readonly Option[]} />
        )}
      </select>
    </label>
  );
}
