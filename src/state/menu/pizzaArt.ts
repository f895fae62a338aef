import { atom } from 'jotai';
import type { Build } from '../../contract/cart.ts';
import type { MenuItem } from '../../contract/menu.ts';
import { firstSize } from '../../domain/sizes.ts';
import type { Subject } from '../../ui/food/picture.ts';
import { pizzaOf, type Looks } from '../../ui/food/recipe.ts';
import { builderAtom, builderStateAtom, loadBuilderAtom } from './priceList.ts';
import { isSlowAtom } from '../base/network.ts';

/** What pizzas are drawn from: asked for when the first picture needs it, but not on a slow network; null until then. */
export const looksAtom = atom(
  (get): Looks | null => get(builderAtom),
  (get, set) => {
    if (!get(builderAtom) && !get(isSlowAtom) && get(builderStateAtom).status === 'idle') void set(loadBuilderAtom);
  },
);
looksAtom.onMount = (want) => want();

/** A dish as it was chosen: a line of a cart or of an order, or a piece of a combo. */
export interface DishChoice {
  readonly productId: string;
  readonly size?: string | undefined;
  readonly crust?: string | undefined;
  readonly build?: Build | undefined;
  readonly slots?: readonly Omit<DishChoice, 'slots'>[] | undefined;
}

type Items = ReadonlyMap<string, MenuItem>;

const isPizza = ({ kind }: MenuItem) => kind === 'PIZZA' || kind === 'MINI';

function subjectOf(items: Items, looks: Looks, chosen: DishChoice): Subject[] {
  const item = items.get(chosen.productId);
  if (!item) return [];
  if (!isPizza(item)) return [{ dish: { id: item.id, kind: item.kind, name: item.name } }];
  return [{ pizza: pizzaOf(item, items.get(chosen.build?.secondHalf ?? ''), chosen, looks) }];
}

/** What has to be drawn because it differs from the menu's own picture; null where that one shows it. */
export function subjectsOf(items: Items, looks: Looks, chosen: DishChoice): readonly Subject[] | null {
  if (chosen.slots && chosen.slots.length > 0) {
    const parts = chosen.slots.flatMap((piece) => subjectOf(items, looks, piece));
    return parts.length === chosen.slots.length ? parts : null;
  }
  const item = items.get(chosen.productId);
  if (!item || !isPizza(item)) return null;
  const usual = looks.crusts.find((one) => one.isDefault)?.id;
  const isPlain =
    !chosen.build && (chosen.crust ?? usual) === usual && (chosen.size ?? firstSize(item)) === firstSize(item);
  return isPlain ? null : subjectOf(items, looks, chosen);
}
