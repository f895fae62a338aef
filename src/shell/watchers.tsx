import { useAtomValue, useSetAtom, useStore } from 'jotai';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { cartIdAtom } from '../state/session.ts';
import { isCartWaitingAtom, loadCartAtom, syncCartAtom } from '../state/cart.ts';
import { loadConfigAtom } from '../state/config.ts';
import { journalAtom } from '../state/journal.ts';
import { awakeAtom } from '../state/lib/kept.ts';
import { storeIdAtom, deliveryTypeAtom } from '../state/location.ts';
import { loadMenuAtom } from '../state/menu.ts';
import { isOfflineAtom, networkAtom } from '../state/network.ts';
import { countryAtom, hostAtom, navigateAtom, placeAtom } from '../state/seams.ts';
import { pathBelow } from './place.ts';

const IDLE_WAIT_MS = 3_000;
const CART_RETRY_MS = 5_000;

/** The only long-lived effects of the app. */
export function Watchers({ mount }: { mount: string }) {
  const isAwake = useAtomValue(awakeAtom);
  return (
    <>
      <Network />
      <Ready />
      <Links mount={mount} />
      <Place />
      {isAwake && <Freshness />}
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
  const isAwake = useAtomValue(awakeAtom);
  // Late or never: the page goes on degraded, and calls ask again.
  useEffect(() => { host.ready().catch(() => undefined); }, [host]);
  useEffect(() => {
    if (!isAwake) return;
    host.unfinishedPayment().then((orderId) => {
      if (orderId && store.get(journalAtom) === null) store.set(journalAtom, { key: orderId, orderId, step: 'paying', at: Date.now() });
    }, () => undefined);
  }, [host, store, isAwake]);
  return null;
}

/** Plain links of ours become moves inside the page: one listener instead of a component per link. */
function Links({ mount }: { mount: string }) {
  const { go } = useAtomValue(navigateAtom);
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null;
      if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (link.target || link.hasAttribute('download') || link.origin !== location.origin || !link.pathname.startsWith(`${mount}/`)) return;
      event.preventDefault();
      if (link.hash && link.getAttribute('href')?.startsWith('#')) {
        // With a <base>, '#main' would leave the page; it means this page.
        document.getElementById(link.hash.slice(1))?.focus();
        return;
      }
      go(pathBelow(mount, link.pathname) + link.search);
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [go, mount]);
  return null;
}

const scrolls = new Map<string, number>();
let isReturning = false;

/** Title, scroll and focus of a new place; back returns to where one was. */
function Place() {
  const [path] = useLocation();
  const search = useSearch();
  const setPlace = useSetAtom(placeAtom);
  const country = useAtomValue(countryAtom);
  const place = search ? `${path}?${search}` : path;
  useEffect(() => {
    setPlace(place);
    const isBack = isReturning;
    isReturning = false;
    const isFirst = scrolls.size === 0;
    if (!isFirst) scrollTo({ top: isBack ? scrolls.get(place) ?? 0 : 0, behavior: 'instant' });
    if (!isFirst) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    scrolls.set(place, scrollY);
    const remember = () => scrolls.set(place, scrollY);
    addEventListener('scroll', remember, { passive: true });
    let isGone = false;
    void country.seo().then((seo) => {
      const entry = seo.paths[path] ?? seo.fallback;
      if (!isGone) document.title = entry.title;
    }, () => undefined);
    return () => { isGone = true; removeEventListener('scroll', remember); };
  }, [place, path, country, setPlace]);
  useEffect(() => {
    const onBack = () => { isReturning = true; };
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
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
  const loadMenu = useSetAtom(loadMenuAtom);
  useEffect(() => { if (!isOffline) void loadMenu(); }, [storeId, isOffline, loadMenu]);
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
    const timer = setTimeout(() => { store.set(loadConfigAtom).catch(() => undefined); }, IDLE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [store]);
  return null;
}
