import * as t from '#text/payment.ts';
import type { Money } from '../../contract/money.ts';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';

interface PayWordsProps {
  mode: string | null;
  /** The mode's name, as the server gives it. */
  label: string;
  /** What this mode has to pay. */
  amount: Money | undefined;
}

/** Label of the button, with the amount: "Pay ₹349 with UPI". */
export function PayWords({ mode, label, amount }: PayWordsProps) {
  if (mode === null) return <span>{t.payChoose}</span>;
  if (amount === undefined) return <span>{t.pay}</span>;
  const price = <Price amount={amount} />;
  if (mode === 'COD') return rich(t.payCash, { amount: price });
  if (mode === 'LINK') return rich(t.payLink, { amount: price });
  if (mode === 'CARD') return rich(t.payCard, { amount: price });
  return rich(t.payWith, { amount: price, label });
}
