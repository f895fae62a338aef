import * as t from '#text/offers.ts';
import { useAtomValue } from 'jotai';
import { rewardsShownAtom } from '../../state/offers/coupons.ts';
import { ProgressBar } from '../../ui/page/ProgressBar.tsx';
import css from './OfferCard.module.css';

/** After an order: how far the customer has come towards each reward. Shows nothing until that is known. */
export function Rewards() {
  const rewards = useAtomValue(rewardsShownAtom);
  if (rewards.length === 0) return null;
  return (
    <section className={css.rewards} aria-label={t.rewards}>
      <h2>{t.rewardsTitle}</h2>
      {rewards.map(({ couponCode, title, steps, stepsRequired, message, offerOptions }) => (
        <ProgressBar key={couponCode} value={steps} max={stepsRequired} label={t.progress({ title })}>
          <b>{title}</b>
          <p>
            {message} · {t.rewardSteps({ steps, required: stepsRequired })}
          </p>
          <span className={css.steps}>
            {offerOptions.map((step) => (
              <span key={step.step} data-reached={step.reached}>
                {step.label}
              </span>
            ))}
          </span>
        </ProgressBar>
      ))}
    </section>
  );
}
