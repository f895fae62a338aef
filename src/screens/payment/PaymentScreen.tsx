import * as firstText from '#text/first.ts';
import * as t from '#text/payment.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import { placing } from '../../state/checkout/placing.ts';
import { goOnPayingAtom } from '../../state/after/anotherAttempt.ts';
import {
  isReportedAtom,
  nextStepAtom,
  orderAtom,
  isOrderGoneAtom,
  orderState,
  resumePaymentAtom,
  waitingSentenceAtom,
} from '../../state/orders/orders.ts';
import { cashCode, isCashCodeSentAtom, openCashCodeAtom } from '../../state/payment/cashCode.ts';
import { checkAnswerAtom, checkPaidAtom, checkTasks } from '../../state/payment/paymentCheck.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { countryAtom } from '../../state/base/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import type { ScreenInput } from '../base/entered.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { Amount } from '../../ui/money/Amount.tsx';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { CheckPaid } from '../../ui/CheckPaid.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { part } from '../../ui/time/loaded.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { While } from '../../ui/time/While.tsx';
import { OneTimeCodeForm } from '../base/OneTimeCode.tsx';
import css from './PaymentScreen.module.css';

export const enter = atom(null, async (_get, set, { params }: ScreenInput) => {
  const orderId = params.orderId ?? '';
  const next = await set(resumePaymentAtom, orderId);
  if (next?.kind === 'cod-otp') void set(openCashCodeAtom);
});

/** The page that a step of a payment has of its own; null where it is paid here. */
function pageOf(next: PaymentStep | null, orderId: string): string | null {
  const path = next?.kind === 'upi' ? '/upiForm' : next?.kind === 'redirect' ? next.app?.path : undefined;
  return FULL_MODE && path !== undefined ? `${path}?order=${encodeURIComponent(orderId)}` : null;
}

/** What is said of the code: that it was sent, or is being sent, or that there is none. */
const saysOfCode = (isSent: boolean, isSending: boolean) =>
  isSent ? t.cashCodeSent : isSending ? t.cashCodeSending : t.cashCodeNone;

function CashCode({ step }: { step: Extract<PaymentStep, { kind: 'cod-otp' }> }) {
  const country = useAtomValue(countryAtom);
  const busy = useAtomValue(cashCode.busyAtom);
  const isSent = useAtomValue(isCashCodeSentAtom);
  return (
    <OneTimeCodeForm
      of={cashCode}
      id="cash-code"
      label={t.code}
      submit={t.cashConfirm}
      again={isSent ? undefined : t.cashCodeSend}
    >
      {/* What was there with the page is read with it; what becomes of a code that was not is told. */}
      <p role={step.sent === false ? 'status' : undefined}>
        {rich(saysOfCode(isSent, busy === 'send' || busy === 'again'), {
          mobile: <Exact>{writtenPhone(step.mobile, country)}</Exact>,
        })}
      </p>
    </OneTimeCodeForm>
  );
}

/** The payment sheet of the host: it may be closed, or have said nothing. */
function HostStep({ order, next }: { order: OrderView; next: PaymentStep }) {
  const goOn = useSetAtom(goOnPayingAtom);
  const check = useSetAtom(checkPaidAtom);
  const isChecking = useAtomValue(checkTasks.isBusyAtom);
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const isReported = useAtomValue(isReportedAtom)(order);
  const answer = useAtomValue(checkAnswerAtom)(order.orderId);
  const waiting = useAtomValue(waitingSentenceAtom);
  return (
    <div className={css.form}>
      <p role="status">{answer || waiting(order)}</p>
      {isReported ? (
        <Button full kind="secondary" busy={isChecking} onClick={() => void check(order)}>
          {t.checkNow}
        </Button>
      ) : (
        <Button full kind="secondary" busy={isPlacing} onClick={() => void goOn(order, next)}>
          {t.openAgain}
        </Button>
      )}
    </div>
  );
}

/** Nothing but time is missing. */
function Waiting({ order }: { order: OrderView }) {
  const check = useSetAtom(checkPaidAtom);
  const isChecking = useAtomValue(checkTasks.isBusyAtom);
  const answerOf = useAtomValue(checkAnswerAtom);
  const waiting = useAtomValue(waitingSentenceAtom);
  return (
    <div className={css.form}>
      <p role="status">{waiting(order)}</p>
      <CheckPaid
        label={t.checkNow}
        busy={isChecking}
        answer={answerOf(order.orderId)}
        onCheck={() => void check(order)}
      />
    </div>
  );
}

/** A payment outside a host: an order that is paid at the door needs none. */
const OwnStep = FULL_MODE
  ? part(
      () => import('./OwnStep.tsx'),
      () => <Skeleton height="6rem" />,
    )
  : () => null;

function NextStep({ order, next }: { order: OrderView; next: PaymentStep | null }) {
  if (HOSTED && next?.kind === 'host') return <HostStep order={order} next={next} />;
  if (next?.kind === 'cod-otp') return <CashCode step={next} />;
  // An order of an app is paid there.
  const isOurs = next !== null && next.kind !== 'none' && next.kind !== 'host';
  return FULL_MODE && isOurs ? <OwnStep order={order} next={next} /> : <Waiting order={order} />;
}

/** Shown until the order is known, and when it cannot be loaded. */
function Missing({ orderId }: { orderId: string }) {
  const state = useAtomValue(orderState.atom);
  const load = useSetAtom(orderState.load);
  return (
    <>
      <AppBar
        title={t.orderTitle}
        subtitle={state.status === 'failed' ? undefined : null}
        back={{ label: t.home, href: href('/') }}
      />
      {state.status === 'failed' ? (
        <EmptyState
          picture={<EmptyPicture />}
          title={sentenceOf(state.failure)}
          action={
            <Button kind="secondary" onClick={() => void load(orderId)}>
              {firstText.tryAgain}
            </Button>
          }
        />
      ) : (
        <Page busy>
          <Skeleton height="10rem" />
        </Page>
      )}
    </>
  );
}

/** One payment that still needs the customer. */
export default function PaymentScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const order = useAtomValue(orderAtom);
  const next = useAtomValue(nextStepAtom);
  const { go } = useAtomValue(navigateAtom);
  const orderId = params.orderId ?? '';
  const isGone = useAtomValue(isOrderGoneAtom)(orderId);
  if (!order || order.orderId !== orderId || isGone) return <Missing orderId={orderId} />;
  const page = pageOf(next, orderId);
  if (page !== null)
    return (
      <>
        <While name={page} run={() => go(page, { replace: true })} />
        <Missing orderId={orderId} />
      </>
    );
  return (
    <>
      <AppBar
        title={t.orderTitle}
        subtitle={rich(t.orderNumber, { number: <Exact>{order.orderNumber}</Exact> })}
        back={{ label: t.home, href: href('/') }}
      />
      <Page>
        <Card>
          <Amount amount={order.payment.amount} />
          <p className={css.mode}>{next?.kind === 'link' ? t.somebodyPays : order.payment.label}</p>
          <NextStep order={order} next={next} />
        </Card>
        <a className={css.other} href={href(`/order/${order.orderId}`)}>
          {t.seeOrderOrPay}
        </a>
      </Page>
    </>
  );
}
