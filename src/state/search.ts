import { atom } from 'jotai';
import * as z from 'zod/mini';
import { find, withSearch } from '../domain/search.ts';
import { vegOnlyAtom } from './first/filters.ts';
import { kept } from './first/lib/kept.ts';
import { menuAtom } from './first/menu.ts';
import { indexingAtom } from './searched.ts';

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
  const { items } = get(menuAtom);
  return get(indexingAtom)(get(vegOnlyAtom) ? items.filter((item) => item.foodType === 'VEG') : items);
});
/** Searches the menu on the device, so it also works without a network. */
export const foundAtom = atom((get) => find(get(indexAtom), get(queryAtom)));
