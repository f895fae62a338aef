import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { isLost } from '../../domain/orders.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { mapPartState } from '../../state/places/map.ts';
import { trackMap } from '../../state/orders/orderStream.ts';
import { orderAtom, isOrderGoneAtom } from '../../state/orders/orders.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { lookForNewsAtom } from '../../state/consent/newsOffer.ts';
import { trackState } from '../../state/orders/tracking.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Column, Page } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { While } from '../../ui/time/While.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { ChatCard } from '../chat/ChatRow.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { Continue } from './Continue.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { Lines } from './Lines.tsx';
import { OnTheWay } from '../tracking/OnTheWay.tsx';
import { OrderMap } from '../tracking/OrderMap.tsx';
import { stageText } from '../base/words.ts';

export const enter = atom(null, async (_get, set, { params }: ScreenInput) => {
  const orderId = params.orderId ?? '';
  void set(lookForNewsAtom);
  void set(mapPartState.load);
  await Promise.all([set(trackState.load, orderId), set(trackMap.load, orderId)]);
});

/** A payment app has no assistant. */
const Chat = FULL_MODE ? ChatCard : () => null;

/** How far the order is, where it goes and what is in it; on a map too, where a map says more than a line. */
export default function TrackScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const state = useAtomValue(trackState.atom);
  const held = useAtomValue(orderAtom);
  const load = useSetAtom(trackState.load);
  const orderId = params.orderId ?? '';
  const order = held?.orderId === orderId ? held : null;
  const { go } = useAtomValue(navigateAtom);
  const isGone = useAtomValue(isOrderGoneAtom)(orderId);
  const hasFailed = ![order === null, state.status === 'failed'].includes(false);
  const isOff = order !== null && [isGone, isLost(order.orderStatus)].includes(true);
  return (
    <>
      <AppBar
        title={order ? rich(t.titleNumber, { number: <Exact>{order.orderNumber}</Exact> }) : t.trackTitle}
        subtitle={order ? stageText(order) : hasFailed ? undefined : null}
        back={{ label: t.backToOrder, href: href(`/order/${orderId}`) }}
      />
      {/* The order's own page says what became of it, and of the money. */}
      {isOff && <While name={orderId} run={() => go(`/order/${orderId}`, { replace: true })} />}
      <Page {...(order && { columns: 'first' as const })}>
        {hasFailed && (
          <NotLoaded
            title={
              state.failure?.kind === 'refused'
                ? sentenceOf(state.failure)
                : state.failure?.kind === 'offline'
                  ? t.offlineTitle
                  : errors.noTracking
            }
            failure={state.failure}
            onRetry={() => void load(orderId)}
          >
            {state.failure?.kind !== 'refused' && <Continue orderId={orderId} />}
          </NotLoaded>
        )}
        {!order && state.status !== 'failed' && (
          <div aria-busy="true">
            <Skeleton height="14rem" />
            <Skeleton height="12rem" />
          </div>
        )}
        {order && (
          <>
            <Column>
              <OnTheWay order={order} isNamed={false} onTracker />
            </Column>
            <Column>
              <OrderMap order={order} />
              <Lines order={order} />
              <Chat orderId={order.orderId} />
              <Aside>{rich(t.needHelpWithOrder, { help: <HelpNumber /> })}</Aside>
            </Column>
          </>
        )}
      </Page>
    </>
  );
}
