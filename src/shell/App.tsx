import { useAtomValue, useSetAtom } from 'jotai';
import { lazy, Suspense, useDeferredValue, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { loadChunk } from '../bridge/scripts.ts';
import { OFFLINE_STRIP } from '../domain/shellmessages.ts';
import { redirectOf } from '../domain/redirects.ts';
import { isSharedAtom } from '../state/basket.ts';
import { isOpenAtom } from '../state/config.ts';
import { isOfflineAtom } from '../state/network.ts';
import { popupAtom, toastAtom } from '../state/toast.ts';
import { countryAtom, faceAtom } from '../state/seams.ts';
import { CurrencyContext } from '../ui/Price.tsx';
import { Strip } from '../ui/Strip.tsx';
import { Toast } from '../ui/Toast.tsx';
import { activeOrderHintAtom } from '../state/journal.ts';
import { LazyScreen } from './lazyScreen.tsx';
import { matchRow } from './matching.ts';
import type { RouteRow } from './row.ts';
import { ScreenGuard } from './ScreenGuard.tsx';
import { Waiting } from './Waiting.tsx';
import { Moved } from './Moved.tsx';
import css from './App.module.css';

const Popups = lazy(() => loadChunk(() => import('./Popups.tsx')));
const ActiveOrder = lazy(() => loadChunk(() => import('./ActiveOrder.tsx')));
const GroupStrip = lazy(() => loadChunk(() => import('./GroupStrip.tsx')));

function Screen({ routes }: { routes: readonly RouteRow[] }) {
  const [path] = useLocation();
  const search = useSearch();
  const country = useAtomValue(countryAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const target = redirectOf(path, search, country);
  if (target !== null) return <Moved to={target} />;
  const match = matchRow(routes, path);
  // Any other path leads home, as does a path of a feature that does not exist here.
  if (!match || (match.row.feature && !isOpen(match.row.feature))) return <Moved to="/" />;
  return (
    <ScreenGuard place={path} report={(thrown) => globalThis.reportError?.(thrown)}>
      <LazyScreen row={match.row} params={match.params} search={search} fallback={<Waiting />} />
    </ScreenGuard>
  );
}

function OfflineStrip() {
  return <Strip>{useAtomValue(isOfflineAtom) ? OFFLINE_STRIP : null}</Strip>;
}

function Toasts() {
  // What was tapped is on the screen before what is said about it.
  const toast = useDeferredValue(useAtomValue(toastAtom));
  const setToast = useSetAtom(toastAtom);
  return (
    <Toast
      message={toast?.message ?? null}
      action={toast?.action && { text: toast.action.label, onPress: () => { setToast(null); toast.action?.act?.(); } }}
      onDone={() => setToast(null)}
    />
  );
}

function Over() {
  const host = useAtomValue(faceAtom);
  const hasPopup = useAtomValue(popupAtom) !== null;
  return hasPopup ? <Suspense><Popups closeOnOutside={host.fullMode} /></Suspense> : null;
}

function Strips() {
  return (
    <>
      {useAtomValue(activeOrderHintAtom) && <Suspense><ActiveOrder /></Suspense>}
      {useAtomValue(isSharedAtom) && <Suspense><GroupStrip /></Suspense>}
    </>
  );
}

/** What stands around every screen. `children` are the watchers, which a prerendered page does not have. */
export function App({ routes, children }: { routes: readonly RouteRow[]; children?: ReactNode }) {
  const country = useAtomValue(countryAtom);
  return (
    <CurrencyContext value={country}>
      <a className="skip-link" href="#main" data-plain>Skip to the content</a>
      <OfflineStrip />
      <Strips />
      <main id="main" tabIndex={-1} className={css.main}>
        <Screen routes={routes} />
      </main>
      <Toasts />
      <Over />
      {children}
    </CurrencyContext>
  );
}
