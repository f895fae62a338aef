import { atom, useAtomValue, useSetAtom, useStore, type createStore } from 'jotai';
import { useEffect, useState, type ComponentType } from 'react';
import { createApi, type Api } from '../api/client.ts';
import { codeOf } from '../api/failure.ts';
import type { HostBridge } from '../bridge/hostBridge.ts';
import { loadChunk } from '../bridge/scripts.ts';
import { sourceHeader } from '../domain/device.ts';
import { COOKIES_DISABLED, NETWORK_RETRYING, OK, OOPS } from '../domain/messages.ts';
import { analyticsIdAtom } from '../state/analyticsid.ts';
import { cartAtom, isCartWaitingAtom, loadCartAtom, syncCartAtom, takeSessionAtom } from '../state/cart.ts';
import { noteCartAtom } from '../state/changes.ts';
import { clockAheadAtom, serverClockAtom } from '../state/clock.ts';
import { appConfigAtom } from '../state/config.ts';
import { freshenOffersAtom } from '../state/coupons.ts';
import { favouritesAtom } from '../state/favourites.ts';
import { syncFavouritesAtom } from '../state/hearts.ts';
import { applyHouseholdAtom, householdAtom } from '../state/household.ts';
import { journalAtom } from '../state/journal.ts';
import { wakeAtom } from '../state/lib/kept.ts';
import { keepShortly, openVault } from '../state/lib/vault.ts';
import { callEndedAtom, callStartedAtom, isLoadingAtom } from '../state/loader.ts';
import { refreshConfigAtom, refreshMenuAtom, refreshWidgetsAtom, schemas, tellHoursAtom } from '../state/live.ts';
import { deliveryTypeAtom, storeIdAtom } from '../state/location.ts';
import { cardLookAtom, menuAtom, menuWantedAtom } from '../state/menu.ts';
import { isOfflineAtom, networkAtom } from '../state/network.ts';
import { followLineAtom, isSlowAtom } from '../state/slow.ts';
import { popupAtom, toastMessageAtom } from '../state/popup.ts';
import { apiAtom, countryAtom, hostAtom, originAtom, placeAtom } from '../state/seams.ts';
import { followHostAtom } from '../state/share.ts';
import { cartIdAtom, endSessionAtom, identityFrom, sessionAtom } from '../state/session.ts';
import { LoaderBar } from '../ui/LoaderBar.tsx';
import { liveWatchersAtom } from './live.ts';

/** Kept values that open somebody's account. */
const SECRETS = ['session'];

/** Logged, and told to whoever counts faults of the page (specification section 8). */
function frontEndError(thrown: unknown): void {
  console.error(thrown);
  dispatchEvent(new CustomEvent('Error FrontEnd', { detail: thrown }));
}

/** What a page can do without: where cookies are disabled it lives as long as the page (product.md C34, specification section 3). */
const OPTIONAL = ['usual', 'recent-queries', 'recent-searches', 'recent-locations', 'store-ids', 'card-variant', 'favourites', 'household', 'fingerprint', 'device-agreed', 'ga-client', 'analytics-agreed'];

const IDLE_WAIT_MS = 3_000;
const CART_RETRY_MS = 5_000;
const HOURS_STEP_MS = 30_000;
const UNPAINTED_MS = 200;

/** Connects the page with the server and with what the device remembers. `origin` is '' for the page's own. */
export async function enliven(store: ReturnType<typeof createStore>, host: HostBridge, origin: string): Promise<void> {
  const country = store.get(countryAtom);
  store.set(hostAtom, host);
  const server = origin || country.ENVIRONMENTS.production.API_HOST;
  store.set(originAtom, server);
  const api = createApi({
    origin: server,
    apiKey: country.api.keys[host.apiKeyName] ?? `${country.COUNTRY_CODE.toLowerCase()}-${host.apiKeyName}`,
    clientType: host.clientType,
    source: sourceHeader(navigator.userAgent),
    identity: () => ({
      ...identityFrom(store.get(sessionAtom), store.get(storeIdAtom), store.get(deliveryTypeAtom)),
      abVariant: `NextgenProductCardsV2:${store.get(cardLookAtom)}`, gaClientId: store.get(analyticsIdAtom),
    }),
    renewed: (reply) => store.set(takeSessionAtom, reply),
    ended: () => store.set(endSessionAtom),
    told: (serverMs) => store.set(serverClockAtom, serverMs),
    retrying: () => { if (!store.get(isOfflineAtom)) store.set(toastMessageAtom, NETWORK_RETRYING); },
  });
  store.set(apiAtom, { ...api, call: watched(store, api.call) });
  // Where there is nothing to open with, nothing is waited for.
  await openVault(SECRETS, frontEndError);
  store.set(wakeAtom, schemas);
  store.set(liveWatchersAtom, () => LiveWatchers);
}

