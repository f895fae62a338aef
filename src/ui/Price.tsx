import { createContext, use } from 'react';
import type { Money } from '../contract/price.ts';
import { formatMoney, type MoneyStyle } from '../domain/money.ts';
import css from './Price.module.css';

/** The currency of the store's country; given once, at the top. */
export const CurrencyContext = createContext<MoneyStyle | null>(null);

interface PriceProps {
  amount: Money;
  /** Struck through beside it, when above `amount`. */
  original?: Money | undefined;
  /** Spoken before the struck price. */
  originalLabel?: string;
  /** What zero reads as, for example 'Free'. */
  zero?: string;
}

/** The one place that shows money. */
export function Price({ amount, original, originalLabel = 'Before', zero }: PriceProps) {
  const currency = use(CurrencyContext);
  if (!currency) throw new Error('Price needs a CurrencyContext above it');
  return (
    <span className={css.price}>
      {amount === 0 && zero ? <b className={css.free}>{zero}</b> : formatMoney(amount, currency)}
      {original !== undefined && original > amount && (
        <>
          {' '}
          <s>
            <span className="visually-hidden">{originalLabel} </span>
            {formatMoney(original, currency)}
          </s>
        </>
      )}
    </span>
  );
}
