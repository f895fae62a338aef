import * as t from '#text/first.ts';
import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import { MinusIcon, PlusIcon, TrashIcon } from '../pictures/icons.ts';
import css from './QuantityStepper.module.css';

interface QuantityStepperProps {
  /** What is counted, for example 'Garden Four'. */
  label: string;
  value: number;
  min?: number;
  max?: number;
  /** At zero it is an Add button. */
  add?: boolean;
  /** Its count is announced elsewhere. */
  quiet?: boolean;
  onChange: (value: number) => void;
}

/**
 * Minus, count, plus. The count is a live region: every change is announced once, with the name. Add and plus are the
 * same element: whoever pressed it keeps the focus, and nothing under the finger leaves the page.
 */
export function QuantityStepper({ label, value, min = 0, max = 50, add, quiet, onChange }: QuantityStepperProps) {
  const removes = min === 0 && value < 2;
  const isEmpty = add && value === 0;
  return (
    <div
      className={css.stepper}
      {...(isEmpty ? { 'data-empty': true } : { role: 'group', 'aria-label': t.quantityOf({ name: label }) })}
    >
      {!isEmpty && (
        <>
          <IconButton
            label={(removes ? t.removeItem : t.oneLess)({ name: label })}
            disabled={value <= min}
            onClick={({ currentTarget }) => {
              // Minus disappears with the last piece: Add, which stays, takes the focus.
              if (add && removes) (currentTarget.parentElement?.lastElementChild as HTMLElement | null)?.focus();
              onChange(value - 1);
            }}
          >
            {removes ? <TrashIcon size={18} /> : <MinusIcon size={18} />}
          </IconButton>
          <output aria-live={quiet ? 'off' : undefined}>
            {t.number({ count: value })}
            <span className="visually-hidden"> {label}</span>
          </output>
        </>
      )}
      <Button
        kind="secondary"
        small
        aria-label={(isEmpty ? t.addItem : t.oneMore)({ name: label })}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        {isEmpty && t.add}
        <PlusIcon size={18} />
      </Button>
    </div>
  );
}
