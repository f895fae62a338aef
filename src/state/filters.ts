import { atom } from 'jotai';
import type { Category, MenuItem } from '../contract/menu.ts';
import { FAVOURITES_PATH, favouritesAtom } from './favourites.ts';
import { kept } from './lib/kept.ts';
import { menuAtom } from './menu.ts';

/** Vegetarian dishes only, on every screen; remembered, whoever is logged in. */
export const vegOnlyAtom = kept<boolean>({ key: 'veg-only', initial: false, forget: 'never' });

/** What a filter is, with its own words: the list of them comes with the sheet that offers them (state/sieve.ts). */
export interface Filter { readonly id: string; readonly text: string; readonly fits: (item: MenuItem) => boolean }
/** Those pressed beside it last as long as the page. All of them have to fit. */
export const filtersAtom = atom<readonly Filter[]>([]);

export const toggleFilterAtom = atom(null, (_get, set, filter: Filter) => {
  set(filtersAtom, (now) => (now.some((one) => one.id === filter.id) ? now.filter((one) => one.id !== filter.id) : [...now, filter]));
});
export const clearFiltersAtom = atom(null, (_get, set) => {
  set(vegOnlyAtom, false);
  set(filtersAtom, []);
});

/** Does this dish pass everything that is pressed? */
export const fitsAtom = atom((get) => {
  const isVegOnly = get(vegOnlyAtom);
  const filters = get(filtersAtom);
  return (item: MenuItem) => (!isVegOnly || item.foodType === 'VEG') && filters.every((one) => one.fits(item));
});

export interface Section { readonly id: string; readonly label: string; readonly path: string; readonly items: readonly MenuItem[] }

/** Every category with all its dishes, once per menu. */
const allSectionsAtom = atom((get): Section[] => {
  const { categories, items } = get(menuAtom);
  const own = (category: Category) => (item: MenuItem) => item.categoryIds.includes(category.id)
    || (category.id === 'bestsellers' && item.tags.includes('bestseller'));
  return categories.map((category) => ({ ...category, items: items.filter(own(category)) })).filter((section) => section.items.length > 0);
});

/** The customer's own category, last as in the country's list. */
const favouriteSectionAtom = atom((get): Section[] => {
  const ids = get(favouritesAtom);
  const { categories, items } = get(menuAtom);
  const category = categories.find((one) => one.path === FAVOURITES_PATH);
  return category && ids.length > 0 ? [{ ...category, items: items.filter((item) => ids.includes(item.id)) }] : [];
});

/** What the menu shows now: filtered, without categories that hold nothing. */
export const sectionsAtom = atom((get): Section[] => {
  const fits = get(fitsAtom);
  return [...get(allSectionsAtom), ...get(favouriteSectionAtom)].map((section) => {
    const items = section.items.filter(fits);
    return items.length === section.items.length ? section : { ...section, items };
  }).filter((section) => section.items.length > 0);
});

/** Dishes with a tag, filtered: bestsellers, everyday value. */
export const taggedAtom = atom((get) => {
  const fits = get(fitsAtom);
  const { items } = get(menuAtom);
  return (tag: string) => items.filter((item) => item.tags.includes(tag) && fits(item));
});
