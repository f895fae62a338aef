import { atom } from 'jotai';
import { hostAtom, pathAtom } from '../first/seams.ts';

/** Query params of the global state (specification section 3), those of the current page. */
export const queryParamsAtom = atom((get): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(get(pathAtom).split('?')[1] ?? '')),
);
/** navigationUrl of the global state: an address that opens this page again, also from outside the host. */
export const navigationUrlAtom = atom((get) => get(hostAtom).link(get(pathAtom)));

export const isMenuAtom = atom((get) => /^\/(menu|edv)\b/.test(get(pathAtom)));
export const isHomeAtom = atom((get) => /^\/(home|landing)?(\?|$)/.test(get(pathAtom)));
/** Home or the menu of a standalone page: its own bar stands at the top, where payment apps have theirs. */
export const isBrandShownAtom = atom((get) => get(hostAtom).fullMode && (get(isHomeAtom) || get(isMenuAtom)));
/** A page that an app shows in a frame of its own: nothing of ours stands around it. */
export const isAloneAtom = atom((get) => /^\/worldPizzaLeagueApp\b/.test(get(pathAtom)));
/** The order that the open page is about; '' where it is about none, or nobody knows yet which. */
export const shownOrderIdAtom = atom((get) => {
  const [, before, after] = /^\/(?:order|track|payment|help)\/([^/?]+)|[?&]order=([^&]+)/.exec(get(pathAtom)) ?? [];
  const id = before ?? after ?? '';
  return id === 'open' ? '' : id;
});
