import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../contract/menu.ts';
import { kept } from './lib/kept.ts';
import { remote } from './lib/remote.ts';
import { isStoreGuessedAtom, storeIdAtom } from './location.ts';
import { apiAtom } from './seams.ts';

/** The country's default menu, in the page itself: what the first render shows (specification section 1, DEFAULT_MENU). */
export const defaultMenuAtom = atom<contract.Menu | null>(null);

/** The last menu of a store, readable with no network. */
const keptMenuAtom = kept<contract.Menu | null>({ key: 'menu', schema: z.nullable(contract.Menu), initial: null, forget: 'never' });

const EMPTY: contract.Menu = { version: '', storeId: '', currencyCode: '', categories: [], items: [] };

const live = remote(async (get, set, signal) => {
  const storeId = get(storeIdAtom);
  const held = get(menuAtom);
  const have = held.storeId === storeId ? held.version : '';
  const reply = await get(apiAtom).call(contract.byStore, { storeId, query: have ? { have } : {} }, { signal });
  // The cached copy is still right: the specification's named 304.
  if (!reply.menu) return held;
  set(keptMenuAtom, reply.menu);
  return reply.menu;
}, { isCustomers: false });

/** The menu to show now: the store's own once it is here, else the last one kept, else the country's default. */
export const menuAtom = atom((get): contract.Menu => {
  const storeId = get(storeIdAtom);
  const fresh = get(live.atom).data;
  if (fresh?.storeId === storeId) return fresh;
  const last = get(keptMenuAtom);
  if (last?.storeId === storeId) return last;
  return get(defaultMenuAtom) ?? last ?? EMPTY;
});
/** Prices are another store's, or of one nobody chose: shown as "from" until the chosen store's menu is here (requirement MENU-21). */
export const isMenuDefaultAtom = atom((get) => get(isStoreGuessedAtom) || get(menuAtom).storeId !== get(storeIdAtom));
export const menuStateAtom = live.atom;
export const loadMenuAtom = live.load;

export const itemsByIdAtom = atom((get) => new Map(get(menuAtom).items.map((item) => [item.id, item])));

/** The category under the customer's eyes; the menu's tabs follow it. */
export const currentCategoryAtom = atom<string | null>(null);
