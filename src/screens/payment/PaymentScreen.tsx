import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { latinDigits } from '../../domain/phone.ts';
import { continuePaymentAtom } from '../../state/checkout.ts';
import { isLinkBusyAtom } from '../../state/linkedWallets.ts';
import { nextStepAtom, orderAtom, orderState, resumePaymentAtom, settleOrderAtom, waitingSentenceAtom } from '../../state/orders.ts';
import { checkCodCodeAtom, codErrorAtom, codResendAtAtom, codTypedAtom, expectCodCodeAtom, isCodBusyAtom, sendCodCodeAtom } from '../../state/payments.ts';
import { sentenceOf } from '../../state/popup.ts';
import { countryAtom, navigateAtom, originAtom } from '../../state/seams.ts';
import type { Entered } from '../entered.ts';
import { Amount } from '../../ui/Amount.tsx';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/Page.tsx';
import { Price } from '../../ui/Price.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { LinkStep } from './LinkStep.tsx';
import css from './PaymentScreen.module.css';

export const enter = atom(null, async (get, set, { params }: Entered) => {
  const orderId = params.orderId ?? '';
  const next = await set(resumePaymentAtom, orderId);
  const { go } = get(navigateAtom);
  // The server sends the code with the order; another one only when the customer asks, since it voids the first.
  if (next?.kind === 'cod-otp') set(expectCodCodeAtom);
  if (next?.kind === 'upi') go(`/upiForm?order=${encodeURIComponent(orderId)}`, { replace: true });
  if (next?.kind === 'paytm' && next.paymentUrl !== null) go(`/paytmForm?order=${encodeURIComponent(orderId)}`, { replace: true });
});

/** The wait for the next code, then the button that asks for it. */
function Again({ resendAt, busy, send }: { resendAt: number; busy: boolean; send: () => void }) {
  const [isOver, setOver] = useState(() => Date.now() >= resendAt);
  if (isOver) return <Button kind="quiet" small busy={busy} onClick={send}>Send the code again</Button>;
  return <Countdown endsAtMs={resendAt} nowMs={Date.now} text={(time) => `A new code can be sent in ${time}.`} expired="A new code can be sent now." onExpire={() => setOver(true)} />;
}

function CashCode({ transactionId, mobile }: { transactionId: string; mobile: string }) {
  const country = useAtomValue(countryAtom);
  const [typed, setTyped] = useAtom(codTypedAtom);
  const error = useAtomValue(codErrorAtom);
  const busy = useAtomValue(isCodBusyAtom);
  const resendAt = useAtomValue(codResendAtAtom);
  const check = useSetAtom(checkCodCodeAtom);
  const send = useSetAtom(sendCodCodeAtom);
  return (
    <form className={css.form} noValidate onSubmit={(event) => { event.preventDefault(); void check(transactionId); }}>
      <p>We sent a code to {country.dialPrefix} {mobile}. It confirms that you order for cash.</p>
      <Field
        label="6-digit code" name="code" inputMode="numeric" autoComplete="one-time-code" enterKeyHint="done" maxLength={12}
        value={typed} error={error || undefined} onChange={(event) => setTyped(latinDigits(event.target.value).slice(0, 6))}
      />
      <Button type="submit" full busy={busy}>Confirm the order</Button>
      <div className={css.resend}><Again key={resendAt} resendAt={resendAt} busy={busy} send={() => void send(transactionId)} /></div>
    </form>
  );
}

/** One payment that still needs the customer: the code for cash, the bank's page, or patience. */
export default function PaymentScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const state = useAtomValue(orderState.atom);
  const order = useAtomValue(orderAtom);
  const next = useAtomValue(nextStepAtom);
  const load = useSetAtom(orderState.load);
  const settle = useSetAtom(settleOrderAtom);
  const goOn = useSetAtom(continuePaymentAtom);
  const origin = useAtomValue(originAtom);
  const waiting = useAtomValue(waitingSentenceAtom);
  const isTaking = useAtomValue(isLinkBusyAtom);
  if (!order || order.orderId !== params.orderId) {
    return (
      <>
        <AppBar title="Payment" back={{ label: 'Home', href: href('/') }} />
        {state.status === 'failed' ? (
          <EmptyState picture={<EmptyPicture />} title={sentenceOf(state.failure)} action={<Button kind="secondary" onClick={() => void load(params.orderId ?? '')}>Try again</Button>} />
        ) : <Page busy><Skeleton height="10rem" /></Page>}
      </>
    );
  }
  return (
    <>
      <AppBar title="Payment" subtitle={`Order ${order.orderNumber}`} back={{ label: 'Home', href: href('/') }} />
      <Page>
        <Card>
          <Amount amount={order.payment.amount} />
          <p className={css.mode}>{next?.kind === 'link' ? 'Someone else pays' : order.payment.label}</p>
          {next?.kind === 'cod-otp' && <CashCode transactionId={next.transactionId} mobile={next.mobile} />}
          {next?.kind === 'link' && <LinkStep order={order} token={next.token} expiresAt={next.expiresAt} />}
          {next?.kind === 'redirect' && (
            <div className={css.form}>
              <p>You finish this payment on the page of the bank and come back here by yourself.</p>
              <Button full href={origin + next.paymentUrl} data-leave>Go to the bank</Button>
            </div>
          )}
          {(next?.kind === 'gpay' || next?.kind === 'host' || (next?.kind === 'paytm' && next.paymentUrl === null)) && (
            <div className={css.form}>
              <p role="status">{waiting(order)}</p>
              <Button full kind="secondary" onClick={() => void goOn(order, next)}>Open the payment again</Button>
            </div>
          )}
          {next?.kind === 'linked' && (
            <div className={css.form}>
              <p>The money is taken from your linked {next.label} when you say so.</p>
              <Button full busy={isTaking} onClick={() => void goOn(order, next)}>Pay <Price amount={next.amount} /></Button>
            </div>
          )}
          {(next === null || next.kind === 'none') && (
            <div className={css.form}>
              <p role="status">{waiting(order)}</p>
              <Button full kind="secondary" onClick={() => void settle(order)}>Check now</Button>
            </div>
          )}
        </Card>
        <a className={css.other} href={href(`/order/${order.orderId}`)}>See the order, or pay in another way</a>
      </Page>
    </>
  );
}
