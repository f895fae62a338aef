import * as t from '#text/menu.ts';
import { atom } from 'jotai';
import { formatMoney } from '../domain/money.ts';
import type { Filter } from './first/filters.ts';
import { menuAtom } from './first/menu.ts';
import { countryAtom } from './country.ts';

export interface FilterGroup {
  readonly title: string;
  readonly note?: string;
  readonly filters: readonly Filter[];
}

/**
 * All filters of the menu. Those that would leave every dish or none are not offered (requirements MENU-X07, MENU-X13,
 * MENU-09).
 */
export const filterGroupsAtom = atom((get): FilterGroup[] => {
  const country = get(countryAtom);
  const { items } = get(menuAtom);
  const budget = country.budgetForTwo;
  const groups: FilterGroup[] = [
    {
      title: t.diet,
      note: t.dietText,
      filters: [
        { id: 'jain', text: t.jain, fits: (item) => item.jain || item.jainOnRequest },
        { id: 'onion', text: t.noOnion, fits: (item) => item.noOnionGarlic !== undefined },
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
  return groups
    .map((group) => ({
      ...group,
      filters: group.filters.filter((one) => items.some(one.fits) && !items.every(one.fits)),
    }))
    .filter((group) => group.filters.length > 0);
});
