import * as t from '#text/order.ts';
import type { OrderView } from '../../contract/orders.ts';
import { leftOf } from '../../domain/funds.ts';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import css from './OrderScreen.module.css';

/** Below the bill: how much each balance paid, and how much was left for another way of paying. */
export function PaidParts({ order }: { order: OrderView }) {
  const parts = order.parts ?? [];
  if (parts.length === 0) return null;
  const { label, state, amount } = order.payment;
  const isPaid = state === 'CAPTURED' || state === 'REFUNDED';
  // A failed attempt names the sum of its own time; balances may have paid a part since.
  const rest = isPaid ? amount : leftOf(order.bill.total, parts);
  return (
    <dl className={css.parts}>
      {parts.map((part) => (
        <div key={part.label}>
          <dt>{t.partFrom({ label: part.label })}</dt>
          <dd>
            <Price amount={part.amount} />
          </dd>
        </div>
      ))}
      {rest > 0 && (
        <div>
          <dt>{isPaid ? t.restFrom({ label }) : t.restLeft}</dt>
          <dd>
            <Price amount={rest} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What was returned to the balances that had paid. That happens at once. */
export function PartsBack({ order }: { order: OrderView }) {
  const back = (order.parts ?? []).filter((part) => part.returned > 0);
  return (
    <>
      {back.map((part) => (
        <p key={part.label}>
          {rich(t.partBack, { amount: <Price amount={part.returned} />, label: part.label, b: <b /> })}
        </p>
      ))}
    </>
  );
}
