import { atom } from 'jotai';
import type { Category, MenuItem } from '../contract/menu.ts';
import { kept } from './lib/kept.ts';
import { menuAtom } from './menu.ts';

/** Vegetarian dishes only, on every screen; remembered, whoever is logged in. */
export const vegOnlyAtom = kept<boolean>({ key: 'veg-only', initial: false, forget: 'never' });

/** Filters beside it last as long as the page. All of them have to fit. */
export const filtersAtom = atom<readonly string[]>([]);

const TESTS: Readonly<Record<string, (item: MenuItem) => boolean>> = {
  veg: (item) => item.foodType === 'VEG',
  bestseller: (item) => item.tags.includes('bestseller'),
  jain: (item) => item.jain || item.jainOnRequest,
  egg: (item) => !item.allergens.includes('egg'),
  mild: (item) => item.spice === 0,
  spicy: (item) => item.spice > 1,
};

/** 'veg' is the remembered one; the others are offered where the menu has something for them. */
export const offeredFiltersAtom = atom((get) => {
  const { items } = get(menuAtom);
  return Object.keys(TESTS).filter((id) => id === 'veg' || items.some(TESTS[id]!));
});
export const pressedFiltersAtom = atom((get) => (get(vegOnlyAtom) ? ['veg', ...get(filtersAtom)] : get(filtersAtom)));

export const toggleFilterAtom = atom(null, (_get, set, id: string) => {
  if (id === 'veg') set(vegOnlyAtom, (now) => !now);
  else set(filtersAtom, (now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id]));
});
export const clearFiltersAtom = atom(null, (_get, set) => {
  set(vegOnlyAtom, false);
  set(filtersAtom, []);
});

/** Does this dish pass everything that is pressed? */
export const fitsAtom = atom((get) => {
  const tests = get(pressedFiltersAtom).map((id) => TESTS[id]!);
  return (item: MenuItem) => tests.every((test) => test(item));
});

export interface Section { readonly id: string; readonly label: string; readonly path: string; readonly items: readonly MenuItem[] }

/** Every category with all its dishes, once per menu. */
const allSectionsAtom = atom((get): Section[] => {
  const { categories, items } = get(menuAtom);
  const own = (category: Category) => (item: MenuItem) => item.categoryIds.includes(category.id)
    || (category.id === 'bestsellers' && item.tags.includes('bestseller'));
  return categories.map((category) => ({ ...category, items: items.filter(own(category)) })).filter((section) => section.items.length > 0);
});

/** What the menu shows now: filtered, without categories that hold nothing. */
export const sectionsAtom = atom((get): Section[] => {
  const fits = get(fitsAtom);
  if (get(pressedFiltersAtom).length === 0) return get(allSectionsAtom);
  return get(allSectionsAtom).map((section) => ({ ...section, items: section.items.filter(fits) })).filter((section) => section.items.length > 0);
});

/** Dishes with a tag, filtered: bestsellers, everyday value. */
export const taggedAtom = atom((get) => {
  const fits = get(fitsAtom);
  const { items } = get(menuAtom);
  return (tag: string) => items.filter((item) => item.tags.includes(tag) && fits(item));
});
