import * as t from '#text/history.ts';
import type { OrderCard as Order } from '../../contract/history.ts';
import { memo } from 'react';
import { isFinal } from '../../domain/orders.ts';
import { addressLabel, addressLine } from '../../state/places/addresses.ts';
import { DishName } from '../../ui/DishName.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/money/Price.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { LinePicture } from '../base/LinePicture.tsx';
import { useClock } from '../base/clock.ts';
import { moneySentence, stateText } from '../base/words.ts';
import { OrderActions } from './actions.tsx';
import { FavouriteHeart } from './FavouriteHeart.tsx';
import { useWhen } from '../base/when.ts';
import css from './OrderCard.module.css';

const PICTURES = 4;
/** As many as there is room for; where some are left out, their number takes the room of one. */
const shownLines = <L,>(lines: readonly L[]): readonly L[] =>
  lines.length > PICTURES ? lines.slice(0, PICTURES - 1) : lines;

const TONES = { CANCELLED: 'red', FAILED: 'red', DELIVERED: 'lime', PICKED: 'lime', PENDING: 'sun' } as const;
const toneOf = ({ orderStatus }: Order) => TONES[orderStatus as keyof typeof TONES] ?? 'blue';

const isNotMade = (status: Order['orderStatus']) => status === 'CANCELLED' || status === 'FAILED';

/** The dishes in one line: `2 × Garden Four, Garlic Bread`. */
const dishesText = ({ lines }: Pick<Order, 'lines'>): string =>
  lines.map(({ quantity, product }) => t.dish({ quantity, dish: product.name })).join(', ');

/** Where it went: to an address by the name that the customer gave it, or to a store. */
function placeText({ orderType, address, store }: Order): string {
  const place = address ? `${addressLabel(address)} · ${addressLine(address)}` : store.name;
  return t.to({ type: orderType, place });
}

function Expected({ order }: { order: Order }) {
  const clock = useClock();
  const { eta, orderStatus, scheduledFor, stage } = order;
  if (orderStatus === 'ADVANCE ORDER' && scheduledFor !== undefined)
    return <p>{t.bookedFor({ date: clock.date(scheduledFor), time: clock.time(scheduledFor) })}</p>;
  if (!eta || stage === 'READY') return null;
  return <p>{t.expected({ from: clock.time(eta.from), to: clock.time(eta.to) })}</p>;
}

interface CardProps {
  readonly order: Order;
  readonly to: string;
  /** Far from the screen only the words of a card are drawn, which stay where they are when the rest comes. */
  readonly isNear?: boolean;
}

/** An order: how and when it ended, its dishes and their cost. */
function Head({ order }: { order: Order }) {
  const when = useWhen();
  const { lines, orderStatus, placedAt, total } = order;
  return (
    <>
      <p className={css.top}>
        <Tag tone={toneOf(order)}>{stateText(order)}</Tag>
        <time dateTime={new Date(placedAt).toISOString()}>{when.moment(placedAt)}</time>
      </p>
      <div className={css.what}>
        <span className={css.pictures} data-faded={isNotMade(orderStatus) || undefined}>
          {shownLines(lines).map((line) => (
            <span key={line.lineId}>
              <LinePicture line={{ ...line, productId: line.product.id }} />
            </span>
          ))}
          {lines.length > PICTURES && <b aria-hidden>{t.more({ count: lines.length - PICTURES + 1 })}</b>}
        </span>
        <span className={css.total}>
          <Price amount={total} />
        </span>
      </div>
    </>
  );
}

/** One order in a list, with a link to all of it. Of a long list only the cards whose order is another one are drawn anew. */
export const OrderCard = memo(function OrderCard({ order, to, isNear = true }: CardProps) {
  const { orderNumber, orderStatus } = order;
  const dishes = dishesText(order);
  return (
    <article className={css.card} data-far={!isNear || undefined}>
      {isNear && <Head order={order} />}
      <div className={css.words}>
        <h3>
          <a className={css.link} href={href(to)} aria-label={t.orderOf({ number: orderNumber, dishes })}>
            <DishName name={dishes} />
          </a>
        </h3>
        <p>{placeText(order)}</p>
        {order.isGroup && <p>{t.groupOrder}</p>}
        {isNear && !isFinal(orderStatus) && <Expected order={order} />}
      </div>
      {isNear && isNotMade(orderStatus) && <p className={css.money}>{moneySentence(order)}</p>}
      {isNear && (
        <footer className={css.foot}>
          <span className={css.more}>{t.details}</span>
          <OrderActions order={order} place="list" />
          <FavouriteHeart order={order} />
        </footer>
      )}
    </article>
  );
});
