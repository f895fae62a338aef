import { atom } from 'jotai';
import type { Menu } from '../contract/menu.ts';
import { kept } from './lib/kept.ts';
import { isStoreGuessedAtom, storeIdAtom } from './location.ts';

/** The country's default menu, in the page itself: what the first render shows (specification section 1, DEFAULT_MENU). */
export const defaultMenuAtom = atom<Menu | null>(null);

/** The last menu of a store, readable with no network. */
export const keptMenuAtom = kept<Menu | null>({ key: 'menu', initial: null, forget: 'never' });

const EMPTY: Menu = { version: '', storeId: '', currencyCode: '', categories: [], items: [] };

/** The menu as the server last told it, and how asking it went; state/live.ts asks. */
export const liveMenuAtom = atom<{ readonly status: 'idle' | 'loading' | 'ready' | 'failed'; readonly menu: Menu | null }>({ status: 'idle', menu: null });
/** How often somebody wanted the menu anew. */
export const menuWantedAtom = atom(0);
export const loadMenuAtom = atom(null, (_get, set) => set(menuWantedAtom, (times) => times + 1));

/** The menu to show now: the store's own once it is here, else the last one kept, else the country's default. */
export const menuAtom = atom((get): Menu => {
  const storeId = get(storeIdAtom);
  const fresh = get(liveMenuAtom).menu;
  if (fresh?.storeId === storeId) return fresh;
  const last = get(keptMenuAtom);
  if (last?.storeId === storeId) return last;
  return get(defaultMenuAtom) ?? last ?? EMPTY;
});
/** Prices are another store's, or of one nobody chose: shown as "from" until the chosen store's menu is here (requirement MENU-21). */
export const isMenuDefaultAtom = atom((get) => get(isStoreGuessedAtom) || get(menuAtom).storeId !== get(storeIdAtom));
export const menuStateAtom = atom((get) => get(liveMenuAtom));

/** Dishes that are not sold at this hour, by the server's clock; state/live.ts tells. */
export const closedAtom = atom<ReadonlySet<string>>(new Set<string>());

export const itemsByIdAtom = atom((get) => new Map(get(menuAtom).items.map((item) => [item.id, item])));

export const CARD_LOOKS = ['u', 'w', 'x', 'y', 's'] as const;
/** Remembered: a visitor keeps the layout that was drawn for them. */
const cardVariantAtom = kept({ key: 'card-variant', initial: '', forget: 'never' });
/** Which layout the dishes of the menu have: variant of NextgenProductCardsV2, whatever its case; s unless told (product.md C33). */
export const cardLookAtom = atom((get) => CARD_LOOKS.find((look) => look === get(cardVariantAtom).toLowerCase()) ?? 's', (_get, set, variant: string) => set(cardVariantAtom, variant));

/** Shelves of the home page that the store sends (widgets of the specification); state/live.ts asks. */
export interface Widget { readonly label: string; readonly title: string; readonly productIds: readonly string[] }
export const homeWidgetsAtom = atom<readonly Widget[]>([]);

/** The category under the customer's eyes; the menu's tabs follow it. */
export const currentCategoryAtom = atom<string | null>(null);
