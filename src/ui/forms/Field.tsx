import { useId, type ComponentProps, type ReactNode, type Ref } from 'react';
import css from './Field.module.css';
import { FieldFrame, type FieldTexts } from './FieldFrame.tsx';
import { useTextCut } from './textCut.ts';

interface FieldProps extends FieldTexts {
  /** In front of the typed text, for example '+91'. */
  prefix?: ReactNode;
  /** Behind the typed text, for example an Apply button. */
  children?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled input; everything else (autocomplete, inputmode, enterkeyhint ...) goes straight to the input. */
export function Field({
  label,
  hint,
  error,
  prefix,
  children,
  id,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps | 'className'>) {
  const own = useId();
  const field = id ?? own;
  const { cut, watched } = useTextCut(input.maxLength);
  return (
    <FieldFrame id={field} label={label} hint={hint} error={error} cut={cut}>
      <div className={css.box} data-invalid={!!error || undefined}>
        {prefix !== undefined && <span className={css.prefix}>{prefix}</span>}
        <input
          {...watched}
          {...input}
          id={field}
          aria-invalid={!!error || undefined}
          aria-describedby={`${field}-hint ${field}-error`}
        />
        {children}
      </div>
    </FieldFrame>
  );
}
