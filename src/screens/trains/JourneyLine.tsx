import * as t from '#text/trains.ts';
import type { Journey, Stop } from '../../contract/trainOrder.ts';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { CheckIcon, PinIcon, TrainIcon } from '../../ui/pictures/icons.ts';
import { spanText, useTrainTimes } from './times.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import css from './Journey.module.css';

type Times = ReturnType<typeof useTrainTimes>;

/** Time before a cut-off from which it is said in red. */
const SOON_MS = 15 * MINUTE_MS;
/** Further away than this nobody counts seconds. */
const COUNTED_MS = 6 * HOUR_MS;

/** How long it can still be ordered to a station. It counts down; a screen reader hears its start, its last minute and its end. */
export function CutOff({ until, times, onOver }: { until: number; times: Times; onOver?: () => void }) {
  const leftMs = until - times.now();
  if (leftMs > COUNTED_MS) return <span className={css.clock}>{t.orderUntil({ time: times.moment(until) })}</span>;
  return (
    <span className={css.clock} data-soon={leftMs < SOON_MS || undefined}>
      <Countdown
        endsAtMs={until}
        nowMs={times.now}
        text={(time) => t.orderWithin({ time })}
        expired={t.orderOver}
        {...(onOver ? { onExpire: onOver } : {})}
      />
    </span>
  );
}

/** What is said of a stop below its name. */
export function stopFacts(stop: Stop): string {
  return [
    stop.stationId,
    ...(stop.isBoarding ? [t.boarding] : []),
    ...(stop.isDestination ? [t.destination] : []),
    ...(stop.state === 'SKIPPED' || stop.state === 'PASSED'
      ? []
      : [
          ...(stop.haltMinutes > 0 ? [t.halt({ minutes: spanText(stop.haltMinutes) })] : []),
          ...(stop.platform === null ? [] : [t.platform({ platform: stop.platform })]),
        ]),
  ].join(' · ');
}

const KINDS: Readonly<Record<Stop['state'], 'open' | 'shut' | 'other'>> = {
  OPEN: 'open',
  TOO_EARLY: 'shut',
  CLOSED: 'shut',
  STORE_SHUT: 'shut',
  NOT_SERVED: 'other',
  SKIPPED: 'shut',
  PASSED: 'other',
};

function When({ stop, times }: { stop: Stop; times: Times }) {
  const isLate = stop.delayMinutes > 0 && stop.state !== 'SKIPPED';
  return (
    <span className={css.times}>
      <b className={isLate ? css.late : undefined}>{times.time(isLate ? stop.arrivesAt : stop.scheduledAt)}</b>
      {isLate && (
        <>
          <s aria-hidden>{times.time(stop.scheduledAt)}</s>
          <span className="visually-hidden">{t.was({ time: times.time(stop.scheduledAt) })}</span>
        </>
      )}
      {!times.isToday(stop.arrivesAt) && <span className={css.facts}>{times.date(stop.arrivesAt)}</span>}
    </span>
  );
}

interface LineProps {
  journey: Journey;
  chosen?: string | undefined;
  onChoose: (stop: Stop) => void;
  /** The time of a station has run out. */
  onOver: () => void;
}

/** The journey as a line of stations: ours stand out, with their clocks; the others say why nothing comes there. */
export function JourneyLine({ journey, chosen, onChoose, onOver }: LineProps) {
  const times = useTrainTimes();
  const { stations, train } = journey;
  const nowAt = times.now();
  const isBehind = (stop: Stop) => stop.state === 'PASSED' || stop.departsAt <= nowAt;
  // Beyond the last one that was passed the train is between two stations, or stands at one.
  const next = stations.findIndex((stop) => !isBehind(stop));
  return (
    <ol className={css.line} aria-label={t.stations({ train: t.trainOf(train) })}>
      {stations.map((stop, at) => {
        const kind = KINDS[stop.state];
        const isStanding = at === next && stop.arrivesAt <= nowAt;
        const isNext = next > 0 && at === next && !isStanding;
        return (
          <li
            key={stop.stationId}
            className={css.stop}
            data-kind={kind}
            data-passed={isBehind(stop) || undefined}
            data-chosen={stop.stationId === chosen || undefined}
          >
            <When stop={stop} times={times} />
            <span className={css.dot} aria-hidden>
              {isStanding || isNext ? (
                <TrainIcon size={14} />
              ) : isBehind(stop) ? (
                <CheckIcon size={12} />
              ) : (
                kind === 'open' && <PinIcon size={14} />
              )}
            </span>
            <button type="button" className={css.box} onClick={() => onChoose(stop)}>
              <span className={css.name}>{stop.name}</span>
              <span className={css.facts}>{stopFacts(stop)}</span>
              {(isStanding || isNext) && <span className={css.facts}>{isStanding ? t.trainHere : t.trainBetween}</span>}
              {stop.state === 'OPEN' && stop.orderUntil !== null && (
                <CutOff until={stop.orderUntil} times={times} onOver={onOver} />
              )}
              {stop.reason !== null && <span className={css.why}>{stop.reason}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
