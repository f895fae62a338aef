import * as orderText from '#text/order.ts';
import * as t from '#text/trains.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import type { TrainOrder } from '../../contract/trainOrder.ts';
import { isFinal } from '../../domain/orders.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { countryAtom } from '../../state/base/country.ts';
import { followAtom } from '../../state/orders/orderStream.ts';
import { changeSeatAtom, trainTasks } from '../../state/trains/trainOrders.ts';
import type { SeatDraft } from '../../state/trains/pnr.ts';
import { seatProblemsAtom } from '../../state/trains/trains.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { SeatIcon, TrainIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Actions } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Steps, type Step } from '../../ui/Steps.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { While } from '../../ui/time/While.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { NewsOffer } from '../base/NewsOffer.tsx';
import { CancelRule } from './CancelRule.tsx';
import { useCancelTrain } from './cancel.ts';
import { SeatFields, showProblem } from './SeatFields.tsx';
import { spanText, useTrainTimes } from './times.ts';
import { seatText } from './words.ts';
import css from './Progress.module.css';

/** What the passenger has to decide, before everything else. */
function Question({ train }: { train: TrainOrder }) {
  if (train.question === null || train.orderId === null) return null;
  return (
    <section className={css.question} role="alert">
      <p>{train.question.text}</p>
      <Button full href={href(`/irctcOrder/${train.orderId}`)}>
        {t.answerNow}
      </Button>
    </section>
  );
}

/** The hand-over code: readable at an arm's length, and large on the whole screen for the rider. */
function Code({ code, coach }: { code: string; coach: string | null }) {
  const [isLarge, setLarge] = useState(false);
  const spoken = t.codeSpoken({ code: code.split('').join(' ') });
  return (
    <section className={css.code} aria-label={t.codeHead}>
      <h2>{t.codeHead}</h2>
      <b role="img" aria-label={spoken} translate="no">
        {code}
      </b>
      <p>{coach === null ? t.codeHowOpen : t.codeHow({ coach })}</p>
      <Button kind="secondary" onClick={() => setLarge(true)}>
        {t.codeEnlarge}
      </Button>
      {isLarge && (
        <Sheet title={t.codeHead} onClose={() => setLarge(false)}>
          <div className={css.large}>
            <b role="img" aria-label={spoken} translate="no">
              <span>{code.slice(0, code.length / 2)}</span>
              <span>{code.slice(code.length / 2)}</span>
            </b>
            <p>{coach === null ? t.codeHowOpen : t.codeHow({ coach })}</p>
          </div>
        </Sheet>
      )}
    </section>
  );
}

const draftOf = ({ coach, berth, passenger, pnrEnd }: TrainOrder): SeatDraft => ({
  pnrEnd: pnrEnd ?? '',
  coach: coach ?? '',
  berth: berth ?? '',
  isOther: passenger !== null,
  name: passenger?.name ?? '',
  mobile: passenger?.mobile ?? '',
});

/** Changes coach, berth and who eats while the rider has not left. */
function SeatSheet({ train, onClose }: { train: TrainOrder; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(train));
  const [isTried, setTried] = useState(false);
  const problems = useAtomValue(seatProblemsAtom)(draft);
  const change = useSetAtom(changeSeatAtom);
  const isBusy = useAtomValue(trainTasks.isBusyAtom);
  const save = async () => {
    setTried(true);
    showProblem(problems);
    if (Object.keys(problems).length === 0 && (await change(train, draft))) onClose();
  };
  return (
    <Sheet
      title={t.seatChangeTitle}
      onClose={onClose}
      closeOnOutside={false}
      footer={
        <Button full busy={isBusy} onClick={() => void save()}>
          {t.seatSave}
        </Button>
      }
    >
      <SeatFields
        draft={draft}
        problems={isTried ? problems : {}}
        onChange={(more) => setDraft((before) => ({ ...before, ...more }))}
      />
    </Sheet>
  );
}

