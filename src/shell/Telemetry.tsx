import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useRef } from 'react';
import { TIME_SPENT_MS } from '../domain/telemetry.ts';
import { journalAtom } from '../state/journal.ts';
import { placeAtom } from '../state/seams.ts';
import { isLoggedInAtom } from '../state/session.ts';
import { askAnalyticsAtom, isAnalyticsAskedAtom, isAnalyticsOnAtom, openAnalyticsAtom, trackAtom, trackCartAtom, trackPlaceAtom } from '../state/telemetry.ts';

/** Watches what analytics are told. Loaded only where the server has switched them on. */
export default function Telemetry() {
  const isAsked = useAtomValue(isAnalyticsAskedAtom);
  const isOn = useAtomValue(isAnalyticsOnAtom);
  const ask = useSetAtom(askAnalyticsAtom);
  const open = useSetAtom(openAnalyticsAtom);
  useEffect(() => { open(); }, [open]);
  useEffect(() => { if (isAsked) ask(); }, [isAsked, ask]);
  return isOn ? <Told /> : null;
}

function Told() {
  const place = useAtomValue(placeAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isPlaced = useAtomValue(journalAtom)?.step === 'watching';
  const track = useSetAtom(trackAtom);
  const trackPlace = useSetAtom(trackPlaceAtom);
  const trackCart = useSetAtom(trackCartAtom);
  const before = useRef({ isPlaced, isLoggedIn });
  useEffect(() => { void trackPlace(); }, [place, trackPlace]);
  useEffect(() => {
    const timer = setTimeout(() => { void track('time_spent', { fired_after: TIME_SPENT_MS / 1000 }); }, Math.max(0, TIME_SPENT_MS - performance.now()));
    const onFault = (event: Event) => { void track('Error FrontEnd', { category: 'Error FrontEnd', message: String((event as CustomEvent).detail).slice(0, 400) }); };
    addEventListener('Error FrontEnd', onFault);
    return () => { clearTimeout(timer); removeEventListener('Error FrontEnd', onFault); };
  }, [track]);
  useEffect(() => {
    if (isPlaced && !before.current.isPlaced) void trackCart('order_placed');
    if (isLoggedIn !== before.current.isLoggedIn) void track(isLoggedIn ? 'login' : 'logout');
    before.current = { isPlaced, isLoggedIn };
  }, [isPlaced, isLoggedIn, track, trackCart]);
  return null;
}
