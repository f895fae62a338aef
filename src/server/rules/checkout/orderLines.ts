import { costOf } from '../../../domain/allocation.ts';
import { foldLines, isSameLine } from '../../../domain/madeOf.ts';
import { ZERO } from '../../../domain/money.ts';
import type { OrderSnapshot } from '../../store/orders.ts';
import type { Quote } from './checkout.ts';

/** The lines of an order, equal ones as one, and what each costs. */
export function linesFor({ lines, costs }: Pick<Quote, 'lines' | 'costs'>): Pick<OrderSnapshot, 'lines' | 'costs'> {
  // A quote of an older release, or one without a dish.
  if (costs === undefined) return { lines: foldLines(lines) };
  const own = new Map(costs.map((one) => [one.lineId, one]));
  const rewarded = lines.find((line) => own.get(line.lineId)?.isReward === true);
  const folded = foldLines(
    lines.map((line) => {
      const cost = own.get(line.lineId);
      return { ...line, cost: cost === undefined ? ZERO : costOf(cost) };
    }),
  );
  return {
    lines: folded.map(({ cost: _, ...line }) => line),
    costs: folded.map((line) => ({
      lineId: line.lineId,
      cost: line.cost ?? ZERO,
      partPrices: own.get(line.lineId)?.partPrices,
      // The pizza that points pay for may be one of several that are alike.
      ...(rewarded !== undefined && isSameLine(line, rewarded) ? { isReward: true as const } : {}),
    })),
  };
}
