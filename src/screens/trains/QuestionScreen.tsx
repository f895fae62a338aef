import * as orderText from '#text/order.ts';
import * as t from '#text/trains.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { isGone } from '../../api/failure.ts';
import type { TrainOrder, TrainQuestion } from '../../contract/trainOrder.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { orderState } from '../../state/orders/orders.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import {
  answerTrainAtom,
  chooseAtom,
  choiceAtom,
  trainTasks,
  trainOrderState,
  type Choice,
} from '../../state/trains/trainOrders.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { CashIcon, ClockIcon, PinIcon } from '../../ui/pictures/icons.ts';
import { Aside, Page } from '../../ui/page/Page.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import { Repeat } from '../../ui/time/Repeat.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { SuccessPicture } from '../../ui/pictures/SuccessPicture.tsx';
import type { ScreenInput } from '../base/entered.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { useTrainTimes } from './times.ts';
import css from './Trains.module.css';

export const enter = atom(null, (_get, set, { params }: ScreenInput) =>
  set(trainOrderState.load, params.orderId ?? ''),
);

const ICONS = { TIME: ClockIcon, STATION: PinIcon, REFUND: CashIcon };
/** A choice as the value of a radio button. */
const keyOf = ({ choice, stationId }: Choice) => (stationId === undefined ? choice : `${choice} ${stationId}`);
const RENEW_MS = 20_000;

function Asked({ train, question }: { train: TrainOrder; question: TrainQuestion }) {
  const times = useTrainTimes();
  const chosen = useAtomValue(choiceAtom)(train);
  const choose = useSetAtom(chooseAtom);
  const answer = useSetAtom(answerTrainAtom);
  const isBusy = useAtomValue(trainTasks.isBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const load = useSetAtom(trainOrderState.load);
  const loadOrder = useSetAtom(orderState.load);
  const { go } = useAtomValue(navigateAtom);
  const orderId = train.orderId ?? train.trainOrderId;
  // What is no longer offered is not chosen either.
  const valid = question.choices.find((one) => chosen !== null && keyOf(one) === keyOf(chosen));
  const submit = async () => {
    if (!(await answer(train))) return;
    void loadOrder(orderId);
    go(`/order/${orderId}`, { replace: true });
  };
  return (
    <>
      <Page>
        <div className={css.question}>
          <p className={css.what}>{question.text}</p>
          <p className={css.within}>
            <ClockIcon size={18} />
            <Countdown
              endsAtMs={question.answerBy}
              nowMs={times.now}
              text={(time) => t.questionWithin({ time })}
              expired={t.questionOver}
              onExpire={() => void load(orderId)}
            />
          </p>
        </div>
        <RadioCards
          legend={t.questionHead}
          value={valid ? keyOf(valid) : null}
          onChange={(key) => {
            const one = question.choices.find((other) => keyOf(other) === key);
            if (one) choose(train, { choice: one.choice, stationId: one.stationId });
          }}
          options={question.choices.map((one) => {
            const Icon = ICONS[one.choice];
            return {
              value: keyOf(one),
              title: one.label,
              detail: one.detail,
              icon: <Icon size={24} />,
              ...(one.amount === undefined ? {} : { end: <Price amount={one.amount} /> }),
            };
          })}
        />
        {question.whyNot.map((text) => (
          <Aside key={text}>{text}</Aside>
        ))}
        <Card>
          <p>{question.otherwise}</p>
        </Card>
        {isOffline && <Aside isNews>{t.questionOffline}</Aside>}
        <Aside>{rich(orderText.needHelpWithOrder, { help: <HelpNumber /> })}</Aside>
      </Page>
      <BottomBar
        label={t.questionHead}
        action={
          <Button full busy={isBusy} disabled={isOffline || !valid} onClick={() => void submit()}>
            {!valid
              ? t.questionPick
              : valid.choice === 'REFUND'
                ? valid.label
                : t.questionConfirm({ choice: valid.choice })}
          </Button>
        }
      />
    </>
  );
}

/** The train is late or does not stop: the new time, another station, or the money back, on one screen (TRN-X02). */
export default function QuestionScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const orderId = params.orderId ?? '';
  const { data, failure } = useAtomValue(trainOrderState.atom);
  const load = useSetAtom(trainOrderState.load);
  const train =
    data !== null && !isGone(failure) && (data.orderId === orderId || data.trainOrderId === orderId) ? data : null;
  return (
    <>
      {!isGone(failure) && <Repeat everyMs={RENEW_MS} run={() => load(orderId)} />}
      <AppBar
        title={t.questionTitle}
        subtitle={train ? t.trainOf(train.train) : failure ? undefined : null}
        back={{ label: orderText.backToOrder, href: href(`/order/${orderId}`) }}
      />
      {train?.question ? (
        <Asked train={train} question={train.question} />
      ) : train ? (
        <EmptyState
          picture={<SuccessPicture />}
          title={t.questionNone}
          action={<Button href={href(`/order/${orderId}`)}>{t.seeOrder}</Button>}
        >
          <p>{t.questionNoneText}</p>
        </EmptyState>
      ) : failure ? (
        <NotLoaded
          title={failure.kind === 'offline' ? t.questionOffline : sentenceOf(failure)}
          failure={failure}
          onRetry={() => void load(orderId)}
        />
      ) : (
        <Page busy>
          <Skeleton height="6rem" />
          <Skeleton height="14rem" />
        </Page>
      )}
    </>
  );
}
