import { useEffect, useEffectEvent, useId, useRef, useState, type CSSProperties } from 'react';
import type { Phone } from './phones.ts';
import { SHEETS, type OpenSheet } from './protocol.ts';
import css from './HostDialog.module.css';

interface HostDialogProps {
  readonly phone: Phone;
  readonly sheet: OpenSheet;
  readonly account: string;
  /** Takes the focus; only the phone in use may do so. */
  readonly takesFocus: boolean;
  readonly onAnswer: (choice: string) => void;
  readonly onDone: () => void;
}

/** A native sheet of the host, drawn over the app as the payment app would: the app waits until it is answered. */
export function HostDialog({ phone, sheet, account, takesFocus, onAnswer, onDone }: HostDialogProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { title, choices, away } = SHEETS[sheet.sheet];
  // Only when it opens and when it goes: in between the focus is the person's.
  const [tookFocus] = useState(takesFocus);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (!tookFocus) return;
    heading.current?.focus({ preventScroll: true });
    return () => done();
  }, [tookFocus]);
  const { amount, ...detail } = sheet.detail;
  const sum = amount === undefined ? '' : `${phone.country.CURRENCY_SYMBOL}${String(amount)}`;
  return (
    <div className={css.veil}>
      <div
        className={css.sheet}
        style={phone.app === null ? {} : ({ '--host': phone.app.colour, '--host-ink': phone.app.ink } as CSSProperties)}
        role="dialog"
        aria-labelledby={id}
        onKeyDown={({ key }) => key === 'Escape' && onAnswer(away)}
      >
        <h4 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h4>
        {sum !== '' && <b className={css.amount}>{sum}</b>}
        <dl>
          {Object.entries({ account, ...detail }).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
        {Object.entries(choices)
          .filter(([choice]) => sheet.choices.includes(choice))
          .map(([choice, text]) => (
            <button key={choice} type="button" onClick={() => onAnswer(choice)}>
              {choice === 'success' ? `${text} ${sum}` : text}
            </button>
          ))}
      </div>
    </div>
  );
}