/** Every call moves the loader flag, and a feature that the server has switched off closes here at once. */
function watched(store: ReturnType<typeof createStore>, call: Api['call']): Api['call'] {
  return async (endpoint, input, options) => {
    store.set(callStartedAtom);
    try {
      return await call(endpoint, input, options);
    } catch (thrown) {
      if (codeOf(thrown) === 'FEATURE_BLOCKED') void store.set(refreshConfigAtom);
      throw thrown;
    } finally {
      store.set(callEndedAtom);
    }
  };
}

/** Calls once the next frame is drawn, or soon in a page that draws none; answers how to call it off. */
function afterPaint(act: () => void): () => void {
  let isDone = false;
  const once = () => { if (!isDone) { isDone = true; act(); } };
  const late = setTimeout(once, UNPAINTED_MS);
  const frame = requestAnimationFrame(() => setTimeout(once));
  return () => { isDone = true; clearTimeout(late); cancelAnimationFrame(frame); };
}

/** Only the home page shows what its widgets bring. */
const isHomeAtom = atom((get) => /^\/(home|landing)?(\?|$)/.test(get(placeAtom)));

function LiveWatchers() {
  return (
    <>
      <Loader />
      <Cookies />
      <Frugal />
      <Later />
      <Network />
      <Ready />
      <Freshness />
      <Hours />
      <Seen />
      <Hearts />
      <Household />
    </>
  );
}

/** The global loader flag (specification section 3), as a thin bar over the page: what is there stays where it is. */
function Loader() {
  return useAtomValue(isLoadingAtom) ? <LoaderBar /> : null;
}

/** Without cookies a browser keeps no cart and no login. A host that forbids cookies has its own way to remember. */
function Cookies() {
  const host = useAtomValue(hostAtom);
  const say = useSetAtom(popupAtom);
  useEffect(() => {
    if (navigator.cookieEnabled === false && !host.forbids.has('cookie-session')) say({ header: OOPS, message: COOKIES_DISABLED, right: { label: OK } });
  }, [host, say]);
  return null;
}

/** The server's `disableCookies`: nothing optional stays on the device. */
function Frugal() {
  const isFrugal = useAtomValue(appConfigAtom)?.disableCookies === true;
  useEffect(() => { if (isFrugal) keepShortly(OPTIONAL); }, [isFrugal]);
  return null;
}

/** What is not urgent waits (specification section 9), and on a slow network is left out. */
function Later() {
  const isSlow = useAtomValue(isSlowAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const [Watchers, setWatchers] = useState<ComponentType | null>(null);
  const isWanted = !isSlow && !isOffline && Watchers === null;
  useEffect(() => {
    if (!isWanted) return;
    const timer = setTimeout(() => {
      loadChunk(() => import('./later.tsx')).then(({ LaterWatchers }) => setWatchers(() => LaterWatchers), () => undefined);
    }, IDLE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return Watchers && <Watchers />;
}

/** Asks the host for the network; greys the page while offline, and keeps pictures off a slow one. */
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
  const followLine = useSetAtom(followLineAtom);
  const isSlow = useAtomValue(isSlowAtom);
  useEffect(() => followLine(), [followLine]);
  useEffect(() => { document.documentElement.toggleAttribute('data-offline', isOffline); }, [isOffline]);
  useEffect(() => { document.documentElement.toggleAttribute('data-slow', isSlow); }, [isSlow]);
  return null;
}

/** Wakes the host's bridge; a payment that it still remembers is looked after, whatever else was lost. */
function Ready() {
  const host = useAtomValue(hostAtom);
  const store = useStore();
  // Late or never: the page goes on degraded, and calls ask again.
  useEffect(() => { host.ready().catch(() => undefined); }, [host]);
  useEffect(() => store.set(followHostAtom), [host, store]);
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
    const sync = () => { void store.set(syncCartAtom); };
    // The tap is on the screen first; a hidden page draws nothing, so a timer stands beside the frame.
    const forget = afterPaint(sync);
    const again = setInterval(sync, CART_RETRY_MS);
    return () => { forget(); clearInterval(again); };
  }, [store, isCartWaiting, isOffline]);
  const isHome = useAtomValue(isHomeAtom);
  const isSlow = useAtomValue(isSlowAtom);
  useEffect(() => { if (isHome && !isOffline && !isSlow) void store.set(refreshWidgetsAtom); }, [store, storeId, isHome, isOffline, isSlow]);
  const host = useAtomValue(hostAtom);
  useEffect(() => {
    if (isOffline) return;
    const refresh = () => { void store.set(refreshConfigAtom); };
    refresh();
    return host.onLifecycle((state) => { if (state === 'shown') refresh(); });
  }, [store, host, isOffline]);
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

/** What nobody at home may eat is left out from the first visit of a page on. */
function Household() {
  const apply = useSetAtom(applyHouseholdAtom);
  const avoided = useAtomValue(householdAtom);
  useEffect(() => { apply(); }, [apply, avoided]);
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
