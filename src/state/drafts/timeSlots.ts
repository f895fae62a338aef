import * as stores from '../../contract/stores.ts';
import { remote } from '../lib/remote.ts';
import { deliveryTypeAtom, storeIdAtom } from '../first/location.ts';
import { apiAtom } from '../first/seams.ts';

/** The times for which the chosen store still takes orders, and whether it is open now. */
export const slotsState = remote(
  async (get, _set, signal) => {
    const query = { timeSlots: 'true', locality: 'false', deliveryType: get(deliveryTypeAtom) } as const;
    const { store, timeSlots } = await get(apiAtom).call(stores.byId, { storeId: get(storeIdAtom), query }, { signal });
    return { store, slots: timeSlots ?? [] };
  },
  { about: (get) => `${get(storeIdAtom)} ${get(deliveryTypeAtom)}` },
);
