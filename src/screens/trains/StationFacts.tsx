import * as t from '#text/trains.ts';
import type { ReactNode } from 'react';
import type { Stop } from '../../contract/trainOrder.ts';
import { CutOff } from './JourneyLine.tsx';
import { spanText, useTrainTimes } from './times.ts';
import css from './Trains.module.css';

/** Facts of one halt: when, where, how long, and until when food can be ordered to it. */
export function StationFacts({ stop, onOver }: { stop: Stop; onOver: () => void }) {
  const times = useTrainTimes();
  const { delayMinutes, platform, haltMinutes, storeName, orderUntil, payUntil, state } = stop;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      t.arrives,
      delayMinutes > 0 ? (
        <>
          {t.arrivesNow({ time: times.moment(stop.arrivesAt) })}
          <br />
          <small>{t.arrivesTable({ time: times.moment(stop.scheduledAt) })}</small>
        </>
      ) : (
        times.moment(stop.arrivesAt)
      ),
    ],
    [t.haltLabel, spanText(haltMinutes)],
    [t.platformLabel, platform ?? t.platformOpen],
    [t.delayLabel, delayMinutes > 0 ? t.lateBy({ time: spanText(delayMinutes) }) : t.onTime],
    ...(storeName === null ? [] : [[t.storeLabel, storeName] as const]),
    ...(state === 'OPEN' && orderUntil !== null && payUntil !== null
      ? ([
          [t.orderLabel, <CutOff key="order" until={orderUntil} times={times} onOver={onOver} />],
          [t.payLabel, times.moment(payUntil)],
        ] as const)
      : []),
  ];
  return (
    <dl className={css.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
