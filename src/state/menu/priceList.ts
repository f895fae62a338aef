import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../../contract/menu.ts';
import { kept } from '../first/lib/kept.ts';
import { storeIdAtom } from '../first/location.ts';
import { apiAtom, firstCountryAtom } from '../first/seams.ts';
import { remote } from '../lib/remote.ts';

/** The last price list of a store, so that pizzas can be built without a network, with the locale of the page that kept it. */
const Kept = z.nullable(z.object({ storeId: z.string(), builder: contract.Builder, locale: z.optional(z.string()) }));
const keptBuilderAtom = kept({ key: 'builder', schema: Kept, initial: null, forget: 'logout' });

const live = remote(
  async (get, set, signal) => {
    const storeId = get(storeIdAtom);
    const { builder } = await get(apiAtom).call(contract.toppings, { storeId }, { signal });
    set(keptBuilderAtom, { storeId, builder, locale: get(firstCountryAtom).locale });
    return { storeId, builder };
  },
  { isCustomers: false },
);
export const builderStateAtom = live.atom;
export const loadBuilderAtom = live.load;

const heldAtom = atom((get) => {
  const storeId = get(storeIdAtom);
  const fresh = get(live.atom).data;
  if (fresh?.storeId === storeId) return { builder: fresh.builder, isOwn: true };
  const last = get(keptBuilderAtom);
  if (last?.storeId !== storeId) return null;
  if (last.locale === get(firstCountryAtom).locale) return { builder: last.builder, isOwn: true };
  // A page in another language has kept it: until its own is here, crusts and toppings have their names in that one.
  return { builder: { ...last.builder, cookingNotes: [] }, isOwn: false };
});
export const builderAtom = atom((get): contract.Builder | null => get(heldAtom)?.builder ?? null);
/** The price list is here, in the language of this page. */
export const isBuilderHereAtom = atom((get) => get(heldAtom)?.isOwn === true);
