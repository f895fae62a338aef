import * as t from '#text/account.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { ReactElement, ReactNode } from 'react';
import type { OrderCard } from '../../contract/history.ts';
import { isFinal } from '../../domain/orders.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { hasUsualAtom } from '../../state/cart/usual.ts';
import { recentOrders } from '../../state/orders/orders.ts';
import { itemsByIdAtom } from '../../state/first/menu.ts';
import { usualLinesAtom } from '../../state/first/usual.ts';
import { againAtom, lastOrderAtom, loadLastOrderAtom } from '../../state/after/account.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/money/Price.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { LinePicture } from '../base/LinePicture.tsx';
import { stateText } from '../base/words.ts';
import { useClock } from '../base/clock.ts';
import OrderAgain from '../order/OrderAgain.tsx';
import css from './Account.module.css';

const SHOWN = 3;

function Again() {
  const again = useSetAtom(againAtom);
  return <Button onClick={() => again()}>{t.orderAgain}</Button>;
}

/** An order that the server knows: how far it is, and what can be done with it. */
function Known({ order }: { order: OrderCard }) {
  const clock = useClock();
  const isUnderWay = !isFinal(order.orderStatus);
  const own = href(`/order/${order.orderId}`);
  return (
    <>
      <Dishes
        lines={order.lines.map((line) => ({ ...line, productId: line.product.id }))}
        note={
          <>
            {stateText(order)} · {clock.date(order.placedAt)} · <Price amount={order.total} />
          </>
        }
      />
      <div className={css.actions}>
        {isUnderWay && <Button href={own}>{t.orderTrack}</Button>}
        {!isUnderWay && <OrderAgain orderId={order.orderId} />}
        {!isUnderWay && (
          <Button kind="secondary" href={own}>
            {t.orderSee}
          </Button>
        )}
      </div>
    </>
  );
}

type Dish = Parameters<typeof LinePicture>[0]['line'] & { readonly quantity: number };

function Dishes({ lines, note }: { lines: readonly Dish[]; note?: ReactNode }) {
  return (
    <div className={css.dishes}>
      <span className={css.pictures}>
        {lines.slice(0, SHOWN).map((line, at) => (
          <span key={at}>
            <LinePicture line={line} />
          </span>
        ))}
      </span>
      <p>
        <b lang="en">
          {lines.map((line) => t.orderDish({ quantity: line.quantity, name: line.product.name })).join(', ')}
        </b>
        {note && <small>{note}</small>}
      </p>
    </div>
  );
}

/** The last order as this device knows it, where the server has no recent one. */
function Remembered({ orElse }: { orElse: ReactElement | false }) {
  const items = useAtomValue(itemsByIdAtom);
  const lines = useAtomValue(usualLinesAtom).flatMap((line) => {
    const product = items.get(line.productId);
    return product ? [{ ...line, product }] : [];
  });
  if (lines.length === 0 && orElse) return orElse;
  if (lines.length === 0)
    return (
      <>
        <p className={css.soft}>{t.orderNoneText}</p>
        <div className={css.actions}>
          <Button kind="secondary" href={href('/menu')}>
            {t.orderChoose}
          </Button>
        </div>
      </>
    );
  return (
    <>
      <Dishes lines={lines} />
      <div className={css.actions}>
        <Again />
      </div>
    </>
  );
}

/** The last order with one thing to do about it: to follow it, or to have it again. */
export function LastOrder() {
  const order = useAtomValue(lastOrderAtom);
  const { status, data } = useAtomValue(recentOrders.atom);
  const load = useSetAtom(loadLastOrderAtom);
  const hasUsual = useAtomValue(hasUsualAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  // A guest without a usual order has ordered nothing, nearly always.
  const isWaiting = data === null && (status === 'loading' || status === 'idle');
  const unknown = status === 'failed' && !hasUsual && (
    <p key="unknown" className={css.soft} role="status">
      {t.orderUnknown}{' '}
      <Button kind="quiet" small onClick={() => void load()}>
        {t.orderRetry}
      </Button>
    </p>
  );
  return (
    <Card title={t.orderTitle}>
      <div className={`${css.stack} ${css.last}`} aria-busy={isWaiting}>
        {order ? (
          <Known order={order} />
        ) : isWaiting && isLoggedIn && !hasUsual ? (
          <Skeleton height="9.5rem" />
        ) : (
          <Remembered orElse={unknown} />
        )}
      </div>
    </Card>
  );
}
