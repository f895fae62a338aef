import * as t from '#text/order.ts';
import type { OrderView } from '../../contract/orders.ts';
import { Card } from '../../ui/page/Card.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Steps, type Step } from '../../ui/Steps.tsx';
import { useClock } from '../base/clock.ts';

/** A refund: how much, how far it is, and between which days it arrives. */
export default function Refund({ refund, label }: { refund: NonNullable<OrderView['refund']>; label: string }) {
  const clock = useClock();
  const isPaid = refund.state === 'PAID';
  const on = (at: number) => `${clock.date(at)}, ${clock.time(at)}`;
  const steps: Step[] = [
    { title: t.refundSent, state: 'done', detail: on(refund.startedAt) },
    {
      title: t.refundAtBank,
      state: isPaid ? 'done' : 'current',
      ...(isPaid
        ? {}
        : {
            detail: t.refundBetween({ from: clock.date(refund.expectedFrom), to: clock.date(refund.expectedTo) }),
          }),
    },
    {
      title: t.refundBack({ label }),
      state: isPaid ? 'done' : 'todo',
      ...(refund.paidAt === null ? {} : { detail: on(refund.paidAt) }),
    },
  ];
  return (
    <Card title={rich(t.refundTitle, { state: refund.state, amount: <Price amount={refund.amount} /> })}>
      <Steps label={t.refundSteps} steps={steps} />
    </Card>
  );
}
