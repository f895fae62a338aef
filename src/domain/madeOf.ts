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
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).filter(([, own]) => own !== undefined);
  return `{${entries
    .map(([key, own]) => `${key}:${canonical(own)}`)
    .sort()
    .join()}}`;
}

const whole = ({ productId, size, crust, build, slots, note }: Asked) =>
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
