import { cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { Fragment, jsx } from './jsx.ts';

/**
 * The values of a sentence with elements in it: an element for `<b>…</b>`, an element or text for `{price}`, everything
 * else as it is.
 */
type Values<P> = {
  readonly [K in keyof P]: P[K] extends (inner: string) => string
    ? ReactElement
    : string extends P[K]
      ? ReactElement | string
      : P[K];
};

/** Characters of Unicode's private use area stand for the elements while the sentence is put together. */
const FIRST_SIGN = 0xe000;
const SIGNS = /([\ue000-\uf8ff])/;

/** A sentence with elements in it: `rich(t.from, { price: <Price amount={amount} />, b: <b /> })`. */
export function rich<P extends object>(say: (values: P) => string, values: Values<P>): ReactElement {
  const held: ReactElement[] = [];
  const hold = (element: ReactElement) => String.fromCharCode(FIRST_SIGN + held.push(element) - 1);
  const together = (text: string) =>
    jsx(Fragment, { children: text.split(SIGNS).map((part) => held[part.charCodeAt(0) - FIRST_SIGN] ?? part) });
  const given = Object.entries<unknown>(values as Record<string, unknown>).map(([name, value]) => [
    name,
    isValidElement<{ children: ReactNode }>(value)
      ? Object.assign((inner: string) => hold(cloneElement(value, { children: together(inner) })), {
          toString: () => hold(value),
        })
      : value,
  ]);
  return together(say(Object.fromEntries(given) as P));
}
