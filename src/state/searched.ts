import { atom } from 'jotai';
import { indexOf, type Index } from '../domain/search.ts';
import type { MenuItem } from '../contract/menu.ts';
import { countryAtom } from './country.ts';
import { menuAtom } from './first/menu.ts';

/**
 * Prepares dishes of the menu for searching. Their categories are found in the language of the page and in the first one
 * of the country: dishes have their names in that one, so it is typed on every page.
 */
export const indexingAtom = atom((get) => {
  const labels = new Map<string, string>();
  for (const { id, label } of [...get(countryAtom).categories, ...get(menuAtom).categories])
    labels.set(id, `${labels.get(id) ?? ''} ${label}`);
  return (items: readonly MenuItem[]): Index<MenuItem> => indexOf(items, (id) => labels.get(id) ?? '');
});
