import { pizzaOf } from '../../ui/food/recipe.ts';
import type { Builder } from '../../contract/menu.ts';
import { buildOf, type Draft, type DraftResult } from '../../state/cart/builder.ts';
import { PizzaPicture } from '../../ui/pictures/PizzaPicture.tsx';
import css from './CustomiseScreen.module.css';

/** The pizza as it is built now: as a picture, and in words. */
export function BuiltPizza({ draft, worked, builder }: { draft: Draft; worked: DraftResult; builder: Builder }) {
  const { item, second, finished } = worked;
  const crust = finished?.crust;
  const chosen = { size: draft.size, crust: crust?.id ?? draft.crust, build: buildOf(draft) };
  const sauceId = draft.sauce?.id ?? item.sauce ?? 'tomato';
  return (
    <div className={css.picture}>
      <PizzaPicture
        pizza={{
          ...pizzaOf(item, second === item ? undefined : second, chosen, builder),
          sizeName: builder.sizes.find((one) => one.id === draft.size)?.name,
          crustName: crust?.name,
          sauceName: builder.sauces.find((one) => one.id === sauceId)?.name,
        }}
      />
    </div>
  );
}
