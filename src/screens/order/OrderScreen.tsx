import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import {
  CART_BACK, GIVEN_UP, LINK_TRIED, LINK_WAITS, MONEY_AT_DOOR, MONEY_BACK, MONEY_BACK_AT_ONCE, MONEY_COMES_BACK, MONEY_NOT_TAKEN, MONEY_REFUNDING, MONEY_TAKEN, MONEY_TAKEN_TWICE, ORDER_FAILED, PAYMENT_FAILED, REFUND_NOTE, SUBMIT_UNKNOWN,
} from '../../domain/messages.ts';
import { leftOf } from '../../domain/funds.ts';
import { formatMoney } from '../../domain/money.ts';
import { statusText } from '../../domain/orders.ts';
import type { OrderView } from '../../contract/orders.ts';
import { isPlacingAtom, optionsState } from '../../state/checkout.ts';
import { isOpenAtom } from '../../state/config.ts';
import { journalAtom } from '../../state/journal.ts';
import { cancelOrderAtom, isMoneyOpen, nextStepAtom, orderAtom, orderState, settleJournalAtom, settleOrderAtom, waitingSentenceAtom } from '../../state/orders.ts';
import { isCardBusyAtom, savedCardsState, takeCardAtom } from '../../state/payments.ts';
import { sentenceOf } from '../../state/popup.ts';
import { lookAtPushAtom } from '../../state/push.ts';
import { countryAtom, navigateAtom } from '../../state/seams.ts';
import { continuePaymentAtom } from '../../state/checkout.ts';
import { retryPaymentAtom } from '../../state/retry.ts';
import { addShortcutAtom, canAddShortcutAtom } from '../../state/share.ts';
import { vouchersState } from '../../state/vouchers.ts';
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
import { ListRow } from '../../ui/ListRow.tsx';
import { Actions, Aside, Column, Page } from '../../ui/Page.tsx';
import { Price } from '../../ui/Price.tsx';
import { Repeat } from '../../ui/Repeat.tsx';
import { ReadAloud } from '../../ui/ReadAloud.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SuccessPicture } from '../../ui/SuccessPicture.tsx';
import { Tag } from '../../ui/Tag.tsx';
import type { Entered } from '../entered.ts';
import { Shares } from '../group/Shares.tsx';
import { Help } from './Help.tsx';
import { Parts, PartsBack } from './Parts.tsx';
import { Progress } from './Progress.tsx';
import { RedeemVouchers } from './RedeemVouchers.tsx';
import { Refund } from './Refund.tsx';
import { CardFields } from '../payment/CardFields.tsx';
import { ModeIcon } from '../payment/ModeIcon.tsx';
import { PromoBox } from './PromoBox.tsx';
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
  void set(lookAtPushAtom);
  await set(orderState.load, orderId);
  const order = get(orderAtom);
  if (order?.orderId === orderId && isMoneyOpen(order)) {
    await set(settleOrderAtom, order);
    await set(optionsState.load);
    if (get(optionsState.atom).data?.funds.some((one) => one.id === 'EGV')) void set(vouchersState.load);
    void set(savedCardsState.load);
  }
});

/** The order as it is spoken: its state, what is in it and what it costs. */
function aloud({ orderNumber, orderStatus, orderType, lines, eta }: OrderView, total: string): string {
  const dishes = lines.map((line) => `${line.quantity} ${line.product.name}${line.choices.length > 0 ? `, ${line.choices.join(', ')}` : ''}`);
  return [`Order ${orderNumber.split('').join(' ')}: ${statusText(orderStatus, orderType)}.`, eta?.reason ?? '', `${dishes.join('; ')}.`, `Total ${total}.`].join(' ');
}

/** What became of the money, in one sentence; empty while it is open. */
function moneySentence(order: OrderView): string {
  const { payment, orderStatus, refund } = order;
  // Paid with balances alone: nothing is on its way from outside, and what went back is said beside it.
  const isOnlyParts = payment.amount === 0 && (order.parts ?? []).length > 0;
  if (orderStatus === 'CANCELLED' && isOnlyParts) return MONEY_BACK_AT_ONCE;
  if (orderStatus === 'CANCELLED') return refund === null ? MONEY_NOT_TAKEN : refund.state === 'PAID' ? MONEY_BACK : MONEY_REFUNDING;
  if (orderStatus === 'FAILED') return refund ? REFUND_NOTE : payment.state === 'FAILED' && !payment.isGivenUp ? MONEY_NOT_TAKEN : MONEY_COMES_BACK;
  if (payment.state === 'DUE_AT_DOOR') return MONEY_AT_DOOR;
  if (payment.state === 'CAPTURED') return refund ? MONEY_TAKEN_TWICE : MONEY_TAKEN;
  if (payment.state === 'FAILED') return refund ? REFUND_NOTE : payment.isGivenUp ? MONEY_COMES_BACK : MONEY_NOT_TAKEN;
  return '';
}

