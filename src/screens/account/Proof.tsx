import * as t from '#text/privacy.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type ReactNode } from 'react';
import {
  isProofBusyAtom,
  proofCodeAtom,
  proofErrorAtom,
  sendProofAtom,
  sentProofAtom,
  typeProofAtom,
  type Proof as Of,
} from '../../state/proof.ts';
import { Button, type ButtonProps } from '../../ui/Button.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Field } from '../../ui/Field.tsx';
import { rich } from '../../ui/rich.ts';
import { showTop } from '../../ui/showTop.ts';
import css from './Privacy.module.css';

function Again({ of, resendAt }: { of: Of; resendAt: number }) {
  const [endedAt, setEnded] = useState(() => (Date.now() >= resendAt ? resendAt : 0));
  const isSending = useAtomValue(isProofBusyAtom) === 'send';
  const send = useSetAtom(sendProofAtom);
  if (endedAt === resendAt)
    return (
      <Button kind="quiet" busy={isSending} onClick={() => void send(of)}>
        {t.codeAgain}
      </Button>
    );
  return (
    <p className={css.soft}>
      <Countdown
        endsAtMs={resendAt}
        nowMs={() => Date.now()}
        text={(time) => t.codeIn({ time })}
        expired={t.codeNow}
        onExpire={() => setEnded(resendAt)}
      />
    </p>
  );
}

interface ProofProps {
  of: Of;
  /** The number that the code goes to, with its last four digits alone. */
  mobile: string;
  /** What the code is for, on the button. */
  label: ReactNode;
  kind: NonNullable<ButtonProps['kind']>;
  isOff?: boolean;
  act: () => Promise<boolean>;
}

/** A code to the account's number, and then what only its owner may do. */
export function Proof({ of, mobile, label, kind, isOff, act }: ProofProps) {
  const sent = useAtomValue(sentProofAtom);
  const busy = useAtomValue(isProofBusyAtom);
  const code = useAtomValue(proofCodeAtom);
  const error = useAtomValue(proofErrorAtom);
  const type = useSetAtom(typeProofAtom);
  const send = useSetAtom(sendProofAtom);
  if (sent?.proof !== of)
    return (
      <div className={css.stack}>
        <p>{t.codeAsk({ mobile })}</p>
        <Button full kind="secondary" busy={busy === 'send'} disabled={isOff} onClick={() => void send(of)}>
          {t.codeSend}
        </Button>
      </div>
    );
  const submit = async () => {
    if (await act()) showTop();
    else document.getElementById('proof-code')?.focus();
  };
  return (
    <form
      className={css.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p role="status">{rich(t.codeSent, { mobile, b: <b /> })}</p>
      <Field
        id="proof-code"
        label={t.code}
        name="one-time-code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="go"
        spellCheck={false}
        autoFocus
        value={code}
        error={error}
        onChange={(event) => type(event.target.value)}
      />
      <Button type="submit" full kind={kind} busy={busy === 'check'} disabled={isOff}>
        {busy === 'check' ? t.deleteBusy : label}
      </Button>
      <Again of={of} resendAt={sent.resendAt} />
    </form>
  );
}
