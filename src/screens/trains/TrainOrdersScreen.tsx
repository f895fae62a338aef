import * as t from '#text/trains.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { TrainOrder } from '../../contract/trainOrder.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { trainTasks, removeTrainAtom, trainOrdersState } from '../../state/trains/trainOrders.ts';
import { resumeTrainAtom } from '../../state/trains/trains.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { CancelRule } from './CancelRule.tsx';
import { useCancelTrain } from './cancel.ts';
import { CutOff } from './JourneyLine.tsx';
import { useTrainTimes } from './times.ts';
import { seatText } from './words.ts';
import css from './Trains.module.css';

export const enter = atom(null, (_get, set) => set(trainOrdersState.load));

const TONES = {
  SAVED: 'plain',
  UNPAID: 'sun',
  ORDERED: 'blue',
  ASKING: 'red',
  DELIVERED: 'lime',
  CANCELLED: 'plain',
  FAILED: 'plain',
} as const;

/** What can be done with one of them. */
function Actions({ train }: { train: TrainOrder }) {
  const resume = useSetAtom(resumeTrainAtom);
  const remove = useSetAtom(removeTrainAtom);
  const isBusy = useAtomValue(trainTasks.isBusyAtom);
  const cancel = useCancelTrain();
  const { orderId, state } = train;
  if (orderId === null)
    return (
      <>
        <Button full onClick={() => void resume(train)}>
          {t.resume}
        </Button>
        <Button full kind="quiet" busy={isBusy} onClick={() => void remove(train)}>
          {t.forget}
        </Button>
      </>
    );
  return (
    <>
      {state === 'ASKING' && (
        <Button full href={href(`/irctcOrder/${orderId}`)}>
          {t.answerNow}
        </Button>
      )}
      <Button
        full
        kind={state === 'ORDERED' || state === 'UNPAID' ? 'primary' : 'secondary'}
        href={href(`/order/${orderId}`)}
      >
        {t.seeOrder}
      </Button>
      {train.cancel.possible && (
        <Button full kind="quiet" onClick={() => cancel(train)}>
          {t.cancelThis}
        </Button>
      )}
    </>
  );
}

/** One train order: train, station, time and seat. */
function OrderCard({ train }: { train: TrainOrder }) {
  const times = useTrainTimes();
  const { station, state, orderUntil } = train;
  const isUnder = state === 'ORDERED' || state === 'ASKING' || state === 'UNPAID';
  return (
    <li className={css.order}>
      <header className={css.row}>
        <h2>{t.stationTitle({ station: station.name })}</h2>
        <Tag tone={TONES[state]}>{t.state({ state })}</Tag>
      </header>
      <p>{t.cartArrives({ train: t.trainOf(train.train), time: times.moment(station.arrivesAt) })}</p>
      <p className={css.note}>{seatText(train)}</p>
      {state === 'SAVED' && <CutOff until={orderUntil} times={times} />}
      {isUnder && <CancelRule train={train} />}
      <div className={css.stack}>
        <Actions train={train} />
      </div>
    </li>
  );
}

/** All train orders of this customer (TRN-09). */
export default function TrainOrdersScreen() {
  useCustomerChange(enter);
  const { data, status, failure } = useAtomValue(trainOrdersState.atom);
  const load = useSetAtom(trainOrdersState.load);
  return (
    <>
      <AppBar title={t.myOrders} back={{ label: t.backToTrains, href: href('/deliverontrain') }} />
      <Page>
        {data === null && status === 'failed' && (
          <NotLoaded
            title={failure?.kind === 'offline' ? t.ordersOffline : sentenceOf(failure)}
            failure={failure}
            onRetry={() => void load()}
          />
        )}
        {data === null && status !== 'failed' && (
          <div aria-busy="true">
            <Skeleton height="12rem" />
          </div>
        )}
        {data?.length === 0 && (
          <EmptyState
            picture={<EmptyPicture />}
            title={t.noOrders}
            action={<Button href={href('/deliverontrain')}>{t.pnrFind}</Button>}
          >
            <p>{t.noOrdersText}</p>
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <ul className={css.orders}>
            {data.map((train) => (
              <OrderCard key={train.trainOrderId} train={train} />
            ))}
          </ul>
        )}
      </Page>
    </>
  );
}
