import * as t from '#text/order.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import type { Money } from '../../contract/price.ts';
import { isFinal } from '../../domain/orders.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { followAtom, followedAtom } from '../../state/orders/orderStream.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { cancelOrderAtom } from '../../state/orders/orders.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { canShareAtom } from '../../state/base/share.ts';
import { countryAtom } from '../../state/base/country.ts';
import { shareOrderAtom } from '../../state/orders/tracking.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { href } from '../../ui/href.ts';
import { Actions, Aside } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { part } from '../../ui/time/loaded.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Steps } from '../../ui/Steps.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { While } from '../../ui/time/While.tsx';
import { NewsOffer } from '../base/NewsOffer.tsx';
import { Place } from './Place.tsx';
import { RouteMap } from './RouteMap.tsx';
import { useClock } from '../base/clock.ts';
import { MinutesLeft } from './MinutesLeft.tsx';
import { shownSteps } from '../base/steps.ts';
import { awaited, cancelText, expectedText, rateText, stageText } from '../base/words.ts';
import css from './Progress.module.css';

const Rider = part(() => import('./Rider.tsx'));
const Arrival = part(
  () => import('./Arrival.tsx'),
  () => <Skeleton height="9rem" />,
);

/**
 * How far the order is, when it arrives and why then, where it goes, and what can still be done about it. `isNamed`: the
 * page has said above how far it is.
 */
export function Progress({
  order,
  isNamed,
  onTracker = false,
}: {
  order: OrderView;
  isNamed: boolean;
  onTracker?: boolean;
}) {
  const clock = useClock();
  const follow = useSetAtom(followAtom);
  const isOver = isFinal(order.orderStatus);
  const isCollected = order.orderType === 'CURB' || order.orderType === 'PICKUP';
  return (
    <>
      {!isOver && <While name={order.orderId} run={(signal) => void follow(order.orderId, signal)} />}
      <Card
        title={
          <span aria-live={isNamed ? undefined : 'polite'}>
            {isOver || isNamed ? awaited(order) : stageText(order)}
          </span>
        }
        end={!isOver && <Followed order={order} />}
      >
        {!isOver && <Expected order={order} isNamed={isNamed} />}
        <RouteMap order={order} />
        {order.handOverCode && !isOver && (
          <div className={css.code}>
            <b aria-label={order.handOverCode.split('').join(' ')} translate="no">
              {order.handOverCode}
            </b>
            <span>{t.handOverCode({ type: order.orderType })}</span>
          </div>
        )}
        <PromiseClock order={order} />
        <Steps label={t.steps} steps={shownSteps(order.steps, clock.time)} />
      </Card>
      {isCollected && !isOver && order.orderStatus !== 'ADVANCE ORDER' && <Arrival order={order} />}
      {order.rider && <Rider order={order} rider={order.rider} />}
      <Place order={order} />
      {!isOver && (
        <>
          <OrderActions order={order} onTracker={onTracker} />
        </>
      )}
    </>
  );
}

/**
 * Says whether the progress is live or asked for from time to time. Offline it says nothing: a lost connection may look
 * open for a while.
 */
