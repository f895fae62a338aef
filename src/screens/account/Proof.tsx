import * as t from '#text/privacy.ts';
import { useAtomValue, useSetAtom, type WritableAtom } from 'jotai';
import type { ReactNode } from 'react';
import type { OneTimeCode } from '../../state/consent/oneTimeCode.ts';
import { Button, type ButtonProps } from '../../ui/forms/Button.tsx';
import { rich } from '../../ui/rich.ts';
import { showTop } from '../../ui/overlays/showTop.ts';
import { OneTimeCodeForm } from '../base/OneTimeCode.tsx';
import css from './Privacy.module.css';

interface ProofProps {
  of: OneTimeCode & { readonly send: WritableAtom<null, [], Promise<boolean>> };
  /** The number that the code goes to, with its last four digits alone. */
  mobile: string;
  /** What the code is for, on the button. */
  label: ReactNode;
  kind: NonNullable<ButtonProps['kind']>;
  isOff?: boolean;
}

/** A code to the account's number, and then what only its owner may do. */
export function Proof({ of, mobile, label, kind, isOff }: ProofProps) {
  const sent = useAtomValue(of.sentAtom);
  const busy = useAtomValue(of.busyAtom);
  const send = useSetAtom(of.send);
  if (sent === null)
    return (
      <div className={css.stack}>
        <p>{t.codeAsk({ mobile })}</p>
        <Button full kind="secondary" busy={busy === 'send'} disabled={isOff} onClick={() => void send()}>
          {t.codeSend}
        </Button>
      </div>
    );
  return (
    <OneTimeCodeForm
      of={of}
      id="proof-code"
      label={t.code}
      submit={label}
      checking={t.deleteBusy}
      kind={kind}
      isOff={isOff}
      onDone={showTop}
    >
      <p role="status">{rich(t.codeSent, { mobile, b: <b translate="no" /> })}</p>
    </OneTimeCodeForm>
  );
}
