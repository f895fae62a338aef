import { Field } from '../../ui/Field.tsx';
import css from './Account.module.css';

interface CodeFieldProps {
  id: string;
  label: string;
  value: string;
  error: string | undefined;
  /** The browser may offer the code of the last message here; of several fields to one alone. */
  isOffered?: boolean;
  autoFocus?: boolean;
  onType: (typed: string) => void;
}

/** A field for a whole code. */
export function CodeField({ isOffered, onType, ...field }: CodeFieldProps) {
  return (
    <div className={css.code}>
      <Field
        {...field}
        name={isOffered ? 'one-time-code' : field.id}
        type="text"
        inputMode="numeric"
        autoComplete={isOffered ? 'one-time-code' : 'off'}
        enterKeyHint="go"
        spellCheck={false}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  );
}
