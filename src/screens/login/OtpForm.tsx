import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { OTP_DIGITS } from '../../domain/otp.ts';
import { changeMobileAtom, codeAtom, isLoginAwaitedAtom, loginErrorAtom, otpSentAtom, sendOtpAtom, typeCodeAtom, validateOtpAtom } from '../../state/login.ts';
import { countryAtom } from '../../state/seams.ts';
import { Button } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Field } from '../../ui/Field.tsx';
import css from './OtpForm.module.css';

/** The wait for the next code, then the button that asks for it. */
function Again({ resendAt }: { resendAt: number }) {
  const [endedAt, setEnded] = useState(() => (Date.now() >= resendAt ? resendAt : 0));
  const isSending = useAtomValue(isLoginAwaitedAtom) === 'resend';
  const sendsLeft = useAtomValue(otpSentAtom)?.sendsLeft ?? 0;
  const send = useSetAtom(sendOtpAtom);
  if (endedAt !== resendAt) {
    return (
      <p className={css.wait}>
        No message? <Countdown key={resendAt} endsAtMs={resendAt} nowMs={() => Date.now()} text={(time) => `Ask again in ${time}`} expired="You can ask for another code now." onExpire={() => setEnded(resendAt)} />
      </p>
    );
  }
  return (
    <div className={css.wait}>
      <Button kind="quiet" busy={isSending} onClick={() => void send({ isAgain: true })}>Send another code</Button>
      {sendsLeft === 1 && <small>One more can be sent in these 15 minutes.</small>}
    </div>
  );
}

/** One field for the whole code: it takes typing, pasting, the phone's own suggestion and digits of any script. */
export function OtpForm() {
  const country = useAtomValue(countryAtom);
  const sent = useAtomValue(otpSentAtom);
  const code = useAtomValue(codeAtom);
  const [error] = useAtom(loginErrorAtom);
  const isChecking = useAtomValue(isLoginAwaitedAtom) === 'check';
  const type = useSetAtom(typeCodeAtom);
  const validate = useSetAtom(validateOtpAtom);
  const change = useSetAtom(changeMobileAtom);
  if (!sent) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!await validate()) document.getElementById('login-code')?.focus();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p className={css.to}>
        We sent {OTP_DIGITS} digits to <b>{country.dialPrefix} {sent.mobile}</b>. <button type="button" onClick={() => change()}>Change number</button>
      </p>
      <div className={css.code}>
        <Field
          id="login-code" label="Code" name="one-time-code" type="text" inputMode="numeric" autoComplete="one-time-code" enterKeyHint="go" spellCheck={false} autoFocus
          value={code} error={error?.message}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      <Button type="submit" full busy={isChecking}>{isChecking ? 'Checking…' : 'Log in'}</Button>
      <Again resendAt={sent.resendAt} />
    </form>
  );
}
