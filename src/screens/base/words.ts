import * as errors from '#text/errors.ts';
import * as orderText from '#text/orders.ts';
import * as t from '#text/order.ts';
import type { OrderCard } from '../../contract/history.ts';
import type { Eta, OrderView } from '../../contract/orders.ts';
import type { Money } from '../../contract/price.ts';
import { formatMoney, type MoneyStyle } from '../../domain/money.ts';
import { cardOf } from '../../domain/history.ts';
import { isFinal, statusNews } from '../../domain/orders.ts';
import type { useClock } from './clock.ts';
import type * as z from 'zod/mini';

type Known = Pick<OrderView, 'orderType' | 'orderStatus'> & { readonly stage?: string | undefined };

/** The step that an order is at, in the same words as in the list of its steps; once it is over, how it ended. */
export function stateText({
  step,
  orderStatus,
  orderType,
  retryAt,
}: Pick<OrderCard, 'step' | 'orderStatus' | 'orderType' | 'retryAt'>): string {
  // Without a time to try again the customer gave it up: nothing has failed.
  if (orderStatus === 'FAILED' && retryAt === undefined) return orderText.status({ news: 'CANCELLED' });
  return step ?? orderText.status({ news: statusNews(orderStatus, orderType) });
}

export const stageText = (order: OrderView): string => stateText(cardOf(order));

/** What happened to the money, in one sentence; empty while that is open. */
export function moneySentence(order: Pick<OrderView, 'payment' | 'orderStatus' | 'refund' | 'parts'>): string {
  const { payment, orderStatus, refund } = order;
  // Paid from balances alone: no payment from outside is under way, and what was returned is listed elsewhere on the
  // page.
  const isOnlyParts = payment.amount === 0 && (order.parts ?? []).length > 0;
  if (orderStatus === 'CANCELLED' && isOnlyParts) return t.moneyBackAtOnce;
  if (orderStatus === 'CANCELLED')
    return refund === null ? t.moneyNone : refund.state === 'PAID' ? t.moneyBack : t.moneyRefunding;
  if (orderStatus === 'FAILED')
    return refund ? t.refundNote : payment.state === 'FAILED' && !payment.isGivenUp ? t.moneyNone : t.moneyComesBack;
  if (payment.state === 'DUE_AT_DOOR') return t.moneyAtDoor;
  if (payment.state === 'CAPTURED') return refund ? t.moneyTakenTwice : errors.moneyTaken;
  if (payment.state === 'FAILED') return refund ? t.refundNote : payment.isGivenUp ? t.moneyComesBack : t.moneyNotTaken;
  return '';
}

/** What the expected time is about: the arrival at the door, the food being ready, and so on. */
export function awaited({ orderType, orderStatus, stage }: Known): string {
  if (isFinal(orderStatus)) return t.awaitedOver;
  if (orderStatus === 'ADVANCE ORDER') return t.awaitedLater;
  if (orderType === 'DELIVERY') return t.awaitedDoor;
  if (orderType === 'DINEIN') return t.awaitedTable;
  return stage === 'READY' ? t.awaitedReady : t.awaitedCollect;
}

/** The times between which the order is expected, with the day if that is not today. */
export function expectedText(
  eta: { readonly from: number; readonly to: number },
  clock: ReturnType<typeof useClock>,
  day?: number | null,
): string {
  const [from, to] = [clock.time(eta.from), clock.time(eta.to)];
  return day ? t.expectedOn({ date: clock.date(day), from, to }) : t.expected({ from, to });
}

/** How sure the expected time is. */
export function rateText({ rate }: z.output<typeof Eta>, orderType: OrderView['orderType']): string {
  return t.rate({ rate: Math.round(rate * 10), type: orderType });
}

/** What a customer who cancels loses, and what comes back. */
export function cancelText({ lines, payment, parts = [], bill }: OrderView, country: MoneyStyle): string {
  const dishes = lines.map((line) => t.lineDish({ quantity: line.quantity, dish: line.product.name })).join(', ');
  const money = (amount: Money) => formatMoney(amount, country);
  const hasOffer = bill.lines.some((line) => line.kind === 'discount');
  const isPaid = payment.state === 'CAPTURED' && payment.amount > 0;
  return [
    t.cancelLoses({ dishes }),
    ...(isPaid ? [t.cancelRefund({ amount: money(payment.amount), label: payment.label })] : []),
    ...parts.map((part) => t.cancelPartBack({ amount: money(part.amount), label: part.label })),
    ...(!isPaid && parts.length === 0 ? [t.cancelUnpaid] : []),
    ...(hasOffer ? [t.cancelOffer] : []),
  ].join(' ');
}

/** What the customer calls an address: Home, Office, or the name that was given to it. */
export function addressName({ type, label }: NonNullable<OrderView['address']>): string {
  return label || t.addressName({ type });
}
