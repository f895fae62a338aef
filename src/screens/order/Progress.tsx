import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { isFinal } from '../../domain/orders.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { followAtom, followedAtom } from '../../state/following.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { cancelOrderAtom, shareOrderAtom } from '../../state/orders.ts';
import { popupAtom } from '../../state/popup.ts';
import { canShareAtom } from '../../state/share.ts';
import { countryAtom } from '../../state/seams.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { href } from '../../ui/href.ts';
import { Actions, Aside } from '../../ui/Page.tsx';
import { Price } from '../../ui/Price.tsx';
import { Steps } from '../../ui/Steps.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { While } from '../../ui/While.tsx';
import { Arrival } from './Arrival.tsx';
import { News } from './News.tsx';
import { Rider } from './Rider.tsx';
import { useClock } from './clock.ts';
import { awaited, rateText, shownSteps } from './words.ts';
import css from './Progress.module.css';

const CODE_TO = { DELIVERY: 'to the rider when you get your order', PICKUP: 'at the counter', CURB: 'to who brings it to your car', DINEIN: 'to who brings it to your table' } as const;

/** How far the order is, when it arrives and why, and what can still be done about it. */
export function Progress({ order, onMap }: { order: OrderView; onMap?: boolean }) {
  const clock = useClock();
  const setPopup = useSetAtom(popupAtom);
  const cancel = useSetAtom(cancelOrderAtom);
  const share = useSetAtom(shareOrderAtom);
  const follow = useSetAtom(followAtom);
  const canShare = useAtomValue(canShareAtom);
  const followed = useAtomValue(followedAtom);
  const isOver = isFinal(order.orderStatus);
  const isEarly = order.orderStatus === 'ADVANCE ORDER';
  const isOffline = useAtomValue(isOfflineAtom);
  // A line that is gone may still look open for a while.
  const by = followed?.orderId === order.orderId && !isOffline ? followed.by : null;
  return (
    <>
      {!isOver && <While name={order.orderId} run={(signal) => void follow(order.orderId, signal)} />}
      <Card
        title={awaited(order)}
        end={!isOver && by !== null && by !== 'opening' && <span data-followed={by}><Tag tone={by === 'stream' ? 'lime' : 'plain'}>{by === 'stream' ? 'Live' : 'Checked often'}</Tag></span>}
      >
        {!isOver && <Expected order={order} />}
        <PromiseClock order={order} />
        <Steps
          label="Progress of your order"
          steps={shownSteps(order.steps, clock.time)}
        />
        {order.handOverCode && !isOver && (
          <div className={css.code}>
            <b aria-label={order.handOverCode.split('').join(' ')}>{order.handOverCode}</b>
            <span>Your code. Tell it {CODE_TO[order.orderType]}, and to nobody before.</span>
          </div>
        )}
      </Card>
      {(order.orderType === 'CURB' || order.orderType === 'PICKUP') && !isOver && !isEarly && <Arrival order={order} />}
      {order.rider && <Rider order={order} rider={order.rider} />}
      {!isOver && (order.instructions.length > 0 || order.note) && (
        <Card title="What the rider knows">
          <ul className={css.told}>
            {order.instructions.map((text) => <li key={text}>{text}</li>)}
            {order.note && <li>“{order.note}”</li>}
          </ul>
          {order.instructions.length > 0 && order.payment.state === 'DUE_AT_DOOR' && <p className={css.soft}>You pay in cash, so the rider waits for you at the door.</p>}
        </Card>
      )}
      {!isOver && (
        <Actions>
          {order.orderType === 'DELIVERY' && !onMap && !isEarly && <Button full href={href(`/track/${order.orderId}`)}>Track on the map</Button>}
          <Button full kind="secondary" onClick={() => void share(order.orderId)}>{canShare ? 'Share' : 'Copy'} the tracking link</Button>
          <News />
          {order.cancel.possible && (
            <Button
              full kind="quiet"
              onClick={() => setPopup({
                header: 'Cancel this order?', message: order.cancel.rule, left: { label: 'Keep it' }, right: { label: 'Cancel the order', act: () => { void cancel(order.orderId); } },
              })}
            >
              Cancel the order
            </Button>
          )}
          <Aside>{order.cancel.rule}</Aside>
        </Actions>
      )}
    </>
  );
}

/** When, how surely, why, and why not as was said first. */
function Expected({ order: { eta, stage, scheduledFor, orderStatus, orderType } }: { order: OrderView }) {
  const clock = useClock();
  if (!eta) return null;
  if (stage === 'READY') return <p className={css.eta}><b>{eta.reason}</b></p>;
  return (
    <div className={css.eta} aria-live="polite">
      <b>{orderStatus === 'ADVANCE ORDER' && scheduledFor ? `${clock.date(scheduledFor)}, ` : ''}{clock.time(eta.from)} to {clock.time(eta.to)}</b>
      <span>{rateText(eta, orderType)} {eta.reason}</span>
      {eta.moved && <span className={css.moved}>{eta.moved}</span>}
    </div>
  );
}

/** The promise as a clock; once it is over, how it ended and what it paid. */
function PromiseClock({ order }: { order: OrderView }) {
  const clock = useClock();
  const { guarantee } = useAtomValue(countryAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const { promise, noPromise, payment, bill, parts = [] } = order;
  if (!promise) return noPromise ? <p className={css.soft}>{noPromise}</p> : null;
  if (promise.state === 'running') {
    // What is late costs nothing up to the limit; above it "free" would promise too much.
    const isFree = bill.total <= guarantee.maxLiability;
    const back = <Price amount={isFree ? bill.total : guarantee.maxLiability} />;
    return (
      <div className={css.promise}>
        <b>
          <Countdown
            key={`${promise.deadline} ${aheadMs}`} endsAtMs={promise.deadline} nowMs={() => Date.now() + aheadMs}
            text={(time) => (isFree ? <>{time} left, or it is free</> : <>{time} left, or {back} back</>)} expired={isFree ? 'We are late: it is free' : <>We are late: {back} back</>}
          />
        </b>
        <span>At your gate by {clock.time(promise.deadline)}. If not, {payment.state === 'DUE_AT_DOOR' && parts.length === 0 ? <>you pay {back} less at the door</> : <>{back} goes back to {parts.length === 0 ? `your ${payment.label}` : 'where it came from'}</>}, without a claim.</span>
      </div>
    );
  }
  if (promise.state === 'kept' || promise.credit === undefined) return <p className={css.promise}>We kept our promise.</p>;
  // Several ways of paying get their parts back each.
  const source = parts.length === 0 ? `your ${payment.label}` : parts.length === 1 && promise.paid?.way === 'WALLET' ? `your ${parts[0]?.label ?? ''}` : 'where it came from';
  return (
    <div className={css.promise} role="status">
      <b>We were late, so <Price amount={promise.credit} /> {promise.paid?.way === 'DOOR' ? (parts.length === 0 ? 'less was to pay at the door.' : 'was less to pay at the door, or went back to your e-voucher.') : promise.paid?.way === 'REFUND' && promise.paid.state === 'STARTED' ? `goes back to ${source}.` : `went back to ${source}.`}</b>
      {promise.paid?.way === 'REFUND' && promise.paid.state === 'STARTED' && <span>It arrives between {clock.date(promise.paid.expectedFrom)} and {clock.date(promise.paid.expectedTo)}. You need not do anything.</span>}
    </div>
  );
}
