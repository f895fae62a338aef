import * as t from '#text/payment.ts';
import type { ReactNode } from 'react';
import type { PaymentOption } from '../../contract/payments.ts';
import { MODES_SHOWN } from '../../state/checkout.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { ModeIcon } from './ModeIcon.tsx';
import css from './PaymentModeScreen.module.css';

interface ModeListProps {
  options: readonly PaymentOption[];
  value: string | null;
  onChange: (id: string) => void;
  /** The mode of the last order. */
  last?: string | null;
  /** Why a mode cannot pay this order. */
  reasonOf?: (id: string) => string | undefined;
  error?: string | undefined;
  /** False shows the chosen mode and a few others, with a line that shows the rest. */
  isOpen: boolean;
  onOpen: () => void;
  /** What the chosen mode asks for or offers, right below it. */
  below?: ReactNode;
}

/** The ways to pay, one line each; the chosen one says more about itself. */
export function ModeList({ options, value, onChange, last, reasonOf, error, isOpen, onOpen, below }: ModeListProps) {
  const others = options.filter(({ id }) => id !== value).slice(0, MODES_SHOWN - 1);
  const shown = isOpen ? options : options.filter((option) => option.id === value || others.includes(option));
  return (
    <>
      <RadioCards<string>
        legend={t.mode}
        quietLegend
        rows
        value={value}
        onChange={onChange}
        error={error}
        options={shown.map((option) => {
          const reason = reasonOf?.(option.id);
          const isChosen = option.id === value;
          return {
            value: option.id,
            title: option.label,
            detail: reason ?? (isChosen ? option.about : undefined),
            disabled: reason !== undefined,
            icon: <ModeIcon mode={option.id} />,
            ...(isChosen && below ? { below } : {}),
            ...(last === option.id ? { end: <Tag tone="lime">{t.usedLast}</Tag> } : {}),
          };
        })}
      />
      {shown.length < options.length && (
        <button type="button" className={css.all} onClick={onOpen}>
          {t.modesAll({ count: options.length })}
        </button>
      )}
    </>
  );
}
