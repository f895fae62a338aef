import { useAtomValue } from 'jotai';
import { milestonesState } from '../../state/coupons.ts';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import css from './OfferCard.module.css';

/** After an order: how far it brought the customer on the way to a reward. Nothing is said while that is not known. */
export function Rewards() {
  const { data } = useAtomValue(milestonesState.atom);
  if (!data || data.length === 0) return null;
  return (
    <section className={css.rewards} aria-label="On the way to a reward">
      <h2>For your next order</h2>
      {data.map(({ couponCode, title, steps, stepsRequired, message, offerOptions }) => (
        <ProgressBar key={couponCode} value={steps} max={stepsRequired} label={`Progress of ${title}`}>
          <b>{title}</b>
          <p>{message} · {steps} of {stepsRequired}</p>
          <span className={css.steps}>{offerOptions.map((step) => <span key={step.step} data-reached={step.reached}>{step.label}</span>)}</span>
        </ProgressBar>
      ))}
    </section>
  );
}
