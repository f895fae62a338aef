import { atom, type Atom } from 'jotai';
import { loadChunk } from '../bridge/scripts.ts';
import * as t from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import { loadCartAtom, renewCartAtom, syncCartAtom } from '../state/cart/cart.ts';
import { noteCartAtom } from '../state/after/cartDiff.ts';
import { clockAheadAtom } from '../state/base/clock.ts';
import { isFrugalAtom, refreshConfigAtom } from '../state/base/config.ts';
import { freshenOffersAtom } from '../state/offers/coupons.ts';
import { syncFavouritesAtom } from '../state/menu/favourites.ts';
import { cartAtom, cartCountAtom, isCartWaitingAtom, sideCartAtom } from '../state/first/cart.ts';
import { clockAtom } from '../state/first/clock.ts';
import { favouritesAtom } from '../state/first/favourites.ts';
import { filtersAtom } from '../state/first/filters.ts';
import { OPTIONAL_MARK, safeStorage } from '../state/first/lib/kept.ts';
import { deliveryTypeAtom, storeIdAtom } from '../state/first/location.ts';
import { cardLookAtom, menuAtom, menuWantedAtom } from '../state/first/menu.ts';
import { hostAtom, pathAtom } from '../state/first/seams.ts';
import { applyHouseholdAtom, householdAtom } from '../state/menu/household.ts';
import { askKitchenAtom, kitchenKeyAtom } from '../state/shop/arrivalEstimate.ts';
import { journalAtom } from '../state/orders/journal.ts';
import { keepShortly } from '../state/lib/optional.ts';
import { refreshMenuAtom, refreshWidgetsAtom, tellHoursAtom } from '../state/menu/menu.ts';
import {
  askServerAtom,
  followLineAtom,
  forgetAnswerAtom,
  isOfflineAtom,
  isSaidOfflineAtom,
  isSlowAtom,
  networkAtom,
} from '../state/base/network.ts';
import { followOtherPagesAtom } from '../state/base/otherPages.ts';
import { isHomeAtom, isMenuAtom } from '../state/base/path.ts';
import { popupAtom } from '../state/base/popup.ts';
import { cartIdAtom } from '../state/base/session.ts';
import { followHostAtom } from '../state/base/share.ts';
import { hasUsualAtom } from '../state/cart/usual.ts';
import { afterPaint } from '../ui/time/afterPaint.ts';
import { showLook } from './cardLook.ts';
import { watchersAtom, type Store, type Watcher } from './first/watchers.tsx';
import { sendForms } from './forms.ts';

const IDLE_WAIT_MS = 3_000;
const CART_RETRY_MS = 5_000;
const HOURS_STEP_MS = 30_000;
const DOUBT_MS = 5_000;

/** Sends changes of the cart after the tap is on the screen; what could not be sent is tried again. */
function sendCart(store: Store): () => void {
  const send = () => {
    void store.set(syncCartAtom);
  };
  const forget = afterPaint(send);
  const again = setInterval(send, CART_RETRY_MS);
  return () => {
    forget();
    clearInterval(again);
  };
}

/**
 * A browser whose owner has switched cookies off keeps neither cart nor login. A frame or a webview of a payment app
 * often has none; no session of ours needs them there.
 */
function checkCookies(store: Store): void {
  if (navigator.cookieEnabled === false && store.get(hostAtom).fullMode)
    store.set(popupAtom, { header: errors.oops, message: t.cookiesDisabled, right: { label: errors.ok } });
}

/** Asks the host for its network type, and follows its changes. */
function followNetwork(store: Store): () => void {
  const host = store.get(hostAtom);
  const { network } = host;
  const tell = (found: ReturnType<typeof network.getSnapshot>) => store.set(networkAtom, found);
  tell(network.getSnapshot());
  const waiting = new AbortController();
  network.getNetworkType({ signal: waiting.signal }).then(tell, () => tell(network.getSnapshot()));
  const unsubscribe = host.on('network', tell);
  return () => {
    waiting.abort();
    unsubscribe();
  };
}

/** While somebody says that there is no network, the server is asked whether that is so. */
function doubtOffline(store: Store): () => void {
  const ask = () => void store.set(askServerAtom);
  ask();
  const timer = setInterval(ask, DOUBT_MS);
  return () => {
    clearInterval(timer);
    store.set(forgetAnswerAtom);
  };
}

/** Looks after a payment that the host still remembers, even if everything on this device was lost. */
async function findPayment(store: Store): Promise<void> {
  const orderId = await store
    .get(hostAtom)
    .unfinishedPayment()
    .catch(() => null);
  if (orderId && store.get(journalAtom) === null)
    store.set(journalAtom, { key: orderId, orderId, step: 'paying', at: Date.now() });
}

