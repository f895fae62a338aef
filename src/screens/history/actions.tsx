import * as t from '#text/history.ts';
import type { ReactElement } from 'react';
import type { OrderCard } from '../../contract/history.ts';
import type { OrderView } from '../../contract/orders.ts';
import { isFinal, isHandedOver } from '../../domain/orders.ts';
import { Button, type ButtonProps } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import RateCard from '../feedback/RateCard.tsx';
import HelpCard from '../help/HelpCard.tsx';
import InvoiceButton from '../order/InvoiceButton.tsx';
import OrderAgain from '../order/OrderAgain.tsx';
import css from './actions.module.css';

/** Where a list of actions stands: below an order in the list, or on the page of its details. */
type Place = 'list' | 'details';
type Look = Pick<ButtonProps, 'kind' | 'full' | 'small'>;

/**
 * What can be done about an order. The first that fits is the main one. `show` draws its button with that look; a
 * button with work of its own is a component in a file of its own.
 */
interface OrderAction {
  readonly fits: (order: OrderCard, place: Place) => boolean;
  readonly show: (order: OrderCard, look: Look) => ReactElement;
}

const actions: readonly OrderAction[] = [
  {
    fits: ({ orderStatus }) => !isFinal(orderStatus),
    show: ({ orderId, orderStatus }, look) => (
      <Button key="track" {...look} href={href(`/order/${orderId}`)}>
        {orderStatus === 'PENDING' ? t.finish : t.track}
      </Button>
    ),
  },
  {
    fits: ({ orderStatus }, place) => isFinal(orderStatus) || place === 'details',
    show: ({ orderId }, look) => <OrderAgain key="again" {...look} orderId={orderId} />,
  },
  {
    fits: ({ orderStatus }, place) => place === 'details' && isHandedOver(orderStatus),
    show: (order, look) => <InvoiceButton key="invoice" {...look} order={order} />,
  },
];

/** The buttons of an order: in a list the main one alone, on its page all of them, the main one first. */
export function OrderActions({ order, place }: { order: OrderCard; place: Place }) {
  const inList = place === 'list';
  const fitting = actions.filter(({ fits }) => fits(order, place)).slice(0, inList ? 1 : undefined);
  if (fitting.length === 0) return null;
  return (
    <div className={css.actions} data-place={place}>
      {fitting.map(({ show }, at) =>
        show(
          order,
          inList ? { kind: 'secondary', small: true } : { kind: at === 0 ? 'primary' : 'secondary', full: true },
        ),
      )}
    </div>
  );
}

/** Actions below an order's details: help, and the customer's feedback. */
export function OrderSections({ order }: { order: OrderView }) {
  return (
    <>
      {isHandedOver(order.orderStatus) && <RateCard orderId={order.orderId} />}
      <HelpCard orderId={order.orderId} />
    </>
  );
}
