import { atom } from 'jotai';
import { kept } from './lib/kept.ts';

export const FAVOURITES_PATH = '/menu/favourite';

/** Ids of dishes with a heart, newest first: on the device, and at login in the account (state/hearts.ts). */
export const favouritesAtom = kept<readonly string[]>({ key: 'favourites', initial: [], forget: 'logout' });

export const toggleFavouriteAtom = atom(null, (_get, set, id: string) => {
  set(favouritesAtom, (now) => (now.includes(id) ? now.filter((one) => one !== id) : [id, ...now]));
});
