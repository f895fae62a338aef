import * as t from '#text/order.ts';
import { useAtomValue } from 'jotai';
import { lastSeenAtom } from '../../state/orders/lastSeen.ts';
import { useClock } from '../base/clock.ts';
import { expectedText } from '../base/words.ts';

/** Without a network: that the order is being made, and how far it was when this device last heard of it. */
export function Continue({ orderId }: { orderId: string }) {
  const seen = useAtomValue(lastSeenAtom);
  const clock = useClock();
  return (
    <>
      {seen?.orderId === orderId && (
        <>
          <b>{t.lastSeen({ time: clock.time(seen.at), stage: seen.stage })}</b>
          {seen.eta && ` ${t.lastExpected({ time: expectedText(seen.eta, clock) })}`}
          <br />
        </>
      )}
      {t.goesOn}
    </>
  );
}
