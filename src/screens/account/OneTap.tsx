import * as t from '#text/account.ts';
import * as history from '#text/history.ts';
import { useAtomValue } from 'jotai';
import type { OrderCard } from '../../contract/history.ts';
import { isEasyAtom, oneTapOrdersAtom } from '../../state/orders/favouriteOrders.ts';
import { Card } from '../../ui/page/Card.tsx';
import { href } from '../../ui/href.ts';
import { Price } from '../../ui/money/Price.tsx';
import { LinePicture } from '../base/LinePicture.tsx';
import OrderAgain from '../order/OrderAgain.tsx';
import css from './Account.module.css';

function OneOrder({ order, isEasy }: { order: OrderCard; isEasy: boolean }) {
  const [first] = order.lines;
  return (
    <li className={css.oneTap}>
      <span className={css.pictures}>{first && <LinePicture line={{ ...first, productId: first.product.id }} />}</span>
      <p>
        <b lang="en">
          {order.lines.map(({ quantity, product }) => history.dish({ quantity, dish: product.name })).join(', ')}
        </b>
        <small>
          {isEasy ? t.easyNow : t.easyKept} · <Price amount={order.total} />
        </small>
      </p>
      <OrderAgain kind="secondary" small orderId={order.orderId} />
    </li>
  );
}

/** The customer's usual order at this hour and their favourite orders, one tap each; absent before they have any. */
export function OneTap() {
  const orders = useAtomValue(oneTapOrdersAtom);
  const isEasy = useAtomValue(isEasyAtom);
  if (!FULL_MODE || orders.length === 0) return null;
  return (
    <Card title={t.easyTitle} end={<a href={href('/postorder-ui/orderHistory?tab=favourites')}>{t.easyAll}</a>}>
      <ul className={css.oneTaps}>
        {orders.map((order, at) => (
          <OneOrder key={order.orderId} order={order} isEasy={isEasy && at === 0} />
        ))}
      </ul>
    </Card>
  );
}
