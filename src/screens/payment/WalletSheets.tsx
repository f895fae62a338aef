import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { latinDigits } from '../../domain/phone.ts';
import { detailAtom, quoteState } from '../../state/checkout.ts';
import { isLinkBusyAtom, linkDraftAtom, linkErrorAtom, linkSentAtom, sendLinkCodeAtom, verifyLinkAtom } from '../../state/linkedWallets.ts';
import { countryAtom } from '../../state/seams.ts';
import {
  isVoucherBusyAtom, linkVoucherAtom, PIN_CODE_SENT, pinResendAtAtom, resetPinAtom, sendPinCodeAtom, voucherDraftAtom, voucherErrorsAtom, type VoucherDraft,
} from '../../state/vouchers.ts';
import { Button } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Field } from '../../ui/Field.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { fundsSheetAtom } from './fundsSheet.ts';
import css from './Wallet.module.css';

const grouped = (typed: string) => latinDigits(typed).slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ');
const sixDigits = (typed: string) => latinDigits(typed).slice(0, 6);

/** An e-voucher's number and pin, a new pin, a provider's wallet: one sheet at a time. */
export function WalletSheets() {
  const [sheet, setSheet] = useAtom(fundsSheetAtom);
  const host = () => setSheet(null);
  if (sheet === null) return null;
  if (sheet === 'voucher') return <Sheet title="Pay with an e-voucher" onClose={host}><VoucherForm /></Sheet>;
  if (sheet === 'pin') return <Sheet title="Set a new pin" onClose={host}><PinForm /></Sheet>;
  return <Sheet title={`Link your ${sheet.label}`} onClose={host}><LinkForm provider={sheet.link} label={sheet.label} /></Sheet>;
}

/** Focus goes to the first field that is wrong. */
const showFirstError = () => requestAnimationFrame(() => document.querySelector<HTMLElement>('dialog [aria-invalid="true"]')?.focus());

function useDraft() {
  const [draft, setDraft] = useAtom(voucherDraftAtom);
  const errors = useAtomValue(voucherErrorsAtom);
  return { draft, errors, set: (field: keyof VoucherDraft, value: string) => setDraft((before) => ({ ...before, [field]: value })) };
}

function NumberField({ last = false }: { last?: boolean }) {
  const { draft, errors, set } = useDraft();
  return (
    <Field
      label="E-voucher number" hint="16 digits" name="voucher-number" inputMode="numeric" autoComplete="off" spellCheck={false} enterKeyHint={last ? 'go' : 'next'}
      value={draft.number} error={errors.number} onChange={(event) => set('number', grouped(event.target.value))}
    />
  );
}

function VoucherForm() {
  const { draft, errors, set } = useDraft();
  const busy = useAtomValue(isVoucherBusyAtom);
  const link = useSetAtom(linkVoucherAtom);
  const loadQuote = useSetAtom(quoteState.load);
  const setSheet = useSetAtom(fundsSheetAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!await link()) return showFirstError();
    setSheet(null);
    void loadQuote();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <NumberField />
      <Field
        label="Pin" hint="6 digits, printed beside the number" name="voucher-pin" type="password" inputMode="numeric" autoComplete="off" enterKeyHint="go"
        value={draft.pin} error={errors.pin} onChange={(event) => set('pin', sixDigits(event.target.value))}
      />
      <div className={css.actions}>
        <Button type="submit" full busy={busy}>Use this e-voucher</Button>
        <Button kind="quiet" small onClick={() => setSheet('pin')}>Forgot the pin?</Button>
      </div>
      <p className={css.note}>What is not needed now stays on it. One order takes at most two of them.</p>
    </form>
  );
}

/** The wait for the next code, then the button that asks for it. */
function Again({ resendAt, busy, send }: { resendAt: number; busy: boolean; send: () => void }) {
  const [isOver, setOver] = useState(() => Date.now() >= resendAt);
  if (isOver) return <Button kind="quiet" small busy={busy} onClick={send}>Send the code again</Button>;
  return <p className={css.note}><Countdown endsAtMs={resendAt} nowMs={Date.now} text={(time) => `A new code can be sent in ${time}.`} expired="A new code can be sent now." onExpire={() => setOver(true)} /></p>;
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
      if (!await send()) showFirstError();
      return;
    }
    if (!await reset()) return showFirstError();
    setSheet(null);
    void loadQuote();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <NumberField last={!isSent} />
      {isSent && (
        <>
          <p className={css.note} role="status">{PIN_CODE_SENT}</p>
          <Field label="6-digit code" name="code" inputMode="numeric" autoComplete="one-time-code" enterKeyHint="next" value={draft.code} error={errors.code} onChange={(event) => set('code', sixDigits(event.target.value))} />
          <Field label="New pin" hint="6 digits" name="new-pin" type="password" inputMode="numeric" autoComplete="new-password" enterKeyHint="go" value={draft.pin} error={errors.pin} onChange={(event) => set('pin', sixDigits(event.target.value))} />
        </>
      )}
      <div className={css.actions}>
        <Button type="submit" full busy={busy}>{isSent ? 'Set the pin and use it' : 'Send the code'}</Button>
        {isSent && <Again key={resendAt} resendAt={resendAt} busy={busy} send={() => void send()} />}
        <Button kind="quiet" small onClick={() => setSheet('voucher')}>I know the pin</Button>
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
    if (!await send(provider)) showFirstError();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sent === null) return await ask();
    if (!await verify(provider)) return showFirstError();
    setSheet(null);
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      {sent === null ? (
        <Field
          label={`Mobile number of your ${label}`} type="tel" inputMode="tel" name="tel" autoComplete="tel-national" enterKeyHint="go" maxLength={20} prefix={country.dialPrefix}
          value={mobile} error={errors.mobile} hint="A code is sent there. You do this once." onChange={(event) => { setTouched(true); setDraft((before) => ({ ...before, mobile: event.target.value })); }}
        />
      ) : (
        <>
          <p className={css.note}>A code was sent to <b>{country.dialPrefix} {sent.mobile}</b>.</p>
          <Field label="6-digit code" name="code" inputMode="numeric" autoComplete="one-time-code" enterKeyHint="go" value={draft.code} error={errors.code} onChange={(event) => setDraft((before) => ({ ...before, code: sixDigits(event.target.value) }))} />
        </>
      )}
      <div className={css.actions}>
        <Button type="submit" full busy={busy}>{sent === null ? 'Send the code' : 'Link it'}</Button>
        {sent !== null && <Again key={sent.resendAt} resendAt={sent.resendAt} busy={busy} send={() => void ask()} />}
        {sent !== null && <Button kind="quiet" small onClick={() => setSent(null)}>Another number</Button>}
      </div>
      <p className={css.note}>We never see your password there. You can unlink it at any time.</p>
    </form>
  );
}
