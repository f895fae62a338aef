import { madeOf } from '../../domain/madeOf.ts';
import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { formatMoney } from '../../domain/money.ts';
import { returnedCard } from '../../bridge/payment/cardFields.ts';
import { loadChunk } from '../../bridge/scripts.ts';
import type { OrderView } from '../../contract/orders.ts';
import { optionsState } from '../../state/checkout/modes.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { journalAtom } from '../../state/orders/journal.ts';
import {
  isMoneyOpen,
  orderAtom,
  isOrderGoneAtom,
  isReportedAtom,
  orderState,
  renewOrderAtom,
  settleJournalAtom,
  lookAfterAtom,
  sheetQuestion,
} from '../../state/orders/orders.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { lookForNewsAtom } from '../../state/consent/newsOffer.ts';
import { loyaltyState } from '../../state/offers/loyalty.ts';
import { countryAtom } from '../../state/base/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { vouchersState } from '../../state/payment/vouchers.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { Actions, Column, Page } from '../../ui/page/Page.tsx';
import { ReadAloud } from '../../ui/ReadAloud.tsx';
import { part } from '../../ui/time/loaded.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { While } from '../../ui/time/While.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { Continue } from './Continue.tsx';
import { Lines } from './Lines.tsx';
import { TrainTold } from '../tracking/OnTheWay.tsx';
import { stageText } from '../base/words.ts';
import { ServiceTag } from './ServiceTag.tsx';
import { isDone, PlacedOrder } from './PlacedOrder.tsx';

export const enter = atom(null, async (get, set, { params }: ScreenInput) => {
  const orderId = params.orderId ?? '';
  if (orderId === 'open') {
    // The answer to the order was lost: its key finds out what became of it.
    await set(settleJournalAtom);
    const found = get(journalAtom)?.orderId;
    if (found) get(navigateAtom).go(`/order/${found}`, { replace: true });
    else if (get(journalAtom) === null) get(navigateAtom).go('/cart', { replace: true });
    return;
  }
  void set(lookForNewsAtom);
  void set(loyaltyState.load);
  await set(renewOrderAtom, orderId);
  const order = get(orderAtom);
  if (order?.orderId === orderId && isMoneyOpen(order)) {
    await set(lookAfterAtom, order);
    await set(optionsState.load);
    if (FULL_MODE) {
      if (get(optionsState.atom).data?.funds.some((one) => one.id === 'EGV')) void set(vouchersState.load);
      const { enterCardsAtom } = await loadChunk(() => import('../../state/payment/payments.ts'));
      void set(enterCardsAtom);
    }
  } else if (FULL_MODE) returnedCard(globalThis.window);
});

/** The order read aloud: its state, its dishes and its total. */
function aloud(order: OrderView, total: string): string {
  const { orderNumber, lines, eta } = order;
  const dishes = lines.map((line) =>
    t.aloudDish({ quantity: line.quantity, dish: [line.product.name, ...madeOf(line)].join(', ') }),
  );
  return t.aloud({
    number: orderNumber.split('').join(' '),
    status: stageText(order),
    reason: eta?.reason ?? '',
    dishes: dishes.join('; '),
    total,
  });
}

// An order that is paid at the door needs none of them.
const Bones = () => <Skeleton height="16rem" />;
const PendingOrder = part(() => import('./PendingOrder.tsx'), Bones);
const FailedOrder = part(() => import('./FailedOrder.tsx'), Bones);
const PromoBox = part(() => import('./PromoBox.tsx'));
// Nor does one that was just placed need these.
const Line = () => <Skeleton height="3rem" />;
const Refund = part(() => import('./Refund.tsx'), Bones);
const Shares = part(() => import('../group/Shares.tsx'), Bones);
const OrderAgain = part(() => import('./OrderAgain.tsx'), Line);

/** The webview of a payment app keeps no file that a page makes. */
const Invoice = FULL_MODE ? part(() => import('./InvoiceButton.tsx'), Line) : () => null;

/** Of an order that is over. One that failed has put its dishes back into the cart by itself. */
function Over({ order }: { order: OrderView }) {
  const isGiven = isDone(order);
  return (
    <>
      {(isGiven || order.orderStatus === 'CANCELLED') && <OrderAgain full orderId={order.orderId} />}
      {isGiven && <Invoice order={order} full kind="secondary" />}
    </>
  );
}

