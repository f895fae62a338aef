import * as t from '#text/login.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type ReactNode } from 'react';
import { waitLeft, type OneTimeCode, type SentCode } from '../../state/consent/oneTimeCode.ts';
import { Button, type ButtonProps } from '../../ui/forms/Button.tsx';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { Once } from '../../ui/time/Once.tsx';
import css from './OneTimeCode.module.css';
import { showWrong } from './showWrong.ts';

interface DigitsProps {
  id: string;
  label: ReactNode;
  value: string;
  error: string | undefined;
  /** The browser may offer the code of the last message here; of several fields to one alone. */
  isOffered?: boolean;
  autoFocus?: boolean;
  enterKeyHint?: 'go' | 'next';
  onType: (typed: string) => void;
}

/** One field for a whole code: it takes typing, pasting, the phone's own suggestion, and digits of any script. */
export function Digits({ isOffered = false, enterKeyHint = 'go', onType, ...field }: DigitsProps) {
  return (
    <div className={css.code}>
      <Field
        {...field}
        name={isOffered ? 'one-time-code' : field.id}
        type="text"
        inputMode="numeric"
        autoComplete={isOffered ? 'one-time-code' : 'off'}
        enterKeyHint={enterKeyHint}
        spellCheck={false}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  );
}

interface CodeFieldProps extends Pick<DigitsProps, 'id' | 'label' | 'autoFocus' | 'enterKeyHint'> {
  of: OneTimeCode;
  /** The code does not come by SMS alone to this phone: none is waited for. */
  isElsewhere?: boolean;
  onDone?: (() => void) | undefined;
}

/** The field of a code; where the browser can, the code is taken from its SMS. */
export function CodeField({ of, isElsewhere = false, onDone, ...field }: CodeFieldProps) {
  const value = useAtomValue(of.typedAtom);
  const problems = useAtomValue(of.problemsAtom);
  const resendAt = useAtomValue(of.sentAtom)?.resendAt ?? 0;
  const type = useSetAtom(of.type);
  const listen = useSetAtom(of.listen);
  const take = async (typed: string) => {
    if (await type(typed)) onDone?.();
    else showWrong(`#${field.id}`);
  };
  const wait = async () => {
    if (await listen(() => document.getElementById(field.id) !== null)) onDone?.();
  };
  return (
    <>
      {!isElsewhere && <Once name={String(resendAt)} run={() => void wait()} />}
      <Digits
        {...field}
        value={value}
        error={problems.code ?? problems.to}
        isOffered
        onType={(typed) => void take(typed)}
      />
    </>
  );
}

/** How long until another code can be sent, then the button that asks for it. `label` where none was sent yet. */
export function SendAgain({ of, label = t.codeSendAgain }: { of: OneTimeCode; label?: string | undefined }) {
  const sent = useAtomValue(of.sentAtom) ?? { resendAt: 0 };
  const { resendAt, sendsLeft } = sent;
  const [endedAt, setEnded] = useState(() => (waitLeft(sent) === 0 ? resendAt : 0));
  const busy = useAtomValue(of.busyAtom);
  const send = useSetAtom(of.again);
  if (endedAt !== resendAt) {
    return (
      <p className={css.wait}>
        {t.codeMissing} <Wait key={resendAt} sent={sent} onOver={() => setEnded(resendAt)} />
      </p>
    );
  }
  return (
    <div className={css.wait}>
      <Button kind="quiet" busy={busy === 'again' || busy === 'send'} onClick={() => void send()}>
        {label}
      </Button>
      {sendsLeft === 1 && <small>{t.codeOneMore}</small>}
    </div>
  );
}

function Wait({ sent, onOver }: { sent: SentCode; onOver: () => void }) {
  const [endsAtMs] = useState(() => Date.now() + waitLeft(sent));
  return (
    <Countdown
      endsAtMs={endsAtMs}
      nowMs={() => Date.now()}
      text={(time) => t.codeAgainIn({ time })}
      expired={t.codeAgainNow}
      onExpire={onOver}
    />
  );
}

interface OneTimeCodeFormProps extends Omit<CodeFieldProps, 'autoFocus' | 'enterKeyHint'> {
  /** What the code does, on the button. */
  submit: ReactNode;
  /** The same while it is checked. */
  checking?: ReactNode;
  kind?: ButtonProps['kind'];
  isOff?: boolean | undefined;
  again?: string | undefined;
  /** Where the code was sent to. */
  children: ReactNode;
}

/** A code was sent, whatever for (state/consent/oneTimeCode.ts has all of them): its field, the button that checks it, and how to get another one. A wrong code is ready to be typed over. */
export function OneTimeCodeForm({
  of,
  submit,
  checking = submit,
  kind,
  isOff,
  again,
  children,
  ...field
}: OneTimeCodeFormProps) {
  const busy = useAtomValue(of.busyAtom);
  const check = useSetAtom(of.check);
  const send = async () => {
    if (await check()) field.onDone?.();
    else showWrong();
  };
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {children}
      <CodeField {...field} of={of} autoFocus />
      <Button type="submit" full {...(kind && { kind })} busy={busy === 'check'} disabled={isOff}>
        {busy === 'check' ? checking : submit}
      </Button>
      <SendAgain of={of} label={again} />
    </form>
  );
}
