import * as t from '#text/loyalty.ts';
import { useAtomValue } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { isFinal } from '../../domain/orders.ts';
import { memberAtom } from '../../state/offers/loyalty.ts';
import { Aside } from '../../ui/page/Page.tsx';
import { useClock } from '../base/clock.ts';

/** Members are told when an order's points come. */
export function ComingPoints({ order }: { order: OrderView }) {
  const clock = useClock();
  const member = useAtomValue(memberAtom);
  if (member === null) return null;
  const { earnPointsPerOrder: points } = member.balance.programConfig;
  const coming = member.waiting.find(({ orderId }) => orderId === order.orderId);
  if (coming)
    return (
      <Aside>
        {t.thanksAt({ points: coming.points, day: clock.date(coming.dueAt), time: clock.time(coming.dueAt) })}
      </Aside>
    );
  if (isFinal(order.orderStatus) || order.bill.total <= 0) return null;
  return <Aside>{t.thanksFirst({ points })}</Aside>;
}
