import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { lazy, Suspense } from 'react';
import { MONEY_UNKNOWN } from '../../domain/messages.ts';
import { nextStepAtom, orderAtom, orderState, resumePaymentAtom, settleOrderAtom } from '../../state/orders.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { collectAtom, isVpaSentAtom, vpaAtom, vpaErrorAtom } from '../../state/payments.ts';
import { sentenceOf } from '../../state/popup.ts';
import { originAtom } from '../../state/seams.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/Price.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './UpiFormScreen.module.css';

const QrCode = lazy(() => import('./QrCode.tsx'));

interface Entered { readonly query: URLSearchParams }

export const enter = atom(null, (_get, set, { query }: Entered) => set(resumePaymentAtom, query.get('order') ?? ''));

/** UPI in a browser: the app on this phone, a QR for another one, or a request to a UPI id. A web page gets no answer from the app: the server is asked. */
export default function UpiFormScreen() {
  const order = useAtomValue(orderAtom);
  const state = useAtomValue(orderState.atom);
  const step = useAtomValue(nextStepAtom);
  const [vpa, setVpa] = useAtom(vpaAtom);
  const vpaError = useAtomValue(vpaErrorAtom);
  const isSent = useAtomValue(isVpaSentAtom);
  const collect = useSetAtom(collectAtom);
  const settle = useSetAtom(settleOrderAtom);
  const origin = useAtomValue(originAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  if (!order || step?.kind !== 'upi') {
    return (
      <>
        <AppBar title="Pay with UPI" back={{ label: 'Home', href: href('/') }} />
        {state.status === 'failed'
          ? <EmptyState picture={<EmptyPicture />} title={sentenceOf(state.failure)} action={<Button href={href('/')}>Home</Button>} />
          : <div className={css.page} aria-busy="true"><Skeleton height="16rem" /></div>}
      </>
    );
  }
  return (
    <>
      <AppBar title="Pay with UPI" subtitle={`Order ${order.orderNumber}`} back={{ label: 'Back to the order', href: href(`/order/${order.orderId}`) }} />
      <div className={css.page}>
        <Card>
          <p className={css.amount}><Price amount={order.payment.amount} /></p>
          <div className={css.ways}>
            <div className={css.qr}>
              <Suspense fallback={<Skeleton width="13rem" height="13rem" />}><QrCode text={step.link} label="QR code of this payment" /></Suspense>
              <p>Scan it with any UPI app</p>
            </div>
            <div className={css.form}>
              <Button full href={step.link}>Open a UPI app on this phone</Button>
              <form
                className={css.form} noValidate
                onSubmit={(event) => { event.preventDefault(); void collect(step.transactionId); }}
              >
                <Field
                  label="Or get a request in your UPI app" placeholder="name@bank" name="upi-id" inputMode="email" autoComplete="off" autoCapitalize="none" spellCheck={false}
                  maxLength={80} value={vpa} error={vpaError || undefined} onChange={(event) => setVpa(event.target.value)}
                />
                <Button type="submit" full kind="secondary">Send the request</Button>
                {isSent && <p role="status">Please approve the request in your UPI app.</p>}
              </form>
              {step.payerUrl !== undefined && <Button full kind="quiet" href={origin + step.payerUrl} data-leave>Pay on this computer, on the bank's page</Button>}
            </div>
          </div>
        </Card>
        <p className={css.wait} role="status">
          {MONEY_UNKNOWN}{' '}
          <Countdown endsAtMs={step.expiresAt} nowMs={() => Date.now() + aheadMs} text={(time) => <>This page waits for {time}.</>} expired="The time for this payment is over." onExpire={() => void settle(order)} />
        </p>
        <Button kind="secondary" onClick={() => void settle(order)}>I have paid: check now</Button>
      </div>
    </>
  );
}
