import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useMemo } from 'react';
import { favouritesAtom, toggleFavouriteAtom } from '../../state/favourites.ts';
import { HeartIcon } from '../../ui/icons/HeartIcon.tsx';
import css from './Heart.module.css';

/** Keeps a dish among the favourites; no account needed. */
export function Heart({ item }: { item: { readonly id: string; readonly name: string } }) {
  const isHeld = useAtomValue(useMemo(() => atom((get) => get(favouritesAtom).includes(item.id)), [item.id]));
  const toggle = useSetAtom(toggleFavouriteAtom);
  return (
    <button type="button" className={css.heart} aria-pressed={isHeld} aria-label={`Favourite: ${item.name}`} onClick={() => toggle(item.id)}>
      <HeartIcon size={20} />
    </button>
  );
}
