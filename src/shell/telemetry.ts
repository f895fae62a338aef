import { loadChunk } from '../bridge/scripts.ts';
import { TIME_SPENT_MS } from '../domain/telemetry.ts';
import { isCountedAtom } from '../state/config.ts';
import { pathAtom } from '../state/first/seams.ts';
import { isPlacedAtom } from '../state/journal.ts';
import { isLoggedInAtom } from '../state/session.ts';
import {
  askAnalyticsAtom,
  isAnalyticsAskedAtom,
  isAnalyticsOnAtom,
  openAnalyticsAtom,
  trackAtom,
  trackCartAtom,
  trackPlaceAtom,
} from '../state/telemetry.ts';
import type { Store, Watcher } from './first/watchers.tsx';

function countTime(store: Store): () => void {
  const track = () => store.set(trackAtom, 'time_spent', { fired_after: TIME_SPENT_MS / 1000 });
  const timer = setTimeout(track, Math.max(0, TIME_SPENT_MS - performance.now()));
  return () => clearTimeout(timer);
}

/** Ids of sessions and carts stand in the addresses of calls, and so in messages. */
const withoutIds = (text: string) => text.replace(/\b(?:anonymous|user|cart)_[\w-]+/g, 'id');

function countFaults(store: Store): () => void {
  const onFault = (event: Event) => {
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
  store.sub(isLoggedInAtom, () => store.set(trackAtom, store.get(isLoggedInAtom) ? 'login' : 'logout'));

/** How fast the page was; measured by a script of its own. */
const measureVitals = (store: Store) =>
  void loadChunk(() => import('./vitals.ts')).then(
    ({ measure }) => measure(store),
    () => undefined,
  );

/** What is reported to analytics. Loaded only if the server has switched them on. */
export const telemetryWatchers: readonly Watcher[] = [
  { when: [isCountedAtom], run: ({ set }) => set(openAnalyticsAtom) },
  { when: [isAnalyticsAskedAtom], run: ({ set }) => set(askAnalyticsAtom) },
  { when: [isAnalyticsOnAtom, pathAtom], run: ({ set }) => set(trackPlaceAtom) },
  { when: [isAnalyticsOnAtom], run: measureVitals },
  ...[countTime, countFaults, countOrders, countLogins].map((run): Watcher => ({ when: [isAnalyticsOnAtom], run })),
];
