import * as t from '#text/payment.ts';
import { Fragment, type ReactNode } from 'react';
import type { PaymentOption } from '../../contract/payments.ts';
import { MODES_SHOWN } from '../../state/checkout/modes.ts';
import { hasLogo, Logo } from '../../ui/pictures/Logo.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
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
  reasonOf?: (option: PaymentOption) => string | undefined;
  error?: string | undefined;
  /** False shows the chosen mode and a few others, with a line that shows the rest. */
  isOpen: boolean;
  onOpen: () => void;
  /** What is chosen within the chosen mode: a bank, an app. */
  said?: string | undefined;
  /** What the chosen mode asks for or offers, right below it. */
  below?: ReactNode;
}

const NAMES_SHOWN = 4;

/** The services of a mode that people look for, by name: drawn letters would look like somebody's brand. */
function namesOf({ choices = [] }: PaymentOption): ReactNode {
  const known = choices.filter(({ isPopular }) => isPopular).slice(0, NAMES_SHOWN);
  // Where each has a picture of its own, that is recognised sooner.
  if (known.length > 0 && known.every(({ id }) => hasLogo(id)))
    return known.map(({ id, label }) => (
      <Fragment key={id}>
        <Logo id={id} name={label} />{' '}
      </Fragment>
    ));
  return known.map(({ label }) => label).join(', ') || undefined;
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
          const reason = reasonOf?.(option);
          const isChosen = option.id === value;
          return {
            value: option.id,
            title: option.label,
            detail: reason ?? (isChosen ? (said ?? option.about) : namesOf(option)),
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
