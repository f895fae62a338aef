import type { Half } from '../contract/names.ts';

interface Dish {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly sauce?: string | undefined;
  readonly defaultToppings?: readonly string[] | undefined;
}

interface Line {
  readonly product: { readonly id: string; readonly kind: string; readonly name: string };
  readonly build?:
    | {
        readonly sauce?: { readonly id: string } | undefined;
        readonly toppings?:
          | readonly { readonly id: string; readonly half: Half; readonly amount: string }[]
          | undefined;
        readonly secondHalf?: string | undefined;
      }
    | undefined;
}

/**
 * What to draw for a line: the dish with its changes, and `right` where the right half of a pizza differs from the left
 * one. A dish that is not on the menu any more is drawn by its kind and name.
 */
export function picturedAs(line: Line, items: ReadonlyMap<string, Dish>): { left: Dish; right?: Dish } {
  const { product, build } = line;
  const dish = items.get(product.id) ?? product;
  if (build === undefined) return { left: dish };
  const { sauce, toppings = [], secondHalf } = build;
  const second = secondHalf === undefined ? dish : (items.get(secondHalf) ?? dish);
  const half = (own: Dish, side: 'LEFT' | 'RIGHT'): Dish => {
    const ids = new Set(own.defaultToppings);
    for (const wish of toppings) {
      if (wish.half !== 'WHOLE' && wish.half !== side) continue;
      if (wish.amount === 'none') ids.delete(wish.id);
      else ids.add(wish.id);
    }
    return { ...own, sauce: sauce?.id ?? own.sauce, defaultToppings: [...ids] };
  };
  const left = half(dish, 'LEFT');
  const isHalved = second.id !== dish.id || toppings.some((wish) => wish.half !== 'WHOLE');
  return isHalved ? { left, right: half(second, 'RIGHT') } : { left };
}
