import * as t from '#text/payment.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import { isPlacingAtom } from '../../state/checkout.ts';
import { goOnPayingAtom } from '../../state/retry.ts';
import { isLinkBusyAtom } from '../../state/linkedWallets.ts';
import {
  isReportedAtom,
  nextStepAtom,
  orderAtom,
  isOrderGoneAtom,
  orderState,
  resumePaymentAtom,
  waitingSentenceAtom,
} from '../../state/orders.ts';
import {
  checkCodCodeAtom,
  codErrorAtom,
  codResendAtAtom,
  codTypedAtom,
  expectCodCodeAtom,
  isCodBusyAtom,
  isCodSentAtom,
  listenForCodCodeAtom,
  sendCodCodeAtom,
  typeCodCodeAtom,
} from '../../state/cashCode.ts';
import { checkAnswerAtom, checkPaidAtom, isCheckingAtom } from '../../state/checking.ts';
import { sentenceOf } from '../../state/popup.ts';
import { countryAtom } from '../../state/country.ts';
import { navigateAtom, originAtom } from '../../state/first/seams.ts';
import type { Entered } from '../entered.ts';
import { addressAt } from '../../domain/addressAt.ts';
import { writtenPhone } from '../../domain/phone.ts';
import { Amount } from '../../ui/Amount.tsx';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CheckPaid } from '../../ui/CheckPaid.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/Page.tsx';
import { Price } from '../../ui/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { While } from '../../ui/While.tsx';
import { LinkStep } from './LinkStep.tsx';
import { SendAgain } from './SendAgain.tsx';
import css from './PaymentScreen.module.css';

export const enter = atom(null, async (_get, set, { params }: Entered) => {
  const orderId = params.orderId ?? '';
  const next = await set(resumePaymentAtom, orderId);
  if (next?.kind === 'cod-otp') {
    void set(expectCodCodeAtom, next);
    void set(listenForCodCodeAtom, next.transactionId);
  }
});

/** The page that a step of a payment has of its own; null where it is paid here. */
function pageOf(next: PaymentStep | null, orderId: string): string | null {
  const path = next?.kind === 'upi' ? '/upiForm' : next?.kind === 'redirect' ? next.app?.path : undefined;
  return FULL_MODE && path !== undefined ? `${path}?order=${encodeURIComponent(orderId)}` : null;
}

/** What is said of the code: that it was sent, or is being sent, or that there is none. */
const saysOfCode = (isSent: boolean, isBusy: boolean) =>
  isSent ? t.cashCodeSent : isBusy ? t.cashCodeSending : t.cashCodeNone;

function CashCode({ step }: { step: Extract<PaymentStep, { kind: 'cod-otp' }> }) {
  const { transactionId } = step;
  const country = useAtomValue(countryAtom);
  const typed = useAtomValue(codTypedAtom);
  const type = useSetAtom(typeCodCodeAtom);
  const error = useAtomValue(codErrorAtom);
  const busy = useAtomValue(isCodBusyAtom);
  const isSent = useAtomValue(isCodSentAtom)(step);
  const resendAt = useAtomValue(codResendAtAtom);
  const check = useSetAtom(checkCodCodeAtom);
  const send = useSetAtom(sendCodCodeAtom);
  // A wrong code stays, and is ready to be typed over.
  const again = (isRight: boolean) => {
    const field = isRight ? null : (document.getElementById('cash-code') as HTMLInputElement | null);
    field?.focus();
    field?.select();
  };
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void check(transactionId).then(again);
      }}
    >
      {/* What was there with the page is read with it; what becomes of a code that was not is told. */}
      <p role={step.sent === false ? 'status' : undefined}>
        {saysOfCode(isSent, busy)({ mobile: writtenPhone(step.mobile, country) })}
      </p>
      <Field
        id="cash-code"
        label={t.code}
        name="code"
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="done"
        maxLength={12}
        value={typed}
        error={error || undefined}
        onChange={(event) => void type(transactionId, event.target.value).then(again)}
      />
      <Button type="submit" full busy={busy}>
        {t.cashConfirm}
      </Button>
      <div className={css.resend}>
        <SendAgain
          label={isSent ? undefined : t.cashCodeSend}
          resendAt={resendAt}
          busy={busy}
          send={() => void send(transactionId)}
        />
      </div>
    </form>
  );
}

/** The payment sheet of the host: it may be closed, or have said nothing. */
function HostStep({ order, next }: { order: OrderView; next: PaymentStep }) {
  const goOn = useSetAtom(goOnPayingAtom);
  const check = useSetAtom(checkPaidAtom);
  const isChecking = useAtomValue(isCheckingAtom);
  const isPlacing = useAtomValue(isPlacingAtom);
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
  const isChecking = useAtomValue(isCheckingAtom);
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

/** What a payment outside a host waits for: the bank's page, a linked wallet, or somebody else. */
function OwnStep({ order, next }: { order: OrderView; next: PaymentStep }) {
  const goOn = useSetAtom(goOnPayingAtom);
  const origin = useAtomValue(originAtom);
  const isTaking = useAtomValue(isLinkBusyAtom);
  switch (next.kind) {
    case 'link':
      return <LinkStep order={order} token={next.token} expiresAt={next.expiresAt} />;
    case 'redirect':
      // A payment app's page has a screen of its own before it.
      if (next.app) return null;
      return (
        <div className={css.form}>
          <p>{t.leaveForBank}</p>
          <Button full href={addressAt(origin, next.paymentUrl)} data-leave>
            {t.goToBank}
          </Button>
        </div>
      );
    case 'linked':
      return (
        <div className={css.form}>
          <p>{t.linkedTakes({ label: next.label })}</p>
          <Button full busy={isTaking} onClick={() => void goOn(order, next)}>
            {rich(t.payAmount, { amount: <Price amount={next.amount} /> })}
          </Button>
        </div>
      );
    default:
      // The other steps have pages of their own.
      return null;
  }
}

function NextStep({ order, next }: { order: OrderView; next: PaymentStep | null }) {
  if (next?.kind === 'host') return <HostStep order={order} next={next} />;
  if (next?.kind === 'cod-otp') return <CashCode step={next} />;
  return FULL_MODE && next && next.kind !== 'none' ? <OwnStep order={order} next={next} /> : <Waiting order={order} />;
}

/** Shown until the order is known, and when it cannot be loaded. */
function Missing({ orderId }: { orderId: string }) {
  const state = useAtomValue(orderState.atom);
  const load = useSetAtom(orderState.load);
  return (
    <>
      <AppBar title={t.orderTitle} subtitle={null} back={{ label: t.home, href: href('/') }} />
      {state.status === 'failed' ? (
        <EmptyState
          picture={<EmptyPicture />}
          title={sentenceOf(state.failure)}
          action={
            <Button kind="secondary" onClick={() => void load(orderId)}>
              {t.tryAgain}
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
        subtitle={t.orderNumber({ number: order.orderNumber })}
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
