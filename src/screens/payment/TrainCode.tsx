import * as payment from '#text/payment.ts';
import * as t from '#text/trains.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { countryAtom } from '../../state/base/country.ts';
import { trainCode } from '../../state/trains/trainPhone.ts';
import { Exact } from '../../ui/money/Exact.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { rich } from '../../ui/rich.ts';
import { OneTimeCodeForm } from '../base/OneTimeCode.tsx';

/** Asks for the code that shows whose phone it is; once it is right, the order goes on. */
export default function TrainCode({ onRight }: { onRight: () => void }) {
  const sent = useAtomValue(trainCode.sentAtom);
  const country = useAtomValue(countryAtom);
  const close = useSetAtom(trainCode.leave);
  if (sent === null) return null;
  return (
    <Sheet title={t.codeTitle} onClose={close} closeOnOutside={false}>
      <OneTimeCodeForm
        of={trainCode}
        id="train-code"
        label={payment.code}
        submit={payment.cashConfirm}
        onDone={onRight}
      >
        <p>{rich(t.codeText, { mobile: <Exact>{writtenPhone(sent.mobile, country)}</Exact> })}</p>
      </OneTimeCodeForm>
    </Sheet>
  );
}
