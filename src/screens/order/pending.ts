import { useAtomValue } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { optionsNamed } from '../../contract/payments.ts';
import { optionsState } from '../../state/checkout/modes.ts';
import { nextStepAtom } from '../../state/orders/orders.ts';

/** What an unpaid order waits for, and what can be done about it. */
export function usePending(order: OrderView) {
  const next = useAtomValue(nextStepAtom);
  const isAsked = next?.kind === 'link';
  // If somebody else was asked to pay and did not, their link is still open: nothing has failed for the customer.
  const hasFailed = order.payment.state === 'FAILED' && !isAsked;
  return { next, isAsked, hasFailed, mode: isAsked ? 'LINK' : order.payment.mode };
}

/** The ways to pay, by the names that they have for this order. */
export function useOptions(order: OrderView) {
  const options = useAtomValue(optionsState.atom).data?.options;
  return options && optionsNamed(options, order.orderType);
}

export type PayWith = (mode: OrderView['payment']['mode']) => void;
