import { atom } from 'jotai';
import type { LineInput } from '../contract/cart.ts';
import type { DeliveryType } from '../contract/names.ts';
import { DELIVERY_LABELS } from '../domain/delivery.ts';
import { addLineAtom } from './basket.ts';
import { kept } from './lib/kept.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from './location.ts';
import { itemsByIdAtom } from './menu.ts';
import { toastMessageAtom } from './toast.ts';

const USUAL_LINES = 6;
/** What this phone ordered last, as it was built; no account needed (requirement MENU-X12). */
export const usualLinesAtom = kept<readonly Omit<LineInput, 'lineId'>[]>({ key: 'usual', initial: [], forget: 'logout' });

/** To be told of every order that was placed. */
export const rememberUsualAtom = atom(null, (_get, set, lines: readonly LineInput[]) => {
  set(usualLinesAtom, lines.slice(0, USUAL_LINES).map(({ lineId: _lineId, ...line }) => line));
});

/** The last order, as far as this menu has it. */
export const usualAtom = atom((get) => {
  const items = get(itemsByIdAtom);
  return get(usualLinesAtom).filter((line) => items.get(line.productId)?.soldOut !== true && items.has(line.productId));
});
export const addUsualAtom = atom(null, (get, set) => {
  for (const line of get(usualAtom)) set(addLineAtom, line);
  set(toastMessageAtom, 'Your usual is in your cart');
});

export const DELIVERY_TYPES = Object.keys(DELIVERY_LABELS) as DeliveryType[];

/** Where a type still has something to choose: the page that chooses it. */
export function placePath(type: DeliveryType): string {
  return type === 'DELIVERY' ? '/postorder-ui/searchAddress?page=%2Fmenu' : `/postorder-ui/selectRestaurant?deliveryType=${type}&isFromHome=true`;
}

/** Switches the type at once where the chosen place serves it; answers whether it did. */
export const switchTypeAtom = atom(null, (get, set, type: DeliveryType): boolean => {
  const isReady = type === 'DELIVERY' ? get(deliveryPlaceAtom) !== null : get(chosenStoreAtom)?.services.includes(type) ?? false;
  if (isReady) set(deliveryTypeAtom, type);
  return isReady;
});
