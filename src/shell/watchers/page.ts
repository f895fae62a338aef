import { loadChunk } from '../../bridge/scripts.ts';
import * as t from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import { loadCartAtom } from '../../state/cart/cart.ts';
import { refreshConfigAtom } from '../../state/base/config.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { safeStorage } from '../../state/first/lib/kept.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { watchersAtom, type Store } from '../first/watchers.tsx';

const IDLE_WAIT_MS = 3_000;

/**
 * A browser whose owner has switched cookies off keeps neither cart nor login. A frame or a webview of a payment app
 * often has none; no session of ours needs them there.
 */
export function checkCookies(store: Store): void {
  if (navigator.cookieEnabled === false && store.get(hostAtom).fullMode)
    store.set(popupAtom, { header: errors.oops, message: t.cookiesDisabled, right: { label: errors.ok } });
}

/** Who went on to another language comes as far down as they were. */
export function arriveInLanguage(store: Store): void {
  if (safeStorage.read('language-scroll') === null) return;
  loadChunk(() => import('../../state/base/language.ts')).then(
    ({ languageArrivalAtom }) => store.set(languageArrivalAtom),
    () => undefined,
  );
}

/** Loads what is not urgent later (specification section 9), and not at all on a slow network. */
export function loadLater(store: Store): () => void {
  const timer = setTimeout(() => {
    loadChunk(() => import('../loading/later.ts')).then(
      ({ laterWatchers }) => store.set(watchersAtom, laterWatchers),
      () => undefined,
    );
  }, IDLE_WAIT_MS);
  return () => clearTimeout(timer);
}

/** Draws dishes whose pictures are not there, those that failed before as well. */
export function followPictures(store: Store): () => void {
  const replace = (picture: HTMLImageElement) => {
    // Without that script, as when nothing can be fetched, the plate stays empty.
    loadChunk(() => import('../unbuilt.ts')).then(
      ({ drawUnbuilt }) => drawUnbuilt(store, picture),
      () => undefined,
    );
  };
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLImageElement && target.loading === 'lazy') replace(target);
  };
  document.addEventListener('error', onError, true);
  for (const picture of document.querySelectorAll<HTMLImageElement>('img[loading=lazy]'))
    if (picture.complete && picture.naturalWidth === 0) picture.decode().catch(() => replace(picture));
  return () => document.removeEventListener('error', onError, true);
}

/** Tells the server of errors that nothing in the page has dealt with. */
export function followErrors(store: Store): () => void {
  const onError = (event: Event) => {
    const { error, reason } = event as Partial<ErrorEvent & PromiseRejectionEvent>;
    const thrown: unknown = error ?? reason;
    if (thrown)
      loadChunk(() => import('../signals/pageErrors.ts')).then(
        ({ tellError }) => tellError(store, thrown),
        () => undefined,
      );
  };
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onError);
  // What went wrong before this script came.
  if (globalThis.fault instanceof Event) onError(globalThis.fault);
  globalThis.fault = undefined;
  return () => {
    removeEventListener('error', onError);
    removeEventListener('unhandledrejection', onError);
  };
}

/**
 * What is pressed has the focus, as everywhere but in Safari: what lies over the page gives it back to there when it is
 * closed (ui/overlays/Dialog.tsx). Enter in a field presses its form's button, too: who types goes on typing.
 */
export function focusPressed(): () => void {
  const onClick = ({ isTrusted, detail, target }: MouseEvent) => {
    const pressed = (target as Element).closest<HTMLElement>('button,a[href],input,summary');
    if (!isTrusted || !pressed || pressed === document.activeElement) return;
    const isEntered = detail === 0 && (pressed as Partial<HTMLButtonElement>).form?.contains(document.activeElement);
    if (isEntered !== true) pressed.focus({ preventScroll: true });
  };
  document.addEventListener('click', onClick, true);
  return () => document.removeEventListener('click', onClick, true);
}

/** Loads the app config now, and whenever the page comes back into view. */
export function followConfig(store: Store): () => void {
  const refresh = () => {
    void store.set(refreshConfigAtom);
  };
  refresh();
  return store.get(hostAtom).on('lifecycle', (state) => {
    if (state !== 'shown') return;
    refresh();
    // Meanwhile the cart may have been changed in another app.
    if (store.get(cartCountAtom) > 0) void store.set(loadCartAtom).catch(() => undefined);
  });
}
