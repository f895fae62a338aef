import * as t from '#text/trains.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Journey } from '../../contract/trainOrder.ts';
import { tripAtom } from '../../state/trains/station.ts';
import { journeyAtom, renewJourneyAtom } from '../../state/trains/trains.ts';
import { Card } from '../../ui/page/Card.tsx';
import { TrainIcon } from '../../ui/pictures/icons.ts';
import { Repeat } from '../../ui/time/Repeat.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { JourneyLine } from './JourneyLine.tsx';
import { StationSheet } from './StationSheet.tsx';
import { spanText, useTrainTimes } from './times.ts';
import { seatText } from './words.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import css from './Trains.module.css';

const RENEW_MS = MINUTE_MS;

/** The train, the ticket and its stations. */
export function JourneyCard({ journey }: { journey: Journey }) {
  const { train, from, to, departsAt, passengers, notice, stations } = journey;
  const [shown, setShown] = useState<string | null>(null);
  const { failure } = useAtomValue(journeyAtom);
  const trip = useAtomValue(tripAtom);
  const renew = useSetAtom(renewJourneyAtom);
  const times = useTrainTimes();
  const next = stations.find((stop) => stop.state !== 'PASSED');
  const late = next?.delayMinutes ?? 0;
  const stop = stations.find((one) => one.stationId === shown);
  return (
    <>
      <Card
        title={
          <span className={css.title}>
            <TrainIcon size={22} /> <span>{t.trainOf(train)}</span>
          </span>
        }
      >
        <div className={css.head}>
          <span>{t.fromTo({ from: from.name, to: to.name })}</span>
          <span className={css.note}>
            {[times.moment(departsAt), t.passengers({ count: passengers }), seatText(journey)].join(' · ')}
          </span>
          <span className={css.tags}>
            <Tag tone={late > 0 ? 'red' : 'lime'}>{late > 0 ? t.lateBy({ time: spanText(late) }) : t.onTime}</Tag>
          </span>
          {notice !== null && <p className={css.notice}>{notice}</p>}
          {failure !== null && (
            <p className={css.notice} role="status">
              {t.notRenewed}
            </p>
          )}
        </div>
      </Card>
      <Card title={t.chooseStation}>
        {stations.every(({ state }) => state !== 'OPEN') && <p className={css.reason}>{t.noneOpen}</p>}
        <JourneyLine
          journey={journey}
          chosen={trip?.stationId}
          onChoose={({ stationId }) => setShown(stationId)}
          onOver={() => renew()}
        />
      </Card>
      <Repeat everyMs={RENEW_MS} run={() => renew()} />
      {stop && <StationSheet stop={stop} onClose={() => setShown(null)} onOver={() => renew()} />}
    </>
  );
}
