import { atom, useAtomValue, useSetAtom } from 'jotai';
import {
  MONEY_AT_DOOR, MONEY_COMES_BACK, MONEY_NOT_TAKEN, MONEY_REFUNDING, MONEY_TAKEN, MONEY_TAKEN_TWICE, MONEY_UNKNOWN, ORDER_FAILED, PAYMENT_FAILED, REFUND_NOTE, SUBMIT_UNKNOWN,
} from '../../domain/messages.ts';
import { statusText } from '../../domain/orders.ts';
import type { OrderView } from '../../contract/orders.ts';
import { isPlacingAtom, optionsState, retryPaymentAtom } from '../../state/checkout.ts';
import { journalAtom } from '../../state/journal.ts';
import { cancelOrderAtom, isMoneyOpen, nextStepAtom, orderAtom, orderState, settleJournalAtom, settleOrderAtom } from '../../state/orders.ts';
import { sentenceOf } from '../../state/popup.ts';
import { countryAtom, navigateAtom } from '../../state/seams.ts';
import { continuePaymentAtom } from '../../state/checkout.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BillLines } from '../../ui/BillLines.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Celebration } from '../../ui/Celebration.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailedPicture } from '../../ui/FailedPicture.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/Price.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SuccessPicture } from '../../ui/SuccessPicture.tsx';
import { Tag } from '../../ui/Tag.tsx';
import type { Entered } from '../entered.ts';
import { Progress } from './Progress.tsx';
import { useClock } from './clock.ts';
import css from './OrderScreen.module.css';

export const enter = atom(null, async (get, set, { params }: Entered) => {
  const orderId = params.orderId ?? '';
  if (orderId === 'open') {
    // The answer to a submit was lost: its key tells what became of it.
    await set(settleJournalAtom);
    const found = get(journalAtom)?.orderId;
    if (found) get(navigateAtom).go(`/order/${found}`, { replace: true });
    else if (get(journalAtom) === null) get(navigateAtom).go('/cart', { replace: true });
    return;
  }
  await set(orderState.load, orderId);
  const order = get(orderAtom);
  if (order?.orderId === orderId && isMoneyOpen(order)) {
    await set(settleOrderAtom, order);
    void set(optionsState.load);
  }
});

/** What the money is doing, in one sentence. */
function moneySentence(order: OrderView): string {
  const { payment, orderStatus, refund } = order;
  if (orderStatus === 'CANCELLED') return refund ? MONEY_REFUNDING : MONEY_NOT_TAKEN;
  if (orderStatus === 'FAILED') return refund ? REFUND_NOTE : payment.state === 'FAILED' ? MONEY_NOT_TAKEN : MONEY_COMES_BACK;
  if (payment.state === 'DUE_AT_DOOR') return MONEY_AT_DOOR;
  if (payment.state === 'CAPTURED') return refund ? MONEY_TAKEN_TWICE : MONEY_TAKEN;
  if (payment.state === 'FAILED') return MONEY_NOT_TAKEN;
  return MONEY_UNKNOWN;
}

function Pending({ order }: { order: OrderView }) {
  const next = useAtomValue(nextStepAtom);
  const isPlacing = useAtomValue(isPlacingAtom);
  const options = useAtomValue(optionsState.atom).data?.options ?? [];
  const retry = useSetAtom(retryPaymentAtom);
  const goOn = useSetAtom(continuePaymentAtom);
  const settle = useSetAtom(settleOrderAtom);
  const giveUp = useSetAtom(cancelOrderAtom);
  const hasFailed = order.payment.state === 'FAILED';
  return (
    <EmptyState
      picture={hasFailed ? <FailedPicture /> : undefined}
      title={hasFailed ? PAYMENT_FAILED : 'Pending confirmation'}
      action={
        <div className={css.actions}>
          {order.payment.mayPayAgain && options.map((option) => (
            <Button key={option.id} full kind={option.id === order.payment.mode ? 'primary' : 'secondary'} busy={isPlacing} onClick={() => void retry(order, option.id)}>
              {option.id === order.payment.mode ? `Try ${option.label} again` : `Pay with ${option.label}`}
            </Button>
          ))}
          {!hasFailed && next !== null && next.kind !== 'none' && <Button full onClick={() => void goOn(order, next)}>Go on with the payment</Button>}
          {!hasFailed && <Button full kind="secondary" onClick={() => void settle(order)}>Check now</Button>}
          {!hasFailed && order.cancel.possible && options.filter((option) => option.id !== order.payment.mode).map((option) => (
            <Button key={option.id} full kind="secondary" busy={isPlacing} onClick={() => void retry(order, option.id)}>Pay with {option.label} instead</Button>
          ))}
          {order.cancel.possible && <Button full kind="quiet" onClick={() => void giveUp(order.orderId)}>Give this order up</Button>}
        </div>
      }
    >
      <p role="status">{moneySentence(order)}</p>
    </EmptyState>
  );
}

