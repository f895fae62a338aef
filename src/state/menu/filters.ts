import * as t from '#text/menu.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { MenuItem } from '../../contract/menu.ts';
import { dietBuild, fitsDiet, type Diet } from '../../domain/diet.ts';
import { formatMoney } from '../../domain/money.ts';
import { filtersAtom, type Filter, type FilterBuild } from '../first/filters.ts';
import { kept } from '../first/lib/kept.ts';
import { itemsByIdAtom, menuAtom } from '../first/menu.ts';
import { subjectsOf } from './pizzaArt.ts';
import { draw as drawFood, pictureUrl } from '../../ui/food/picture.ts';
import { NOTE_AT_MOST, type Build } from '../../contract/cart.ts';
import { countryAtom } from '../base/country.ts';
import { isOfflineAtom } from '../base/network.ts';
import { builderAtom, loadBuilderAtom } from './priceList.ts';

export interface FilterGroup {
  readonly title: string;
  readonly note?: string;
  readonly filters: readonly Filter[];
}

const isJainAtom = atom((get) => get(filtersAtom).some((one) => one.id === 'jain'));

/** All filters that there are. */
const allFiltersAtom = atom((get): FilterGroup[] => {
  const country = get(countryAtom);
  const budget = country.budgetForTwo;
  const builder = get(builderAtom);
  // Jain food is without onion and garlic, too: under both filters every dish is made Jain.
  const isJain = get(isJainAtom);
  const make =
    (diet: Diet) =>
    (item: MenuItem): FilterBuild | null | undefined => {
      const made = dietBuild(item, isJain && fitsDiet(item, 'jain') ? 'jain' : diet, builder);
      if (!made) return made;
      const changes = [
        ...made.off.map((name) => t.madeWithout({ name })),
        ...(made.sauce ? [t.madeWith({ sauce: made.sauce.replace(/ ?\([^()]*\)/, '') })] : []),
      ];
      const note = t.madeFor({ diet: isJain ? 'jain' : diet, changes: changes.join(', ') });
      return { build: made.build, note: note.slice(0, NOTE_AT_MOST) };
    };
  const items = get(itemsByIdAtom);
  const draw = (item: MenuItem, build: Build) => {
    const subjects = builder && subjectsOf(items, builder, { productId: item.id, build });
    return subjects ? pictureUrl(drawFood(subjects)) : undefined;
  };
  return [
    {
      title: t.diet,
      note: t.dietText,
      filters: [
        { id: 'jain', text: t.jain, fits: (item) => fitsDiet(item, 'jain'), make: make('jain'), draw },
        { id: 'onion', text: t.noOnion, fits: (item) => fitsDiet(item, 'onion'), make: make('onion'), draw },
        { id: 'egg', text: t.noEgg, fits: (item) => !item.allergens.includes('egg') },
        { id: 'nuts', text: t.noNuts, fits: (item) => !item.allergens.some((one) => /nut/.test(one)) },
      ],
    },
    {
      title: t.spice,
      filters: [
        { id: 'mild', text: t.mild, fits: (item) => item.spice === 0 },
        { id: 'medium', text: t.medium, fits: (item) => item.spice === 1 },
        { id: 'spicy', text: t.spicy, fits: (item) => item.spice > 1 },
      ],
    },
    {
      title: t.budget,
      filters: [
        {
          id: 'budget',
          text: t.underForTwo({ amount: formatMoney(budget, country) }),
          fits: (item) => item.priceForTwo !== undefined && item.priceForTwo < budget,
        },
      ],
    },
    {
      title: t.more,
      filters: [
        { id: 'bestseller', text: t.bestsellers, fits: (item) => item.tags.includes('bestseller') },
        { id: 'daily', text: t.dailyEssentials, fits: (item) => item.tags.includes('value') },
        { id: 'now', text: t.inStock, fits: (item) => item.soldOut !== true },
      ],
    },
  ];
});

/**
 * The filters that the menu offers. Those that would leave every dish or none are left out (requirements MENU-X07,
 * MENU-X13, MENU-09).
 */
export const filterGroupsAtom = atom((get): FilterGroup[] => {
  const { items } = get(menuAtom);
  return get(allFiltersAtom)
    .map((group) => ({
      ...group,
      filters: group.filters.filter((one) => items.some(one.fits) && !items.every(one.fits)),
    }))
    .filter((group) => group.filters.length > 0);
});

const NONE: readonly string[] = [];
/** The active filters of the last visit on this device, whoever was logged in. */
const rememberedAtom = kept({
  key: 'filters',
  schema: z.array(z.string()),
  initial: NONE,
  forget: 'never',
  optional: true,
});
const isRememberedAtom = atom(false);

/**
 * Called at the start and whenever a filter or the price list has changed: brings back the filters of the last visit,
 * remembers those of now, and lets them know how dishes are made here.
 */
export const followFiltersAtom = atom(null, (get, set): void => {
  const known = new Map(get(allFiltersAtom).flatMap(({ filters }) => filters.map((one) => [one.id, one])));
  const now = get(filtersAtom);
  const back = get(isRememberedAtom) ? NONE : get(rememberedAtom).filter((id) => now.every((one) => one.id !== id));
  set(isRememberedAtom, true);
  const next = [...now.map((one) => known.get(one.id) ?? one), ...back.flatMap((id) => known.get(id) ?? [])];
  if (next.length > now.length || next.some((one, at) => one !== now[at])) set(filtersAtom, next);
  const ids = next.map((one) => one.id).filter((id) => known.has(id));
  if (ids.join() !== get(rememberedAtom).join()) set(rememberedAtom, ids.length > 0 ? ids : NONE);
  globalThis.document?.documentElement.removeAttribute('data-filtered');
  if (next.some((one) => one.make) && !get(builderAtom) && !get(isOfflineAtom)) void set(loadBuilderAtom);
});
/** What `followFiltersAtom` follows. */
export const followedFiltersAtom = atom((get) => [get(filtersAtom), get(allFiltersAtom)]);
