import { atom } from 'jotai';
import * as z from 'zod/mini';
import { AddressInput } from '../contract/addresses.ts';
import { DeliveryType } from '../contract/names.ts';
import { Store } from '../contract/stores.ts';
import { kept } from './lib/kept.ts';
import { countryAtom } from './seams.ts';

/** Defaults to delivery; what is not a known type falls back to it (specification section 4). */
export const deliveryTypeAtom = kept<DeliveryType>({ key: 'delivery-type', schema: DeliveryType, initial: 'DELIVERY', forget: 'logout' });

/** The store that delivers to the chosen place, and the one chosen for everything else: switching the type loses neither. */
const deliveryStoreAtom = kept<Store | null>({ key: 'store', schema: z.nullable(Store), initial: null, forget: 'logout' });
const takeawayStoreAtom = kept<Store | null>({ key: 'takeaway-store', schema: z.nullable(Store), initial: null, forget: 'logout' });

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
export const DeliveryPlace = z.object({
  latitude: z.number(), longitude: z.number(),
  /** One line for the bar at the top. */
  text: z.string(),
  address_id: z.optional(z.string()),
  address: z.nullable(AddressInput),
});
export type DeliveryPlace = z.output<typeof DeliveryPlace>;
export const deliveryPlaceAtom = kept<DeliveryPlace | null>({ key: 'place', schema: z.nullable(DeliveryPlace), initial: null, forget: 'logout' });

/** Before a choice the last store answers, else the country's default one, and the page says that it is a guess. */
export const storeIdAtom = atom((get) => (get(chosenStoreAtom) ?? get(takeawayStoreAtom) ?? get(deliveryStoreAtom))?.id ?? get(countryAtom).DEFAULT_STORE);
export const isStoreGuessedAtom = atom((get) => get(chosenStoreAtom) === null);
