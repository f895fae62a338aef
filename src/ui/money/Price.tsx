import * as t from '#text/first.ts';
import { createContext, use, type ReactNode } from 'react';
import type { Money } from '../../contract/price.ts';
import { formatMoney, type MoneyStyle } from '../../domain/money.ts';
import css from './Price.module.css';

/** How the store's country writes money; provided once, at the top of the app. */
export const CurrencyContext = createContext<MoneyStyle | null>(null);

interface PriceProps {
  amount: Money;
  /** Shown struck through beside `amount`, if it is higher. */
  original?: Money | undefined;
  /** What stands around `amount` alone: 'from ₹119'. */
  around?: (amount: string) => ReactNode;
  /** What zero reads as, for example 'Free'. */
  zero?: string;
}

/** The only component that shows money. */
export function Price({ amount, original = amount, around = String, zero }: PriceProps) {
  const currency = use(CurrencyContext);
  if (!currency) throw new Error('Price needs a CurrencyContext');
  const isWord = amount === 0 && zero !== undefined;
  return (
    <span className={css.price} translate={isWord ? 'yes' : 'no'}>
      {isWord ? <b className={css.free}>{zero}</b> : around(formatMoney(amount, currency))}
      {original > amount && ' '}
      {original > amount && (
        <s>
          <span className="visually-hidden">{t.priceBefore} </span>
          {formatMoney(original, currency)}
        </s>
      )}
    </span>
  );
}
