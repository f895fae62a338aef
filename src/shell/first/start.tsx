import { createStore, Provider } from 'jotai';
import { noteMove } from './Scroll.tsx';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Router } from 'wouter';
import type { FirstCountry } from '../../../country/shape.ts';
import type { HostProfile } from '../../bridge/profile.ts';
import type { HostBridge } from '../../bridge/hostBridge.ts';
import { loadChunk } from '../../bridge/scripts.ts';
import type { Menu } from '../../contract/menu.ts';
import { withTimeout } from '../../domain/withTimeout.ts';
import { homeApp, redirectOf } from '../../domain/redirects.ts';
import { openStorage } from '../../state/first/lib/kept.ts';
import { pendingAtom } from '../../state/first/cart.ts';
import { currentCategoryAtom, defaultMenuAtom } from '../../state/first/menu.ts';
import { firstCountryAtom, profileAtom, navigateAtom, pathAtom } from '../../state/first/seams.ts';
import type {} from '../loading/early.ts';
import { App } from './App.tsx';
import { loadLater, loadScreen } from './lazyScreen.tsx';
import { nowConnected, whenShown } from './phases.ts';
import { matchRow } from './matching.ts';
import { addressOf, mountOf, pathBelow } from './mount.ts';
import { firstRoutes } from './routes.ts';
import type { Later } from './row.ts';

export interface Parts {
  readonly profile: HostProfile;
  readonly bridge: () => Promise<HostBridge>;
  readonly country: FirstCountry;
  readonly later: Later;
}

type Store = ReturnType<typeof createStore>;

const MENU_TIMEOUT_MS = 30_000;

/** What the build has written into the page. */
interface Boot {
  readonly menu: string;
  readonly path: string | null;
  readonly styles: string | null;
  readonly api?: string;
}

/** Loads the stylesheet of all later screens, unless it is in the page already. */
function loadStyles(name: string | null | undefined): Promise<unknown> {
  if (!name || document.querySelector(`link[href="${name}"]`)) return Promise.resolve();
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'stylesheet',
      href: name,
      onload: done,
      onerror: () => {
        link.remove();
        failed(new Error(`${name} did not load`));
      },
    });
    document.head.append(link);
  });
}

/** Connects moves within the app, the page's address and `pathAtom`. */
function followAddress(store: Store, mount: string): void {
  store.set(navigateAtom, {
    go: (path, options) => {
      const address = addressOf(mount, path);
      // A link tapped twice makes one history entry, so that Back leaves the page at once.
      if (options?.replace || address === location.pathname + location.search)
        history.replaceState(history.state, '', address);
      // The state says which entry this is (Scroll.tsx), and that the one before is a page of the app, too
      // (screens/customise/leave.ts).
      else history.pushState({ at: Math.random() }, '', address);
    },
  });
  const tellPath = () => store.set(pathAtom, pathBelow(mount, location.pathname) + location.search);
  tellPath();
  // These listeners run before wouter's own, so that a screen knows its path when it enters.
  for (const move of ['popstate', 'pushState', 'replaceState']) {
    addEventListener(move, noteMove);
    addEventListener(move, tellPath);
  }
}

/** Takes the default menu, which the page has begun to load. Without it the screens wait for the store's own. */
function takeMenu(store: Store, name: string | undefined): Promise<void> | undefined {
  if (!name) return undefined;
  return withTimeout(fetch(name), MENU_TIMEOUT_MS)
    .then((reply) => reply.json() as Promise<Menu>)
    .then(
      (menu) => store.set(defaultMenuAtom, menu),
      () => undefined,
    );
}

/** Starts a bundle in its page: hydrates the prerendered screen if that is the one asked for, else draws the screen. */
export async function start(root: HTMLElement, { profile, bridge, country, later }: Parts): Promise<void> {
  const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Partial<Boot>;
  const mount = mountOf(document.baseURI);
  const store = createStore();
  openStorage(`${country.COUNTRY_CODE}/${profile.id}`, (thrown) =>
    globalThis.dispatchEvent(new CustomEvent('Error FrontEnd', { detail: thrown })),
  );
  store.set(profileAtom, profile);
  // The page names its language, which also decides how amounts and times are written.
  const locale = document.documentElement.lang || country.locale;
  store.set(firstCountryAtom, { ...country, locale });
  if (profile.launch.path) history.replaceState(null, '', addressOf(mount, profile.launch.path));
  followAddress(store, mount);
  const path = pathBelow(mount, location.pathname);
  const elsewhere = homeApp(country.HOME_APP_URL, path, location.href, !profile.fullMode);
  if (elsewhere) return location.replace(elsewhere);
  const target = redirectOf(path, location.search.slice(1), country);
  const match = matchRow(firstRoutes, target?.split('?')[0] ?? path);
  // Prerendered screens have no parameters, so their pattern is the path.
  const isPrerendered = target === null && match !== null && match.row.path === boot.path;

  let isHydrating = false;
  const connect = async () => {
    const [{ enliven }, whole, host] = await Promise.all([
      loadChunk(() => import('../alive.ts')),
      loadLater(later),
      loadChunk(bridge),
      loadChunk(() => loadStyles(boot.styles)),
    ]);
    if (isHydrating) await whenShown();
    await enliven(store, { ...whole.country, locale }, host, boot.api ?? '');
    nowConnected();
  };
  // A later screen begins with a call, so it needs the connection and its script at the same time.
  const connecting = isPrerendered ? null : connect();
  // The page has begun to load the screen's script and the default menu.
  await Promise.all([match && loadScreen(match.row).catch(() => undefined), takeMenu(store, boot.menu)]);

  // Taps before the script have changed the page (early.ts): React has to start from the same state.
  globalThis.taps?.(
    (update) => store.set(pendingAtom, update),
    (category) => store.set(currentCategoryAtom, category),
  );
  const app = (
    <StrictMode>
      <Provider store={store}>
        <Router base={mount}>
          <App later={later} />
        </Router>
      </Provider>
    </StrictMode>
  );
  isHydrating = isPrerendered && store.get(defaultMenuAtom) !== null;
  if (isHydrating) {
    hydrateRoot(root, app);
    // Taps that early.ts has kept are carried out now.
    void whenShown().then(() => dispatchEvent(new Event('alive')));
  } else {
    root.textContent = '';
    createRoot(root).render(app);
    // The page is drawn again from nothing, so taps are no longer kept.
    dispatchEvent(new Event('alive'));
  }
  await (connecting ?? connect());
}
