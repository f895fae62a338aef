import type * as z from 'zod/mini';
import type { OrderStep } from '../../contract/orders.ts';
import type { Step } from '../../ui/Steps.tsx';

/**
 * The steps of an order as `Steps` draws them, each done one with its time. A cancelled or failed last step is no
 * success.
 */
export function shownSteps(steps: readonly z.output<typeof OrderStep>[], time: (at: number) => string): Step[] {
  return steps.map(({ id, label, at, state }) => ({
    title: label,
    state: id === 'CANCELLED' || id === 'FAILED' ? 'failed' : state === 'next' ? 'todo' : state,
    ...(at !== null ? { detail: time(at) } : {}),
  }));
}