/** Dishes that are sold only at certain hours come and go while the page is open. */
function followHours(store: Store): () => void {
  const tell = () => store.set(tellHoursAtom);
  tell();
  const timer = setInterval(tell, HOURS_STEP_MS);
  return () => clearInterval(timer);
}

/** Loads the app config now, and whenever the page comes back into view. */
function followConfig(store: Store): () => void {
  const refresh = () => {
    void store.set(refreshConfigAtom);
  };
  refresh();
  return store.get(hostAtom).on('lifecycle', (state) => {
    if (state !== 'shown') return;
    refresh();
    // Meanwhile the cart may have been changed in another app.
    if (store.get(cartCountAtom) > 0) void store.set(loadCartAtom).catch(() => undefined);
  });
}

/** Keeps the time of arrival true: asks again when it is old, when the store opens or closes, and when the page comes back. */
function followKitchen(store: Store): () => void {
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

/** Who went on to another language comes as far down as they were. */
function arriveInLanguage(store: Store): void {
  if (safeStorage.read('language-scroll') === null) return;
  loadChunk(() => import('../state/base/language.ts')).then(
    ({ languageArrivalAtom }) => store.set(languageArrivalAtom),
    () => undefined,
  );
}

/**
 * Filters know the price list and draw dishes: their script comes once one is on, or was at the last visit. Until then
 * no dish can be added (shell/loading/slowly.ts).
 */
function followFilters(store: Store): void {
  const letAdd = () => document.documentElement.removeAttribute('data-filtered');
  if (store.get(filtersAtom).length === 0 && safeStorage.read(`${OPTIONAL_MARK}filters`) === null) letAdd();
  else
    loadChunk(() => import('./filters.ts')).then(
      ({ filterWatchers }) => store.set(watchersAtom, filterWatchers),
      letAdd,
    );
}

/** Home greets somebody who has ordered before with what they had. */
function showUsual(store: Store): void {
  loadChunk(() => import('./usual.ts')).then(
    ({ usualWatchers }) => store.set(watchersAtom, usualWatchers),
    () => undefined,
  );
}

/** Where the page is wide enough for it, the cart stands beside the menu; its place is the stylesheet's. */
function showCart(store: Store): () => void {
  const room = matchMedia('(min-width: 1024px)');
  const show = () => {
    if (room.matches)
      loadChunk(() => import('../screens/cart/SideCart.tsx')).then(
        ({ SideCart }) => store.set(sideCartAtom, { Cart: SideCart }),
        () => undefined,
      );
  };
  show();
  room.addEventListener('change', show);
  return () => room.removeEventListener('change', show);
}

/** Loads what is not urgent later (specification section 9), and not at all on a slow network. */
function loadLater(store: Store): () => void {
  const timer = setTimeout(() => {
    loadChunk(() => import('./loading/later.ts')).then(
      ({ laterWatchers }) => store.set(watchersAtom, laterWatchers),
      () => undefined,
    );
  }, IDLE_WAIT_MS);
  return () => clearTimeout(timer);
}

/** Draws dishes whose pictures are not there, those that failed before as well. */
function followPictures(store: Store): () => void {
  const replace = (picture: HTMLImageElement) => {
    // Without that script, as when nothing can be fetched, the plate stays empty.
    loadChunk(() => import('./unbuilt.ts')).then(
      ({ drawUnbuilt }) => drawUnbuilt(store, picture),
      () => undefined,
    );
  };
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLImageElement && target.loading === 'lazy') replace(target);
  };
  document.addEventListener('error', onError, true);
  for (const picture of document.querySelectorAll<HTMLImageElement>('img[loading=lazy]'))
    if (picture.complete && picture.naturalWidth === 0) picture.decode().catch(() => replace(picture));
  return () => document.removeEventListener('error', onError, true);
}

/** Tells the server of errors that nothing in the page has dealt with. */
function followErrors(store: Store): () => void {
  const onError = (event: Event) => {
    const { error, reason } = event as Partial<ErrorEvent & PromiseRejectionEvent>;
    const thrown: unknown = error ?? reason;
    if (thrown)
      loadChunk(() => import('./signals/pageErrors.ts')).then(
        ({ tellError }) => tellError(store, thrown),
        () => undefined,
      );
  };
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onError);
  // What went wrong before this script came.
  if (globalThis.fault instanceof Event) onError(globalThis.fault);
  globalThis.fault = undefined;
  return () => {
    removeEventListener('error', onError);
    removeEventListener('unhandledrejection', onError);
  };
}

