import * as t from '#text/order.ts';
import { useSetAtom } from 'jotai';
import { useState } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { arrivedAtom } from '../../state/orders/tracking.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { useClock } from '../base/clock.ts';
import css from './Progress.module.css';

/** For curbside and takeaway: tells the store that the customer has arrived, at the curb also in which bay. */
export default function Arrival({ order }: { order: OrderView }) {
  const { arrival, store, orderType } = order;
  const clock = useClock();
  const arrived = useSetAtom(arrivedAtom);
  const [bay, setBay] = useState<string | null>(arrival?.bay ?? null);
  const [isBusy, setBusy] = useState(false);
  const tell = async (at: string | null) => {
    setBusy(true);
    await arrived(order.orderId, at ?? undefined).finally(() => setBusy(false));
  };
  const isAtCurb = orderType === 'CURB';
  const choose = (id: string) => {
    const next = bay === id ? null : id;
    setBay(next);
    // A customer who has arrived and picks another bay: the store hears of it at once.
    if (arrival && next) void tell(next);
  };
  return (
    <Card title={arrival ? t.arrivedTitle : isAtCurb ? t.arriveAtCurbTitle : t.arriveAtCounterTitle}>
      <div className={css.call}>
        {isAtCurb && store.curbBays > 0 && (
          <>
            <p className={css.soft}>{t.bayAsk}</p>
            <Chips
              label={t.bay}
              chips={Array.from({ length: store.curbBays }, (_, at) => ({ id: `${at + 1}`, text: `${at + 1}` }))}
              pressed={bay === null ? [] : [bay]}
              onToggle={choose}
            />
          </>
        )}
        {arrival ? (
          <p>
            {arrival.bay === null
              ? t.arrivedSince({ time: clock.time(arrival.at) })
              : t.arrivedSinceInBay({ time: clock.time(arrival.at), bay: arrival.bay })}
          </p>
        ) : (
          <Button full busy={isBusy} onClick={() => void tell(bay)}>
            {t.arrived}
          </Button>
        )}
      </div>
    </Card>
  );
}