const ASK_SOMEBODY = 'Ask someone else to pay';
const LINK_EVERY_MS = 5_000;

function Pending({ order }: { order: OrderView }) {
  const next = useAtomValue(nextStepAtom);
  const isPlacing = useAtomValue(isPlacingAtom);
  const options = useAtomValue(optionsState.atom).data?.options ?? [];
  const retry = useSetAtom(retryPaymentAtom);
  const goOn = useSetAtom(continuePaymentAtom);
  const settle = useSetAtom(settleOrderAtom);
  const giveUp = useSetAtom(cancelOrderAtom);
  const waiting = useAtomValue(waitingSentenceAtom);
  const [isCardAsked, setCardAsked] = useState(false);
  const isAsked = next?.kind === 'link';
  // Somebody else's no is not the customer's: their link is still open.
  const hasFailed = order.payment.state === 'FAILED' && !isAsked;
  const now = isAsked ? 'LINK' : order.payment.mode;
  const mayGoOn = !hasFailed && next !== null && next.kind !== 'none';
  const others = hasFailed ? order.payment.mayPayAgain : order.cancel.possible;
  const again = options.find((option) => option.id === now);
  // The card of the last attempt is not kept: it is entered again, or another one.
  const payWith = (mode: OrderView['payment']['mode']) => { if (mode === 'CARD') setCardAsked(true); else void retry(order, mode); };
  if (isCardAsked) return <CardAgain order={order} onBack={() => setCardAsked(false)} />;
  return (
    <>
      <EmptyState
        picture={hasFailed ? <FailedPicture /> : undefined}
        title={hasFailed ? PAYMENT_FAILED : 'Pending confirmation'}
        action={
          <Actions>
            {hasFailed && order.payment.mayPayAgain && again && (
              <Button full busy={isPlacing} onClick={() => payWith(again.id)}>{again.id === 'LINK' ? ASK_SOMEBODY : `Try ${again.label} again`}</Button>
            )}
            {hasFailed && <RedeemVouchers order={order} />}
            {mayGoOn && <Button full onClick={() => void goOn(order, next)}>{isAsked ? 'See the link' : next.kind === 'cod-otp' ? 'Enter the code' : 'Go on with the payment'}</Button>}
            {!hasFailed && <Button full kind="secondary" onClick={() => void settle(order)}>Check now</Button>}
            {order.cancel.possible && <Button full kind="quiet" onClick={() => void giveUp(order.orderId)}>Give this order up</Button>}
          </Actions>
        }
      >
        <p role="status">{isAsked ? (order.payment.state === 'FAILED' ? LINK_TRIED : LINK_WAITS) : moneySentence(order) || waiting(order)}</p>
        {hasFailed && (order.parts ?? []).length > 0 && <p><b><Price amount={leftOf(order.bill.total, order.parts)} /></b> is left to pay; your balance has paid its part.</p>}
        {isAsked && <Repeat everyMs={LINK_EVERY_MS} run={() => void settle(order)} />}
      </EmptyState>
      {others && options.some((option) => option.id !== now) && (
        <Card title="Pay in another way" flush>
          {options.filter((option) => option.id !== now).map((option) => (
            <ListRow
              key={option.id} icon={<ModeIcon mode={option.id} />} onClick={() => { if (!isPlacing) payWith(option.id); }}
              title={option.id === 'LINK' ? ASK_SOMEBODY : `Pay with ${option.label}${hasFailed ? '' : ' instead'}`}
            />
          ))}
        </Card>
      )}
    </>
  );
}

/** A card for another attempt. */
function CardAgain({ order, onBack }: { order: OrderView; onBack: () => void }) {
  const isPlacing = useAtomValue(isPlacingAtom);
  const isCardBusy = useAtomValue(isCardBusyAtom);
  const takeCard = useSetAtom(takeCardAtom);
  const retry = useSetAtom(retryPaymentAtom);
  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (isPlacing || isCardBusy) return;
    if (await takeCard()) await retry(order, 'CARD');
    else document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  return (
    <Card title="Pay with a card">
      <form className={css.promo} noValidate onSubmit={(event) => void pay(event)}>
        <CardFields isOwnCart={false} />
        <Button type="submit" full busy={isPlacing || isCardBusy}>Pay <Price amount={leftOf(order.bill.total, order.parts)} /></Button>
        <Button kind="quiet" full onClick={onBack}>Pay in another way</Button>
      </form>
    </Card>
  );
}

