import * as t from '#text/search.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { withSearch } from '../../domain/recentQueries.ts';
import { filterGroupsAtom } from './filters.ts';
import { filtersAtom, toggleFilterAtom, vegOnlyAtom } from '../first/filters.ts';
import { kept } from '../first/lib/kept.ts';
import { menuAtom } from '../first/menu.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { indexingAtom, loadSearchAtom, searchUnitAtom } from './searched.ts';

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
  return get(indexingAtom)?.(get(vegOnlyAtom) ? items.filter((item) => item.foodType === 'VEG') : items);
});
/** Searches the menu on the device, so it also works without a network. Null until the search is loaded. */
export const foundAtom = atom((get) => {
  const index = get(indexAtom);
  return (index && get(searchUnitAtom)?.find(index, get(queryAtom))) ?? null;
});

/** Has the search come; says so where it does not. */
export const prepareSearchAtom = atom(null, (_get, set): void => {
  set(loadSearchAtom).catch(() => set(toastMessageAtom, t.missing));
});

const ON_REQUEST = { onRequest: 'onion', jainOnRequest: 'jain' } as const;
/** The diet for which some of what is found is made on request alone, unless everything is made so already. */
export const dietToMakeAtom = atom((get) => {
  const caution = get(foundAtom)?.cautions.find((one) => one === 'onRequest' || one === 'jainOnRequest');
  const diet = caution && ON_REQUEST[caution];
  const isOn = get(filtersAtom).some(({ id }) => id === diet || id === 'jain');
  return isOn ? undefined : diet;
});
/** Makes every dish that fits a diet so, by the menu's own filter. */
export const makeSoAtom = atom(null, (get, set, diet: 'onion' | 'jain'): void => {
  const filter = get(filterGroupsAtom)
    .flatMap(({ filters }) => filters)
    .find(({ id }) => id === diet);
  if (filter) set(toggleFilterAtom, filter);
});
