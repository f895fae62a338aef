import { ItemPicture } from './ItemPicture.tsx';
import css from './LinePicture.module.css';

type Dish = Parameters<typeof ItemPicture>[0]['item'];

/** Decorative picture of a line of a cart or an order: a dish, or a pizza of two different halves. */
export function LinePicture({ left, right }: { left: Dish; right?: Dish }) {
  if (!right) return <ItemPicture item={left} />;
  return (
    <span className={css.halves} aria-hidden>
      <span>
        <ItemPicture item={left} />
      </span>
      <span>
        <ItemPicture item={right} />
      </span>
    </span>
  );
}
