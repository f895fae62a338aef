import { use, useState } from 'react';
import type { Money } from '../../contract/price.ts';
import { formatMoney } from '../../domain/money.ts';
import { CurrencyContext } from './Price.tsx';

interface AmountSaidProps {
  /** What it comes to; undefined while that is not known. */
  amount: Money | undefined;
  /** A new amount is on its way: the one of before is not said. */
  isWaiting?: boolean;
  text: (values: { amount: string }) => string;
}

/** Says an amount to screen readers when it has changed: once, and not the one that the page came with. */
export function AmountSaid({ amount, isWaiting = false, text }: AmountSaidProps) {
  const currency = use(CurrencyContext);
  const [said, setSaid] = useState({ amount, text: '' });
  if (!isWaiting && amount !== said.amount)
    setSaid({
      amount,
      text:
        amount !== undefined && said.amount !== undefined && currency
          ? text({ amount: formatMoney(amount, currency) })
          : '',
    });
  return (
    <p className="visually-hidden" role="status">
      {said.text}
    </p>
  );
}
