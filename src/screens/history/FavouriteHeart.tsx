import * as t from '#text/history.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { OrderCard } from '../../contract/history.ts';
import { isFavouriteAtom, toggleFavouriteOrderAtom } from '../../state/history.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { HeartIcon } from '../../ui/icons/HeartIcon.tsx';
import css from './FavouriteHeart.module.css';

/** Keeps an order among the account's favourites; a guest has no account to keep it in. */
export function FavouriteHeart({ order }: { order: OrderCard }) {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const toggle = useSetAtom(toggleFavouriteOrderAtom);
  const isFavourite = useAtomValue(isFavouriteAtom)(order);
  if (!isLoggedIn || isFavourite === undefined) return null;
  return (
    <button
      type="button"
      className={css.heart}
      aria-pressed={isFavourite}
      aria-label={t.favourite({ number: order.orderNumber })}
      onClick={() => void toggle(order)}
    >
      <HeartIcon size={22} />
    </button>
  );
}
