import type { OrderView } from '../../contract/orders.ts';
import { leftOf } from '../../domain/funds.ts';
import { Price } from '../../ui/Price.tsx';
import css from './OrderScreen.module.css';

/** Below the bill: which balance paid what, and what was left for another way. */
export function Parts({ order }: { order: OrderView }) {
  const parts = order.parts ?? [];
  if (parts.length === 0) return null;
  const { label, state, amount } = order.payment;
  const isPaid = state === 'CAPTURED' || state === 'REFUNDED';
  // A failed attempt's own sum is of before: balances may have paid a part since.
  const rest = isPaid ? amount : leftOf(order.bill.total, parts);
  return (
    <dl className={css.parts}>
      {parts.map((part) => <div key={part.label}><dt>From your {part.label}</dt><dd><Price amount={part.amount} /></dd></div>)}
      {rest > 0 && <div><dt>{isPaid ? `From ${label}` : 'Left to pay'}</dt><dd><Price amount={rest} /></dd></div>}
    </dl>
  );
}

/** What went back to the balances it came from: at once, nobody has to wait for it. */
export function PartsBack({ order }: { order: OrderView }) {
  const back = (order.parts ?? []).filter((part) => part.returned > 0);
  return <>{back.map((part) => <p key={part.label}><b><Price amount={part.returned} /></b> is back in your {part.label}.</p>)}</>;
}
