import * as t from '#text/history.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useMemo } from 'react';
import type { OrderCard } from '../../contract/history.ts';
import { isFavouriteAtom, toggleFavouriteOrderAtom } from '../../state/orders/history.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { HeartIcon } from '../../ui/pictures/icons.ts';
import css from './FavouriteHeart.module.css';

/** Keeps an order among the account's favourites; a guest has no account to keep it in. */
export function FavouriteHeart({ order }: { order: OrderCard }) {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const toggle = useSetAtom(toggleFavouriteOrderAtom);
  // Only the heart that was tapped is drawn again, however many there are.
  const isFavourite = useAtomValue(useMemo(() => atom((get) => get(isFavouriteAtom)(order)), [order]));
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
