import { atom } from 'jotai';
import { formatMoney } from '../domain/money.ts';
import type { Filter } from './filters.ts';
import { menuAtom } from './menu.ts';
import { countryAtom } from './seams.ts';

export interface FilterGroup { readonly title: string; readonly filters: readonly Filter[] }

/** Everything the menu can be narrowed by; only what would leave some of it is offered (requirements MENU-X07, MENU-X13, MENU-09). */
export const filterGroupsAtom = atom((get): FilterGroup[] => {
  const country = get(countryAtom);
  const { items } = get(menuAtom);
  const budget = country.budgetForTwo;
  const groups: FilterGroup[] = [
    {
      title: 'Diet',
      filters: [
        { id: 'jain', text: 'Jain', fits: (item) => item.jain || item.jainOnRequest },
        { id: 'onion', text: 'No onion or garlic', fits: (item) => item.noOnionGarlic !== undefined },
        { id: 'egg', text: 'Egg free', fits: (item) => !item.allergens.includes('egg') },
        { id: 'nuts', text: 'No nuts', fits: (item) => !item.allergens.some((one) => /nut/.test(one)) },
      ],
    },
    {
      title: 'Spice',
      filters: [
        { id: 'mild', text: 'Not spicy', fits: (item) => item.spice === 0 },
        { id: 'medium', text: 'A little spicy', fits: (item) => item.spice === 1 },
        { id: 'spicy', text: 'Spicy', fits: (item) => item.spice > 1 },
      ],
    },
    {
      title: 'Budget',
      filters: [{ id: 'budget', text: `Under ${formatMoney(budget, country)} for two`, fits: (item) => item.priceForTwo !== undefined && item.priceForTwo < budget }],
    },
    {
      title: 'More',
      filters: [
        { id: 'bestseller', text: 'Bestsellers', fits: (item) => item.tags.includes('bestseller') },
        { id: 'daily', text: 'Daily essentials', fits: (item) => item.tags.includes('value') },
        { id: 'now', text: 'Not sold out', fits: (item) => item.soldOut !== true },
      ],
    },
  ];
  return groups.map((group) => ({ ...group, filters: group.filters.filter((one) => items.some(one.fits) && !items.every(one.fits)) })).filter((group) => group.filters.length > 0);
});
