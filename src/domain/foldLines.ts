import type { Money } from '../contract/money.ts';
import { isSameDish } from './madeOf.ts';
import { add } from './money.ts';

interface Priced {
  readonly product: { readonly id: string; readonly price: Money };
  readonly size?: string | undefined;
  readonly crust?: string | undefined;
  readonly build?: object | undefined;
  readonly slots?: readonly object[] | undefined;
  readonly note?: string | undefined;
  readonly quantity: number;
  readonly lineTotal: Money;
  readonly free?: boolean | undefined;
  readonly by?: { readonly personId: string } | undefined;
}

const asked = (line: Priced) => ({ ...line, productId: line.product.id });

/** The same dish at the same price for the same person; a free one stays apart from one that is paid. */
export const isSameLine = (a: Priced, b: Priced) =>
  a.product.price === b.product.price &&
  a.free === b.free &&
  a.by?.personId === b.by?.personId &&
  isSameDish(asked(a), asked(b));

/** Priced lines with equal ones as one, in the order in which each dish first stands. */
export function foldLines<L extends Priced>(lines: readonly L[]): L[] {
  const folded: L[] = [];
  for (const line of lines) {
    const at = folded.findIndex((one) => isSameLine(one, line));
    const same = folded[at];
    if (same === undefined) folded.push(line);
    else
      folded[at] = {
        ...same,
        quantity: same.quantity + line.quantity,
        lineTotal: add(same.lineTotal, line.lineTotal),
      };
  }
  return folded;
}