/** An offer for an order that is still to be paid: none changes a sum that the host's sheet asks for, or was told to have taken. */
function Promo({ order }: { order: OrderView }) {
  const isAsked = useAtomValue(sheetQuestion.atom) === 'asked';
  const isReported = useAtomValue(isReportedAtom)(order);
  return order.payment.state !== 'UNKNOWN' && !order.group && !isAsked && !isReported && <PromoBox order={order} />;
}

/** The way to the order history; a payment app has none. */
function AllOrders() {
  return (
    FULL_MODE && (
      <Button full kind="secondary" href={href('/postorder-ui/orderHistory')}>
        {t.allOrders}
      </Button>
    )
  );
}

/** The answer to the order was lost: nobody knows yet whether there is one. */
function Submitted() {
  const journal = useAtomValue(journalAtom);
  const settleJournal = useSetAtom(settleJournalAtom);
  const { go } = useAtomValue(navigateAtom);
  return (
    <>
      {/* Another tab may have found out what became of the order. */}
      {journal?.orderId !== null && (
        <While name="open" run={() => go(journal ? `/order/${journal.orderId}` : '/cart', { replace: true })} />
      )}
      <AppBar title={t.title} subtitle={null} back={{ label: t.home, href: href('/') }} />
      <EmptyState
        title={t.oneMoment}
        action={
          <Button kind="secondary" onClick={() => void settleJournal()}>
            {t.checkNow}
          </Button>
        }
      >
        <p role="status">{errors.submitUnknown}</p>
      </EmptyState>
    </>
  );
}

/** The order as it is known; null before, and once the server knows it no more. */
function useShown(orderId: string): OrderView | null {
  const held = useAtomValue(orderAtom);
  const isGone = useAtomValue(isOrderGoneAtom)(orderId);
  return held?.orderId === orderId && !isGone ? held : null;
}

/** One page for every state of an order: confirmation, pending confirmation, failure, thanks and progress. */
export default function OrderScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const isOpen = useAtomValue(isOpenAtom);
  const country = useAtomValue(countryAtom);
  const state = useAtomValue(orderState.atom);
  const load = useSetAtom(orderState.load);
  const order = useShown(params.orderId ?? '');
  if (params.orderId === 'open') return <Submitted />;
  if (!order) {
    return (
      <>
        <AppBar
          title={t.title}
          subtitle={state.status === 'failed' ? undefined : null}
          back={{ label: t.home, href: href('/') }}
        />
        {state.status === 'failed' ? (
          <NotLoaded
            title={state.failure?.kind === 'offline' ? t.offlineTitle : sentenceOf(state.failure)}
            failure={state.failure}
            onRetry={() => void load(params.orderId ?? '')}
          >
            {state.failure?.kind !== 'refused' && <Continue orderId={params.orderId ?? ''} />}
          </NotLoaded>
        ) : (
          <Page busy>
            <Skeleton height="12rem" />
            <Skeleton height="16rem" />
          </Page>
        )}
      </>
    );
  }
  return (
    <>
      <AppBar
        title={rich(t.titleNumber, { number: <Exact>{order.orderNumber}</Exact> })}
        subtitle={stageText(order)}
        back={{ label: t.home, href: href('/') }}
      >
        <ServiceTag label={order.serviceLabel} />
      </AppBar>
      <Page columns="first">
        <Column>
          {isMoneyOpen(order) ? (
            <PendingOrder order={order} />
          ) : order.orderStatus === 'FAILED' || order.orderStatus === 'CANCELLED' ? (
            <FailedOrder order={order} />
          ) : (
            <PlacedOrder order={order} />
          )}
          <TrainTold order={order} />
          {order.refund && <Refund refund={order.refund} label={order.payment.label} />}
          {isMoneyOpen(order) && <Promo order={order} />}
        </Column>
        <Column>
          <Lines order={order} />
          {order.group && (
            <Shares people={order.group.people}>
              <Button full kind="secondary" href={href(`/group/${order.group.code}`)}>
                {t.guestsSee}
              </Button>
            </Shares>
          )}
          <Actions>
            <Over order={order} />
            <ReadAloud text={aloud(order, formatMoney(order.bill.total, country))} label={t.readAloud} />
            {isOpen('offers') && (
              <Button full kind="secondary" href={href('/postorder-ui/offers')}>
                {t.offersNext}
              </Button>
            )}
            <AllOrders />
            <Button full kind="secondary" href={href('/menu')}>
              {t.backToMenu}
            </Button>
          </Actions>
        </Column>
      </Page>
    </>
  );
}