function Failed({ order }: { order: OrderView }) {
  const country = useAtomValue(countryAtom);
  const clock = useClock();
  const { refund } = order;
  const isCancelled = order.orderStatus === 'CANCELLED';
  return (
    <EmptyState
      picture={<FailedPicture />}
      title={isCancelled ? 'Order cancelled' : ORDER_FAILED}
      action={<div className={css.actions}><Button full href={href('/cart')}>Back to your cart</Button></div>}
    >
      <p>{moneySentence(order)}</p>
      {order.retryAt !== undefined && <p>You can try again at {clock.time(order.retryAt)}.</p>}
      {refund && <p><Price amount={refund.amount} /> arrives between {clock.date(refund.expectedFrom)} and {clock.date(refund.expectedTo)}.</p>}
      <p>Need help? Call {country.HELP_DESK_NO}.</p>
    </EmptyState>
  );
}

function Placed({ order }: { order: OrderView }) {
  const country = useAtomValue(countryAtom);
  const clock = useClock();
  const { refund } = order;
  const isDone = order.orderStatus === 'DELIVERED' || order.orderStatus === 'PICKED';
  return (
    <>
      <section className={css.hero} aria-live="polite">
        <SuccessPicture />
        <h2>{isDone ? 'Enjoy your meal!' : order.orderStatus === 'ORDER PLACED' ? 'Thank you! Your order is placed.' : statusText(order.orderStatus, order.orderType)}</h2>
        <p>{moneySentence(order)}</p>
        {refund && <p><Price amount={refund.amount} /> arrives between {clock.date(refund.expectedFrom)} and {clock.date(refund.expectedTo)}.</p>}
        {order.orderStatus === 'ORDER PLACED' && <Celebration message={`Order ${order.orderNumber}`} second={order.eta?.reason ?? ''} onDone={() => {}} />}
      </section>
      <Progress order={order} />
      <p className={css.help}>Need help with this order? Call {country.HELP_DESK_NO}.</p>
    </>
  );
}

/** Confirmation, pending confirmation, failure, thank-you and progress: whatever this order is now. */
export default function OrderScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const held = useAtomValue(orderAtom);
  const state = useAtomValue(orderState.atom);
  const load = useSetAtom(orderState.load);
  const settleJournal = useSetAtom(settleJournalAtom);
  const order = held?.orderId === params.orderId ? held : null;
  if (params.orderId === 'open') {
    return (
      <>
        <AppBar title="Your order" back={{ label: 'Home', href: href('/') }} />
        <EmptyState title="One moment" action={<Button kind="secondary" onClick={() => void settleJournal()}>Check now</Button>}><p role="status">{SUBMIT_UNKNOWN}</p></EmptyState>
      </>
    );
  }
  if (!order) {
    return (
      <>
        <AppBar title="Your order" back={{ label: 'Home', href: href('/') }} />
        {state.status === 'failed'
          ? <EmptyState picture={<EmptyPicture />} title={sentenceOf(state.failure)} action={<Button kind="secondary" onClick={() => void load(params.orderId ?? '')}>Try again</Button>} />
          : <div className={css.page} aria-busy="true"><Skeleton height="12rem" /><Skeleton height="16rem" /></div>}
      </>
    );
  }
  return (
    <>
      <AppBar title={`Order ${order.orderNumber}`} subtitle={statusText(order.orderStatus, order.orderType)} back={{ label: 'Home', href: href('/') }}>
        <Tag tone="blue">{order.serviceLabel}</Tag>
      </AppBar>
      <div className={css.page}>
        {isMoneyOpen(order) ? <Pending order={order} /> : order.orderStatus === 'FAILED' || order.orderStatus === 'CANCELLED' ? <Failed order={order} /> : <Placed order={order} />}
        <Card title="What you ordered">
          <ul className={css.lines}>
            {order.lines.map((line) => (
              <li key={line.lineId}>
                <span>{line.quantity} ×</span>
                <span><FoodMark type={line.product.foodType} /> {line.product.name}<small>{line.choices.join(' · ')}</small></span>
                <Price amount={line.lineTotal} zero="Free" />
              </li>
            ))}
          </ul>
          <BillLines bill={order.bill} totalLabel={order.payment.state === 'CAPTURED' ? 'Paid' : 'Total'} />
        </Card>
        <div className={css.actions}><Button full kind="secondary" href={href('/menu')}>Back to the menu</Button></div>
      </div>
    </>
  );
}
