import { atom } from 'jotai';
import { CARDS } from '../state/telemetry/abVariant.ts';
import {
  activateAtom,
  decidedLookAtom,
  decisionsAtom,
  exposeAtom,
  forceAtom,
  isAnyForcedAtom,
  isDecidedAtom,
  isForcingAtom,
  isLookForcedAtom,
  keepVisitorAtom,
  logFaultsAtom,
  reachGoalAtom,
  takeLookAtom,
  tellVariantsAtom,
} from '../state/telemetry/experiments.ts';
import { isUsageAgreedAtom } from '../state/consent/consents.ts';
import { cartCountAtom } from '../state/first/cart.ts';
import { cardLookAtom } from '../state/first/menu.ts';
import { pathAtom } from '../state/first/seams.ts';
import { isOfflineAtom } from '../state/base/network.ts';
import { isMenuAtom } from '../state/base/path.ts';
import { shownLook, showLook } from './cardLook.ts';
import type { SlotRow } from './first/slots.tsx';
import { loaded } from '../ui/time/loaded.tsx';
import type { Store, Watcher } from './first/watchers.tsx';

/** A new look is taken where nobody sees the menu: on another page, or when this one is left. */
function takeLook(store: Store): () => void {
  const take = () => store.set(takeLookAtom);
  if (store.get(isLookForcedAtom)) {
    take();
    showLook(store.get(cardLookAtom));
  } else if (!store.get(isMenuAtom)) take();
  addEventListener('pagehide', take);
  return () => removeEventListener('pagehide', take);
}

function countAdded(store: Store): () => void {
  let before = store.get(cartCountAtom);
  return store.sub(cartCountAtom, () => {
    const now = store.get(cartCountAtom);
    if (now > before) store.set(reachGoalAtom, 'added_to_cart');
    before = now;
  });
}

/** Whether the service may be told, as something that a watcher waits for either way. */
const toldAtom = atom((get) => ({ isTold: get(isUsageAgreedAtom) }));

/** Experiments: loaded when the page has long been there, because what it shows first was decided before. */
export const experimentWatchers: readonly Watcher[] = [
  { unless: [isOfflineAtom], run: ({ set }) => void set(activateAtom) },
  { when: [isForcingAtom, pathAtom], run: ({ set }) => set(forceAtom) },
  { when: [decidedLookAtom, pathAtom], run: takeLook },
  { when: [toldAtom], run: ({ set }) => set(keepVisitorAtom) },
  { when: [decisionsAtom], run: ({ set }) => set(logFaultsAtom) },
  { when: [isDecidedAtom, decisionsAtom, toldAtom], run: ({ set }) => set(tellVariantsAtom) },
  {
    when: [isMenuAtom, decidedLookAtom, cardLookAtom, toldAtom],
    run: (store) => {
      if (shownLook() === store.get(decidedLookAtom)) store.set(exposeAtom, CARDS);
    },
  },
  { when: [isUsageAgreedAtom, isDecidedAtom], run: countAdded },
];

export const experimentSlots: readonly SlotRow[] = [
  { slot: 'over', when: isAnyForcedAtom, widget: loaded(() => import('../screens/account/ExperimentPanel.tsx')) },
];
