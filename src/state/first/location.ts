import { atom } from 'jotai';
import type { DeliveryType } from '../../contract/names.ts';
import type { Store } from '../../contract/stores.ts';
import { kept } from './lib/kept.ts';
import { firstCountryAtom } from './seams.ts';
import { seatAtom } from './group.ts';

const storedTypeAtom = kept({ key: 'delivery-type', initial: 'DELIVERY', forget: 'logout' });
/** Who has chosen takeaway comes to the counter, although a store that has CURB is stored with it (product.md C02). */
const isAtCounterAtom = kept({ key: 'at-counter', initial: false, forget: 'logout' });
/** Delivery unless something else was chosen; an unknown type counts as delivery (specification section 4). */
export const deliveryTypeAtom = atom(
  (get): DeliveryType => {
    const type = get(storedTypeAtom);
    return type === 'CURB' && get(isAtCounterAtom) ? 'PICKUP' : type;
  },
  (_get, set, type: DeliveryType, isAtCounter?: boolean) => {
    set(storedTypeAtom, type);
    set(isAtCounterAtom, isAtCounter === true);
  },
);

/**
 * The store that delivers to the chosen place, and the one chosen for all other types: switching the type loses
 * neither.
 */
const deliveryStoreAtom = kept({ key: 'store', initial: null, forget: 'logout' });
const takeawayStoreAtom = kept({ key: 'takeaway-store', initial: null, forget: 'logout' });

/**
 * The store that the customer has chosen for the current type, as it was at that time; null until a choice was made.
 * Writing sets it for the current type.
 */
export const chosenStoreAtom = atom(
  (get): Store | null => {
    const type = get(deliveryTypeAtom);
    const delivering = get(deliveryStoreAtom);
    if (type === 'DELIVERY') return delivering;
    const takeaway = get(takeawayStoreAtom);
    return [takeaway, delivering].find((store) => store?.services.includes(type)) ?? takeaway;
  },
  (get, set, store: Store | null) => {
    set(get(deliveryTypeAtom) === 'DELIVERY' ? deliveryStoreAtom : takeawayStoreAtom, store);
  },
);

/** Where to deliver. */
export const deliveryPlaceAtom = kept({ key: 'place', initial: null, forget: 'logout' });

/**
 * In a group order the host's store. Without a choice for the current type another chosen store, else the country's
 * default one; the page then says that it is a guess.
 */
export const storeIdAtom = atom(
  (get) =>
    get(seatAtom)?.storeId ??
    (get(chosenStoreAtom) ?? get(takeawayStoreAtom) ?? get(deliveryStoreAtom))?.id ??
    get(firstCountryAtom).DEFAULT_STORE,
);
export const isStoreGuessedAtom = atom((get) => get(chosenStoreAtom) === null);

/** The page on which the place or store for a type is chosen. */
export function placePath(type: DeliveryType): string {
  return type === 'DELIVERY'
    ? '/postorder-ui/searchAddress?page=%2Fmenu'
    : `/postorder-ui/selectRestaurant?deliveryType=${type}&isFromHome=true`;
}

/** Switches the type at once if the chosen place or store serves it. @returns whether it did */
export const switchTypeAtom = atom(null, (get, set, type: DeliveryType): boolean => {
  const isReady =
    type === 'DELIVERY' ? get(deliveryPlaceAtom) !== null : (get(chosenStoreAtom)?.services.includes(type) ?? false);
  if (isReady) set(deliveryTypeAtom, type);
  return isReady;
});
