import * as t from '#text/order.ts';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { distanceKm } from '../../domain/geo.ts';
import { appConfigAtom } from '../../state/first/config.ts';
import { trackMap } from '../../state/orders/orderStream.ts';
import { Card } from '../../ui/page/Card.tsx';
import { apart, CLOSEST, cutAt, fitted, type MapView } from '../../ui/pictures/mapView.ts';
import type { MapPoint, ToPixel } from '../../ui/pictures/TileMap.tsx';
import { MapFrame } from '../maps/MapFrame.tsx';
import { useClock } from '../base/clock.ts';
import css from './RiderMap.module.css';

interface Pin extends MapPoint {
  readonly kind: 'store' | 'rider' | 'customer';
  readonly label: string;
}

const GLYPHS: Readonly<Record<Pin['kind'], string>> = {
  store: 'M-6-1v7H6v-7M-7.5-2l1.5-4.5h12l1.5 4.5c0 2.7-4 2.7-5 .5-1 2.2-4 2.2-5 0-1 2.2-5 2.2-5-.5z',
  rider: 'M-5 3.5a2 2 0 1 0 0 .01M5 3.5a2 2 0 1 0 0 .01M-3.2 3.5H2.5c0-3 .6-4 1.8-4.5L2.5-6H.5M-7-1.5h5l2 3',
  customer: 'M-6.5-.5L0-6l6.5 5.5M-4.5-1.5V6h9v-7.5M-1.2 6V2h2.4v4',
};
/** Without streets a map says no more than the line does, unless the way crosses other places. */
const MAP_FROM_KM = 2;
/** Pins closer than this would hide each other. */
const LEAST_APART = 34;
const NOTICED = 3;
const AROUND = 14;

/** Where the order is, in words, while no rider has it. */
function stillText({ orderStatus, orderType, stage, store, steps }: OrderView, time: (at: number) => string): string {
  const at = steps[steps.length - 1]?.at ?? null;
  if (orderStatus === 'DELIVERED') return at === null ? t.mapDelivered : t.mapDeliveredAt({ time: time(at) });
  if (orderStatus === 'PICKED')
    return at === null
      ? t.mapCollected({ store: store.name })
      : t.mapCollectedAt({ store: store.name, time: time(at) });
  if (orderType === 'DELIVERY') return t.mapAtStore;
  return (stage === 'READY' ? t.mapReady : t.mapMade)({ store: store.name });
}

/** Store, rider and door on a map of streets, or of places if the way is long, and the same in words. */
export function RiderMap({ order }: { order: OrderView }) {
  const { data } = useAtomValue(trackMap.atom);
  const hasStreets = useAtomValue(appConfigAtom)?.mapCredit !== undefined;
  const clock = useClock();
  const [moved, setMoved] = useState<MapView | null>(null);
  if (data?.orderId !== order.orderId || order.orderStatus === 'CANCELLED') return null;
  const { store, customer, rider, route } = data;
  if (!hasStreets && (customer === null || distanceKm(store, customer) < MAP_FROM_KM)) return null;
  const text = rider?.text ?? stillText(order, clock.time);
  const pins: Pin[] = [
    { kind: 'store', label: t.pinStore, ...store },
    ...(customer ? [{ kind: 'customer' as const, label: t.pinYou, ...customer }] : []),
    ...(rider
      ? [{ kind: 'rider' as const, label: rider.name, latitude: rider.latitude, longitude: rider.longitude }]
      : []),
  ];
  // If the store is the only pin, its surroundings are shown.
  const view = moved ?? fitted([...pins, ...route], pins.length === 1 ? AROUND : CLOSEST);
  const draw = (toPixel: ToPixel) => {
    const places = pins.map(toPixel);
    const spread = apart(places, LEAST_APART);
    const share = order.orderStatus === 'DELIVERED' ? 1 : (rider?.progress ?? 0);
    const [ridden, ahead] = cutAt(route.map(toPixel), share);
    return (
      <svg className={css.layer}>
        <path className={css.way} d={`${ridden}${ahead}`} />
        <path className={css.done} d={ridden} />
        <path className={css.ahead} d={ahead} />
        {pins.map((pin, index) => {
          const [at, to] = [places[index]!, spread[index]!];
          return (
            <g key={pin.kind} className={css.pin} data-kind={pin.kind}>
              {Math.hypot(at.x - to.x, at.y - to.y) > NOTICED && (
                <path className={css.thread} d={`M${at.x} ${at.y}L${to.x} ${to.y}`} />
              )}
              <g transform={`translate(${to.x} ${to.y})`}>
                {pin.kind === 'rider' && <circle className={css.pulse} r="15" />}
                <circle r="14" />
                <path d={GLYPHS[pin.kind]} />
              </g>
            </g>
          );
        })}
      </svg>
    );
  };
  return (
    <Card flush>
      <MapFrame
        view={view}
        onLook={setMoved}
        label={`${text} ${pins.map((pin) => pin.label).join(', ')}.`}
        words={<b>{text}</b>}
      >
        {draw}
      </MapFrame>
    </Card>
  );
}
