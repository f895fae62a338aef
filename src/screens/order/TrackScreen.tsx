import { atom, useAtomValue, useSetAtom } from 'jotai';
import { NO_TRACKING } from '../../domain/messages.ts';
import { statusText } from '../../domain/orders.ts';
import { orderAtom, trackMap, trackState } from '../../state/orders.ts';
import { sentenceOf } from '../../state/popup.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Repeat } from '../../ui/Repeat.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { Entered } from '../entered.ts';
import { Progress, RiderMap } from './Progress.tsx';
import css from './OrderScreen.module.css';

const MAP_EVERY_MS = 10_000;

export const enter = atom(null, async (_get, set, { params }: Entered) => {
  const orderId = params.orderId ?? '';
  await Promise.all([set(trackState.load, orderId), set(trackMap.load, orderId)]);
});

/** The order on the map, with the same in words. */
export default function TrackScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const state = useAtomValue(trackState.atom);
  const held = useAtomValue(orderAtom);
  const load = useSetAtom(trackState.load);
  const loadMap = useSetAtom(trackMap.load);
  const orderId = params.orderId ?? '';
  const order = held?.orderId === orderId ? held : null;
  return (
    <>
      <AppBar title={order ? `Order ${order.orderNumber}` : 'Track your order'} subtitle={order ? statusText(order.orderStatus, order.orderType) : undefined} back={{ label: 'Back to the order', href: href(`/order/${orderId}`) }} />
      <div className={css.page}>
        {state.status === 'failed' && !order && (
          <EmptyState picture={<EmptyPicture />} title={state.failure?.kind === 'refused' ? sentenceOf(state.failure) : NO_TRACKING} action={<Button kind="secondary" onClick={() => void load(orderId)}>Try again</Button>} />
        )}
        {!order && state.status !== 'failed' && <div aria-busy="true"><Skeleton height="14rem" /><Skeleton height="12rem" /></div>}
        {order && (
          <>
            <Card flush><RiderMap /></Card>
            <Progress order={order} onMap />
            <Repeat everyMs={MAP_EVERY_MS} run={() => { void load(orderId); void loadMap(orderId); }} />
          </>
        )}
      </div>
    </>
  );
}
