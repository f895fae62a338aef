import { canonicalJson } from './canonicalJson.ts';

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
 * The same text for what makes the same dish. One of one size is asked for without it, and has it once the server has
 * priced it. In which order toppings were tapped does not matter.
 */
export const dishKey = ({ productId, size = 'ONE', crust, build, slots, note }: Asked) =>
  canonicalJson({ productId, size, crust, note: note ?? '', build: build ?? {}, slots: slots ?? [] }, true);

/** Whether two customers' choices make the same dish. */
export const isSameDish = (a: Asked, b: Asked): boolean => dishKey(a) === dishKey(b);

/**
 * What sets a dish apart from others with the same name, in the order in which it is chosen: size, crust, then halves
 * and changes.
 */
export const madeOf = ({ sizeName, crustName, choices }: Made): string[] =>
  [sizeName, crustName, ...choices].filter((word) => word !== undefined);
