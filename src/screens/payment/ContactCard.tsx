import * as t from '#text/payment.ts';
import * as trains from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { useState, type ChangeEvent } from 'react';
import { phoneNumber } from '../../domain/phone.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { typedText } from '../../domain/typedText.ts';
import { detailAtom } from '../../state/drafts/detail.ts';
import { countryAtom } from '../../state/base/country.ts';
import { onTrainAtom } from '../../state/trains/onTrain.ts';
import { NameField } from '../base/NameField.tsx';
import { PhoneField } from '../base/PhoneField.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { UserIcon } from '../../ui/pictures/icons.ts';
import type { PaymentForm } from './paymentForm.ts';

/** The customer and how to reach them: one line if they are known, else fields for name and number. */
export function ContactCard({ form }: { form: PaymentForm }) {
  const country = useAtomValue(countryAtom);
  const detail = useAtomValue(detailAtom);
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  const mobile = phoneNumber(detail.mobNo, country);
  const isMissing = typedText(detail.fName) === '' || mobile === null;
  // A card that is being typed into stays unfolded; one that a payment app fills in folds.
  const [isTyped, setTyped] = useState(false);
  // One types at once into the first that is empty.
  const [first] = useState(typedText(detail.fName) === '' ? 'fName' : mobile === null ? 'mobNo' : null);
  const checked = (field: 'fName' | 'mobNo') => ({
    id: `pay-${field}`,
    autoFocus: first === field,
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
        name && mobile ? (
          <>
            <span>{name}</span>, <Exact>{writtenPhone(mobile, country)}</Exact>
          </>
        ) : TRAINS && isOnTrain ? (
          trains.payWho
        ) : (
          t.whoTitle
        )
      }
      isOpen={form.open.who ?? (isMissing || isTyped)}
      onToggle={(isOpen) => form.unfold('who', isOpen)}
    >
      <NameField {...checked('fName')} part="given" label={t.firstName} />
      <PhoneField {...checked('mobNo')} label={t.mobile} enterKeyHint="done" hint={t.mobileHint} warns />
    </Fold>
  );
}
