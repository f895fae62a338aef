import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { leftOf } from '../../domain/funds.ts';
import type { OrderView } from '../../contract/orders.ts';
import { checkAnswerAtom, checkPaidAtom, checkTasks } from '../../state/payment/paymentCheck.ts';
import { placing } from '../../state/checkout/placing.ts';
import { isBackWithCardAtom } from '../../state/drafts/card.ts';
import { cancelOrderAtom, isReportedAtom, waitingSentenceAtom } from '../../state/orders/orders.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { isChoiceNeeded } from '../../state/drafts/paymentChoice.ts';
import { goOnPayingAtom, retryPaymentAtom } from '../../state/after/anotherAttempt.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { FailedPicture } from '../../ui/pictures/FailedPicture.tsx';
import { Actions } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { CardAgain, ChoiceAgain } from './PayAgain.tsx';
import { RedeemVouchers } from './RedeemVouchers.tsx';
import { moneySentence } from '../base/words.ts';
import { usePending, useOptions, type PayWith } from './pending.ts';
import { OtherModes } from './OtherModes.tsx';

export default function PendingOrder({ order }: { order: OrderView }) {
  const retry = useSetAtom(retryPaymentAtom);
  const { hasFailed } = usePending(order);
  const options = useOptions(order);
  const [isBackWithCard, setBackWithCard] = useAtom(isBackWithCardAtom);
  const [chosen, setAsked] = useState<OrderView['payment']['mode'] | null>(null);
  const asked = chosen ?? (isBackWithCard ? 'CARD' : null);
  const option = options?.find((one) => one.id === asked);
  // Card data is never kept, so a card has to be entered again; a bank is asked for here, not on a page of its own.
  const payWith: PayWith = (mode) => {
    if (mode === 'CARD' || isChoiceNeeded(options?.find((one) => one.id === mode))) setAsked(mode);
    else void retry(order, mode);
  };
  const onBack = () => {
    setBackWithCard(false);
    setAsked(null);
  };
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
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const options = useOptions(order);
  const goOn = useSetAtom(goOnPayingAtom);
  const check = useSetAtom(checkPaidAtom);
  const isChecking = useAtomValue(checkTasks.isBusyAtom);
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
  const hasCart = useAtomValue(cartCountAtom) > 0;
  const ofLink = order.payment.state === 'FAILED' ? t.linkTried : errors.linkWaits;
  return (
    <>
      <p role="status">{isAsked ? answer || ofLink : moneySentence(order) || answer || waiting(order)}</p>
      {hasCart && <p>{t.cartWaits}</p>}
      {hasFailed && away && <p>{away}</p>}
      {hasFailed && (order.parts ?? []).length > 0 && (
        <p>
          {rich(t.leftAfterBalance, { amount: <Price amount={leftOf(order.bill.total, order.parts)} />, b: <b /> })}
        </p>
      )}
    </>
  );
}