function Followed({ order }: { order: OrderView }) {
  const followed = useAtomValue(followedAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const isKnown = followed?.orderId === order.orderId && !isOffline && followed.by !== 'opening';
  const by = isKnown ? followed.by : null;
  // Both keep their room, so that the headline beside them stays as it is.
  return (
    <span className={css.followed} {...(by ? { 'data-followed': by } : {})}>
      <span hidden={by !== 'stream'}>
        <Tag tone="lime">{t.live}</Tag>
      </span>
      <span hidden={by !== 'polling'}>
        <Tag>{t.checkedOften}</Tag>
      </span>
    </span>
  );
}

function OrderActions({ order, onTracker }: { order: OrderView; onTracker: boolean }) {
  const setPopup = useSetAtom(popupAtom);
  const cancel = useSetAtom(cancelOrderAtom);
  const share = useSetAtom(shareOrderAtom);
  const canShare = useAtomValue(canShareAtom);
  const country = useAtomValue(countryAtom);
  const hasTracker = order.orderType === 'DELIVERY' && order.orderStatus !== 'ADVANCE ORDER';
  const askToCancel = () =>
    setPopup({
      header: t.cancelAsk,
      message: cancelText(order, country),
      second: order.cancel.rule,
      left: { label: t.cancelNot },
      right: {
        label: t.cancel,
        isDestructive: true,
        act: () => {
          void cancel(order.orderId);
        },
      },
    });
  return (
    <Actions>
      {hasTracker && !onTracker && (
        <Button full href={href(`/track/${order.orderId}`)}>
          {t.track}
        </Button>
      )}
      <Button full kind="secondary" onClick={() => void share(order.orderId)}>
        {canShare ? t.share : t.copyLink}
      </Button>
      <NewsOffer />
      {order.cancel.possible && (
        <Button full kind="quiet" onClick={askToCancel}>
          {t.cancel}
        </Button>
      )}
      <Aside>{order.cancel.rule}</Aside>
    </Actions>
  );
}

/** When the order arrives, how sure that is, why, and why the time has changed. */
function Expected({ order, isNamed }: { order: OrderView; isNamed: boolean }) {
  const clock = useClock();
  const { eta, stage, scheduledFor, orderStatus, orderType } = order;
  if (!eta) return null;
  // The food is ready: the step says so.
  if (stage === 'READY')
    return isNamed ? (
      <p className={css.eta}>
        <b>{eta.reason}</b>
      </p>
    ) : null;
  return (
    <div className={css.eta}>
      {!isNamed && <span>{awaited(order)}</span>}
      <b>{expectedText(eta, clock, orderStatus === 'ADVANCE ORDER' ? scheduledFor : null)}</b>
      <MinutesLeft eta={eta} />
      <span>
        {rateText(eta, orderType)}
        {/* While the rider is on the way, the line below says where. */}
        {order.rider === null && ` ${eta.reason}`}
      </span>
      {eta.moved && (
        <span className={css.moved} role="status">
          {eta.moved}
        </span>
      )}
    </div>
  );
}

/** The delivery-time promise as a clock; afterwards whether it was kept and what was paid for it. */
function PromiseClock({ order }: { order: OrderView }) {
  const { promise, noPromise } = order;
  if (!promise) return noPromise ? <p className={css.note}>{noPromise}</p> : null;
  if (promise.state === 'running') return <RunningPromise order={order} deadline={promise.deadline} />;
  if (promise.state === 'kept' || promise.credit === undefined) return <p className={css.promise}>{t.promiseKept}</p>;
  return <PaidPromise order={order} credit={promise.credit} paid={promise.paid} />;
}

function RunningPromise({ order: { payment, bill, parts = [] }, deadline }: { order: OrderView; deadline: number }) {
  const clock = useClock();
  const { guarantee } = useAtomValue(countryAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  // A late order is free up to the limit; above it "free" would promise too much.
  const isFree = bill.total <= guarantee.maxLiability;
  const back = <Price amount={isFree ? bill.total : guarantee.maxLiability} />;
  return (
    <div className={css.promise}>
      <b>
        <Countdown
          endsAtMs={deadline}
          nowMs={() => Date.now() + aheadMs}
          text={(time) => (isFree ? t.promiseLeftFree({ time }) : rich(t.promiseLeftBack, { time, amount: back }))}
          expired={isFree ? t.promiseLateFree : rich(t.promiseLateBack, { amount: back })}
        />
      </b>
      <span>
        {rich(t.promiseTerms, {
          way: parts.length > 0 ? 'PARTS' : payment.state === 'DUE_AT_DOOR' ? 'DOOR' : 'PAYMENT',
          time: clock.time(deadline),
          amount: back,
          label: payment.label,
        })}
      </span>
    </div>
  );
}

type Paid = NonNullable<OrderView['promise']>['paid'];

/** What a late order gives back: a refund, or less to pay at the door. If the order was paid in several ways, each gets its part. */
function PaidPromise({ order, credit, paid }: { order: OrderView; credit: Money; paid: Paid }) {
  const clock = useClock();
  const { payment, parts = [] } = order;
  const amount = <Price amount={credit} />;
  const onlyPart = parts.length === 1 && paid?.way === 'WALLET' ? parts[0] : undefined;
  const label = (onlyPart ?? payment).label;
  const way = parts.length === 0 || onlyPart ? 'PAYMENT' : 'PARTS';
  const isUnderWay = paid?.way === 'REFUND' && paid.state === 'STARTED';
  return (
    <div className={css.promise} role="status">
      <b>
        {paid?.way === 'DOOR'
          ? rich(t.promisePaidAtDoor, { way: parts.length === 0 ? 'DOOR' : 'PARTS', amount })
          : rich(isUnderWay ? t.promiseGoesBack : t.promiseWentBack, { way, amount, label })}
      </b>
      {isUnderWay && (
        <span>{t.refundBetween({ from: clock.date(paid.expectedFrom), to: clock.date(paid.expectedTo) })}</span>
      )}
    </div>
  );
}
