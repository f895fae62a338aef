import type { Size } from '../contract/names.ts';

export const SIZE_ORDER: readonly Size[] = ['R', 'M', 'L', 'ONE'];

/** The size of a product if none is asked for. */
export function firstSize(item: { readonly prices: Readonly<Partial<Record<Size, number>>> }): Size {
  return SIZE_ORDER.find((size) => item.prices[size] !== undefined) ?? 'ONE';
}
