import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { PAY_ONCE } from '../../domain/messages.ts';
import { nextStepAtom, orderAtom, orderState, resumePaymentAtom, settleOrderAtom } from '../../state/orders.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { collectAtom, isVpaSentAtom, vpaAtom, vpaErrorAtom } from '../../state/payments.ts';
import { sentenceOf } from '../../state/popup.ts';
import { originAtom } from '../../state/seams.ts';
import { Amount } from '../../ui/Amount.tsx';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { UpiWays } from '../../ui/UpiWays.tsx';

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
          : <Page busy><Skeleton height="16rem" /></Page>}
      </>
    );
  }
  return (
    <>
      <AppBar title="Pay with UPI" subtitle={`Order ${order.orderNumber}`} back={{ label: 'Back to the order', href: href(`/order/${order.orderId}`) }} />
      <Page>
        <Card>
          <Amount amount={order.payment.amount} />
          <UpiWays step={step} origin={origin} vpa={vpa} error={vpaError} isSent={isSent} onVpa={setVpa} onCollect={() => collect(step.transactionId)} />
        </Card>
        <Aside isNews>
          {PAY_ONCE}{' '}
          <Countdown endsAtMs={step.expiresAt} nowMs={() => Date.now() + aheadMs} text={(time) => <>This page waits for {time}.</>} expired="The time for this payment is over." onExpire={() => void settle(order)} />
        </Aside>
        <Button kind="secondary" onClick={() => void settle(order)}>I have paid: check now</Button>
      </Page>
    </>
  );
}
