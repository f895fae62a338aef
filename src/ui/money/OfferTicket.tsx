import type { ReactNode } from 'react';
import * as errors from '#text/errors.ts';
import { Button } from '../forms/Button.tsx';
import css from './OfferTicket.module.css';
import { CheckIcon } from '../pictures/icons.ts';

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
  /** Stands above the details; undefined where there is nothing but them. */
  more?: ReactNode;
  /** Called when the details are opened: now more of them may be fetched. */
  onDetails?: () => void;
  action?: { text: ReactNode; onPress: () => void; busy?: boolean } | undefined;
  children?: ReactNode;
}

/** A coupon that looks like a paper one: stub, perforation, and terms that can be opened (specification section 2). */
export function OfferTicket({
  stub,
  code,
  title,
  subtitle,
  state,
  message,
  details = [],
  more,
  onDetails,
  action,
  children,
}: OfferTicketProps) {
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
            <code className={css.code} translate="no">
              {state === 'applied' && <CheckIcon size={14} />}
              {code}
            </code>
            {action && (
              <Button
                small
                kind={state === 'applied' ? 'quiet' : 'secondary'}
                onClick={action.onPress}
                {...(action.busy && { busy: true })}
                aria-label={typeof action.text === 'string' ? `${action.text} ${code}` : undefined}
              >
                {action.text}
              </Button>
            )}
          </div>
          {(details.length > 0 || more !== undefined) && (
            <details
              className={css.details}
              onToggle={(event) => {
                if (event.currentTarget.open) onDetails?.();
              }}
            >
              <summary>{errors.moreDetails}</summary>
              <b>{errors.offerDetails}</b>
              {more}
              {details.length > 0 && (
                <ul>
                  {details.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              )}
            </details>
          )}
        </div>
      </div>
    </article>
  );
}
