import { atom, type Atom } from 'jotai';
import { isAppOfferedAtom } from '../state/shop/appBanner.ts';
import { isSharedAtom } from '../state/cart/cart.ts';
import { isOrderActiveAtom } from '../state/orders/journal.ts';
import { hasLastOrdersAtom } from '../state/orders/lastOrders.ts';
import { isLoadingAtom } from '../state/base/loader.ts';
import { isOlderShownAtom } from '../state/after/setAside.ts';
import { isAloneAtom, isBrandShownAtom, isHomeAtom, shownOrderIdAtom } from '../state/base/path.ts';
import { hasPopupAtom } from '../state/base/popup.ts';
import { isUsualOpenAtom } from '../state/cart/usual.ts';
import { LoaderBar } from '../ui/page/LoaderBar.tsx';
import { AccountLink } from './around/AccountLink.tsx';
import type { SlotRow } from './first/slots.tsx';
import { loaded } from '../ui/time/loaded.tsx';
import { Foot } from './around/Foot.tsx';
import { held } from './loading/held.tsx';
import { OfflineStrip } from './around/OfflineStrip.tsx';
import { ITS_OWN } from './ownScreens.ts';
import { Toasts } from './around/Toasts.tsx';

/** Not around a screen that stands alone. */
const around = (when?: Atom<boolean>) => atom((get) => !get(isAloneAtom) && (when === undefined || get(when)));

/** What stands around the screen once the page is connected. */
export const slots: readonly SlotRow[] = [
  { slot: 'top', when: isBrandShownAtom, widget: AccountLink },
  {
    slot: 'top',
    // The phone's first language is another one than the page's: whether we have one of its languages is found there.
    when: atom(
      (get) => get(isHomeAtom) && !navigator.languages[0]?.startsWith(document.documentElement.lang.slice(0, 2)),
    ),
    widget: loaded(() => import('./around/LanguageOffer.tsx')),
  },
  {
    slot: 'above',
    when: around(isOrderActiveAtom),
    widget: held(
      (place) => ITS_OWN.test(place),
      () => import('./around/ActiveOrder.tsx'),
    ),
  },
  {
    slot: 'above',
    when: atom((get) => get(shownOrderIdAtom) !== ''),
    widget: loaded(() => import('./around/OrderWait.tsx')),
  },
  // Elsewhere the order history has them.
  ...(FULL_MODE
    ? []
    : [{ slot: 'above', when: hasLastOrdersAtom, widget: loaded(() => import('./around/LastOrders.tsx')) } as const]),
  {
    slot: 'above',
    when: around(isSharedAtom),
    feature: 'groupOrder',
    widget: held(
      (place) => place.startsWith('/group/'),
      () => import('./around/GroupStrip.tsx'),
    ),
  },
  ...(TRAINS
    ? [
        {
          slot: 'over',
          when: isHomeAtom,
          feature: 'deliver_on_train',
          widget: loaded(() => import('./around/HomeTrain.tsx')),
        } as const,
      ]
    : []),
  ...(FULL_MODE
    ? [
        {
          slot: 'over',
          when: isAppOfferedAtom,
          feature: 'showAppBanner',
          widget: loaded(() => import('./around/AppBanner.tsx')),
        } as const,
      ]
    : []),
  { slot: 'over', when: isHomeAtom, widget: loaded(() => import('./around/HomeParty.tsx')) },
  { slot: 'over', when: around(), widget: Foot },
  { slot: 'over', when: isOlderShownAtom, widget: loaded(() => import('../screens/cart/changes/OlderSheet.tsx')) },
  { slot: 'over', when: isUsualOpenAtom, widget: loaded(() => import('../screens/usual/UsualSheet.tsx')) },
  { slot: 'over', when: hasPopupAtom, widget: loaded(() => import('./around/Popups.tsx')) },
  { slot: 'over', widget: OfflineStrip },
  { slot: 'over', widget: Toasts },
  { slot: 'over', widget: loaded(() => import('./Entered.tsx')) },
  // The global loader flag (specification section 3) as a thin bar; nothing on the page moves.
  { slot: 'over', when: isLoadingAtom, widget: LoaderBar },
];
