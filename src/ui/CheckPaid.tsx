import { Button } from './forms/Button.tsx';
import css from './CheckPaid.module.css';

interface CheckPaidProps {
  label: string;
  busy: boolean;
  /** What the last check has found; '' before the first. */
  answer: string;
  onCheck: () => void;
}

/** The button that asks whether the money has arrived, and what came of asking. */
export function CheckPaid({ label, busy, answer, onCheck }: CheckPaidProps) {
  return (
    <div className={css.check}>
      <Button full kind="secondary" busy={busy} onClick={onCheck}>
        {label}
      </Button>
      <p role="status">{answer}</p>
    </div>
  );
}
