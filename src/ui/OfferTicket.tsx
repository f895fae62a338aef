import type { ReactNode } from 'react';
import { MORE_DETAILS, OFFER_DETAILS } from '../domain/messages.ts';
import { Button } from './Button.tsx';
import css from './OfferTicket.module.css';
import { CheckIcon } from './icons/CheckIcon.tsx';

interface OfferTicketProps {
  /** The big word on the stub, for example '50% off' or the saving. */
  stub: ReactNode;
  code: string;
  title: ReactNode;
  subtitle?: ReactNode;
  state: 'ready' | 'applied' | 'rejected';
  /** Why it does not apply, or what is missing. */
  message?: ReactNode;
  details?: readonly string[];
  /** The details were unfolded: more of them may be fetched now. */
  onDetails?: () => void;
  action?: { text: ReactNode; onPress: () => void; busy?: boolean } | undefined;
  children?: ReactNode;
}

/** A coupon that looks like one: stub, perforation, and its terms to unfold (specification section 2). */
export function OfferTicket({ stub, code, title, subtitle, state, message, details = [], onDetails, action, children }: OfferTicketProps) {
  return (
    <article className={css.frame}>
      <div className={css.ticket} data-state={state}>
        <div className={css.stub}>{stub}</div>
        <div className={css.body}>
          <h3>{title}</h3>
          {subtitle !== undefined && <p className={css.subtitle}>{subtitle}</p>}
          {message !== undefined && <p className={css.message}>{message}</p>}
          {children}
          <div className={css.row}>
            <code className={css.code}>
              {state === 'applied' && <CheckIcon size={14} />}
              {code}
            </code>
            {action && (
              <Button small kind={state === 'applied' ? 'quiet' : 'secondary'} onClick={action.onPress} {...(action.busy && { busy: true })} aria-label={typeof action.text === 'string' ? `${action.text} ${code}` : undefined}>
                {action.text}
              </Button>
            )}
          </div>
          {details.length > 0 && (
            <details className={css.details} onToggle={(event) => { if (event.currentTarget.open) onDetails?.(); }}>
              <summary>{MORE_DETAILS}</summary>
              <b>{OFFER_DETAILS}</b>
              <ul>
                {details.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </details>
          )}
        </div>
      </div>
    </article>
  );
}
