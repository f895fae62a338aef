import * as t from '#text/order.ts';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { Repeat } from '../../ui/time/Repeat.tsx';
import css from './Progress.module.css';
import { MINUTE_MS } from '../../domain/time.ts';

const TICK_MS = 5_000;
/** Farther away a time of day says more. */
const MOST_MINUTES = 90;

/** How many minutes are left until the order is there, by the server's clock. It counts down while it is looked at. */
export function MinutesLeft({ eta }: { eta: NonNullable<OrderView['eta']> }) {
  const aheadMs = useAtomValue(clockAheadAtom);
  const [now, setNow] = useState(() => Date.now());
  const minutes = (at: number) => Math.ceil((at - now - aheadMs) / MINUTE_MS);
  const [from, to] = [minutes(eta.from), minutes(eta.to)];
  return (
    <>
      {to <= MOST_MINUTES && (
        <span className={css.left}>
          {to < 1 ? t.leftNow : from >= 1 && from < to ? t.leftBetween({ from, to }) : t.leftWithin({ to })}
        </span>
      )}
      <Repeat everyMs={TICK_MS} run={() => setNow(Date.now())} />
    </>
  );
}
