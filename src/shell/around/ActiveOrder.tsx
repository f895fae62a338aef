import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useState } from 'react';
import * as errors from '#text/errors.ts';
import * as t from '#text/alive.ts';
import * as trains from '#text/trains.ts';
import type { OrderView } from '../../contract/orders.ts';
import { useClock } from '../../screens/base/clock.ts';
import { stageText } from '../../screens/base/words.ts';
import { journalAtom } from '../../state/orders/journal.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { followedAtom } from '../../state/orders/orderStream.ts';
import {
  activeOrdersAtom,
  isMoneyOpen,
  loadRecentAtom,
  orderAtom,
  settleJournalAtom,
  waitingSentenceAtom,
} from '../../state/orders/orders.ts';
import { hostAtom, pathAtom } from '../../state/first/seams.ts';
import { ITS_OWN } from '../ownScreens.ts';
import { StatusLink, StatusStrip } from './StatusStrip.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { rich } from '../../ui/rich.ts';

/**
 * Waits between questions while a payment is open: short at first, then longer, for as long as the server looks after
 * it (product.md 3.2).
 */
const OPEN_WAITS_MS = [2_000, 4_000, 8_000, 15_000, 30_000];
const WATCH_WAIT_MS = 15_000;
/** More orders than these would cover the page. */
const OTHERS_SHOWN = 2;

/** How far the order is, and when it is expected. */
function Where({ order }: { order: OrderView }) {
  const clock = useClock();
  const { eta, stage, orderStatus, scheduledFor } = order;
  if (TRAINS && order.train?.question) return <span>{trains.asked}</span>;
  const step = stageText(order);
  if (!eta || stage === 'READY') return <span>{step}</span>;
  return (
    <>
      {step}
      <br />
      {orderStatus === 'ADVANCE ORDER' && scheduledFor
        ? t.arrivesOn({ date: clock.date(scheduledFor), from: clock.time(eta.from), to: clock.time(eta.to) })
        : t.arrives({ from: clock.time(eta.from), to: clock.time(eta.to) })}
    </>
  );
}

/** The journal's order as far as this page knows it, and whether its payment is still open. */
function useActive() {
  const journal = useAtomValue(journalAtom);
  const order = useAtomValue(orderAtom);
  const known = order !== null && order.orderId === journal?.orderId ? order : null;
  const isOpen = journal !== null && (journal.step !== 'watching' || known === null || isMoneyOpen(known));
  return { journal, known, isOpen };
}

/** Nothing has to be asked while the screen of another order is open, or while something follows this order already. */
function useIsSeen(): boolean {
  const { journal, isOpen } = useActive();
  const place = useAtomValue(pathAtom);
  const followed = useAtomValue(followedAtom);
  if (isOpen) return false;
  const isFollowed = followed !== null && followed.by !== 'opening';
  return isFollowed || (ITS_OWN.test(place) && journal?.orderId !== null && !place.includes(journal?.orderId ?? ''));
}

/**
 * Asks what became of the order: often while its payment is open, and at once when the host has news or the customer
 * comes back.
 */
function useAsking(): void {
  const { journal, isOpen } = useActive();
  const isSeen = useIsSeen();
  const host = useAtomValue(hostAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const settle = useSetAtom(settleJournalAtom);
  const loadRecent = useSetAtom(loadRecentAtom);
  const [asked, setAsked] = useState(0);
  const key = journal?.key ?? '';
  // While one is paid for, nobody looks at the others.
  const isPlaced = journal?.step === 'watching';
  useEffect(() => {
    setAsked(0);
  }, [key]);
  useEffect(() => {
    if (!key || !isPlaced || isOffline) return;
    void loadRecent().then((isThere) => {
      if (!isThere) return settle();
    });
  }, [key, isPlaced, isOffline, loadRecent, settle]);
  useEffect(() => {
    if (!key || isOffline || isSeen) return;
    const firstMs = isPlaced ? WATCH_WAIT_MS : 0;
    const laterMs = isOpen ? OPEN_WAITS_MS[Math.min(asked - 1, OPEN_WAITS_MS.length - 1)] : WATCH_WAIT_MS;
    const timer = setTimeout(
      () => {
        void settle({ isFirst: asked === 0 }).finally(() => setAsked((times) => times + 1));
      },
      asked === 0 ? firstMs : laterMs,
    );
    return () => clearTimeout(timer);
  }, [key, asked, isOpen, isPlaced, isOffline, isSeen, settle]);
  useEffect(() => {
    const again = () => {
      if (!isSeen) void settle();
    };
    const offNews = host.on('payment', again);
    const offLife = host.on('lifecycle', (state) => {
      if (state === 'shown') again();
    });
    return () => {
      offNews();
      offLife();
    };
  }, [host, settle, isSeen]);
}

/** A line of the strip: what an order waits for, or how far it is. */
function OrderLink({ order }: { order: OrderView }) {
  const waiting = useAtomValue(waitingSentenceAtom);
  const isOpen = isMoneyOpen(order);
  return (
    <StatusLink
      to={`/order/${order.orderId}`}
      title={rich(t.orderNumber, { number: <Exact>{order.orderNumber}</Exact> })}
      isOpen={isOpen}
    >
      <span>{isOpen ? waiting(order) : <Where order={order} />}</span>
    </StatusLink>
  );
}

/** What is said of an order that this page has not seen yet. An order that was placed is fine, whatever the network is. */
function useUnseenText(): string {
  const { journal } = useActive();
  const isOffline = useAtomValue(isOfflineAtom);
  if (journal?.step === 'watching') return isOffline ? t.orderGoesOn : t.orderLookedUp;
  return journal?.orderId === null ? errors.submitUnknown : t.paymentLookedUp;
}

/** Looks after the order under way on every screen, and shows it on screens that do not show it themselves. */
export default function ActiveOrder() {
  const { journal, known, isOpen } = useActive();
  const place = useAtomValue(pathAtom);
  const waiting = useAtomValue(waitingSentenceAtom);
  const others = useAtomValue(activeOrdersAtom).filter((one) => one.orderId !== journal?.orderId);
  const unseenText = useUnseenText();
  useAsking();
  if (!journal || ITS_OWN.test(place)) return null;
  const isUrgent = isOpen && (known !== null || journal.step !== 'watching');
  return (
    <StatusStrip label={t.order}>
      <StatusLink
        to={journal.orderId ? `/order/${journal.orderId}` : '/order/open'}
        title={known ? rich(t.orderNumber, { number: <Exact>{known.orderNumber}</Exact> }) : t.order}
        isOpen={isUrgent}
      >
        <span>{known === null ? unseenText : isOpen ? waiting(known) : <Where order={known} />}</span>
      </StatusLink>
      {others.slice(0, OTHERS_SHOWN).map((other) => (
        <OrderLink key={other.orderId} order={other} />
      ))}
    </StatusStrip>
  );
}
