import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type ComponentProps, type FormEvent } from 'react';
import { latinDigits, writtenPhone } from '../../domain/phone.ts';
import { detailAtom, quoteState } from '../../state/checkout.ts';
import {
  isLinkBusyAtom,
  linkDraftAtom,
  linkErrorAtom,
  linkSentAtom,
  sendLinkCodeAtom,
  verifyLinkAtom,
} from '../../state/linkedWallets.ts';
import { countryAtom } from '../../state/country.ts';
import {
  isVoucherBusyAtom,
  linkVoucherAtom,
  pinResendAtAtom,
  resetPinAtom,
  sendPinCodeAtom,
  voucherDraftAtom,
  voucherErrorsAtom,
  type VoucherDraft,
} from '../../state/vouchers.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { PhoneField } from '../PhoneField.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import { SendAgain } from './SendAgain.tsx';
import { fundsSheetAtom } from './fundsSheet.ts';
import css from './Wallet.module.css';

const grouped = (typed: string) =>
  latinDigits(typed)
    .slice(0, 16)
    .replace(/(.{4})(?=.)/g, '$1 ');

/** The sheets for an e-voucher, for a new pin, and for linking a provider's wallet; one at a time. */
export function WalletSheets() {
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

/** Focuses the first field with an error. */
const showFirstError = () =>
  requestAnimationFrame(() => document.querySelector<HTMLElement>('dialog [aria-invalid="true"]')?.focus());

function useDraft() {
  const [draft, setDraft] = useAtom(voucherDraftAtom);
  const errors = useAtomValue(voucherErrorsAtom);
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

type DigitsProps = Omit<ComponentProps<typeof Field>, 'onChange' | 'inputMode'> & {
  onDigits: (digits: string) => void;
};

/** A field that takes six digits. */
function SixDigits({ onDigits, ...field }: DigitsProps) {
  return (
    <Field {...field} inputMode="numeric" onChange={(event) => onDigits(latinDigits(event.target.value).slice(0, 6))} />
  );
}

/** A field for a pin; the last one of its form. */
function PinField(field: DigitsProps) {
  return <SixDigits {...field} type="password" enterKeyHint="go" />;
}

function CodeField(field: Omit<DigitsProps, 'label'>) {
  return <SixDigits {...field} label={t.code} name="code" autoComplete="one-time-code" />;
}

function VoucherForm() {
  const { draft, errors, set } = useDraft();
  const busy = useAtomValue(isVoucherBusyAtom);
  const link = useSetAtom(linkVoucherAtom);
  const loadQuote = useSetAtom(quoteState.load);
  const setSheet = useSetAtom(fundsSheetAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await link())) return showFirstError();
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
  const busy = useAtomValue(isVoucherBusyAtom);
  const resendAt = useAtomValue(pinResendAtAtom);
  const send = useSetAtom(sendPinCodeAtom);
  const reset = useSetAtom(resetPinAtom);
  const loadQuote = useSetAtom(quoteState.load);
  const setSheet = useSetAtom(fundsSheetAtom);
  const isSent = resendAt > 0;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isSent) {
      if (!(await send())) showFirstError();
      return;
    }
    if (!(await reset())) return showFirstError();
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
          <CodeField
            enterKeyHint="next"
            value={draft.code}
            error={errors.code}
            onDigits={(code) => set('code', code)}
          />
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
        {isSent && <SendAgain resendAt={resendAt} busy={busy} send={() => void send()} className={css.note} />}
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
  const errors = useAtomValue(linkErrorAtom);
  const busy = useAtomValue(isLinkBusyAtom);
  const [sent, setSent] = useAtom(linkSentAtom);
  const send = useSetAtom(sendLinkCodeAtom);
  const verify = useSetAtom(verifyLinkAtom);
  const setSheet = useSetAtom(fundsSheetAtom);
  const [isTouched, setTouched] = useState(false);
  const mobile = isTouched || draft.mobile !== '' ? draft.mobile : mobNo;
  const ask = async () => {
    setDraft((before) => ({ ...before, mobile }));
    if (!(await send(provider))) showFirstError();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sent === null) return await ask();
    if (!(await verify(provider))) return showFirstError();
    setSheet(null);
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      {sent === null ? (
        <PhoneField
          label={t.linkedMobile({ label })}
          enterKeyHint="go"
          value={mobile}
          error={errors.mobile}
          hint={t.linkedMobileHint}
          onChange={(event) => {
            setTouched(true);
            setDraft((before) => ({ ...before, mobile: event.target.value }));
          }}
        />
      ) : (
        <>
          <p className={css.note}>{rich(t.linkedCodeSent, { mobile: writtenPhone(sent.mobile, country), b: <b /> })}</p>
          <CodeField
            enterKeyHint="go"
            value={draft.code}
            error={errors.code}
            onDigits={(code) => setDraft((before) => ({ ...before, code }))}
          />
        </>
      )}
      <div className={css.actions}>
        <Button type="submit" full busy={busy}>
          {sent === null ? t.codeSend : t.linkedVerify}
        </Button>
        {sent !== null && (
          <SendAgain resendAt={sent.resendAt} busy={busy} send={() => void ask()} className={css.note} />
        )}
        {sent !== null && (
          <Button kind="quiet" small onClick={() => setSent(null)}>
            {t.linkedOtherNumber}
          </Button>
        )}
      </div>
      <p className={css.note}>{t.linkedNote}</p>
    </form>
  );
}
