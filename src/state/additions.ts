import { atom } from 'jotai';
import type { MenuItem } from '../contract/menu.ts';
import { firstSize, SIZE_NAMES } from '../domain/sizes.ts';
import { addLineAtom, cartLinesAtom, changeLineAtom } from './basket.ts';
import { toastMessageAtom } from './toast.ts';

/**
 * Sets how many of a dish are in the cart, from its card. The first one is the dish as it comes, in its smallest size; more
 * of it repeat the line chosen last, fewer come off that line.
 */
export const setQuantityAtom = atom(null, (get, set, item: MenuItem, quantity: number) => {
  const lines = get(cartLinesAtom).filter((line) => line.productId === item.id && !line.priced?.free && !line.by);
  const last = lines.at(-1);
  if (last) {
    const now = lines.reduce((sum, line) => sum + line.quantity, 0);
    return set(changeLineAtom, { lineId: last.lineId, quantity: Math.max(0, last.quantity + quantity - now) });
  }
  const size = firstSize(item);
  const lineId = set(addLineAtom, { productId: item.id, quantity, ...(size === 'ONE' ? {} : { size }) });
  if (item.customisable) {
    set(toastMessageAtom, `${item.name} is in your cart, ${SIZE_NAMES[size]?.toLowerCase()} size`, { label: 'Undo', act: () => set(changeLineAtom, { lineId, quantity: 0 }) });
  }
});
