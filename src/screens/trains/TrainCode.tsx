import * as payment from '#text/payment.ts';
import * as t from '#text/trains.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { writtenPhone } from '../../domain/phone.ts';
import { countryAtom } from '../../state/country.ts';
import {
  checkTrainCodeAtom,
  closeTrainCodeAtom,
  isTrainCodeBusyAtom,
  resendTrainCodeAtom,
  trainCodeAtom,
  typeTrainCodeAtom,
} from '../../state/trainPhone.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { SendAgain } from '../payment/SendAgain.tsx';
import css from './Trains.module.css';

/** Asks for the code that shows whose phone it is; once it is right, the order goes on. */
export function TrainCode({ onRight }: { onRight: () => void }) {
  const asked = useAtomValue(trainCodeAtom);
  const isBusy = useAtomValue(isTrainCodeBusyAtom);
  const country = useAtomValue(countryAtom);
  const type = useSetAtom(typeTrainCodeAtom);
  const check = useSetAtom(checkTrainCodeAtom);
  const send = useSetAtom(resendTrainCodeAtom);
  const close = useSetAtom(closeTrainCodeAtom);
  if (asked === null) return null;
  return (
    <Sheet title={t.codeTitle} onClose={close} closeOnOutside={false}>
      <form
        className={css.stack}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void check().then((isRight) => isRight && onRight());
        }}
      >
        <p>{t.codeText({ mobile: writtenPhone(asked.mobile, country) })}</p>
        <Field
          id="train-code"
          label={payment.code}
          name="code"
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="done"
          maxLength={12}
          value={asked.typed}
          error={asked.error || undefined}
          onChange={(event) => void type(event.target.value).then((isRight) => isRight && onRight())}
        />
        <Button type="submit" full busy={isBusy}>
          {payment.cashConfirm}
        </Button>
        <SendAgain resendAt={asked.resendAt} busy={isBusy} send={() => void send()} />
      </form>
    </Sheet>
  );
}
