import { inputOf } from '../../domain/lineInput.ts';
import * as t from '#text/order.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { addShortcutAtom, canAddShortcutAtom } from '../../state/base/share.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Celebration } from '../../ui/overlays/Celebration.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { Actions, Aside } from '../../ui/page/Page.tsx';
import { part } from '../../ui/time/loaded.tsx';
import { rich } from '../../ui/rich.ts';
import { ChatCard } from '../chat/ChatRow.tsx';
import { HelpNumber } from '../base/HelpNumber.tsx';
import { LinePicture } from '../base/LinePicture.tsx';
import { CheckIcon } from '../../ui/pictures/icons.ts';
import { ComingPoints } from './ComingPoints.tsx';
import { OnTheWay } from '../tracking/OnTheWay.tsx';
import { moneySentence } from '../base/words.ts';
import css from './OrderScreen.module.css';

/** It was handed over. */
export const isDone = ({ orderStatus }: OrderView) => orderStatus === 'DELIVERED' || orderStatus === 'PICKED';

// Of an order that is over.
const RateCard = FULL_MODE ? part(() => import('../feedback/RateCard.tsx')) : () => null;
const HelpCard = FULL_MODE ? part(() => import('../help/HelpCard.tsx')) : () => null;
/** A payment app has no assistant. */
const Chat = FULL_MODE ? ChatCard : () => null;

const DISHES_SHOWN = 3;

/** What was ordered, with a tick. */
function Dishes({ lines }: { lines: OrderView['lines'] }) {
  return (
    <span className={css.dishes} aria-hidden>
      {lines.slice(0, DISHES_SHOWN).map((line) => (
        <span key={line.lineId}>
          <LinePicture line={{ ...inputOf(line), product: line.product }} />
        </span>
      ))}
      <CheckIcon size={26} />
    </span>
  );
}

export function PlacedOrder({ order }: { order: OrderView }) {
  const canAddShortcut = useAtomValue(canAddShortcutAtom);
  const addShortcut = useSetAtom(addShortcutAtom);
  const isBooked = order.orderStatus === 'ADVANCE ORDER';
  const isNew = order.orderStatus === 'ORDER PLACED' || isBooked;
  const isOver = isDone(order);
  return (
    <>
      {/* The region stays, so that screen readers hear what appears in it. Once the kitchen is at work, the progress below says all. */}
      <section className={css.hero} aria-live="polite">
        {(isNew || isOver) && (
          <>
            <Dishes lines={order.lines} />
            <h2>
              <span data-news>{isOver ? t.doneTitle : isBooked ? t.bookedTitle : t.placedTitle}</span>
            </h2>
            <p>{isOver ? t.doneText : moneySentence(order)}</p>
          </>
        )}
        {!isNew && order.refund && <p>{moneySentence(order)}</p>}
        {order.orderStatus === 'ORDER PLACED' && (
          <Celebration
            name={order.orderNumber}
            message={rich(t.placedNumber, { number: <Exact>{order.orderNumber}</Exact> })}
            second={t.placedNext({ type: order.orderType })}
            onDone={() => {}}
          />
        )}
      </section>
      {FULL_MODE && isOver && <RateCard orderId={order.orderId} />}
      <ComingPoints order={order} />
      <OnTheWay order={order} isNamed={isNew} />
      {canAddShortcut && !isOver && (
        <Card title={t.shortcutTitle}>
          <p>{t.shortcutText}</p>
          <Actions>
            <Button full kind="secondary" onClick={() => void addShortcut()}>
              {t.shortcutAdd}
            </Button>
          </Actions>
        </Card>
      )}
      {FULL_MODE && isOver ? (
        <HelpCard orderId={order.orderId} />
      ) : (
        <>
          <Chat orderId={order.orderId} />
          <Aside>{rich(t.needHelpWithOrder, { help: <HelpNumber /> })}</Aside>
        </>
      )}
    </>
  );
}