/**
 * What is pressed has the focus, as everywhere but in Safari: what lies over the page gives it back to there when it is
 * closed (ui/overlays/Dialog.tsx). Enter in a field presses its form's button, too: who types goes on typing.
 */
function focusPressed(): () => void {
  const onClick = ({ isTrusted, detail, target }: MouseEvent) => {
    const pressed = (target as Element).closest<HTMLElement>('button,a[href],input,summary');
    if (!isTrusted || !pressed || pressed === document.activeElement) return;
    const isEntered = detail === 0 && (pressed as Partial<HTMLButtonElement>).form?.contains(document.activeElement);
    if (isEntered !== true) pressed.focus({ preventScroll: true });
  };
  document.addEventListener('click', onClick, true);
  return () => document.removeEventListener('click', onClick, true);
}

/** Keeps an attribute of the page as `isSoAtom` says, for the stylesheets: grey while offline, no pictures on a slow line. */
const marks = (attribute: string, isSoAtom: Atom<boolean>): Watcher => ({
  when: [atom((get) => (get(isSoAtom) ? 'yes' : 'no'))],
  run: ({ get }) => {
    document.documentElement.toggleAttribute(attribute, get(isSoAtom));
  },
});

/** The effects that need the server or the host, in the order in which they start. */
const looking = new WeakSet<Store>();
/** The first time as it was kept, then only where the menu is not on the screen: nothing changes under a reader's eyes. */
function showKeptLook(store: Store): void {
  if (looking.has(store) && store.get(isMenuAtom)) return;
  looking.add(store);
  showLook(store.get(cardLookAtom));
}

export const watchers: readonly Watcher[] = [
  { when: [cardLookAtom, pathAtom], run: showKeptLook },
  { run: followErrors },
  { run: focusPressed },
  { run: checkCookies },
  { run: ({ set }) => set(followOtherPagesAtom, () => location.reload()) },
  { when: [isFrugalAtom], run: keepShortly },
  { unless: [isSlowAtom, isOfflineAtom], run: loadLater },
  { unless: [isSlowAtom, isOfflineAtom], run: followPictures },
  { run: followNetwork },
  { when: [isSaidOfflineAtom], run: doubtOffline },
  { run: sendForms },
  { run: ({ set }) => set(followLineAtom) },
  marks('data-offline', isOfflineAtom),
  marks('data-slow', isSlowAtom),
  // The host's bridge may come late or never: the page works without it, and calls to the host wait for it themselves.
  {
    run: ({ get }) =>
      void get(hostAtom)
        .ready()
        .catch(() => undefined),
  },
  { run: ({ set }) => set(followHostAtom) },
  { run: arriveInLanguage },
  { run: (store) => void findPayment(store) },
  { when: [storeIdAtom, menuWantedAtom], unless: [isOfflineAtom], run: ({ set }) => void set(refreshMenuAtom) },
  {
    when: [cartIdAtom, storeIdAtom, deliveryTypeAtom],
    unless: [isOfflineAtom],
    run: ({ set }) => void set(renewCartAtom).catch(() => undefined),
  },
  { when: [isCartWaitingAtom], unless: [isOfflineAtom], run: sendCart },
  { when: [kitchenKeyAtom], unless: [isOfflineAtom], run: followKitchen },
  { when: [isHomeAtom, hasUsualAtom], unless: [isOfflineAtom], run: showUsual },
  { when: [isMenuAtom], unless: [isOfflineAtom], run: showCart },
  // Only the home page shows what its widgets bring.
  {
    when: [isHomeAtom, storeIdAtom],
    unless: [isOfflineAtom, isSlowAtom],
    run: ({ set }) => void set(refreshWidgetsAtom),
  },
  { unless: [isOfflineAtom], run: followConfig },
  { when: [menuAtom, clockAheadAtom], run: followHours },
  // After every change of the cart: compares it with what the customer has seen, and loads offers again.
  {
    when: [atom((get) => ({ cart: get(cartAtom) }))],
    run: ({ set }) => {
      set(noteCartAtom);
      set(freshenOffersAtom);
    },
  },
  { when: [favouritesAtom, cartIdAtom], unless: [isOfflineAtom], run: ({ set }) => void set(syncFavouritesAtom) },
  { when: [filtersAtom], run: followFilters },
  // The household's filter is on from the start of every visit.
  { when: [householdAtom], run: ({ set }) => set(applyHouseholdAtom) },
];
