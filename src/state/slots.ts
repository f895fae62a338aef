import * as orders from '../contract/orders.ts';
import * as stores from '../contract/stores.ts';
import { remote } from './lib/remote.ts';
import { deliveryTypeAtom, storeIdAtom } from './location.ts';
import { apiAtom } from './seams.ts';

/** Times that the chosen store can still take, and whether it is open now. */
export const slotsState = remote(async (get, _set, signal) => {
  const { store, timeSlots } = await get(apiAtom).call(
    stores.byId, { storeId: get(storeIdAtom), query: { timeSlots: 'true', deliveryType: get(deliveryTypeAtom) } }, { signal },
  );
  return { store, slots: timeSlots ?? [] };
});

/** Instructions for the rider to choose from. */
export const instructionChoices = remote(async (get, _set, signal) => (await get(apiAtom).call(orders.instructions, {}, { signal })).instructions);
