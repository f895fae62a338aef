import * as t from '#text/account.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { OTP_DIGITS } from '../../domain/otp.ts';
import {
  checkEmailCodeAtom,
  emailCodeAtom,
  emailErrorAtom,
  emailSentAtom,
  isEmailBusyAtom,
  isEmailOpenAtom,
  sendEmailCodeAtom,
  typeEmailCodeAtom,
} from '../../state/profile.ts';
import { Button } from '../../ui/Button.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import { Again } from '../login/Again.tsx';
import { CodeField } from './CodeField.tsx';
import css from './Account.module.css';

/** Asks for the code that came by email. */
export function EmailSheet() {
  const sent = useAtomValue(emailSentAtom);
  const code = useAtomValue(emailCodeAtom);
  const error = useAtomValue(emailErrorAtom);
  const busy = useAtomValue(isEmailBusyAtom);
  const setOpen = useSetAtom(isEmailOpenAtom);
  const send = useSetAtom(sendEmailCodeAtom);
  const check = useSetAtom(checkEmailCodeAtom);
  const type = useSetAtom(typeEmailCodeAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await check())) document.getElementById('email-code')?.focus();
  };
  return (
    <Sheet title={t.emailSheet} onClose={() => setOpen(false)}>
      {sent === null ? (
        <div className={css.stack} aria-busy={busy === 'send'}>
          {error === '' ? <p role="status">{t.emailSending}</p> : <Problems>{error}</Problems>}
          {error !== '' && (
            <Button full kind="secondary" busy={busy === 'send'} onClick={() => void send()}>
              {t.orderRetry}
            </Button>
          )}
        </div>
      ) : (
        <form className={css.stack} noValidate onSubmit={(event) => void submit(event)}>
          <p>{rich(t.emailSent, { digits: OTP_DIGITS, email: sent.email, b: <b /> })}</p>
          <CodeField
            id="email-code"
            label={t.emailCode}
            value={code}
            error={error || undefined}
            isOffered
            autoFocus
            onType={type}
          />
          <Button type="submit" full busy={busy === 'check'}>
            {t.emailCheck}
          </Button>
          <Again
            resendAt={sent.resendAt}
            sendsLeft={sent.sendsLeft}
            busy={busy === 'send'}
            onSend={() => void send()}
          />
        </form>
      )}
    </Sheet>
  );
}
