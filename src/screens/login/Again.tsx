import * as t from '#text/login.ts';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import css from './OtpForm.module.css';

interface AgainProps {
  /** When another code may be sent; epoch ms of this device. */
  resendAt: number;
  sendsLeft: number;
  busy: boolean;
  onSend: () => void;
}

/** How long until another code can be sent, then the button that asks for it. */
export function Again({ resendAt, sendsLeft, busy, onSend }: AgainProps) {
  const [endedAt, setEnded] = useState(() => (Date.now() >= resendAt ? resendAt : 0));
  if (endedAt !== resendAt) {
    return (
      <p className={css.wait}>
        {t.codeMissing}{' '}
        <Countdown
          endsAtMs={resendAt}
          nowMs={() => Date.now()}
          text={(time) => t.codeAgainIn({ time })}
          expired={t.codeAgainNow}
          onExpire={() => setEnded(resendAt)}
        />
      </p>
    );
  }
  return (
    <div className={css.wait}>
      <Button kind="quiet" busy={busy} onClick={onSend}>
        {t.codeSendAgain}
      </Button>
      {sendsLeft === 1 && <small>{t.codeOneMore}</small>}
    </div>
  );
}
