import * as t from '#text/payment.ts';
import type { ReactNode } from 'react';
import type { PaymentChoice, PaymentOption } from '../../contract/payments.ts';
import { MODES_SHOWN } from '../../state/checkout.ts';
import { AppMark } from '../../ui/AppMark.tsx';
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
  /** What is chosen within the chosen mode: a bank, an app. */
  said?: string | undefined;
  /** What the chosen mode asks for or offers, right below it. */
  below?: ReactNode;
}

const MARKS_SHOWN = 4;

/** A few services are said by name: whoever uses one looks for it. */
const namesOf = ({ choices = [] }: PaymentOption): string | undefined =>
  choices.length > 0 && choices.length <= MARKS_SHOWN && choices.every(({ link }) => link === undefined)
    ? choices.map(({ label }) => label).join(', ')
    : undefined;

/** What can be chosen within a mode, as a row of small marks. */
function Marks({ choices }: { choices: readonly PaymentChoice[] }) {
  return (
    <span className={css.marks}>
      {choices
        .filter(({ isPopular }) => isPopular)
        .slice(0, MARKS_SHOWN)
        .map(({ id, label }) => (
          <AppMark key={id} name={label} size={20} />
        ))}
    </span>
  );
}

/** The ways to pay, one line each; the chosen one says more about itself. */
export function ModeList({
  options,
  value,
  onChange,
  last,
  reasonOf,
  error,
  isOpen,
  onOpen,
  said,
  below,
}: ModeListProps) {
  const others = options.filter(({ id }) => id !== value).slice(0, value === null ? MODES_SHOWN : MODES_SHOWN - 1);
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
            detail: reason ?? (isChosen ? (said ?? option.about) : namesOf(option)),
            disabled: reason !== undefined,
            icon: <ModeIcon mode={option.id} />,
            ...(isChosen && below ? { below } : {}),
            end:
              last === option.id ? (
                <Tag tone="lime">{t.usedLast}</Tag>
              ) : (
                !isChosen &&
                reason === undefined &&
                namesOf(option) === undefined && <Marks choices={option.choices ?? []} />
              ),
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
