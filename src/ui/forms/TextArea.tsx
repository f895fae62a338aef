import { useId, type ComponentProps } from 'react';
import css from './Field.module.css';
import type { FieldTexts } from './FieldFrame.tsx';
import { FieldFrame } from './FieldFrame.tsx';
import { useTextCut } from './textCut.ts';

/** A labelled box for several lines; with `maxLength` it shows how much is used. */
export function TextArea({
  label,
  hint,
  error,
  id,
  ...area
}: FieldTexts & Omit<ComponentProps<'textarea'>, keyof FieldTexts | 'className'>) {
  const own = useId();
  const field = id ?? own;
  const { cut, watched } = useTextCut(area.maxLength);
  const used = typeof area.value === 'string' && area.maxLength ? `${area.value.length}/${area.maxLength}` : null;
  return (
    <FieldFrame
      id={field}
      label={label}
      hint={
        used ? (
          <>
            {hint} <span className={css.used}>{used}</span>
          </>
        ) : (
          hint
        )
      }
      error={error}
      cut={cut}
    >
      <div className={css.box} data-invalid={!!error || undefined}>
        <textarea
          rows={3}
          {...watched}
          {...area}
          id={field}
          aria-invalid={!!error || undefined}
          aria-describedby={`${field}-hint ${field}-error`}
        />
      </div>
    </FieldFrame>
  );
}
