import { loadChunk } from '../../bridge/scripts.ts';
import { clockAtom } from '../../state/first/clock.ts';
import { filtersAtom } from '../../state/first/filters.ts';
import { OPTIONAL_MARK, safeStorage } from '../../state/first/lib/kept.ts';
import { cardLookAtom } from '../../state/first/menu.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { askKitchenAtom } from '../../state/shop/arrivalEstimate.ts';
import { tellHoursAtom } from '../../state/menu/menu.ts';
import { isMenuAtom } from '../../state/base/path.ts';
import { showLook } from '../cardLook.ts';
import { watchersAtom, type Store } from '../first/watchers.tsx';

const HOURS_STEP_MS = 30_000;

const looking = new WeakSet<Store>();
/** The first time as it was kept, then only where the menu is not on the screen: nothing changes under a reader's eyes. */
export function showKeptLook(store: Store): void {
  if (looking.has(store) && store.get(isMenuAtom)) return;
  looking.add(store);
  showLook(store.get(cardLookAtom));
}

/** Dishes that are sold only at certain hours come and go while the page is open. */
export function followHours(store: Store): () => void {
  const tell = () => store.set(tellHoursAtom);
  tell();
  const timer = setInterval(tell, HOURS_STEP_MS);
  return () => clearInterval(timer);
}

/** Keeps the time of arrival true: asks again when it is old, when the store opens or closes, and when the page comes back. */
export function followKitchen(store: Store): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const ask = async () => {
    clearTimeout(timer);
    const wait = await store.set(askKitchenAtom);
    clearTimeout(timer);
    // A hidden page asks when it is shown again.
    if (!isOver) timer = setTimeout(() => document.visibilityState === 'visible' && void ask(), wait);
  };
  void ask();
  const unsubscribe = store.get(hostAtom).on('lifecycle', (state) => {
    if (state === 'shown') void ask();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    unsubscribe();
    store.set(clockAtom, null);
  };
}

/**
 * Filters know the price list and draw dishes: their script comes once one is on, or was at the last visit. Until then
 * no dish can be added (shell/loading/slowly.ts).
 */
export function followFilters(store: Store): void {
  const letAdd = () => document.documentElement.removeAttribute('data-filtered');
  if (store.get(filtersAtom).length === 0 && safeStorage.read(`${OPTIONAL_MARK}filters`) === null) letAdd();
  else
    loadChunk(() => import('../filters.ts')).then(
      ({ filterWatchers }) => store.set(watchersAtom, filterWatchers),
      letAdd,
    );
}
