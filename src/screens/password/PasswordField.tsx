import * as t from '#text/password.ts';
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Instruction to password managers: fill in the stored password, or make a new one. */
  readonly autoComplete: 'current-password' | 'new-password';
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

/** A password: pasted, filled in or typed, and shown to whoever wants to see it. */
export function PasswordField({ onChange, ...field }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...field}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={300}
      enterKeyHint="go"
      onChange={(event) => onChange(event.target.value)}
    >
      <Button
        small
        kind="quiet"
        aria-label={isShown ? t.hideLabel : t.showLabel}
        aria-controls={field.id}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? t.hide : t.show}
      </Button>
    </Field>
  );
}
