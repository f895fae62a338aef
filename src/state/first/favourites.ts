import { atom } from 'jotai';
import { kept } from './lib/kept.ts';

export const FAVOURITES_PATH = '/menu/favourite';

/**
 * Ids of favourite dishes, newest first: on the device, and after a login also in the account (state/menu/favourites.ts).
 */
export const favouritesAtom = kept({
  key: 'favourites',
  initial: [],
  forget: 'logout',
  optional: true,
});

export const toggleFavouriteAtom = atom(null, (_get, set, id: string) => {
  set(favouritesAtom, (now) => (now.includes(id) ? now.filter((one) => one !== id) : [id, ...now]));
});
