import { atom } from 'jotai';
import * as z from 'zod/mini';
import { find, indexOf, withSearch } from '../domain/search.ts';
import { vegOnlyAtom } from './first/filters.ts';
import { kept } from './first/lib/kept.ts';
import { menuAtom } from './first/menu.ts';

/** The text in the search box. */
export const queryAtom = atom('');

export const recentQueriesAtom = kept({
  key: 'recent-queries',
  schema: z.array(z.string()),
  initial: [],
  forget: 'logout',
  optional: true,
});
/** Remembers the current search; called when a result was tapped or the search was submitted. */
export const rememberQueryAtom = atom(null, (get, set) =>
  set(recentQueriesAtom, (before) => withSearch(before, get(queryAtom))),
);

const indexAtom = atom((get) => {
  const { items, categories } = get(menuAtom);
  const labels = new Map(categories.map((category) => [category.id, category.label]));
  const isVegOnly = get(vegOnlyAtom);
  return indexOf(isVegOnly ? items.filter((item) => item.foodType === 'VEG') : items, (id) => labels.get(id) ?? '');
});
/** Searches the menu on the device, so it also works without a network. */
export const foundAtom = atom((get) => find(get(indexAtom), get(queryAtom)));
