import type { Money } from '../../contract/money.ts';
import css from './Amount.module.css';
import { Price } from './Price.tsx';

/** The sum to pay, as the first thing on a page that asks for it. */
export function Amount({ amount }: { amount: Money }) {
  return (
    <p className={css.amount}>
      <Price amount={amount} />
    </p>
  );
}
