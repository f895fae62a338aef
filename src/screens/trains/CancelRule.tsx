import * as t from '#text/trains.ts';
import type { TrainOrder } from '../../contract/train.ts';
import { Aside } from '../../ui/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Help } from '../order/Help.tsx';
import { useTrainTimes } from './times.ts';

/** Until when a train order can be cancelled; after that whom to call. */
export function CancelRule({ train: { cancel } }: { train: TrainOrder }) {
  const times = useTrainTimes();
  return (
    <Aside>
      {cancel.possible && cancel.until !== null
        ? t.deleteUntil({ time: times.moment(cancel.until) })
        : rich(t.deleteLate, { help: <Help /> })}
    </Aside>
  );
}
