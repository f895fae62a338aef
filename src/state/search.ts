import { atom } from 'jotai';
import * as z from 'zod/mini';
import { find, indexOf, withSearch } from '../domain/search.ts';
import { vegOnlyAtom } from './filters.ts';
import { kept } from './lib/kept.ts';
import { menuAtom } from './menu.ts';

/** What is in the box now. */
export const queryAtom = atom('');

const recentSearchesKept = kept({ key: 'recent-queries', schema: z.array(z.string()), initial: [], forget: 'logout' });
export const recentSearchesAtom = atom((get) => get(recentSearchesKept));
/** To be told of a search that led somewhere. */
export const rememberSearchAtom = atom(null, (get, set) => set(recentSearchesKept, withSearch(get(recentSearchesKept), get(queryAtom))));
export const forgetSearchesAtom = atom(null, (_get, set) => set(recentSearchesKept, []));

const indexAtom = atom((get) => {
  const { items, categories } = get(menuAtom);
  const labels = new Map(categories.map((category) => [category.id, category.label]));
  const isVegOnly = get(vegOnlyAtom);
  return indexOf(isVegOnly ? items.filter((item) => item.foodType === 'VEG') : items, (id) => labels.get(id) ?? '');
});
/** Works on the menu that is here: also without a network. */
export const foundAtom = atom((get) => find(get(indexAtom), get(queryAtom)));
