import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { decideSharedAtom, sharedDishesAtom, sharedMissingAtom } from '../../../state/group/sharedCart.ts';
import { Button } from '../../../ui/forms/Button.tsx';
import { Card } from '../../../ui/page/Card.tsx';
import { DishName } from '../../../ui/DishName.tsx';
import { FoodMark } from '../../../ui/pictures/FoodMark.tsx';
import { LinePicture } from '../../base/LinePicture.tsx';
import css from './Older.module.css';

/** The dishes of a link, for whoever has followed it. They come into the cart by a tap, never by themselves. */
export default function SharedDishes() {
  const dishes = useAtomValue(sharedDishesAtom);
  const missing = useAtomValue(sharedMissingAtom);
  const decide = useSetAtom(decideSharedAtom);
  const count = dishes.length;
  if (count === 0)
    return (
      missing > 0 && (
        <Card title={t.sharedTitle}>
          <p className={css.text} role="status">
            {t.sharedNone({ count: missing })}
          </p>
          <Button kind="quiet" onClick={() => decide(false)}>
            {t.olderDrop}
          </Button>
        </Card>
      )
    );
  return (
    <Card title={t.sharedTitle}>
      <p className={css.text}>{t.sharedText({ count })}</p>
      {missing > 0 && (
        <p className={css.text} role="status">
          {t.sharedMissing({ count: missing })}
        </p>
      )}
      <ul className={css.dishes}>
        {dishes.map(({ dish, item }, at) => (
          <li key={at}>
            <div className={css.picture}>
              <LinePicture line={{ ...dish, product: item }} />
            </div>
            <p className={css.name}>
              <FoodMark type={item.foodType} /> {dish.quantity > 1 && <b>{t.olderTimes({ count: dish.quantity })} </b>}
              <DishName name={item.name} />
            </p>
          </li>
        ))}
      </ul>
      <div className={css.choices}>
        <Button kind="secondary" onClick={() => decide(true)}>
          {t.olderAdd({ count })}
        </Button>
        <Button kind="quiet" onClick={() => decide(false)}>
          {t.olderDrop}
        </Button>
      </div>
    </Card>
  );
}
