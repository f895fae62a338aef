import type { OrderView } from '../../contract/orders.ts';
import { Card } from '../../ui/Card.tsx';
import { Price } from '../../ui/Price.tsx';
import { Steps, type Step } from '../../ui/Steps.tsx';
import { useClock } from './clock.ts';

/** Money on its way back: how much, how far it is, and between which days it arrives. */
export function Refund({ refund, label }: { refund: NonNullable<OrderView['refund']>; label: string }) {
  const clock = useClock();
  const isPaid = refund.state === 'PAID';
  const on = (at: number) => `${clock.date(at)}, ${clock.time(at)}`;
  const steps: Step[] = [
    { title: 'We have sent it back', state: 'done', detail: on(refund.startedAt) },
    { title: 'With the bank', state: isPaid ? 'done' : 'current', ...(isPaid ? {} : { detail: `It arrives between ${clock.date(refund.expectedFrom)} and ${clock.date(refund.expectedTo)}. You need not do anything.` }) },
    { title: `Back on your ${label}`, state: isPaid ? 'done' : 'todo', ...(refund.paidAt === null ? {} : { detail: on(refund.paidAt) }) },
  ];
  return (
    <Card title={<><Price amount={refund.amount} /> {isPaid ? 'came back to you' : 'comes back to you'}</>}>
      <Steps label="Progress of your refund" steps={steps} />
    </Card>
  );
}
