import * as t from '#text/order.ts';
import { useAtomValue } from 'jotai';
import { lastSeenAtom } from '../../state/lastSeen.ts';
import { useClock } from './clock.ts';
import { expectedText } from './words.ts';

/** Without a network: that the order is being made, and how far it was when this device last heard of it. */
export function GoesOn({ orderId }: { orderId: string }) {
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
