import * as t from '#text/account.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { OTP_DIGITS } from '../../domain/otp.ts';
import { emailCode, emailSentAtom, isEmailOpenAtom } from '../../state/people/profile.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Problems } from '../../ui/forms/Problems.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { OneTimeCodeForm } from '../base/OneTimeCode.tsx';
import css from './Account.module.css';

/** Asks for the code that came by email. */
export function EmailSheet() {
  const sent = useAtomValue(emailSentAtom);
  const problem = useAtomValue(emailCode.problemsAtom).to;
  const busy = useAtomValue(emailCode.busyAtom);
  const setOpen = useSetAtom(isEmailOpenAtom);
  const send = useSetAtom(emailCode.send);
  return (
    <Sheet title={t.emailSheet} onClose={() => setOpen(false)}>
      {sent === null ? (
        <div className={css.stack} aria-busy={busy === 'send'}>
          {busy === 'send' && <p role="status">{t.emailSending}</p>}
          {problem !== undefined && <Problems>{problem}</Problems>}
          {busy !== 'send' && (
            <Button full kind="secondary" onClick={() => void send()}>
              {t.orderRetry}
            </Button>
          )}
        </div>
      ) : (
        <OneTimeCodeForm of={emailCode} id="email-code" label={t.emailCode} submit={t.emailCheck} isElsewhere>
          <p>{rich(t.emailSent, { digits: OTP_DIGITS, email: sent.email, b: <b translate="no" /> })}</p>
        </OneTimeCodeForm>
      )}
    </Sheet>
  );
}