function Seat({ train }: { train: TrainOrder }) {
  const [isOpen, setOpen] = useState(false);
  const country = useAtomValue(countryAtom);
  const { passenger, mayChange, state } = train;
  const isUnder = state === 'ORDERED' || state === 'ASKING' || state === 'UNPAID';
  return (
    <Card flush>
      <ListRow
        icon={<SeatIcon size={22} />}
        title={seatText(train)}
        detail={
          passenger === null
            ? undefined
            : rich(t.eats, { name: passenger.name, mobile: <Exact>{writtenPhone(passenger.mobile, country)}</Exact> })
        }
        {...(mayChange
          ? { end: <span className={css.change}>{t.seatChange}</span>, onClick: () => setOpen(true) }
          : {})}
      />
      {!mayChange && isUnder && <p className={css.fixed}>{rich(t.seatFixed, { help: <HelpNumber /> })}</p>}
      {isOpen && <SeatSheet train={train} onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** The halt at which the food comes. */
function Halt({ train }: { train: TrainOrder }) {
  const times = useTrainTimes();
  const { station } = train;
  const isLate = station.delayMinutes > 0;
  return (
    <Card
      title={
        <span className={css.title}>
          <TrainIcon size={20} /> <span>{t.trainOf(train.train)}</span>
        </span>
      }
    >
      <div className={css.halt}>
        <span className={css.at}>
          <span>{station.name}</span>
          <b>{times.moment(station.arrivesAt)}</b>
        </span>
        <span className={css.tags}>
          <Tag tone={isLate ? 'red' : 'lime'}>
            {isLate ? t.lateBy({ time: spanText(station.delayMinutes) }) : t.onTime}
          </Tag>
          <Tag tone="blue">
            {station.platform === null ? t.platformOpen : t.platform({ platform: station.platform })}
          </Tag>
          <Tag>{t.halt({ minutes: spanText(station.haltMinutes) })}</Tag>
        </span>
        {isLate && <span className={css.soft}>{t.arrivesTable({ time: times.moment(station.scheduledAt) })}</span>}
      </div>
    </Card>
  );
}

/** Train and kitchen on one line of time: what was, with its time, and what is to come. */
function Timeline({ train }: { train: TrainOrder }) {
  const times = useTrainTimes();
  const steps = train.timeline.map(({ kind, label, at, expectedAt, state }): Step => ({
    title: label,
    detail: [
      kind === 'TRAIN' ? t.stepTrain : t.stepKitchen,
      at === null ? (expectedAt === null ? '' : t.expectedAt({ time: times.moment(expectedAt) })) : times.moment(at),
    ]
      .filter(Boolean)
      .join(' · '),
    state: state === 'next' ? 'todo' : state,
  }));
  return (
    <Card title={t.timeline}>
      <Steps label={t.timeline} steps={steps} />
    </Card>
  );
}

/** What was told of the train since the order, newest first. */
export function TrainNews({ train }: { train: TrainOrder }) {
  const times = useTrainTimes();
  if (train.news.length === 0) return null;
  return (
    <Card title={t.news}>
      <ul className={css.news} role="log">
        {train.news.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <time>{times.moment(at)}</time> {text}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** An order to a train: what is asked, the code, the train, the seat, and train and kitchen on one line of time. */
export default function TrainProgress({ order, train }: { order: OrderView; train: TrainOrder }) {
  const follow = useSetAtom(followAtom);
  const cancel = useCancelTrain();
  const isOver = isFinal(order.orderStatus);
  const code = train.handOverCode ?? order.handOverCode;
  return (
    <>
      {!isOver && <While name={order.orderId} run={(signal) => void follow(order.orderId, signal)} />}
      <Question train={train} />
      {code && !isOver && <Code code={code} coach={train.coach} />}
      <Halt train={train} />
      <Seat train={train} />
      <Timeline train={train} />
      <TrainNews train={train} />
      {!isOver && (
        <Actions>
          <NewsOffer />
          {train.cancel.possible && (
            <Button full kind="quiet" onClick={() => cancel(train)}>
              {orderText.cancel}
            </Button>
          )}
          <CancelRule train={train} />
        </Actions>
      )}
    </>
  );
}
