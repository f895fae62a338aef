import { atom, useAtomValue, useSetAtom } from 'jotai';
import { PAY_ONCE } from '../../domain/messages.ts';
import { nextStepAtom, orderAtom, orderState, resumePaymentAtom, settleOrderAtom } from '../../state/orders.ts';
import { sentenceOf } from '../../state/popup.ts';
import { originAtom } from '../../state/seams.ts';
import { Amount } from '../../ui/Amount.tsx';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Column, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

interface Entered { readonly query: URLSearchParams }

export const enter = atom(null, (_get, set, { query }: Entered) => set(resumePaymentAtom, query.get('order') ?? ''));

/** Paytm in a browser: its own page asks for the money and comes back; what it says is checked with the server. */
export default function PaytmFormScreen() {
  const order = useAtomValue(orderAtom);
  const state = useAtomValue(orderState.atom);
  const step = useAtomValue(nextStepAtom);
  const settle = useSetAtom(settleOrderAtom);
  const origin = useAtomValue(originAtom);
  if (!order || step?.kind !== 'paytm' || step.paymentUrl === null) {
    return (
      <>
        <AppBar title="Pay with Paytm" back={{ label: 'Home', href: href('/') }} />
        {state.status === 'failed'
          ? <EmptyState picture={<EmptyPicture />} title={sentenceOf(state.failure)} action={<Button href={href('/')}>Home</Button>} />
          : <Page busy><Skeleton height="12rem" /></Page>}
      </>
    );
  }
  return (
    <>
      <AppBar title="Pay with Paytm" subtitle={`Order ${order.orderNumber}`} back={{ label: 'Back to the order', href: href(`/order/${order.orderId}`) }} />
      <Page>
        <Card>
          <Amount amount={order.payment.amount} />
          <Column>
            <p>You approve the payment on Paytm's page and come back here by yourself.</p>
            <Button full href={origin + step.paymentUrl} data-leave>Continue to Paytm</Button>
          </Column>
        </Card>
        <Aside isNews>{PAY_ONCE}</Aside>
        <Button kind="secondary" onClick={() => void settle(order)}>I have paid: check now</Button>
      </Page>
    </>
  );
}
