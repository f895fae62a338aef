import type { Money } from '../contract/money.ts';
import { add } from './money.ts';

interface Made {
  readonly sizeName?: string | undefined;
  readonly crustName?: string | undefined;
  readonly choices: readonly string[];
}

interface Asked {
  readonly productId: string;
  readonly size?: string | undefined;
  readonly crust?: string | undefined;
  readonly build?: object | undefined;
  readonly slots?: readonly object[] | undefined;
  readonly note?: string | undefined;
}

/**
 * Text that is the same for equal values. Keys and list entries are sorted, because the order in which toppings were
 * tapped does not matter.
 */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, own]) => own !== undefined);
  return `{${entries
    .map(([key, own]) => `${key}:${canonical(own)}`)
    .sort()
    .join()}}`;
}

// A dish of one size is asked for without it, and has it once the server has priced it.
const whole = ({ productId, size = 'ONE', crust, build, slots, note }: Asked) =>
  canonical([
    `product ${productId}`,
    `size ${size}`,
    `crust ${crust}`,
    `note ${note ?? ''}`,
    { build: build ?? {} },
    { slots: slots ?? [] },
  ]);

/** Whether two customers' choices make the same dish. */
export const isSameDish = (a: Asked, b: Asked): boolean => whole(a) === whole(b);

/**
 * What sets a dish apart from others with the same name, in the order in which it is chosen: size, crust, then halves
 * and changes.
 */
export const madeOf = ({ sizeName, crustName, choices }: Made): string[] =>
  [sizeName, crustName, ...choices].filter((word) => word !== undefined);

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

const asked = (line: Priced): Asked => ({ ...line, productId: line.product.id });

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
