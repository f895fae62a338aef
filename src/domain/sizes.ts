import type { Size } from '../contract/names.ts';

export const SIZE_ORDER: readonly Size[] = ['R', 'M', 'L', 'ONE'];

/** The size a product has when none is asked for. */
export function firstSize(item: { readonly prices: Readonly<Partial<Record<Size, number>>> }): Size {
  return SIZE_ORDER.find((size) => item.prices[size] !== undefined) ?? 'ONE';
}

/** For cards, before the store's own list of sizes is loaded. */
export const SIZE_NAMES: Readonly<Partial<Record<Size, string>>> = { R: 'Regular', M: 'Medium', L: 'Large' };
