import { useAtomValue, useSetAtom, useStore } from 'jotai';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { loadChunk } from '../bridge/scripts.ts';
import { NEW_VERSION, RELOAD } from '../domain/messages.ts';
import { appConfigAtom } from '../state/config.ts';
import { confettiAtom } from '../state/coupons.ts';
import { journalAtom } from '../state/journal.ts';
import { storeIdAtom } from '../state/location.ts';
import { loadAlertsAtom, loadPwaConfigAtom, pwaConfigAtom } from '../state/notices.ts';
import { toastMessageAtom } from '../state/popup.ts';
import { faceAtom, hostAtom, placeAtom } from '../state/seams.ts';
import { isUsageTrackedAtom, trackPageAtom } from '../state/usage.ts';
import { watchUpdates } from './update.ts';

const Telemetry = lazy(() => loadChunk(() => import('./Telemetry.tsx')));

/** What nobody waits for: it comes 3 s after the page (specification section 9) and never on a slow network. */
export function LaterWatchers() {
  return (
    <>
      <Notices />
      <Touch />
      <Update />
      <Usage />
      <Counted />
      <Next />
    </>
  );
}

/** Where a dish leads to: its script, and with it what most screens share, is here before it is wanted. */
function Next() {
  useEffect(() => { loadChunk(() => import('../screens/cart/CartScreen.tsx')).catch(() => undefined); }, []);
  return null;
}

function Notices() {
  const store = useStore();
  const storeId = useAtomValue(storeIdAtom);
  const pwa = useAtomValue(pwaConfigAtom);
  useEffect(() => { void store.set(loadPwaConfigAtom); }, [store]);
  useEffect(() => { void store.set(loadAlertsAtom); }, [store, storeId]);
  useEffect(() => {
    if (pwa) document.querySelector('meta[name="theme-color"]')?.setAttribute('content', pwa.themeColor);
  }, [pwa]);
  return null;
}

/** Good news can be felt, where the device can, and only by those who do not mind motion. */
function Touch() {
  const host = useAtomValue(hostAtom);
  const isPlaced = useAtomValue(journalAtom)?.step === 'watching';
  const isParty = useAtomValue(confettiAtom) !== null;
  const before = useRef({ isPlaced, isParty });
  useEffect(() => {
    const isNews = (isPlaced && !before.current.isPlaced) || (isParty && !before.current.isParty);
    before.current = { isPlaced, isParty };
    if (isNews && !matchMedia('(prefers-reduced-motion: reduce)').matches) host.vibrate('success');
  }, [host, isPlaced, isParty]);
  return null;
}

/** A new version is offered; the page is never loaded anew under somebody's hands. */
function Update() {
  const say = useSetAtom(toastMessageAtom);
  // A host loads its mini-apps itself.
  const { fullMode } = useAtomValue(faceAtom);
  useEffect(() => (fullMode ? watchUpdates((take) => say(NEW_VERSION, { label: RELOAD, act: take })) : undefined), [say, fullMode]);
  return null;
}

/** Every page once, where the country's own switch says so. */
function Usage() {
  const isTracked = useAtomValue(isUsageTrackedAtom);
  const place = useAtomValue(placeAtom);
  const track = useSetAtom(trackPageAtom);
  const before = useRef('');
  useEffect(() => {
    if (!isTracked || before.current === place) return;
    void track(before.current || document.referrer);
    before.current = place;
  }, [isTracked, place, track]);
  return null;
}

/** Analytics are no part of an app that has them switched off. */
function Counted() {
  const config = useAtomValue(appConfigAtom);
  return config?.analytics && !config.disableCookies ? <Suspense><Telemetry /></Suspense> : null;
}
