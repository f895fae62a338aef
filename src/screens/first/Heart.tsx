import * as t from '#text/first.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useMemo } from 'react';
import { favouritesAtom, toggleFavouriteAtom } from '../../state/first/favourites.ts';
import { HeartIcon } from '../../ui/pictures/icons.ts';
import css from './Heart.module.css';

/** Adds a dish to the favourites or takes it off; no account is needed. */
export function Heart({ item }: { item: { readonly id: string; readonly name: string } }) {
  const isHeld = useAtomValue(useMemo(() => atom((get) => get(favouritesAtom).includes(item.id)), [item.id]));
  const toggle = useSetAtom(toggleFavouriteAtom);
  return (
    <button
      type="button"
      className={css.heart}
      aria-pressed={isHeld}
      aria-label={t.favourite({ name: item.name })}
      onClick={() => toggle(item.id)}
    >
      <HeartIcon size={20} />
    </button>
  );
}
