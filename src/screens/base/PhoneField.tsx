import * as errors from '#text/errors.ts';
import { useAtomValue } from 'jotai';
import type { ComponentProps } from 'react';
import { isUnusualPhone, phoneNumber } from '../../domain/phone.ts';
import { countryAtom } from '../../state/base/country.ts';
import { Field } from '../../ui/forms/Field.tsx';

interface PhoneFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'inputMode' | 'prefix' | 'value'> {
  /** As typed. */
  readonly value: string;
  /** Says of a number that does not look like a mobile that it is taken all the same. */
  readonly warns?: boolean;
}

/**
 * A phone number of the customer's country, behind its prefix. It is the customer's own, which the browser fills in,
 * unless `autoComplete` says otherwise.
 */
export function PhoneField({ warns = false, hint, autoComplete = 'tel-national', ...field }: PhoneFieldProps) {
  const country = useAtomValue(countryAtom);
  const number = warns ? phoneNumber(field.value, country) : null;
  return (
    <Field
      name={autoComplete === 'tel-national' ? 'tel' : undefined}
      maxLength={24}
      {...field}
      type="tel"
      inputMode="tel"
      autoComplete={autoComplete}
      prefix={country.dialPrefix}
      hint={number !== null && isUnusualPhone(number, country) ? errors.mobileUnusual : hint}
    />
  );
}
