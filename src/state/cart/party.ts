import * as t from '#text/menu.ts';
import { atom } from 'jotai';
import * as contract from '../../contract/home.ts';
import * as menu from '../../contract/menu.ts';
import { putLineAtom } from './cart.ts';
import { vegOnlyAtom } from '../first/filters.ts';
import { storeIdAtom } from '../first/location.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { remote } from '../lib/remote.ts';
import { tasks } from '../base/task.ts';

/** What feeds so many guests for the least, at the chosen store; null if it has nothing for them. */
export const partyState = remote(
  async (get, _set, signal, guests: number) => {
    const storeId = get(storeIdAtom);
    const query = { guests: String(guests), ...(get(vegOnlyAtom) ? { veg: 'true' as const } : {}) };
    const { plan } = await get(apiAtom).call(contract.party, { storeId, query }, { signal });
    return { storeId, plan: plan ?? null };
  },
  { isCustomers: false },
);
export const GUESTS = { min: 2, max: 60 } as const;
const guestsHeldAtom = atom(8);
export const guestsAtom = atom((get) => get(guestsHeldAtom));
/** Plans for so many guests, or again for as many as before. */
export const planPartyAtom = atom(null, async (get, set, count?: number): Promise<void> => {
  if (count !== undefined) set(guestsHeldAtom, count);
  await set(partyState.load, get(guestsHeldAtom));
});
export const partyTasks = tasks();

/** Adds the whole plan, combos with what comes in them. @returns whether it is in the cart: all of it or nothing */
export const addPartyAtom = partyTasks.task(async (get, set) => {
  const { data } = get(partyState.atom);
  if (!data?.plan) return false;
  const { storeId, plan } = data;
  const lines = await Promise.all(
    plan.lines.map(async (line) => {
      // A dish has a size; a combo has none, and what is in it has to be said.
      if (line.size !== undefined) return line;
      const { deal } = await get(apiAtom).call(menu.deal, { storeId, dealId: line.productId });
      const slots = deal.slots.flatMap((slot, at) => slot.defaults.map((productId) => ({ slot: at, productId })));
      return { ...line, slots };
    }),
  );
  for (const line of lines) set(putLineAtom, line);
  set(toastMessageAtom, t.partyAdded);
  return true;
});
