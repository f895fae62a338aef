import { loadChunk } from '../../bridge/scripts.ts';
import { TIME_SPENT_MS } from '../../domain/telemetry.ts';
import { isCountedAtom } from '../../state/base/config.ts';
import { isKeepingMessage } from '../../state/telemetry/telemetryOutbox.ts';
import { pathAtom, profileAtom } from '../../state/first/seams.ts';
import { isPlacedAtom } from '../../state/orders/journal.ts';
import { isQuietAtom } from '../../state/orders/quiet.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import {
  askAnalyticsAtom,
  isAnalyticsAskedAtom,
  isAnalyticsOnAtom,
  isAskedOnceAtom,
  keepCampaignAtom,
  openAnalyticsAtom,
  trackAtom,
  trackCartAtom,
  trackPlaceAtom,
} from '../../state/telemetry/telemetry.ts';
import { mountOf, pathBelow } from '../first/mount.ts';
import type { Store, Watcher } from '../first/watchers.tsx';

/** The path that the visit began with: by now the customer may be elsewhere. A host says it itself. */
function landed(store: Store): string {
  const { path } = store.get(profileAtom).launch;
  const [opened] = performance.getEntriesByType('navigation');
  if (path || !opened) return path || store.get(pathAtom);
  const { pathname, search } = new URL(opened.name);
  return pathBelow(mountOf(document.baseURI), pathname) + search;
}

/** Not over a sheet: once that is closed, or else on the next page. */
function askQuietly({ set }: Store): (() => void) | void {
  // Another sheet may lie below.
  const ask = () => {
    if (document.querySelector('dialog[open]')) return;
    removeEventListener('close', ask, true);
    set(askAnalyticsAtom);
  };
  // It does not bubble.
  addEventListener('close', ask, true);
  ask();
  return () => removeEventListener('close', ask, true);
}

let isTimeCounted = false;
/** Once a visit, also where the consent is taken back and given again. */
function countTime(store: Store): (() => void) | void {
  if (isTimeCounted) return;
  const track = () => {
    isTimeCounted = true;
    store.set(trackAtom, 'time_spent', { fired_after: TIME_SPENT_MS / 1000 });
  };
  const timer = setTimeout(track, Math.max(0, TIME_SPENT_MS - performance.now()));
  return () => clearTimeout(timer);
}

/** Ids of sessions and carts stand in the addresses of calls, and so in messages. */
const withoutIds = (text: string) => text.replace(/\b(?:anonymous|user|cart)_[\w-]+/g, 'id');

function countFaults(store: Store): () => void {
  const onFault = (event: Event) => {
    // Telling that a message could not be stored would be another one.
    if (isKeepingMessage()) return;
    store.set(trackAtom, 'Error FrontEnd', {
      category: 'Error FrontEnd',
      message: withoutIds(String((event as CustomEvent).detail)).slice(0, 400),
    });
  };
  addEventListener('Error FrontEnd', onFault);
  return () => removeEventListener('Error FrontEnd', onFault);
}

const countOrders = (store: Store) =>
  store.sub(isPlacedAtom, () => {
    if (store.get(isPlacedAtom)) store.set(trackCartAtom, 'order_placed');
  });

const countLogins = (store: Store) =>
  store.sub(isLoggedInAtom, () => {
    // A logout takes the consent with it.
    if (store.get(isLoggedInAtom)) store.set(trackAtom, 'login');
  });

/** How fast the page was; measured by a script of its own. */
const measureVitals = (store: Store) =>
  void loadChunk(() => import('./vitals.ts')).then(
    ({ measure }) => measure(store),
    // Logged and no more, as where these rows themselves do not come.
    (thrown: unknown) => console.error(thrown),
  );

/** What is reported to analytics. Loaded only if the server has switched them on. */
export const telemetryWatchers: readonly Watcher[] = [
  { when: [isCountedAtom], run: (store) => store.set(openAnalyticsAtom, landed(store)) },
  { when: [isAnalyticsOnAtom], run: ({ set }) => set(keepCampaignAtom) },
  { when: [isAnalyticsAskedAtom, isQuietAtom, pathAtom], unless: [isAskedOnceAtom], run: askQuietly },
  { when: [isAnalyticsOnAtom, pathAtom], run: ({ set }) => set(trackPlaceAtom) },
  { when: [isAnalyticsOnAtom], run: measureVitals },
  ...[countTime, countFaults, countOrders, countLogins].map((run): Watcher => ({ when: [isAnalyticsOnAtom], run })),
];
