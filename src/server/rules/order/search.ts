import { find, indexOf, sift, type Findable, type Index } from '../../../domain/search.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { translated } from '../../call/language.ts';
import { onionGarlic, searchedLabels } from '../catalogue/menu.ts';
import type { OrderedDish } from '../../store/history.ts';

interface SearchableOrder {
  readonly id: string;
  readonly number: string;
  /** JSON of OrderedDish[]. */
  readonly dishes: string;
}

/** What the menu knows of a dish, if it still has it, under the name that it had in the order. */
function findable(catalogue: CountryCatalogue, [id, name, kind, foodType]: OrderedDish): Findable {
  const known = catalogue.items.get(id) ?? catalogue.deals.get(id);
  const item = catalogue.items.get(id);
  return {
    id: `${id} ${name}`,
    name,
    kind: item?.kind ?? kind,
    foodType,
    description: known ? translated(known.description, known.descriptions) : '',
    english: known?.description,
    categoryIds: known?.categoryIds ?? [],
    tags: known?.tags ?? [],
    defaultToppings: item?.defaultToppings ?? [],
    spice: item?.spice ?? 0,
    allergens: item?.allergens,
    jain: item?.jain,
    noOnionGarlic: item && onionGarlic(catalogue, item),
    sauce: item?.sauce,
  };
}

/**
 * The orders that a search finds, in their order: those of which every word fits a dish, with the mistakes and synonyms
 * that the menu's search forgives, or whose number it is. If there are none, those with a dish that comes near.
 */
export function searchOrders(
  catalogue: CountryCatalogue,
  orders: readonly SearchableOrder[],
  query: string,
): { readonly ids: string[]; readonly isNear: boolean } {
  const keyOf = ([id, name]: OrderedDish) => `${id} ${name}`;
  // Frequent customers order the same again: equal lists are read once.
  const lists = new Map<string, readonly OrderedDish[]>();
  for (const { dishes } of orders) if (!lists.has(dishes)) lists.set(dishes, JSON.parse(dishes) as OrderedDish[]);
  const distinct = new Map([...lists.values()].flat().map((dish) => [keyOf(dish), dish] as const));
  const index: Index<Findable> = indexOf(
    [...distinct.values()].map((dish) => findable(catalogue, dish)),
    searchedLabels(catalogue),
  );
  const { wanted, left } = sift(index, query);
  const asked = find(index, query, 1);
  const isAnything = wanted.length > 0 || asked.hits.length > 0 || asked.near.length > 0;
  if (!isAnything) return { ids: [], isNear: false };
  const allowed = new Set([...left].map(({ id }) => id));
  const words = wanted.map(({ word, fits }) => ({ word, dishes: new Set([...fits].map(({ id }) => id)) }));
  // An order with a dish of what is excluded is not meant, whatever else is in it.
  const isLeft = new Map([...lists].map(([text, list]) => [text, list.every((dish) => allowed.has(keyOf(dish)))]));
  const fits = new Map(
    [...lists].map(([text, list]) => [text, words.map(({ dishes }) => list.some((dish) => dishes.has(keyOf(dish))))]),
  );
  const free = orders.filter(({ dishes }) => isLeft.get(dishes));
  const found = free.filter(({ number, dishes }) =>
    words.every(({ word }, at) => word === number || fits.get(dishes)![at]),
  );
  if (found.length > 0) return { ids: found.map(({ id }) => id), isNear: false };
  const near = new Set(find(index, query, Infinity).near.map(({ id }) => id));
  const close = free.filter(({ dishes }) => lists.get(dishes)!.some((dish) => near.has(keyOf(dish))));
  return { ids: close.map(({ id }) => id), isNear: close.length > 0 };
}
