import * as t from '#text/trains.ts';
import type { TrainOrder } from '../../contract/trainOrder.ts';
import { cancelUntil } from '../../domain/trains.ts';
import { Aside } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { useTrainTimes } from './times.ts';

/** Until when a train order can be cancelled; after that why not, and whom to call. */
export function CancelRule({ train: { cancel, station } }: { train: TrainOrder }) {
  const times = useTrainTimes();
  if (cancel.possible)
    return <Aside>{cancel.until === null ? cancel.rule : t.deleteUntil({ time: times.moment(cancel.until) })}</Aside>;
  const now = times.now();
  // For a train that is hours away, or there already, it is not the time: the kitchen has begun.
  const isLate = now >= cancelUntil(station.arrivesAt) && now < station.arrivesAt;
  return <Aside>{rich(isLate ? t.deleteLate : t.deleteBegun, { help: <HelpNumber /> })}</Aside>;
}
