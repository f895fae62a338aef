import * as errorText from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { useAtomValue } from 'jotai';
import type { ChangeEvent } from 'react';
import { isUnusualPhone, phoneNumber } from '../../domain/phone.ts';
import { detailAtom, type Detail } from '../../state/checkout.ts';
import { countryAtom } from '../../state/country.ts';
import { Card } from '../../ui/Card.tsx';
import { Field } from '../../ui/Field.tsx';
import type { PaymentForm } from './paymentForm.ts';
import css from './PaymentModeScreen.module.css';

/** Who orders, and how to reach them. */
export function WhoCard({ form }: { form: PaymentForm }) {
  const country = useAtomValue(countryAtom);
  const detail = useAtomValue(detailAtom);
  const mobile = phoneNumber(detail.mobNo, country);
  const bound = (field: keyof Detail) => ({
    id: `pay-${field}`,
    value: detail[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => form.fill(field, event.target.value),
  });
  const checked = (field: 'fName' | 'mobNo' | 'email') => ({
    ...bound(field),
    error: form.errors[field],
    onBlur: () => form.leave(field),
  });
  return (
    <Card title={t.whoTitle}>
      <div className={css.fields}>
        <Field
          {...checked('fName')}
          label={t.firstName}
          name="given-name"
          autoComplete="given-name"
          enterKeyHint="next"
          maxLength={60}
        />
        <Field
          {...bound('lName')}
          label={t.lastName}
          name="family-name"
          autoComplete="family-name"
          enterKeyHint="next"
          maxLength={60}
        />
        <Field
          {...checked('mobNo')}
          label={t.mobile}
          type="tel"
          inputMode="tel"
          name="tel"
          autoComplete="tel-national"
          enterKeyHint="next"
          maxLength={20}
          prefix={country.dialPrefix}
          hint={mobile !== null && isUnusualPhone(mobile, country) ? errorText.mobileUnusual : t.mobileHint}
        />
        <Field
          {...checked('email')}
          label={t.email}
          type="email"
          name="email"
          autoComplete="email"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={120}
          hint={t.emailHint}
        />
      </div>
    </Card>
  );
}
