import * as t from '#text/alive.ts';
import type { ReactNode } from 'react';
import css from './Steps.module.css';
import { CheckIcon, CloseIcon } from './pictures/icons.ts';

export interface Step {
  title: ReactNode;
  detail?: ReactNode;
  state: 'done' | 'current' | 'todo' | 'failed';
}

/** Spoken instead of the coloured dots. */
const spoken = (state: Step['state']) =>
  state === 'done' ? t.stepDone : state === 'todo' ? t.stepToCome : state === 'failed' ? t.stepFailed : '';

/** The steps of an order, from top to bottom. */
export function Steps({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <ol className={css.steps} aria-label={label}>
      {steps.map((step, at) => (
        <li key={at} data-state={step.state} aria-current={step.state === 'current' ? 'step' : undefined}>
          <span className={css.dot}>
            {step.state === 'done' && <CheckIcon size={14} />}
            {step.state === 'failed' && <CloseIcon size={14} />}
          </span>
          <span className={css.words}>
            <span className={css.title}>
              <span className="visually-hidden">{spoken(step.state)}</span>
              {step.title}
            </span>
            {step.detail !== undefined && <span className={css.detail}>{step.detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
