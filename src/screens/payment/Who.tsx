import * as errorText from '#text/errors.ts';
import * as t from '#text/payment.ts';
import * as trains from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { useState, type ChangeEvent } from 'react';
import { isUnusualPhone, phoneNumber, writtenPhone } from '../../domain/phone.ts';
import { detailAtom } from '../../state/checkout.ts';
import { countryAtom } from '../../state/country.ts';
import { onTrainAtom } from '../../state/onTrain.ts';
import { Field } from '../../ui/Field.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { UserIcon } from '../../ui/icons/UserIcon.tsx';
import type { PaymentForm } from './paymentForm.ts';

/** Who orders, and how to reach them: a line for those we know, name and number for those we do not. */
export function Who({ form }: { form: PaymentForm }) {
  const country = useAtomValue(countryAtom);
  const detail = useAtomValue(detailAtom);
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  const mobile = phoneNumber(detail.mobNo, country);
  const isMissing = detail.fName.trim() === '' || mobile === null;
  // What is being typed does not fold away under the fingers; what a payment app tells us does.
  const [isTyped, setTyped] = useState(false);
  const checked = (field: 'fName' | 'mobNo') => ({
    id: `pay-${field}`,
    value: detail[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setTyped(true);
      form.fill(field, event.target.value);
    },
    error: form.errors[field],
    onBlur: () => form.leave(field),
  });
  const name = `${detail.fName} ${detail.lName}`.trim();
  return (
    <Fold
      icon={<UserIcon size={20} />}
      title={
        name && mobile ? `${name}, ${writtenPhone(mobile, country)}` : TRAINS && isOnTrain ? trains.payWho : t.whoTitle
      }
      isOpen={form.open.who ?? (isMissing || isTyped)}
      onToggle={(isOpen) => form.unfold('who', isOpen)}
    >
      <Field
        {...checked('fName')}
        label={t.firstName}
        name="given-name"
        autoComplete="given-name"
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
        enterKeyHint="done"
        maxLength={20}
        prefix={country.dialPrefix}
        hint={mobile !== null && isUnusualPhone(mobile, country) ? errorText.mobileUnusual : t.mobileHint}
      />
    </Fold>
  );
}
