import * as errors from '#text/errors.ts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import css from './OfferCodeForm.module.css';
import { typedCode } from '../../domain/typedText.ts';

interface OfferCodeFormProps {
  code: string;
  /** What is wrong with the code. */
  error: string | undefined;
  busy: boolean;
  onType: (code: string) => void;
  onError: (error: string) => void;
  /** Called with the code as it is kept, and only when one was typed. */
  onSubmit: (code: string) => void;
  /** Shown below the box: what the code would do. */
  children?: ReactNode;
}

const NAME = 'offer-code';

/** The box for an offer code, with its button. Typing clears the error. */
export function OfferCodeForm({ code, error, busy, onType, onError, onSubmit, children }: OfferCodeFormProps) {
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The field's own value, not the one drawn last: on a busy phone Enter comes before the drawing.
        const now = String(new FormData(event.currentTarget).get(NAME) ?? '');
        if (now !== code) onType(now);
        const typed = typedCode(now);
        if (typed === '') onError(errors.fieldEmpty);
        else onSubmit(typed);
      }}
    >
      <Field
        label={errors.couponBoxLabel}
        placeholder={errors.couponBoxPlaceholder}
        name={NAME}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        enterKeyHint="go"
        value={code}
        error={error}
        onChange={(event) => {
          onType(event.target.value);
          onError('');
        }}
      >
        <Button type="submit" kind="quiet" small busy={busy}>
          {errors.apply}
        </Button>
      </Field>
      {children}
    </form>
  );
}
