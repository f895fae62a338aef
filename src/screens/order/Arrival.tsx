import { useSetAtom } from 'jotai';
import { useState } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { arrivedAtom } from '../../state/orders.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { useClock } from './clock.ts';
import css from './Progress.module.css';

/** Curbside and counter: the store is told who has come, and at the curb into which bay. */
export function Arrival({ order }: { order: OrderView }) {
  const { arrival, vehicle, store, orderType } = order;
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
    // Who is there already and has moved: the store hears it at once.
    if (arrival && next) void tell(next);
  };
  return (
    <Card title={arrival ? 'You are here' : isAtCurb ? 'When you are at the curb' : 'When you are at the counter'}>
      <div className={css.call}>
        {vehicle && <p>We look for your {vehicle.colour} {vehicle.model}, {vehicle.lastFourDigits}.</p>}
        {isAtCurb && store.curbBays > 0 && (
          <>
            <p className={css.soft}>Your bay, if it has a number:</p>
            <Chips label="Bay" chips={Array.from({ length: store.curbBays }, (_, at) => ({ id: `${at + 1}`, text: `${at + 1}` }))} pressed={bay === null ? [] : [bay]} onToggle={choose} />
          </>
        )}
        {arrival
          ? <p>The store has known it since {clock.time(arrival.at)}{arrival.bay === null ? '' : `, and that you are in bay ${arrival.bay}`}.</p>
          : <Button full busy={isBusy} onClick={() => void tell(bay)}>I am here</Button>}
      </div>
    </Card>
  );
}
