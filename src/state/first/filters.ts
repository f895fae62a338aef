import { atom } from 'jotai';
import type { Build } from '../../contract/cart.ts';
import type { Category, MenuItem } from '../../contract/menu.ts';
import { FAVOURITES_PATH, favouritesAtom } from './favourites.ts';
import { kept } from './lib/kept.ts';
import { menuAtom } from './menu.ts';

/** Vegetarian dishes only, on every screen. Remembered, whoever is logged in. */
export const vegOnlyAtom = kept({ key: 'veg-only', initial: false, forget: 'never' });

/** A filter, with its name. The list of all filters comes with the sheet that offers them (state/menu/filters.ts). */
export interface Filter {
  readonly id: string;
  readonly text: string;
  readonly fits: (item: MenuItem) => boolean;
  /** How a dish that fits has to be made: undefined as it comes, null if only the customer can build it so. */
  readonly make?: (item: MenuItem) => FilterBuild | null | undefined;
  /** The address of a picture of a dish that is made so. */
  readonly draw?: (item: MenuItem, build: Build) => string | undefined;
}
/** A dish made as a filter demands. The note says it on the card, on the line and to the kitchen. */
export interface FilterBuild {
  readonly build: Build;
  readonly note: string;
}
/** The other active filters (state/menu/filters.ts remembers them). A dish has to pass all of them. */
export const filtersAtom = atom<readonly Filter[]>([]);

export const toggleFilterAtom = atom(null, (_get, set, filter: Filter) => {
  set(filtersAtom, (now) =>
    now.some((one) => one.id === filter.id) ? now.filter((one) => one.id !== filter.id) : [...now, filter],
  );
});
export const clearFiltersAtom = atom(null, (_get, set) => {
  set(vegOnlyAtom, false);
  set(filtersAtom, []);
});

/** Whether a dish passes all active filters. */
export const fitsAtom = atom((get) => {
  const isVegOnly = get(vegOnlyAtom);
  const filters = get(filtersAtom);
  return (item: MenuItem) => (!isVegOnly || item.foodType === 'VEG') && filters.every((one) => one.fits(item));
});

/** How a dish is ordered under the active filters; the first one that changes it decides. */
export const madeAtom = atom((get) => {
  const filters = get(filtersAtom);
  return (item: MenuItem) => {
    for (const { make } of filters) {
      const made = make?.(item);
      if (made !== undefined) return made;
    }
  };
});

/** The picture of a dish as it is ordered under the active filters, where that is not its own. */
export const madePictureAtom = atom((get) => {
  const draw = get(filtersAtom).find((one) => one.draw)?.draw;
  const made = get(madeAtom);
  return (item: MenuItem) => {
    const how = draw && made(item);
    return how ? draw(item, how.build) : undefined;
  };
});

export interface Section {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  readonly items: readonly MenuItem[];
}

/** Every category with all its dishes; worked out once per menu. */
const allSectionsAtom = atom((get): Section[] => {
  const { categories, items } = get(menuAtom);
  const own = (category: Category) => (item: MenuItem) =>
    item.categoryIds.includes(category.id) || (category.id === 'bestsellers' && item.tags.includes('bestseller'));
  return categories
    .map((category) => ({ ...category, items: items.filter(own(category)) }))
    .filter((section) => section.items.length > 0);
});

/** The customer's favourites as a category, which comes last. */
const favouriteSectionAtom = atom((get): Section[] => {
  const ids = get(favouritesAtom);
  const { categories, items } = get(menuAtom);
  const category = categories.find((one) => one.path === FAVOURITES_PATH);
  return category && ids.length > 0 ? [{ ...category, items: items.filter((item) => ids.includes(item.id)) }] : [];
});

/** The sections that the menu shows: filtered, without empty ones. */
export const sectionsAtom = atom((get): Section[] => {
  const fits = get(fitsAtom);
  return [...get(allSectionsAtom), ...get(favouriteSectionAtom)]
    .map((section) => {
      const items = section.items.filter(fits);
      return items.length === section.items.length ? section : { ...section, items };
    })
    .filter((section) => section.items.length > 0);
});

/** The filtered dishes with a tag: bestsellers, everyday value. */
export const taggedAtom = atom((get) => {
  const fits = get(fitsAtom);
  const { items } = get(menuAtom);
  return (tag: string) => items.filter((item) => item.tags.includes(tag) && fits(item));
});
