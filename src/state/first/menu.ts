import { atom } from 'jotai';
import type { Menu } from '../../contract/menu.ts';
import { kept } from './lib/kept.ts';
import { isStoreGuessedAtom, storeIdAtom } from './location.ts';
import { firstCountryAtom } from './seams.ts';

/**
 * The country's default menu, which comes with the page: the first render shows it (specification section 1,
 * DEFAULT_MENU).
 */
export const defaultMenuAtom = atom<Menu | null>(null);

/** The last menu of a store, readable without a network, with the locale of the page that kept it. */
export const keptMenuAtom = kept({ key: 'menu', initial: null, forget: 'logout' });

const EMPTY: Menu = { version: '', storeId: '', currencyCode: '', categories: [], items: [] };

/** The server's last menu and the state of loading it; state/menu/menu.ts loads it. */
export const liveMenuAtom = atom<{
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly menu: Menu | null;
}>({ status: 'idle', menu: null });
/** Counts requests to load the menu again. */
export const menuWantedAtom = atom(0);
export const loadMenuAtom = atom(null, (_get, set) => set(menuWantedAtom, (times) => times + 1));

/**
 * The same in the words of this page, which may be in another language. Dishes have one name in all of them; what is said
 * of them, and the names of categories, is in the default menu, which came with the page.
 */
const lastMenuAtom = atom((get): Menu | null => {
  const last = get(keptMenuAtom);
  const page = get(defaultMenuAtom);
  if (!last || !page || last.locale === get(firstCountryAtom).locale) return last;
  const { categories, allergenNames } = page;
  const own = new Map(page.items.map((item) => [item.id, item]));
  const items = last.items.map((item) => {
    const { spoken, description, english, serving } = own.get(item.id) ?? item;
    return { ...item, spoken, description, english, serving };
  });
  return { ...last, categories, allergenNames, items };
});

/** The menu to show: the store's own once it is loaded, else the last one remembered, else the country's default. */
export const menuAtom = atom((get): Menu => {
  const storeId = get(storeIdAtom);
  const fresh = get(liveMenuAtom).menu;
  if (fresh?.storeId === storeId) return fresh;
  const last = get(lastMenuAtom);
  if (last?.storeId === storeId) return last;
  return get(defaultMenuAtom) ?? last ?? EMPTY;
});
/** Allergens as the menu's language names them. */
export const allergensTextAtom = atom((get) => {
  const names = get(menuAtom).allergenNames;
  return (ids: readonly string[]) => ids.map((id) => names?.[id] ?? id).join(', ');
});
/**
 * The prices belong to another store, or to one that nobody has chosen: they are shown as "from" until the chosen
 * store's menu is here (requirement MENU-21).
 */
export const isMenuDefaultAtom = atom((get) => get(isStoreGuessedAtom) || get(menuAtom).storeId !== get(storeIdAtom));

/** Ids of dishes that are not sold at this hour; state/menu/menu.ts sets them. */
export const closedAtom = atom<ReadonlySet<string>>(new Set<string>());

export const itemsByIdAtom = atom((get) => new Map(get(menuAtom).items.map((item) => [item.id, item])));

const CARD_LOOKS = ['u', 'w', 'x', 'y', 's'] as const;
/** Remembered, so that a visitor keeps the same layout. */
const cardVariantAtom = kept({ key: 'card-variant', initial: '', forget: 'never', optional: true });
/**
 * The layout of the menu's dishes: variant of NextgenProductCardsV2 in upper or lower case, `s` by default (product.md
 * C33).
 */
export const cardLookAtom = atom(
  (get) => CARD_LOOKS.find((look) => look === get(cardVariantAtom).toLowerCase()) ?? 's',
  (_get, set, variant: string) => set(cardVariantAtom, variant),
);

/** A shelf of the home page that the server sends (widgets of the specification); state/menu/menu.ts loads them. */
export interface Widget {
  readonly label: string;
  readonly title: string;
  readonly productIds: readonly string[];
}
export const homeWidgetsAtom = atom<readonly Widget[]>([]);

/** The category that is on screen; the menu's tabs follow it. */
export const currentCategoryAtom = atom<string | null>(null);
