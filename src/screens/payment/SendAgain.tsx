import * as t from '#text/payment.ts';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';

interface SendAgainProps {
  /** Of the button, where there was no code yet. */
  label?: string | undefined;
  /** Epoch milliseconds. */
  resendAt: number;
  busy: boolean;
  send: () => void;
  /** Class of the paragraph that counts down. */
  className?: string | undefined;
}

/** How long until another code can be sent, then the button that asks for it. */
export function SendAgain({ label = t.codeSendAgain, resendAt, busy, send, className }: SendAgainProps) {
  const [endedAt, setEnded] = useState(() => (Date.now() >= resendAt ? resendAt : 0));
  if (endedAt === resendAt)
    return (
      <Button kind="quiet" small busy={busy} onClick={send}>
        {label}
      </Button>
    );
  return (
    <p className={className}>
      <Countdown
        endsAtMs={resendAt}
        nowMs={Date.now}
        text={(time) => t.codeIn({ time })}
        expired={t.codeNow}
        onExpire={() => setEnded(resendAt)}
      />
    </p>
  );
}
