import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type ComponentProps, type FormEvent } from 'react';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { latinDigits } from '../../domain/typedText.ts';
import { quoteState } from '../../state/checkout/quote.ts';
import { detailAtom } from '../../state/drafts/detail.ts';
import { linkCode, linkDraftAtom } from '../../state/payment/linkedWallets.ts';
import { countryAtom } from '../../state/base/country.ts';
import {
  linkVoucherAtom,
  isPinCodeSentAtom,
  pinCode,
  resetPinAtom,
  voucherDraftAtom,
  type VoucherDraft,
} from '../../state/payment/vouchers.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { PhoneField } from '../base/PhoneField.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { CodeField, OneTimeCodeForm, SendAgain } from '../base/OneTimeCode.tsx';
import { showWrong } from '../base/showWrong.ts';
import { fundsSheetAtom } from './fundsSheet.ts';
import css from './Funds.module.css';

const grouped = (typed: string) =>
  latinDigits(typed)
    .slice(0, 16)
    .replace(/(.{4})(?=.)/g, '$1 ');

/** The sheets for an e-voucher, for a new pin, and for linking a provider's wallet; one at a time. */
export default function WalletSheets() {
  const [sheet, setSheet] = useAtom(fundsSheetAtom);
  const host = () => setSheet(null);
  if (sheet === null) return null;
  if (sheet === 'voucher')
    return (
      <Sheet title={t.voucherTitle} onClose={host}>
        <VoucherForm />
      </Sheet>
    );
  if (sheet === 'pin')
    return (
      <Sheet title={t.pinTitle} onClose={host}>
        <PinForm />
      </Sheet>
    );
  return (
    <Sheet title={t.linkedTitle({ label: sheet.label })} onClose={host}>
      <LinkForm provider={sheet.link} label={sheet.label} />
    </Sheet>
  );
}

function useDraft() {
  const [draft, setDraft] = useAtom(voucherDraftAtom);
  const errors = useAtomValue(pinCode.problemsAtom);
  return {
    draft,
    errors,
    set: (field: keyof VoucherDraft, value: string) => setDraft((before) => ({ ...before, [field]: value })),
  };
}

function NumberField({ last = false }: { last?: boolean }) {
  const { draft, errors, set } = useDraft();
  return (
    <Field
      label={t.voucherNumber}
      hint={t.voucherNumberHint}
      name="voucher-number"
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      enterKeyHint={last ? 'go' : 'next'}
      value={draft.number}
      error={errors.number}
      onChange={(event) => set('number', grouped(event.target.value))}
    />
  );
}

type PinProps = Omit<ComponentProps<typeof Field>, 'onChange' | 'inputMode'> & {
  onDigits: (digits: string) => void;
};

/** A field for a pin; the last one of its form. */
function PinField({ onDigits, ...field }: PinProps) {
  return (
    <Field
      {...field}
      inputMode="numeric"
      type="password"
      enterKeyHint="go"
      onChange={(event) => onDigits(latinDigits(event.target.value).slice(0, 6))}
    />
  );
}

function VoucherForm() {
  const { draft, errors, set } = useDraft();
  const busy = useAtomValue(pinCode.busyAtom) !== '';
  const link = useSetAtom(linkVoucherAtom);
  const loadQuote = useSetAtom(quoteState.load);
  const setSheet = useSetAtom(fundsSheetAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await link())) return showWrong();
    setSheet(null);
    void loadQuote();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <NumberField />
      <PinField
        label={t.pin}
        hint={t.pinHint}
        name="voucher-pin"
        autoComplete="off"
        value={draft.pin}
        error={errors.pin}
        onDigits={(pin) => set('pin', pin)}
      />
      <div className={css.actions}>
        <Button type="submit" full busy={busy}>
          {t.voucherUse}
        </Button>
        <Button kind="quiet" small onClick={() => setSheet('pin')}>
          {t.pinForgotten}
        </Button>
      </div>
      <p className={css.note}>{t.voucherNote}</p>
    </form>
  );
}

function PinForm() {
  const { draft, errors, set } = useDraft();
  const busy = useAtomValue(pinCode.busyAtom) !== '';
  const isSent = useAtomValue(isPinCodeSentAtom);
  const send = useSetAtom(pinCode.send);
  const reset = useSetAtom(resetPinAtom);
  const loadQuote = useSetAtom(quoteState.load);
  const setSheet = useSetAtom(fundsSheetAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isSent) {
      if (!(await send())) showWrong();
      return;
    }
    if (!(await reset())) return showWrong();
    setSheet(null);
    void loadQuote();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <NumberField last={!isSent} />
      {isSent && (
        <>
          <p className={css.note} role="status">
            {t.voucherCodeSent}
          </p>
          <CodeField of={pinCode} id="pin-code" label={t.code} enterKeyHint="next" autoFocus />
          <PinField
            label={t.pinNew}
            hint={t.pinNewHint}
            name="new-pin"
            autoComplete="new-password"
            value={draft.pin}
            error={errors.pin}
            onDigits={(pin) => set('pin', pin)}
          />
        </>
      )}
      <div className={css.actions}>
        <Button type="submit" full busy={busy}>
          {isSent ? t.pinSet : t.codeSend}
        </Button>
        {isSent && <SendAgain of={pinCode} />}
        <Button kind="quiet" small onClick={() => setSheet('voucher')}>
          {t.pinKnown}
        </Button>
      </div>
    </form>
  );
}

function LinkForm({ provider, label }: { provider: string; label: string }) {
  const country = useAtomValue(countryAtom);
  const { mobNo } = useAtomValue(detailAtom);
  const [draft, setDraft] = useAtom(linkDraftAtom);
  const problem = useAtomValue(linkCode.problemsAtom).to;
  const busy = useAtomValue(linkCode.busyAtom);
  const sent = useAtomValue(linkCode.sentAtom);
  const leave = useSetAtom(linkCode.leave);
  const send = useSetAtom(linkCode.send);
  const setSheet = useSetAtom(fundsSheetAtom);
  const [isTouched, setTouched] = useState(false);
  const mobile = isTouched || draft.mobile !== '' ? draft.mobile : mobNo;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setDraft({ provider, mobile });
    if (!(await send())) showWrong();
  };
  if (sent?.provider === provider)
    return (
      <div className={css.form}>
        <OneTimeCodeForm
          of={linkCode}
          id="link-code"
          label={t.code}
          submit={t.linkedVerify}
          onDone={() => setSheet(null)}
        >
          <p className={css.note}>
            {rich(t.linkedCodeSent, { mobile: writtenPhone(sent.mobile, country), b: <b translate="no" /> })}
          </p>
        </OneTimeCodeForm>
        <Button full kind="quiet" small onClick={() => leave()}>
          {t.linkedOtherNumber}
        </Button>
        <p className={css.note}>{t.linkedNote}</p>
      </div>
    );
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <PhoneField
        label={t.linkedMobile({ label })}
        enterKeyHint="go"
        value={mobile}
        error={problem}
        hint={t.linkedMobileHint}
        onChange={(event) => {
          setTouched(true);
          setDraft({ provider, mobile: event.target.value });
        }}
      />
      <Button type="submit" full busy={busy === 'send'}>
        {t.codeSend}
      </Button>
      <p className={css.note}>{t.linkedNote}</p>
    </form>
  );
}
