import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { firstSize } from '../../domain/sizes.ts';
import { putLineAtom } from '../../state/cart/cart.ts';
import { fitsAtom, madeAtom } from '../../state/first/filters.ts';
import { allergensTextAtom } from '../../state/first/menu.ts';
import { upsellItemsAtom, upsellState } from '../../state/cart/upsell.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { DishName } from '../../ui/DishName.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { ItemPicture } from '../../ui/pictures/ItemPicture.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { factsOf } from '../first/ItemCard.tsx';
import { useIsWaiting } from '../base/isWaiting.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import css from './CartScreen.module.css';

export default function Upsell() {
  const fits = useAtomValue(fitsAtom);
  const made = useAtomValue(madeAtom);
  const items = useAtomValue(upsellItemsAtom).filter((item) => fits(item) && made(item) !== null);
  const allergensText = useAtomValue(allergensTextAtom);
  const add = useSetAtom(putLineAtom);
  const isWaiting = useIsWaiting(upsellState.atom);
  if (isWaiting) return <Skeleton height="19rem" />;
  if (items.length === 0) return null;
  return (
    <section className={css.upsell} aria-labelledby="goes-with">
      <h2 id="goes-with">{t.upsellTitle}</h2>
      <ul>
        {items.slice(0, 8).map((item) => {
          const price = item.prices[firstSize(item)];
          return (
            <li key={item.id}>
              <div className={css.thumb}>
                <ItemPicture item={item} />
              </div>
              <p className={css.dish}>
                <FoodMark type={item.foodType} /> <DishName name={item.name} />
              </p>
              {factsOf(item, firstSize(item), allergensText(item.allergens))}
              {price !== undefined && <Price amount={price} />}
              <Button
                kind="secondary"
                small
                aria-label={t.upsellAddItem({ name: item.name })}
                onClick={() =>
                  add({
                    productId: item.id,
                    quantity: 1,
                    ...(item.prices.ONE === undefined ? { size: firstSize(item) } : {}),
                    ...made(item),
                  })
                }
              >
                {t.upsellAdd}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
