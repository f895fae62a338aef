import * as t from '#text/order.ts';
import { useAtomValue } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { madeOf } from '../../domain/madeOf.ts';
import { inputOf } from '../../domain/lineInput.ts';
import { countryAtom } from '../../state/base/country.ts';
import { BillLines } from '../../ui/money/BillLines.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { DishName } from '../../ui/DishName.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { LinePicture } from '../base/LinePicture.tsx';
import { useClock } from '../base/clock.ts';
import { PaidParts } from './PaidParts.tsx';
import css from './Lines.module.css';
import printed from './Printed.module.css';

/** The ordered dishes with size, crust, halves and changes, the bill, and how it is paid. */
export function Lines({ order }: { order: OrderView }) {
  const { lines, bill, payment } = order;
  const isNotMade = order.orderStatus === 'FAILED' || order.orderStatus === 'CANCELLED';
  return (
    <div data-printed>
      <Letterhead order={order} />
      <Card title={isNotMade ? t.linesNotMade : t.linesTitle}>
        <ul className={css.lines}>
          {lines.map((line) => {
            const made = madeOf(line);
            return (
              <li key={line.lineId}>
                <span className={css.picture}>
                  <LinePicture line={{ ...inputOf(line), product: line.product }} />
                </span>
                <span className={css.words}>
                  <FoodMark type={line.product.foodType} />{' '}
                  {rich(t.lineDish, { quantity: line.quantity, dish: <DishName name={line.product.name} /> })}
                  {made.length > 0 && <small>{made.join(' · ')}</small>}
                  {line.note && <small>“{line.note}”</small>}
                  {line.by && <small>{t.forPerson({ name: line.by.name })}</small>}
                </span>
                <Price amount={line.lineTotal} zero={t.free} />
              </li>
            );
          })}
        </ul>
        <BillLines bill={bill} totalLabel={payment.state === 'CAPTURED' ? t.paid : t.total} />
        <PaidParts order={order} />
        <PaidHow order={order} />
      </Card>
    </div>
  );
}

/** The buyer, for an order that is printed. */
function Letterhead({ order: { store, placedAt } }: { order: OrderView }) {
  const { appName } = useAtomValue(countryAtom);
  const clock = useClock();
  return (
    <p className={printed.letterhead}>
      <b translate="no">{appName}</b>
      <br />
      {store.name}
      <br />
      {store.address}, {store.city} {store.postcode}
      <br />
      {clock.date(placedAt)}, {clock.time(placedAt)}
    </p>
  );
}

/** How the order is paid, in one line. Nothing while that is open: then the page says so at its top. */
function PaidHow({ order: { payment, orderStatus, parts = [] } }: { order: OrderView }) {
  const { state, label, amount } = payment;
  if (orderStatus === 'FAILED' || orderStatus === 'CANCELLED') return null;
  // The list of balances above says how much each way has paid.
  if (state === 'CAPTURED' && parts.length === 0) return <p className={css.how}>{t.paidWith({ label })}</p>;
  if (state === 'DUE_AT_DOOR')
    return <p className={css.how}>{rich(t.payAtDoor, { amount: <Price amount={amount} />, label, b: <b /> })}</p>;
  return null;
}
