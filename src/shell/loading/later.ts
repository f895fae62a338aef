import { logFault } from '../../bridge/logFault.ts';
import { loadChunk } from '../../bridge/scripts.ts';
import * as t from '#text/alive.ts';
import { isCountedAtom } from '../../state/base/config.ts';
import { finishForgettingAtom, isUsageAgreedAtom } from '../../state/consent/consents.ts';
import { confettiAtom } from '../../state/offers/coupons.ts';
import { safeStorage } from '../../state/first/lib/kept.ts';
import {
  forgetSignalAtom,
  isSignalDueAtom,
  isSignalLeftAtom,
  lookAtDeviceAtom,
} from '../../state/consent/deviceCheck.ts';
import { storeIdAtom } from '../../state/first/location.ts';
import { hostAtom, pathAtom, profileAtom } from '../../state/first/seams.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { isVisitWaitingAtom } from '../../state/after/queuedFeedback.ts';
import { isPlacedAtom } from '../../state/orders/journal.ts';
import { loadAlertsAtom, loadPwaConfigAtom, pwaConfigAtom } from '../../state/shop/notices.ts';
import { isUsageTrackedAtom, trackPageAtom } from '../../state/telemetry/usage.ts';
import { slotsAtom } from '../first/slots.tsx';
import { watchersAtom, type Store, type Watcher } from '../first/watchers.tsx';
import { watchUpdates } from '../update.ts';
import { HOUR_MS } from '../../domain/time.ts';

/** Vibrates at good news, where the device can and the customer has not asked for less motion. */
function feelNews(store: Store): () => void {
  const feel = () => {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) store.get(hostAtom).vibrate('success');
  };
  const ends = [
    store.sub(isPlacedAtom, () => {
      if (store.get(isPlacedAtom)) feel();
    }),
    store.sub(confettiAtom, () => {
      if (store.get(confettiAtom) !== null) feel();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Offers a new version; the page never reloads by itself while somebody uses it. A host loads its mini-apps itself. */
function offerUpdates(store: Store): (() => void) | void {
  if (store.get(profileAtom).fullMode)
    return watchUpdates((take) => store.set(toastMessageAtom, t.newVersion, { label: t.reload, act: take }));
}

/** What waits is sent, now and when the page is left. */
function deliverMessages(store: Store): () => void {
  let isOver = false;
  let end: (() => void) | undefined;
  loadChunk(() => import('../deliver.ts')).then(
    ({ deliver }) => {
      if (!isOver) end = deliver(store);
    },
    // What waits stays on the device.
    logFault,
  );
  return () => {
    isOver = true;
    end?.();
  };
}

/** Chromium takes what is in view with 32 px of its width for seen: in a row that scrolls sideways a button would stay cut off. */
function showFocused(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    const focused = target as Element;
    const row = focused.closest('li')?.parentElement;
    if (row && row.scrollWidth > row.clientWidth && focused.matches(':focus-visible'))
      focused.scrollIntoView({ inline: 'center', block: 'nearest' });
  };
  document.addEventListener('focusin', onFocus);
  return () => document.removeEventListener('focusin', onFocus);
}

const JOURNEY_KEYS = ['pnr', 'train-seat', 'station-id'];
const JOURNEY_LOOK_MS = HOUR_MS;
/** A journey by train that is over is forgotten, whatever page is opened next, and by a page that stays open. */
function forgetJourneys(store: Store): () => void {
  const look = () => {
    if (TRAINS && JOURNEY_KEYS.some((key) => safeStorage.read(key) !== null))
      loadChunk(() => import('../../state/trains/pnr.ts')).then(
        ({ forgetOverAtom }) => store.set(forgetOverAtom),
        () => undefined,
      );
  };
  look();
  const timer = setInterval(look, JOURNEY_LOOK_MS);
  const unsubscribe = store.get(hostAtom).on('lifecycle', (state) => {
    if (state === 'shown') look();
  });
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}

/** What nobody waits for: it loads 3 s after the page (specification section 9), and never on a slow network. */
export const laterWatchers: readonly Watcher[] = [
  { run: ({ set }) => void set(loadPwaConfigAtom) },
  { when: [storeIdAtom], run: ({ set }) => void set(loadAlertsAtom) },
  {
    when: [pwaConfigAtom],
    run: ({ get }) =>
      document.querySelector('meta[name="theme-color"]')?.setAttribute('content', get(pwaConfigAtom)?.themeColor ?? ''),
  },
  ...(FULL_MODE
    ? [
        // Only with a yes, and where codes and coupons are.
        { when: [isSignalDueAtom], unless: [isOfflineAtom], run: ({ set }: Store) => void set(lookAtDeviceAtom) },
        { when: [isSignalLeftAtom], unless: [isOfflineAtom], run: ({ set }: Store) => void set(forgetSignalAtom) },
        {
          // What was said of a visit without a network is sent once there is one.
          when: [isVisitWaitingAtom],
          unless: [isOfflineAtom],
          run: ({ set }: Store) =>
            void loadChunk(() => import('../../state/after/feedback.ts')).then(
              ({ sendWaitingAtom }) => set(sendWaitingAtom),
              () => undefined,
            ),
        },
      ]
    : []),
  // A consent that was taken back without a network.
  { unless: [isOfflineAtom], run: ({ set }) => void set(finishForgettingAtom) },
  // What was told of this visit and of earlier ones, and waits.
  { when: [isUsageAgreedAtom], unless: [isOfflineAtom], run: deliverMessages },
  ...(TRAINS ? [{ run: forgetJourneys }] : []),
  { run: showFocused },
  { run: feelNews },
  { run: offerUpdates },
  { when: [isUsageTrackedAtom, pathAtom], run: ({ set }) => void set(trackPageAtom) },
  {
    when: [isCountedAtom],
    run: (store) =>
      void loadChunk(() => import('../signals/telemetry.ts')).then(
        ({ telemetryWatchers }) => store.set(watchersAtom, telemetryWatchers),
        // Logged and no more: who orders has nothing to do with it (specification section 8).
        (thrown: unknown) => console.error(thrown),
      ),
  },
  {
    unless: [isOfflineAtom],
    run: (store) =>
      void loadChunk(() => import('../experiments.ts')).then(
        ({ experimentWatchers, experimentSlots }) => {
          store.set(watchersAtom, experimentWatchers);
          store.set(slotsAtom, experimentSlots);
        },
        // Nobody is in any experiment, and whoever runs the shop hears why (specification section 8).
        logFault,
      ),
  },
  // The script behind the cart and behind a dish, and with it what most screens share, is loaded before it is wanted.
  { run: () => void loadChunk(() => import('../journeys/cart.ts')).catch(() => undefined) },
  { run: () => void loadChunk(() => import('../journeys/dishes.ts')).catch(() => undefined) },
  ...(FULL_MODE ? [{ run: () => void loadChunk(() => import('../journeys/offers.ts')).catch(() => undefined) }] : []),
];
