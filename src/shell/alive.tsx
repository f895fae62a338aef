import { useAtomValue, useSetAtom, useStore, type createStore } from 'jotai';
import { useEffect } from 'react';
import { createApi } from '../api/client.ts';
import type { HostBridge } from '../bridge/hostBridge.ts';
import { sourceHeader } from '../domain/device.ts';
import { cartAtom, isCartWaitingAtom, loadCartAtom, syncCartAtom } from '../state/cart.ts';
import { noteCartAtom } from '../state/changes.ts';
import { clockAheadAtom, serverClockAtom } from '../state/clock.ts';
import { freshenOffersAtom } from '../state/coupons.ts';
import { favouritesAtom } from '../state/favourites.ts';
import { syncFavouritesAtom } from '../state/hearts.ts';
import { journalAtom } from '../state/journal.ts';
import { wakeAtom } from '../state/lib/kept.ts';
import { refreshConfigAtom, refreshMenuAtom, schemas, tellHoursAtom } from '../state/live.ts';
import { deliveryTypeAtom, storeIdAtom } from '../state/location.ts';
import { menuAtom, menuWantedAtom } from '../state/menu.ts';
import { isOfflineAtom, networkAtom } from '../state/network.ts';
import { apiAtom, countryAtom, hostAtom, originAtom } from '../state/seams.ts';
import { cartIdAtom, endSessionAtom, identityFrom, renewSessionAtom, sessionAtom } from '../state/session.ts';
import { liveWatchersAtom } from './live.ts';

const IDLE_WAIT_MS = 3_000;
const CART_RETRY_MS = 5_000;
const HOURS_STEP_MS = 30_000;

/** Connects the page with the server and with what the device remembers. `origin` is '' for the page's own. */
export function enliven(store: ReturnType<typeof createStore>, host: HostBridge, origin: string): void {
  const country = store.get(countryAtom);
  store.set(hostAtom, host);
  const server = origin || country.ENVIRONMENTS.production.API_HOST;
  store.set(originAtom, server);
  store.set(apiAtom, createApi({
    origin: server,
    apiKey: country.api.keys[host.apiKeyName] ?? '',
    clientType: host.clientType,
    source: sourceHeader(navigator.userAgent),
    identity: () => identityFrom(store.get(sessionAtom), store.get(storeIdAtom), store.get(deliveryTypeAtom)),
    renewed: (reply) => store.set(renewSessionAtom, reply),
    ended: () => store.set(endSessionAtom),
    told: (serverMs) => store.set(serverClockAtom, serverMs),
  }));
  store.set(wakeAtom, schemas);
  store.set(liveWatchersAtom, () => LiveWatchers);
}

function LiveWatchers() {
  return (
    <>
      <Network />
      <Ready />
      <Freshness />
      <Hours />
      <Seen />
      <Hearts />
    </>
  );
}

/** Asks the host for the network; greys the page while offline. */
function Network() {
  const host = useAtomValue(hostAtom);
  const setNetwork = useSetAtom(networkAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  useEffect(() => {
    setNetwork(host.network.getSnapshot());
    const waiting = new AbortController();
    host.network.getNetworkType({ signal: waiting.signal }).then(setNetwork, () => setNetwork(host.network.getSnapshot()));
    const unsubscribe = host.network.onNetworkStatusChange(setNetwork);
    return () => { waiting.abort(); unsubscribe(); };
  }, [host, setNetwork]);
  useEffect(() => { document.documentElement.toggleAttribute('data-offline', isOffline); }, [isOffline]);
  return null;
}

/** Wakes the host's bridge; a payment that it still remembers is looked after, whatever else was lost. */
function Ready() {
  const host = useAtomValue(hostAtom);
  const store = useStore();
  // Late or never: the page goes on degraded, and calls ask again.
  useEffect(() => { host.ready().catch(() => undefined); }, [host]);
  useEffect(() => {
    host.unfinishedPayment().then((orderId) => {
      if (orderId && store.get(journalAtom) === null) store.set(journalAtom, { key: orderId, orderId, step: 'paying', at: Date.now() });
    }, () => undefined);
  }, [host, store]);
  return null;
}

/** Keeps menu, cart and config as the server has them. */
function Freshness() {
  const store = useStore();
  const storeId = useAtomValue(storeIdAtom);
  const deliveryType = useAtomValue(deliveryTypeAtom);
  const cartId = useAtomValue(cartIdAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const isCartWaiting = useAtomValue(isCartWaitingAtom);
  const menuWanted = useAtomValue(menuWantedAtom);
  useEffect(() => { if (!isOffline) void store.set(refreshMenuAtom); }, [store, storeId, isOffline, menuWanted]);
  useEffect(() => {
    if (!isOffline && cartId) store.set(loadCartAtom).catch(() => undefined);
  }, [store, storeId, deliveryType, cartId, isOffline]);
  useEffect(() => {
    if (!isCartWaiting || isOffline) return;
    void store.set(syncCartAtom);
    const again = setInterval(() => { void store.set(syncCartAtom); }, CART_RETRY_MS);
    return () => clearInterval(again);
  }, [store, isCartWaiting, isOffline]);
  useEffect(() => {
    const timer = setTimeout(() => { void store.set(refreshConfigAtom); }, IDLE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [store]);
  return null;
}

/** Dishes of certain hours come and go while the page is open. */
function Hours() {
  const tell = useSetAtom(tellHoursAtom);
  const menu = useAtomValue(menuAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  useEffect(() => {
    tell();
    const timer = setInterval(tell, HOURS_STEP_MS);
    return () => clearInterval(timer);
  }, [tell, menu, aheadMs]);
  return null;
}

/** Whatever brings another cart: what differs from the one the customer knows is worked out against it. */
function Seen() {
  const note = useSetAtom(noteCartAtom);
  const freshen = useSetAtom(freshenOffersAtom);
  const cart = useAtomValue(cartAtom);
  useEffect(() => { note(); freshen(); }, [note, freshen, cart]);
  return null;
}

function Hearts() {
  const sync = useSetAtom(syncFavouritesAtom);
  const favourites = useAtomValue(favouritesAtom);
  const cartId = useAtomValue(cartIdAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  useEffect(() => { if (!isOffline) void sync(); }, [sync, favourites, cartId, isOffline]);
  return null;
}
