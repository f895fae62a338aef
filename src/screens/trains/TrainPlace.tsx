import * as t from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { isTrainOffAtom } from '../../state/trains/onTrain.ts';
import { storeSelectorPath } from '../../state/places/stores.ts';
import type { Trip } from '../../state/trains/station.ts';
import { href } from '../../ui/href.ts';
import { TrainIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { CutOff } from './JourneyLine.tsx';
import { useTrainTimes } from './times.ts';
import css from './Trains.module.css';

/** Where and when the cart goes to, and until when that can be ordered. */
export default function TrainPlace({ trip }: { trip: Trip }) {
  const times = useTrainTimes();
  const isOff = useAtomValue(isTrainOffAtom);
  if (isOff)
    return (
      <ListRow
        icon={<TrainIcon size={20} />}
        title={t.stationTitle({ station: trip.text })}
        detail={<b className={css.over}>{t.cartOff}</b>}
        href={href(storeSelectorPath('DELIVERY'))}
        end={<span className={css.change}>{t.seatChange}</span>}
      />
    );
  const isOver = trip.orderUntil <= times.now();
  return (
    <ListRow
      icon={<TrainIcon size={20} />}
      title={t.stationTitle({ station: trip.text })}
      detail={
        <>
          {t.arrives} {times.moment(trip.arrivesAt)}
          <br />
          {isOver ? <b className={css.over}>{t.cartOver}</b> : <CutOff until={trip.orderUntil} times={times} />}
        </>
      }
      href={href(isOver ? '/irctc' : `/irctcStation?station=${trip.stationId}`)}
      end={<span className={css.change}>{t.seatChange}</span>}
    />
  );
}
