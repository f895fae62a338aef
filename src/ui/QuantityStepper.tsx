import { IconButton } from './IconButton.tsx';
import { MinusIcon } from './icons/MinusIcon.tsx';
import { PlusIcon } from './icons/PlusIcon.tsx';
import { TrashIcon } from './icons/TrashIcon.tsx';
import css from './QuantityStepper.module.css';

interface QuantityStepperProps {
  /** What is counted, for example 'Garden Four'. */
  label: string;
  value: number;
  min?: number;
  max?: number;
  onChange: (value: number) => void;
}

/** Minus, count, plus. The count is a live region: every change is said once, with the name. */
export function QuantityStepper({ label, value, min = 0, max = 50, onChange }: QuantityStepperProps) {
  const removes = value - 1 < Math.max(min, 1) && min === 0;
  return (
    <div className={css.stepper} role="group" aria-label={`Quantity of ${label}`}>
      <IconButton label={removes ? `Remove ${label}` : `One less ${label}`} disabled={value <= min} onClick={() => onChange(value - 1)}>
        {removes ? <TrashIcon size={18} /> : <MinusIcon size={18} />}
      </IconButton>
      <output>
        {value}
        <span className="visually-hidden"> {label}</span>
      </output>
      <IconButton label={`One more ${label}`} disabled={value >= max} onClick={() => onChange(value + 1)}>
        <PlusIcon size={18} />
      </IconButton>
    </div>
  );
}
