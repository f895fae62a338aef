import * as t from '#text/cart.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { CartLine } from '../../../contract/cart.ts';
import { foldLines } from '../../../domain/foldLines.ts';
import { madeOf } from '../../../domain/madeOf.ts';
import { inputOf } from '../../../domain/lineInput.ts';
import { decideOlderAtom, asideTasks, olderAtom } from '../../../state/after/setAside.ts';
import { Button } from '../../../ui/forms/Button.tsx';
import { Card } from '../../../ui/page/Card.tsx';
import { DishName } from '../../../ui/DishName.tsx';
import { FoodMark } from '../../../ui/pictures/FoodMark.tsx';
import { Price } from '../../../ui/money/Price.tsx';
import { LinePicture } from '../../base/LinePicture.tsx';
import css from './Older.module.css';

function Dish({ line }: { line: CartLine }) {
  const { name } = line.product;
  const made = madeOf(line);
  return (
    <li>
      <div className={css.picture}>
        <LinePicture line={{ ...inputOf(line), product: line.product }} />
      </div>
      <div>
        <p className={css.name}>
          <FoodMark type={line.product.foodType} />{' '}
          {line.quantity > 1 && <b>{t.olderTimes({ count: line.quantity })} </b>}
          <DishName name={name} />
        </p>
        {made.length > 0 && <p className={css.made}>{made.join(' · ')}</p>}
      </div>
      <Price amount={line.lineTotal} />
    </li>
  );
}

/** The older dishes by name and picture, each with what it would cost. */
export function OlderDishes() {
  const older = useAtomValue(olderAtom);
  return (
    <>
      <p className={css.text}>{t.olderText({ count: older.length })}</p>
      <ul className={css.dishes}>
        {foldLines(older).map((line) => (
          <Dish key={line.lineId} line={line} />
        ))}
      </ul>
    </>
  );
}

/** The two decisions. Neither is taken by itself. */
export function OlderChoices() {
  const older = useAtomValue(olderAtom);
  const deciding = useAtomValue(asideTasks.busyAtom);
  const decide = useSetAtom(decideOlderAtom);
  return (
    <>
      <Button kind="secondary" busy={deciding === 'ADD'} onClick={() => void decide('ADD')}>
        {t.olderAdd({ count: older.length })}
      </Button>
      <Button kind="quiet" busy={deciding === 'DROP'} onClick={() => void decide('DROP')}>
        {t.olderDrop}
      </Button>
    </>
  );
}

/** In the cart, for who decides later. */
export default function Older() {
  return (
    <Card title={t.olderTitle}>
      <OlderDishes />
      <div className={css.choices}>
        <OlderChoices />
      </div>
    </Card>
  );
}
