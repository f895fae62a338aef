import * as t from '#text/login.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { OTP_DIGITS } from '../../domain/otp.ts';
import { writtenPhone } from '../../domain/phone.ts';
import {
  changeMobileAtom,
  codeAtom,
  isLoginAwaitedAtom,
  loginErrorAtom,
  otpSentAtom,
  sendOtpAtom,
  typeCodeAtom,
  validateOtpAtom,
} from '../../state/login.ts';
import { countryAtom } from '../../state/country.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { rich } from '../../ui/rich.ts';
import { Again } from './Again.tsx';
import css from './OtpForm.module.css';

/** One field for the whole code: it takes typing, pasting, the phone's own suggestion, and digits of any script. */
export function OtpForm() {
  const country = useAtomValue(countryAtom);
  const sent = useAtomValue(otpSentAtom);
  const code = useAtomValue(codeAtom);
  const [error] = useAtom(loginErrorAtom);
  const awaited = useAtomValue(isLoginAwaitedAtom);
  const isChecking = awaited === 'check';
  const send = useSetAtom(sendOtpAtom);
  const type = useSetAtom(typeCodeAtom);
  const validate = useSetAtom(validateOtpAtom);
  const change = useSetAtom(changeMobileAtom);
  if (!sent) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await validate())) document.getElementById('login-code')?.focus();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p className={css.to}>
        {rich(t.codeSent, { digits: OTP_DIGITS, mobile: writtenPhone(sent.mobile, country), b: <b /> })}{' '}
        <button type="button" onClick={() => change()}>
          {t.codeChangeNumber}
        </button>
      </p>
      <div className={css.code}>
        <Field
          id="login-code"
          label={t.code}
          name="one-time-code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          spellCheck={false}
          autoFocus
          value={code}
          error={error?.message}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      <Button type="submit" full busy={isChecking}>
        {isChecking ? t.codeChecking : t.codeSubmit}
      </Button>
      <Again
        resendAt={sent.resendAt}
        sendsLeft={sent.sendsLeft}
        busy={awaited === 'resend'}
        onSend={() => void send({ isAgain: true })}
      />
    </form>
  );
}
