import * as t from '#text/menu.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { filtersAtom, type Filter } from '../first/filters.ts';
import { kept } from '../first/lib/kept.ts';
import { allergensTextAtom, menuAtom } from '../first/menu.ts';

/**
 * Allergens that nobody at home may eat. Kept on this phone only, for every visit and whoever is logged in (product.md
 * 3.11).
 */
export const householdAtom = kept<readonly string[]>({
  key: 'household',
  schema: z.array(z.string()),
  initial: [],
  forget: 'never',
  optional: true,
});

/** All allergens in the dishes of this menu. */
export const allergensAtom = atom((get) => [...new Set(get(menuAtom).items.flatMap((item) => item.allergens))].sort());

export const toggleAvoidedAtom = atom(null, (_get, set, allergen: string) => {
  set(householdAtom, (now) => (now.includes(allergen) ? now.filter((one) => one !== allergen) : [...now, allergen]));
});

const HOME = 'home';

/** Switches the household's filter on or off. One tap on it shows everything again until the next visit. */
export const applyHouseholdAtom = atom(null, (get, set) => {
  const avoided = get(householdAtom);
  const own: Filter = {
    id: HOME,
    text: t.without({ allergens: get(allergensTextAtom)(avoided) }),
    fits: (item) => !item.allergens.some((one) => avoided.includes(one)),
  };
  const others = get(filtersAtom).filter((one) => one.id !== HOME);
  if (avoided.length > 0) set(filtersAtom, [own, ...others]);
  else if (others.length < get(filtersAtom).length) set(filtersAtom, others);
});

/** Which of the allergens of a dish or build the household avoids. */
export const avoidedAtom = atom((get) => {
  const avoided = get(householdAtom);
  return (allergens: readonly string[]) => allergens.filter((one) => avoided.includes(one));
});
