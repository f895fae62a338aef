import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { hasFundsConflict, leftOf } from '../../domain/funds.ts';
import { formatMoney } from '../../domain/money.ts';
import type { OrderView } from '../../contract/orders.ts';
import { checkAnswerAtom, checkPaidAtom, isCheckingAtom } from '../../state/checking.ts';
import { optionsNamed } from '../../contract/payments.ts';
import { isPlacingAtom, optionsState } from '../../state/checkout.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { journalAtom } from '../../state/journal.ts';
import {
  cancelOrderAtom,
  isMoneyOpen,
  isReportedAtom,
  nextStepAtom,
  orderAtom,
  isOrderGoneAtom,
  orderState,
  settleJournalAtom,
  settleOrderAtom,
  waitingSentenceAtom,
} from '../../state/orders.ts';
import { isChoiceNeeded } from '../../state/paymentChoice.ts';
import { enterCardsAtom } from '../../state/payments.ts';
import { sentenceOf } from '../../state/popup.ts';
import { loyaltyState } from '../../state/loyalty.ts';
import { lookAtPushAtom } from '../../state/push.ts';
import { countryAtom } from '../../state/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { goOnPayingAtom, retryPaymentAtom } from '../../state/retry.ts';
import { addShortcutAtom, canAddShortcutAtom } from '../../state/share.ts';
import { vouchersState } from '../../state/vouchers.ts';
import { madeOf } from '../../domain/madeOf.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Celebration } from '../../ui/Celebration.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailedPicture } from '../../ui/FailedPicture.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/ListRow.tsx';
import { Actions, Aside, Column, Page } from '../../ui/Page.tsx';
import { Price } from '../../ui/Price.tsx';
import { ReadAloud } from '../../ui/ReadAloud.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SuccessPicture } from '../../ui/SuccessPicture.tsx';
import { While } from '../../ui/While.tsx';
import type { Entered } from '../entered.ts';
import { NotLoaded } from '../NotLoaded.tsx';
import { RateCard } from '../feedback/RateCard.tsx';
import { ChatCard } from '../chat/ChatRow.tsx';
import { Shares } from '../group/Shares.tsx';
import { HelpCard } from '../help/HelpCard.tsx';
import { GoesOn } from './GoesOn.tsx';
import { InvoiceButton } from './InvoiceButton.tsx';
import { Help } from './Help.tsx';
import { Lines } from './Lines.tsx';
import { PartsBack } from './Parts.tsx';
import { OrderAgain } from './OrderAgain.tsx';
import { ComingPoints } from './ComingPoints.tsx';
import { CardAgain, ChoiceAgain } from './PayAgain.tsx';
import { OnTheWay, TrainTold } from './OnTheWay.tsx';
import { RedeemVouchers } from './RedeemVouchers.tsx';
import { Refund } from './Refund.tsx';
import { ModeIcon } from '../payment/ModeIcon.tsx';
import { PromoBox } from './PromoBox.tsx';
import { useClock } from './clock.ts';
import { moneySentence, stageText } from './words.ts';
import { ServiceTag } from './ServiceTag.tsx';
import css from './OrderScreen.module.css';

