import { atom } from 'jotai';
import { renewCartAtom } from '../../state/cart/cart.ts';
import { noteCartAtom } from '../../state/after/cartDiff.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { isFrugalAtom } from '../../state/base/config.ts';
import { freshenOffersAtom } from '../../state/offers/coupons.ts';
import { syncFavouritesAtom } from '../../state/menu/favourites.ts';
import { cartAtom, isCartWaitingAtom } from '../../state/first/cart.ts';
import { favouritesAtom } from '../../state/first/favourites.ts';
import { filtersAtom } from '../../state/first/filters.ts';
import { deliveryTypeAtom, storeIdAtom } from '../../state/first/location.ts';
import { cardLookAtom, menuAtom, menuWantedAtom } from '../../state/first/menu.ts';
import { hostAtom, pathAtom } from '../../state/first/seams.ts';
import { applyHouseholdAtom, householdAtom } from '../../state/menu/household.ts';
import { kitchenKeyAtom } from '../../state/shop/arrivalEstimate.ts';
import { keepShortly } from '../../state/lib/optional.ts';
import { refreshMenuAtom, refreshWidgetsAtom } from '../../state/menu/menu.ts';
import { followLineAtom, isOfflineAtom, isSaidOfflineAtom, isSlowAtom } from '../../state/base/network.ts';
import { followOtherPagesAtom } from '../../state/base/otherPages.ts';
import { isHomeAtom, isMenuAtom } from '../../state/base/path.ts';
import { cartIdAtom } from '../../state/base/session.ts';
import { followHostAtom } from '../../state/base/share.ts';
import { hasUsualAtom } from '../../state/cart/usual.ts';
import type { Watcher } from '../first/watchers.tsx';
import { sendForms } from '../forms.ts';
import { sendCart, showUsual, showCart } from './cart.ts';
import { showKeptLook, followHours, followKitchen, followFilters } from './menu.ts';
import { followNetwork, doubtOffline, marks } from './network.ts';
import {
  checkCookies,
  arriveInLanguage,
  loadLater,
  followPictures,
  followErrors,
  focusPressed,
  followConfig,
} from './page.ts';
import { findPayment } from './payment.ts';

/** The effects that need the server or the host, in the order in which they start; what they do stands in files by noun. */
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
