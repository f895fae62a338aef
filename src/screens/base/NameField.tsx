import type { ComponentProps } from 'react';
import { Field } from '../../ui/forms/Field.tsx';

interface NameFieldProps extends Omit<ComponentProps<typeof Field>, 'name' | 'autoComplete' | 'type'> {
  readonly part: 'given' | 'family';
}

/** A part of the customer's own name, which the browser fills in. */
export function NameField({ part, ...field }: NameFieldProps) {
  const name = `${part}-name` as const;
  return <Field enterKeyHint="next" maxLength={60} {...field} name={name} autoComplete={name} />;
}
