import * as t from '#text/payment.ts';
import * as trains from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { useState, type ChangeEvent } from 'react';
import { phoneNumber, writtenPhone } from '../../domain/phone.ts';
import { detailAtom } from '../../state/checkout.ts';
import { countryAtom } from '../../state/country.ts';
import { onTrainAtom } from '../../state/onTrain.ts';
import { NameField } from '../NameField.tsx';
import { PhoneField } from '../PhoneField.tsx';
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
      <NameField {...checked('fName')} part="given" label={t.firstName} />
      <PhoneField {...checked('mobNo')} label={t.mobile} enterKeyHint="done" hint={t.mobileHint} warns />
    </Fold>
  );
}