function Failed({ order }: { order: OrderView }) {
  const clock = useClock();
  const isCancelled = order.orderStatus === 'CANCELLED';
  return (
    <EmptyState
      picture={<FailedPicture />}
      title={isCancelled ? 'Order cancelled' : order.retryAt === undefined ? GIVEN_UP : ORDER_FAILED}
      action={!isCancelled && <Actions><Button full href={href('/cart')}>Back to your cart</Button></Actions>}
    >
      <p>{moneySentence(order)}</p>
      <PartsBack order={order} />
      {!isCancelled && <p>{CART_BACK}</p>}
      {order.retryAt !== undefined && <p>You can try again at {clock.time(order.retryAt)}.</p>}
      <p>Need help? Call <Help />.</p>
    </EmptyState>
  );
}

function Placed({ order }: { order: OrderView }) {
  const canAddShortcut = useAtomValue(canAddShortcutAtom);
  const addShortcut = useSetAtom(addShortcutAtom);
  const isNew = order.orderStatus === 'ORDER PLACED' || order.orderStatus === 'ADVANCE ORDER';
  const step = order.steps.find(({ state }) => state === 'current')?.label ?? statusText(order.orderStatus, order.orderType);
  const isDone = order.orderStatus === 'DELIVERED' || order.orderStatus === 'PICKED';
  return (
    <>
      <section className={css.hero} aria-live="polite">
        {(isNew || isDone) && <SuccessPicture />}
        <h2>{isDone ? 'Enjoy your meal!' : order.orderStatus === 'ORDER PLACED' ? 'Thank you! Your order is placed.' : order.orderStatus === 'ADVANCE ORDER' ? 'Thank you! Your order is booked.' : step}</h2>
        {isDone && <p>Thank you for ordering with us.</p>}
        {(!isDone || order.refund) && <p>{moneySentence(order)}</p>}
        {order.orderStatus === 'ORDER PLACED' && <Celebration message={`Order ${order.orderNumber}`} second={order.orderType === 'DELIVERY' ? 'We tell you here how far it is.' : 'We tell you here when it is ready.'} onDone={() => {}} />}
      </section>
      <Progress order={order} />
      {canAddShortcut && !isDone && (
        <Card title="Next time in one tap">
          <p>Put us on your home screen, beside your other apps.</p>
          <Actions><Button full kind="secondary" onClick={() => void addShortcut()}>Add to the home screen</Button></Actions>
        </Card>
      )}
      <Aside>Need help with this order? Call <Help />.</Aside>
    </>
  );
}

/** Confirmation, pending confirmation, failure, thank-you and progress: whatever this order is now. */
export default function OrderScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const held = useAtomValue(orderAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const country = useAtomValue(countryAtom);
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
          ? <EmptyState picture={<EmptyPicture />} title={sentenceOf(state.failure)} action={state.failure?.kind === 'refused' ? <Button href={href('/menu')}>See the menu</Button> : <Button kind="secondary" onClick={() => void load(params.orderId ?? '')}>Try again</Button>} />
          : <Page busy><Skeleton height="12rem" /><Skeleton height="16rem" /></Page>}
      </>
    );
  }
  return (
    <>
      <AppBar title={`Order ${order.orderNumber}`} subtitle={statusText(order.orderStatus, order.orderType)} back={{ label: 'Home', href: href('/') }}>
        <Tag tone="blue">{order.serviceLabel}</Tag>
      </AppBar>
      <Page columns="first">
        <Column>
          {isMoneyOpen(order) ? <Pending order={order} /> : order.orderStatus === 'FAILED' || order.orderStatus === 'CANCELLED' ? <Failed order={order} /> : <Placed order={order} />}
          {order.refund && <Refund refund={order.refund} label={order.payment.label} />}
          {isMoneyOpen(order) && order.payment.state !== 'UNKNOWN' && !order.group && <PromoBox order={order} />}
        </Column>
        <Column>
          <Card title="What you ordered">
            <ul className={css.lines}>
              {order.lines.map((line) => (
                <li key={line.lineId}>
                  <span>{line.quantity} ×</span>
                  <span><FoodMark type={line.product.foodType} /> {line.product.name}<small>{line.choices.join(' · ')}</small>{line.by && <small>for {line.by.name}</small>}</span>
                  <Price amount={line.lineTotal} zero="Free" />
                </li>
              ))}
            </ul>
            <BillLines bill={order.bill} totalLabel={order.payment.state === 'CAPTURED' ? 'Paid' : 'Total'} />
            <Parts order={order} />
          </Card>
          {order.group && <Shares people={order.group.people}><Button full kind="secondary" href={href(`/group/${order.group.code}`)}>What your guests see</Button></Shares>}
          <Actions>
            <ReadAloud text={aloud(order, formatMoney(order.bill.total, country))} label="Read my order to me" />
            {isOpen('offers') && <Button full kind="secondary" href={href('/postorder-ui/offers')}>Offers for your next order</Button>}
            <Button full kind="secondary" href={href('/menu')}>Back to the menu</Button>
          </Actions>
        </Column>
      </Page>
    </>
  );
}
