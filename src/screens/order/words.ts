import type { Eta, OrderStep, OrderView } from '../../contract/orders.ts';
import { isFinal } from '../../domain/orders.ts';
import type { Step } from '../../ui/Steps.tsx';
import type * as z from 'zod/mini';

type Known = Pick<OrderView, 'orderType' | 'orderStatus'> & { readonly stage?: string | undefined };

/** What the time of an order is the time of. */
export function awaited({ orderType, orderStatus, stage }: Known): string {
  if (isFinal(orderStatus)) return 'How it went';
  if (orderStatus === 'ADVANCE ORDER') return 'Booked for later';
  if (orderStatus === 'PICKED UP') return 'On its way';
  if (orderType === 'DELIVERY') return 'At your door';
  if (orderType === 'DINEIN') return 'At your table';
  return stage === 'READY' ? 'Ready for you' : 'Ready to collect';
}

/** How sure that time is. */
export function rateText({ rate }: z.output<typeof Eta>, orderType: OrderView['orderType']): string {
  return `${Math.round(rate * 10)} in 10 orders ${orderType === 'DELIVERY' ? 'arrive' : 'are ready'} in this time.`;
}

/** The steps of an order for the eye, each done one with its time; what ended it badly is no success. */
export function shownSteps(steps: readonly z.output<typeof OrderStep>[], time: (at: number) => string): Step[] {
  return steps.map(({ id, label, at, state }) => ({
    title: label, state: id === 'CANCELLED' || id === 'FAILED' ? 'failed' : state === 'next' ? 'todo' : state, ...(at !== null ? { detail: time(at) } : {}),
  }));
}
