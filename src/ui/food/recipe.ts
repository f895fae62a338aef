import type { Build } from '../../contract/cart.ts';
import type { Builder } from '../../contract/menu.ts';
import type { Amount } from '../../contract/names.ts';
import { toppingsPerHalf, type DishRule } from '../../domain/build.ts';
import { firstSize } from '../../domain/sizes.ts';
import type { Pizza, PizzaTopping } from './pizza.ts';

/** A customer's choices for a pizza; what is absent is as the menu offers it. */
export interface PizzaChoice {
  readonly size?: string | undefined;
  readonly crust?: string | undefined;
  readonly build?: Build | undefined;
}

/** What a pizza can be built from: the part of a store's price list that can be seen. */
export type Looks = Pick<Builder, 'sizes' | 'crusts' | 'sauces' | 'toppings'>;

const PLAIN_SAUCE = '#c6402b';

/**
 * Topping ids that the words of a dish mention: small pizzas come without a recipe. A topping is meant by all of its
 * words or, if no other is, by its last one.
 */
function toppingsIn(text: string, { toppings }: Looks): string[] {
  const words = text.toLowerCase().replace('black pepper', '').split(/\W+/);
  const meant = (id: string) => {
    const parts = id.split('-');
    if (parts.every((part) => words.includes(part))) return true;
    const last = parts[parts.length - 1]!;
    return words.includes(last) && toppings.filter((other) => other.id.endsWith(last)).length === 1;
  };
  return toppings.map(({ id }) => id).filter(meant);
}

type Dish = DishRule & { readonly description: string; readonly english?: string | undefined };

/** The dish with a recipe, whether the menu says it or only its words do. */
function withRecipe<D extends Dish>(dish: D, looks: Looks): D {
  if (dish.kind !== 'MINI') return dish;
  const said = toppingsIn(dish.english ?? dish.description, looks);
  return { ...dish, defaultToppings: said.length > 0 ? said : toppingsIn(dish.name, looks) };
}

/** What lies on the pizza, each topping on both halves or on one. */
function toppingsOf(left: Dish, right: Dish, wishes: NonNullable<Build['toppings']>, looks: Looks): PizzaTopping[] {
  const byId = new Map(looks.toppings.map((one) => [one.id, one]));
  return [...toppingsPerHalf(left, right, wishes)].flatMap(([id, both]) => {
    const topping = byId.get(id);
    if (!topping) return [];
    const laid = (half: PizzaTopping['half'], amount: Amount): PizzaTopping[] =>
      amount === 'none' ? [] : [{ id, name: topping.name, ...topping.draw, half, amount }];
    return both.left === both.right
      ? laid('WHOLE', both.left)
      : [...laid('LEFT', both.left), ...laid('RIGHT', both.right)];
  });
}

/** How a pizza looks as it was chosen, from the data of the toppings. `second` is the dish of the right half. */
export function pizzaOf(item: Dish, second: Dish | undefined, chosen: PizzaChoice, looks: Looks): Pizza {
  const { crust, build = {} } = chosen;
  const [left, right] = [withRecipe(item, looks), withRecipe(second ?? item, looks)];
  const size = item.kind === 'MINI' ? 'R' : (chosen.size ?? firstSize(item));
  const sauceOf = (id: string | undefined) => looks.sauces.find((one) => one.id === id)?.colour ?? PLAIN_SAUCE;
  const usual = looks.crusts.find((one) => one.isDefault && item.crusts.includes(one.id));
  return {
    seed: item.id,
    size,
    crust: crust ?? usual?.id ?? 'hand-tossed',
    sauce: build.sauce?.level ?? 'normal',
    sauceColour: sauceOf(build.sauce?.id ?? item.sauce),
    ...(build.sauce || !second ? {} : { otherSauceColour: sauceOf(second.sauce) }),
    cheese: build.cheese ?? 'normal',
    toppings: toppingsOf(left, right, build.toppings ?? [], looks),
    slices: looks.sizes.find((one) => one.id === size)?.slices ?? 6,
  };
}
