import { costOf } from '../../../domain/allocation.ts';
import { foldLines, isSameLine } from '../../../domain/foldLines.ts';
import { add } from '../../../domain/money.ts';
import type { OrderSnapshot } from '../../store/orders.ts';
import type { Quote } from './checkout.ts';

/** The lines of an order, equal ones as one, and what each costs. */
export function linesFor({ lines, costs }: Pick<Quote, 'lines' | 'costs'>): Pick<OrderSnapshot, 'lines' | 'costs'> {
  const folded = foldLines(lines);
  // A quote of an older release.
  if (costs === undefined) return { lines: folded };
  return {
    lines: folded,
    costs: folded.map((line) => {
      const ids = new Set(lines.filter((one) => isSameLine(one, line)).map(({ lineId }) => lineId));
      // What is free with a coupon has none.
      const own = costs.filter(({ lineId }) => ids.has(lineId));
      const pieces = own.flatMap((one) => one.pieces).toSorted((a, b) => b - a);
      return {
        lineId: line.lineId,
        cost: add(...own.map(costOf)),
        tax: add(...own.map(({ tax }) => tax)),
        rounding: add(...own.map(({ rounding }) => rounding)),
        ...(pieces.some((piece) => piece < pieces[0]! - 1) ? { pieces } : {}),
        partPrices: own[0]?.partPrices,
        // The pizza that points pay for may be one of several that are alike.
        ...(own.some(({ isReward }) => isReward) ? { isReward: true as const } : {}),
      };
    }),
  };
}
