import { atom } from 'jotai';
import { loadChunk } from '../../bridge/scripts.ts';
import type { MenuItem } from '../../contract/menu.ts';
import { countryAtom } from '../base/country.ts';
import { menuAtom } from '../first/menu.ts';

/** The search with the words of all languages: a unit of its own, which comes when search or the assistant is opened. */
type Search = typeof import('../../domain/search.ts');
const searchHeldAtom = atom<Search | null>(null);
/** Null until it is loaded. */
export const searchUnitAtom = atom((get) => get(searchHeldAtom));
const loadingAtom = atom<Promise<Search> | null>(null);
/** Loads it, once for all who ask. @throws what the browser says where it does not come */
export const loadSearchAtom = atom(null, async (get, set): Promise<void> => {
  if (get(searchHeldAtom)) return;
  const loading = get(loadingAtom) ?? loadChunk(() => import('../../domain/search.ts'));
  set(loadingAtom, loading);
  try {
    set(searchHeldAtom, await loading);
  } finally {
    set(loadingAtom, null);
  }
});
/**
 * Prepares dishes of the menu for searching. Their categories are found in the language of the page and in the first one
 * of the country: dishes have their names in that one, so it is typed on every page. Null until the search is loaded.
 */
export const indexingAtom = atom((get) => {
  const search = get(searchHeldAtom);
  if (!search) return null;
  const labels = new Map<string, string>();
  for (const { id, label } of [...get(countryAtom).categories, ...get(menuAtom).categories])
    labels.set(id, `${labels.get(id) ?? ''} ${label}`);
  return (items: readonly MenuItem[]) => search.indexOf(items, (id) => labels.get(id) ?? '');
});
