import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../contract/menu.ts';
import { kept } from './first/lib/kept.ts';
import { storeIdAtom } from './first/location.ts';
import { apiAtom } from './first/seams.ts';
import { remote } from './lib/remote.ts';

/** The last price list of a store, so that pizzas can be built without a network. */
const Kept = z.nullable(z.object({ storeId: z.string(), builder: contract.Builder }));
const keptBuilderAtom = kept({ key: 'builder', schema: Kept, initial: null, forget: 'logout' });

const live = remote(
  async (get, set, signal) => {
    const storeId = get(storeIdAtom);
    const { builder } = await get(apiAtom).call(contract.toppings, { storeId }, { signal });
    set(keptBuilderAtom, { storeId, builder });
    return { storeId, builder };
  },
  { isCustomers: false },
);
export const builderStateAtom = live.atom;
export const loadBuilderAtom = live.load;

export const builderAtom = atom((get): contract.Builder | null => {
  const storeId = get(storeIdAtom);
  const fresh = get(live.atom).data;
  if (fresh?.storeId === storeId) return fresh.builder;
  const last = get(keptBuilderAtom);
  return last?.storeId === storeId ? last.builder : null;
});