export const enter = atom(null, async (get, set, { params }: Entered) => {
  const orderId = params.orderId ?? '';
  if (orderId === 'open') {
    // The answer to the order was lost: its key finds out what became of it.
    await set(settleJournalAtom);
    const found = get(journalAtom)?.orderId;
    if (found) get(navigateAtom).go(`/order/${found}`, { replace: true });
    else if (get(journalAtom) === null) get(navigateAtom).go('/cart', { replace: true });
    return;
  }
  void set(lookAtPushAtom);
  void set(loyaltyState.load);
  await set(orderState.load, orderId);
  const order = get(orderAtom);
  if (order?.orderId === orderId && isMoneyOpen(order)) {
    await set(settleOrderAtom, order);
    await set(optionsState.load);
    if (FULL_MODE) {
      if (get(optionsState.atom).data?.funds.some((one) => one.id === 'EGV')) void set(vouchersState.load);
      void set(enterCardsAtom);
    }
  }
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

/** What an unpaid order waits for, and what can be done about it. */
function usePending(order: OrderView) {
  const next = useAtomValue(nextStepAtom);
  const isAsked = next?.kind === 'link';
  // If somebody else was asked to pay and did not, their link is still open: nothing has failed for the customer.
  const hasFailed = order.payment.state === 'FAILED' && !isAsked;
  return { next, isAsked, hasFailed, mode: isAsked ? 'LINK' : order.payment.mode };
}
/** The ways to pay, by the names that they have for this order. */
function useOptions(order: OrderView) {
  const options = useAtomValue(optionsState.atom).data?.options;
  return options && optionsNamed(options, order.orderType);
}
type PayWith = (mode: OrderView['payment']['mode']) => void;

function Pending({ order }: { order: OrderView }) {
  const retry = useSetAtom(retryPaymentAtom);
  const { hasFailed } = usePending(order);
  const options = useOptions(order);
  const [asked, setAsked] = useState<OrderView['payment']['mode'] | null>(null);
  const option = options?.find((one) => one.id === asked);
  // Card data is never kept, so a card has to be entered again; a bank is asked for here, not on a page of its own.
  const payWith: PayWith = (mode) => {
    if (mode === 'CARD' || isChoiceNeeded(options?.find((one) => one.id === mode))) setAsked(mode);
    else void retry(order, mode);
  };
  const onBack = () => setAsked(null);
  if (FULL_MODE && asked === 'CARD') return <CardAgain order={order} onBack={onBack} />;
  if (FULL_MODE && option) return <ChoiceAgain order={order} option={option} onBack={onBack} />;
  return (
    <>
      <EmptyState
        picture={hasFailed ? <FailedPicture /> : undefined}
        title={<span data-news>{hasFailed ? errors.paymentFailed : t.pendingTitle}</span>}
        action={<PendingActions order={order} payWith={payWith} />}
      >
        <PendingMoney order={order} />
      </EmptyState>
      <OtherModes order={order} payWith={payWith} />
    </>
  );
}

function PendingActions({ order, payWith }: { order: OrderView; payWith: PayWith }) {
  const isPlacing = useAtomValue(isPlacingAtom);
  const options = useOptions(order);
  const goOn = useSetAtom(goOnPayingAtom);
  const check = useSetAtom(checkPaidAtom);
  const isChecking = useAtomValue(isCheckingAtom);
  const isReported = useAtomValue(isReportedAtom)(order);
  const giveUp = useSetAtom(cancelOrderAtom);
  const { next, isAsked, hasFailed, mode } = usePending(order);
  const again = options?.find((option) => option.id === mode);
  return (
    <Actions>
      {hasFailed && order.payment.mayPayAgain && again && again.disabledReason === undefined && (
        <Button full busy={isPlacing} onClick={() => payWith(again.id)}>
          {again.id === 'LINK' ? t.askSomebody : t.tryModeAgain({ mode: again.label })}
        </Button>
      )}
      {FULL_MODE && hasFailed && <RedeemVouchers order={order} />}
      {!hasFailed && !isReported && next !== null && next.kind !== 'none' && (
        <Button full busy={isPlacing} onClick={() => void goOn(order, next)}>
          {isAsked ? t.seeLink : next.kind === 'cod-otp' ? t.enterCode : t.goOnPaying}
        </Button>
      )}
      {!hasFailed && (
        <Button full kind="secondary" busy={isChecking} onClick={() => void check(order)}>
          {t.checkNow}
        </Button>
      )}
      {order.cancel.possible && (
        <Button full kind="quiet" onClick={() => void giveUp(order.orderId)}>
          {t.giveUp}
        </Button>
      )}
    </Actions>
  );
}

function PendingMoney({ order }: { order: OrderView }) {
  const waiting = useAtomValue(waitingSentenceAtom);
  const found = useAtomValue(checkAnswerAtom)(order.orderId);
  // How long the bank may take is more than when it was asked last.
  const answer = order.payment.state === 'UNKNOWN' ? '' : found;
  const { isAsked, hasFailed, mode } = usePending(order);
  const away = useOptions(order)?.find((option) => option.id === mode)?.disabledReason;
  const ofLink = order.payment.state === 'FAILED' ? t.linkTried : errors.linkWaits;
  return (
    <>
      <p role="status">{isAsked ? answer || ofLink : moneySentence(order) || answer || waiting(order)}</p>
      {hasFailed && away && <p>{away}</p>}
      {hasFailed && (order.parts ?? []).length > 0 && (
        <p>
          {rich(t.leftAfterBalance, { amount: <Price amount={leftOf(order.bill.total, order.parts)} />, b: <b /> })}
        </p>
      )}
    </>
  );
}

function OtherModes({ order, payWith }: { order: OrderView; payWith: PayWith }) {
  const isPlacing = useAtomValue(isPlacingAtom);
  const options = useOptions(order);
  const { hasFailed, mode } = usePending(order);
  // Cash beside a part that the wallet has paid would only be refused.
  const wallet = (order.parts ?? []).some((part) => part.mode === 'WALLET');
  const others =
    options?.filter(
      ({ id, disabledReason }) =>
        id !== mode && disabledReason === undefined && !hasFundsConflict({ wallet, vouchers: 0, mode: id }),
    ) ?? [];
  const isOffered = hasFailed ? order.payment.mayPayAgain : order.cancel.possible;
  if (!isOffered || others.length === 0) return null;
  return (
    <Card title={t.payOtherWay} flush>
      {others.map((option) => (
        <ListRow
          key={option.id}
          icon={<ModeIcon mode={option.id} />}
          onClick={() => {
            if (!isPlacing) payWith(option.id);
          }}
          title={
            option.id === 'LINK' ? t.askSomebody : (hasFailed ? t.payWith : t.payWithInstead)({ mode: option.label })
          }
        />
      ))}
    </Card>
  );
}

function Failed({ order }: { order: OrderView }) {
  const clock = useClock();
  const isCancelled = order.orderStatus === 'CANCELLED';
  return (
    <EmptyState
      picture={<FailedPicture />}
      title={
        <span data-news>
          {isCancelled ? t.cancelledTitle : order.retryAt === undefined ? errors.givenUp : errors.orderFailed}
        </span>
      }
      action={
        !isCancelled && (
          <Actions>
            <Button full href={href('/cart')}>
              {t.backToCart}
            </Button>
          </Actions>
        )
      }
    >
      <p>{moneySentence(order)}</p>
      <PartsBack order={order} />
      {!isCancelled && <p>{t.cartBack}</p>}
      {order.retryAt !== undefined && <p>{t.retryAt({ time: clock.time(order.retryAt) })}</p>}
      <p>{rich(t.needHelp, { help: <Help /> })}</p>
      {FULL_MODE && <HelpCard orderId={order.orderId} />}
    </EmptyState>
  );
}

/** It was handed over. */
const isDone = ({ orderStatus }: OrderView) => orderStatus === 'DELIVERED' || orderStatus === 'PICKED';

/** A payment app has no assistant. */
const Chat = FULL_MODE ? ChatCard : () => null;
/** The webview of a payment app keeps no file that a page makes. */
const Invoice = FULL_MODE ? InvoiceButton : () => null;

function Placed({ order }: { order: OrderView }) {
  const canAddShortcut = useAtomValue(canAddShortcutAtom);
  const addShortcut = useSetAtom(addShortcutAtom);
  const isBooked = order.orderStatus === 'ADVANCE ORDER';
  const isNew = order.orderStatus === 'ORDER PLACED' || isBooked;
  const isOver = isDone(order);
  return (
    <>
      {/* The region stays, so that screen readers hear what appears in it. Once the kitchen is at work, the progress below says all. */}
      <section className={css.hero} aria-live="polite">
        {(isNew || isOver) && (
          <>
            <SuccessPicture />
            <h2>
              <span data-news>{isOver ? t.doneTitle : isBooked ? t.bookedTitle : t.placedTitle}</span>
            </h2>
            <p>{isOver ? t.doneText : moneySentence(order)}</p>
          </>
        )}
        {!isNew && order.refund && <p>{moneySentence(order)}</p>}
        {order.orderStatus === 'ORDER PLACED' && (
          <Celebration
            message={t.placedNumber({ number: order.orderNumber })}
            second={t.placedNext({ type: order.orderType })}
            onDone={() => {}}
          />
        )}
      </section>
      {FULL_MODE && isOver && <RateCard orderId={order.orderId} />}
      <ComingPoints order={order} />
      <OnTheWay order={order} isNamed={isNew} />
      {canAddShortcut && !isOver && (
        <Card title={t.shortcutTitle}>
          <p>{t.shortcutText}</p>
          <Actions>
            <Button full kind="secondary" onClick={() => void addShortcut()}>
              {t.shortcutAdd}
            </Button>
          </Actions>
        </Card>
      )}
      {FULL_MODE && isOver ? (
        <HelpCard orderId={order.orderId} />
      ) : (
        <>
          <Chat orderId={order.orderId} />
          <Aside>{rich(t.needHelpWithOrder, { help: <Help /> })}</Aside>
        </>
      )}
    </>
  );
}

/** An order that failed has put its dishes back into the cart by itself. */
function Again({ order }: { order: OrderView }) {
  return (isDone(order) || order.orderStatus === 'CANCELLED') && <OrderAgain full orderId={order.orderId} />;
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
        <AppBar title={t.title} subtitle={null} back={{ label: t.home, href: href('/') }} />
        {state.status === 'failed' ? (
          <NotLoaded
            title={state.failure?.kind === 'offline' ? t.offlineTitle : sentenceOf(state.failure)}
            failure={state.failure}
            onRetry={() => void load(params.orderId ?? '')}
          >
            {state.failure?.kind !== 'refused' && <GoesOn orderId={params.orderId ?? ''} />}
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
        title={t.titleNumber({ number: order.orderNumber })}
        subtitle={stageText(order)}
        back={{ label: t.home, href: href('/') }}
      >
        <ServiceTag label={order.serviceLabel} />
      </AppBar>
      <Page columns="first">
        <Column>
          {isMoneyOpen(order) ? (
            <Pending order={order} />
          ) : order.orderStatus === 'FAILED' || order.orderStatus === 'CANCELLED' ? (
            <Failed order={order} />
          ) : (
            <Placed order={order} />
          )}
          <TrainTold order={order} />
          {order.refund && <Refund refund={order.refund} label={order.payment.label} />}
          {isMoneyOpen(order) && order.payment.state !== 'UNKNOWN' && !order.group && <PromoBox order={order} />}
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
            <Again order={order} />
            <Invoice order={order} full kind="secondary" />
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
