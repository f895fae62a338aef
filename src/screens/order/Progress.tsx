import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { isFinal } from '../../domain/orders.ts';
import { arrivedAtom, cancelOrderAtom, trackMap } from '../../state/orders.ts';
import { popupAtom, toastMessageAtom } from '../../state/popup.ts';
import { hostAtom } from '../../state/seams.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { href } from '../../ui/href.ts';
import { MapSketch, type MapPin } from '../../ui/MapSketch.tsx';
import { Price } from '../../ui/Price.tsx';
import { Steps } from '../../ui/Steps.tsx';
import { useClock } from './clock.ts';
import css from './OrderScreen.module.css';

/** How far the order is, when it arrives and why, and what can still be done about it. */
export function Progress({ order, onMap }: { order: OrderView; onMap?: boolean }) {
  const clock = useClock();
  const setPopup = useSetAtom(popupAtom);
  const cancel = useSetAtom(cancelOrderAtom);
  const arrived = useSetAtom(arrivedAtom);
  const say = useSetAtom(toastMessageAtom);
  const host = useAtomValue(hostAtom);
  const { eta, promise } = order;
  const isOver = isFinal(order.orderStatus);
  const share = () => {
    host.share({ title: `Order ${order.orderNumber}`, path: `/track/${order.orderId}` })
      .then((how) => { if (how === 'unreported') say('The link is copied.'); }, () => say('Sharing is not possible here.'));
  };
  return (
    <>
      <Card title={isOver ? 'How it went' : 'On its way'}>
        {eta && !isOver && (
          <p className={css.eta}>
            <b>{clock.time(eta.from)} to {clock.time(eta.to)}</b>
            <span>{eta.reason}</span>
          </p>
        )}
        <Steps
          label="Progress of your order"
          steps={order.steps.map((step) => ({
            title: step.label, state: step.state === 'next' ? 'todo' : step.state, ...(step.at !== null ? { detail: clock.time(step.at) } : {}),
          }))}
        />
        {promise && (
          <p className={css.promise}>
            {promise.state === 'running' && <>By {clock.time(promise.deadline)}, or it is free.</>}
            {promise.state === 'kept' && <>We kept our promise.</>}
            {promise.state === 'missed' && <>We were late. {promise.credit !== undefined && <><Price amount={promise.credit} /> are yours.</>}</>}
          </p>
        )}
        {order.handOverCode && <p className={css.code}>Your code for the handover: <b>{order.handOverCode}</b></p>}
      </Card>
      {!isOver && (
        <div className={css.actions}>
          {order.orderType === 'DELIVERY' && !onMap && <Button full href={href(`/track/${order.orderId}`)}>Track on the map</Button>}
          {order.orderType === 'CURB' && <Button full onClick={() => void arrived(order.orderId)}>I am here</Button>}
          {host.supports('share').state !== 'unavailable' && <Button full kind="secondary" onClick={share}>Share the tracking link</Button>}
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
          <p className={css.rule}>{order.cancel.rule}</p>
        </div>
      )}
    </>
  );
}

/** Store, rider and door on the drawn map, and the same in words. */
export function RiderMap() {
  const { data, status } = useAtomValue(trackMap.atom);
  if (!data) return status === 'failed' ? null : <div className={css.map} aria-busy="true" />;
  const pins: MapPin[] = [
    { kind: 'store', label: 'Store', ...data.store },
    ...(data.rider ? [{ kind: 'rider' as const, label: data.rider.name, latitude: data.rider.latitude, longitude: data.rider.longitude }] : []),
    ...(data.customer ? [{ kind: 'customer' as const, label: 'You', ...data.customer }] : []),
  ];
  return <MapSketch pins={pins} text={data.rider?.text ?? 'Your order is still at the store.'} />;
}
