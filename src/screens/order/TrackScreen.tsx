import { atom, useAtomValue, useSetAtom } from 'jotai';
import { NO_TRACKING } from '../../domain/messages.ts';
import { statusText } from '../../domain/orders.ts';
import { mapPartState } from '../../state/map.ts';
import { orderAtom, trackMap, trackState } from '../../state/orders.ts';
import { sentenceOf } from '../../state/popup.ts';
import { lookAtPushAtom } from '../../state/push.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Column, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { Entered } from '../entered.ts';
import { Help } from './Help.tsx';
import { Progress } from './Progress.tsx';
import { RiderMap } from './RiderMap.tsx';

export const enter = atom(null, async (_get, set, { params }: Entered) => {
  const orderId = params.orderId ?? '';
  void set(lookAtPushAtom);
  void set(mapPartState.load);
  await Promise.all([set(trackState.load, orderId), set(trackMap.load, orderId)]);
});

/** The order on the map, with the same in words. */
export default function TrackScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const state = useAtomValue(trackState.atom);
  const held = useAtomValue(orderAtom);
  const load = useSetAtom(trackState.load);
  const orderId = params.orderId ?? '';
  const order = held?.orderId === orderId ? held : null;
  const hasMap = order !== null && order.orderStatus !== 'CANCELLED';
  return (
    <>
      <AppBar title={order ? `Order ${order.orderNumber}` : 'Track your order'} subtitle={order ? statusText(order.orderStatus, order.orderType) : undefined} back={{ label: 'Back to the order', href: href(`/order/${orderId}`) }} />
      <Page {...(hasMap && { columns: 'even' as const })}>
        {state.status === 'failed' && !order && (
          <EmptyState picture={<EmptyPicture />} title={state.failure?.kind === 'refused' ? sentenceOf(state.failure) : NO_TRACKING} action={state.failure?.kind === 'refused' ? <Button href={href('/menu')}>See the menu</Button> : <Button kind="secondary" onClick={() => void load(orderId)}>Try again</Button>} />
        )}
        {!order && state.status !== 'failed' && <div aria-busy="true"><Skeleton height="14rem" /><Skeleton height="12rem" /></div>}
        {order && (
          <>
            {hasMap && <Column><Card flush><RiderMap order={order} /></Card></Column>}
            <Column>
              <Progress order={order} onMap />
              <Aside>Need help with this order? Call <Help />.</Aside>
            </Column>
          </>
        )}
      </Page>
    </>
  );
}
