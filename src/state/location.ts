import { atom } from 'jotai';
import type { AddressInput } from '../contract/addresses.ts';
import type { DeliveryType } from '../contract/names.ts';
import type { Store } from '../contract/stores.ts';
import { kept } from './lib/kept.ts';
import { countryAtom } from './seams.ts';
import { seatAtom } from './seat.ts';

/** Defaults to delivery; what is not a known type falls back to it (specification section 4). */
export const deliveryTypeAtom = kept<DeliveryType>({ key: 'delivery-type', initial: 'DELIVERY', forget: 'logout' });

/** The store that delivers to the chosen place, and the one chosen for everything else: switching the type loses neither. */
const deliveryStoreAtom = kept<Store | null>({ key: 'store', initial: null, forget: 'logout' });
const takeawayStoreAtom = kept<Store | null>({ key: 'takeaway-store', initial: null, forget: 'logout' });

/** The store the customer chose for the type of order, as it was then; null until a choice was made. Writing is for the type of now. */
export const chosenStoreAtom = atom((get): Store | null => {
  const type = get(deliveryTypeAtom);
  const delivering = get(deliveryStoreAtom);
  if (type === 'DELIVERY') return delivering;
  const takeaway = get(takeawayStoreAtom);
  return [takeaway, delivering].find((store) => store?.services.includes(type)) ?? takeaway;
}, (get, set, store: Store | null) => {
  set(get(deliveryTypeAtom) === 'DELIVERY' ? deliveryStoreAtom : takeawayStoreAtom, store);
});

/** Where to deliver. `houseNo` may still be empty: asked for at checkout. */
export interface DeliveryPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** One line for the bar at the top. */
  readonly text: string;
  readonly address_id?: string | undefined;
  readonly address: AddressInput | null;
}
export const deliveryPlaceAtom = kept<DeliveryPlace | null>({ key: 'place', initial: null, forget: 'logout' });

/** In a group order it is the host's store. Before a choice the last store answers, else the country's default one, and the page says that it is a guess. */
export const storeIdAtom = atom((get) => get(seatAtom)?.storeId ?? (get(chosenStoreAtom) ?? get(takeawayStoreAtom) ?? get(deliveryStoreAtom))?.id ?? get(countryAtom).DEFAULT_STORE);
export const isStoreGuessedAtom = atom((get) => get(chosenStoreAtom) === null);
