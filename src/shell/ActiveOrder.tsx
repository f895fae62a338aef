import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';
import { MONEY_UNKNOWN, PAYMENT_INTERRUPTED } from '../domain/messages.ts';
import { journalAtom } from '../state/journal.ts';
import { isOfflineAtom } from '../state/network.ts';
import { isMoneyOpen, orderAtom, settleJournalAtom } from '../state/orders.ts';
import { hostAtom, navigateAtom, placeAtom } from '../state/seams.ts';
import { href } from '../ui/href.ts';
import css from './ActiveOrder.module.css';

/** While the money is open: soon, then patiently, as long as the server looks after the payment (product.md 3.2). */
const OPEN_WAITS_MS = [2_000, 4_000, 8_000, 15_000, 30_000];
const WATCH_WAIT_MS = 15_000;
/** Screens that show the order themselves. */
const ITS_OWN = /^\/(order\/|payment\/|track\/|upiForm|paytmForm)/;
const PAYING = /^\/(payment\/|upiForm|paytmForm)/;

/** Looks after the order under way on every screen, and shows it on those that do not. */
export default function ActiveOrder() {
  const host = useAtomValue(hostAtom);
  const journal = useAtomValue(journalAtom);
  const order = useAtomValue(orderAtom);
  const place = useAtomValue(placeAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const settle = useSetAtom(settleJournalAtom);
  const { go } = useAtomValue(navigateAtom);
  const [asked, setAsked] = useState(0);
  const known = order !== null && order.orderId === journal?.orderId ? order : null;
  const isOpen = journal !== null && (journal.step !== 'watching' || known === null || isMoneyOpen(known));
  const key = journal?.key ?? '';

  useEffect(() => { setAsked(0); }, [key]);
  useEffect(() => {
    if (!key || isOffline) return;
    const waitMs = asked === 0 ? 0 : isOpen ? OPEN_WAITS_MS[Math.min(asked - 1, OPEN_WAITS_MS.length - 1)] : WATCH_WAIT_MS;
    const timer = setTimeout(() => { void settle().finally(() => setAsked((times) => times + 1)); }, waitMs);
    return () => clearTimeout(timer);
  }, [key, asked, isOpen, isOffline, settle]);
  useEffect(() => {
    const again = () => { void settle(); };
    const offNews = host.onPaymentNews(again);
    const offLife = host.onLifecycle((state) => { if (state === 'shown') again(); });
    return () => { offNews(); offLife(); };
  }, [host, settle]);

  // A payment page has nothing left to do once the money is known, or is the bank's to tell.
  const isDecided = order !== null && (!isMoneyOpen(order) || order.payment.state === 'FAILED' || order.payment.state === 'UNKNOWN');
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
          <span>{isOpen ? (known ? MONEY_UNKNOWN : PAYMENT_INTERRUPTED) : known?.eta?.reason ?? known?.orderStatus}</span>
        </span>
        <span className={css.go} aria-hidden>View</span>
      </a>
    </aside>
  );
}
