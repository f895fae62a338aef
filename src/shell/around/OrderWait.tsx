import { useAtomValue, useSetAtom } from 'jotai';
import { navigateAtom, pathAtom } from '../../state/first/seams.ts';
import { journalAtom } from '../../state/orders/journal.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import {
  askOrderAtom,
  isLeftToOrderAtom,
  isMoneyOpen,
  isOrderGoneAtom,
  nextStepAtom,
  orderAtom,
} from '../../state/orders/orders.ts';
import { shownOrderIdAtom } from '../../state/base/path.ts';
import { Poll } from '../../ui/time/Poll.tsx';
import { While } from '../../ui/time/While.tsx';
import { PAYING } from '../ownScreens.ts';
import { MINUTE_MS } from '../../domain/time.ts';

const EVERY_MS = 5_000;
const MOST_MS = MINUTE_MS;

/**
 * Looks after every page that waits for the money of an order, until that is decided. The order under way is asked for
 * on all pages (ActiveOrder.tsx); one that ended in another tab or on another device is under way no more.
 */
export default function OrderWait() {
  const orderId = useAtomValue(shownOrderIdAtom);
  const isPaying = PAYING.test(useAtomValue(pathAtom));
  const order = useAtomValue(orderAtom);
  // Somebody else pays: nothing on this device tells when.
  const isAsked = useAtomValue(nextStepAtom)?.kind === 'link';
  const isUnderWay = useAtomValue(journalAtom)?.orderId === orderId;
  const isOffline = useAtomValue(isOfflineAtom);
  const isGone = useAtomValue(isOrderGoneAtom)(orderId);
  const isLeft = useAtomValue(isLeftToOrderAtom)(orderId);
  const ask = useSetAtom(askOrderAtom);
  const { go } = useAtomValue(navigateAtom);
  if (isPaying && isLeft) return <While name={orderId} run={() => go(`/order/${orderId}`, { replace: true })} />;
  // The order's own page and the tracker wait for money only while it is open; for the rest they follow the order.
  const isWaiting = isPaying || (order?.orderId === orderId && isMoneyOpen(order));
  if (!isWaiting || isGone || isOffline || (isUnderWay && !isAsked)) return null;
  return <Poll key={orderId} everyMs={EVERY_MS} mostMs={MOST_MS} run={() => ask(orderId)} />;
}
