import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';
import { PAYMENT_INTERRUPTED } from '../domain/messages.ts';
import type { OrderView } from '../contract/orders.ts';
import { useClock } from '../screens/order/clock.ts';
import { journalAtom } from '../state/journal.ts';
import { isOfflineAtom } from '../state/network.ts';
import { statusText } from '../domain/orders.ts';
import { followedAtom } from '../state/following.ts';
import { activeOrdersAtom, isMoneyOpen, nextStepAtom, orderAtom, recentOrders, settleJournalAtom, waitingSentenceAtom } from '../state/orders.ts';
import { hostAtom, navigateAtom, placeAtom } from '../state/seams.ts';
import { href } from '../ui/href.ts';
import css from './ActiveOrder.module.css';

/** While the money is open: soon, then patiently, as long as the server looks after the payment (product.md 3.2). */
const OPEN_WAITS_MS = [2_000, 4_000, 8_000, 15_000, 30_000];
const WATCH_WAIT_MS = 15_000;
/** More than these would cover the page. */
const OTHERS_SHOWN = 2;
/** Screens that show the order themselves. */
const ITS_OWN = /^\/(order\/|payment\/|track\/|upiForm|paytmForm)/;
const PAYING = /^\/(payment\/|upiForm|paytmForm)/;

/** How far it is, and when it is expected. */
function Where({ order: { steps, eta, stage, orderStatus, orderType, scheduledFor } }: { order: OrderView }) {
  const clock = useClock();
  const step = steps.find(({ state }) => state === 'current')?.label ?? statusText(orderStatus, orderType);
  if (!eta || stage === 'READY') return step;
  return <>{step}<br />{orderStatus === 'ADVANCE ORDER' && scheduledFor ? `${clock.date(scheduledFor)}, ` : ''}{clock.time(eta.from)} to {clock.time(eta.to)}</>;
}

/** Looks after the order under way on every screen, and shows it on those that do not. */
export default function ActiveOrder() {
  const host = useAtomValue(hostAtom);
  const journal = useAtomValue(journalAtom);
  const order = useAtomValue(orderAtom);
  const place = useAtomValue(placeAtom);
  const next = useAtomValue(nextStepAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const settle = useSetAtom(settleJournalAtom);
  const { go } = useAtomValue(navigateAtom);
  const waiting = useAtomValue(waitingSentenceAtom);
  const [asked, setAsked] = useState(0);
  const known = order !== null && order.orderId === journal?.orderId ? order : null;
  const isOpen = journal !== null && (journal.step !== 'watching' || known === null || isMoneyOpen(known));
  const key = journal?.key ?? '';
  const followed = useAtomValue(followedAtom);
  const others = useAtomValue(activeOrdersAtom).filter((one) => one.orderId !== journal?.orderId);
  const loadRecent = useSetAtom(recentOrders.load);
  // Another order's own screen, or one that follows this order by itself: there is nothing to ask.
  const isSeen = !isOpen && (followed !== null && followed.by !== 'opening' || ITS_OWN.test(place) && journal?.orderId !== null && !place.includes(journal?.orderId ?? ''));

  useEffect(() => { setAsked(0); }, [key]);
  useEffect(() => { if (key && !isOffline) void loadRecent(); }, [key, isOffline, loadRecent]);
  useEffect(() => {
    if (!key || isOffline || isSeen) return;
    const waitMs = asked === 0 ? 0 : isOpen ? OPEN_WAITS_MS[Math.min(asked - 1, OPEN_WAITS_MS.length - 1)] : WATCH_WAIT_MS;
    const timer = setTimeout(() => { void settle().finally(() => setAsked((times) => times + 1)); }, waitMs);
    return () => clearTimeout(timer);
  }, [key, asked, isOpen, isOffline, isSeen, settle]);
  useEffect(() => {
    const again = () => { if (!isSeen) void settle(); };
    const offNews = host.onPaymentNews(again);
    const offLife = host.onLifecycle((state) => { if (state === 'shown') again(); });
    return () => { offNews(); offLife(); };
  }, [host, settle, isSeen]);

  // A payment page has nothing left to do once the money is known, or is the bank's to tell.
  const isDecided = order !== null && (!isMoneyOpen(order) || order.payment.state === 'FAILED' && next?.kind !== 'link' || order.payment.state === 'UNKNOWN');
  const decidedId = isDecided && PAYING.test(place) && place.includes(order.orderId) ? order.orderId : '';
  useEffect(() => { if (decidedId) go(`/order/${decidedId}`, { replace: true }); }, [decidedId, go]);

  if (!journal || ITS_OWN.test(place)) return null;
  const to = journal.orderId ? `/order/${journal.orderId}` : '/order/open';
  return (
    <aside className={css.strip} aria-label="Your order">
      <a className={css.link} href={href(to)} data-open={isOpen}>
        <span className={css.dot} aria-hidden />
        <span className={css.text}>
          <b>{known ? `Order ${known.orderNumber}` : 'Your order'}</b>
          <span>{isOpen ? (known ? waiting(known) : PAYMENT_INTERRUPTED) : known ? <Where order={known} /> : ''}</span>
        </span>
        <span className={css.go} aria-hidden>View</span>
      </a>
      {others.slice(0, OTHERS_SHOWN).map((other) => (
        <a key={other.orderId} className={css.link} href={href(`/order/${other.orderId}`)} data-open={isMoneyOpen(other)}>
          <span className={css.dot} aria-hidden />
          <span className={css.text}>
            <b>Order {other.orderNumber}</b>
            <span>{isMoneyOpen(other) ? waiting(other) : <Where order={other} />}</span>
          </span>
          <span className={css.go} aria-hidden>View</span>
        </a>
      ))}
    </aside>
  );
}
