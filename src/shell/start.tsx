import { createStore, Provider } from 'jotai';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Router } from 'wouter';
import type { Country } from '../../country/shape.ts';
import type { HostFace } from '../bridge/face.ts';
import type { HostBridge } from '../bridge/hostBridge.ts';
import { loadChunk } from '../bridge/scripts.ts';
import type { Menu } from '../contract/menu.ts';
import { homeApp, redirectOf } from '../domain/redirects.ts';
import { openStorage } from '../state/lib/kept.ts';
import { defaultMenuAtom } from '../state/menu.ts';
import { countryAtom, faceAtom, navigateAtom, placeAtom } from '../state/seams.ts';
import { App } from './App.tsx';
import { loadScreen } from './lazyScreen.tsx';
import { nowConnected, whenShown } from './live.ts';
import { matchRow } from './matching.ts';
import { addressOf, mountOf, pathBelow } from './place.ts';
import type { RouteRow } from './row.ts';
import { Watchers } from './watchers.tsx';

export interface Parts { readonly face: HostFace; readonly bridge: () => Promise<HostBridge>; readonly country: Country; readonly routes: readonly RouteRow[] }

const MENU_TIMEOUT_MS = 30_000;

/** What the build wrote into the page. */
interface Boot { readonly menu: string; readonly path: string | null; readonly styles: string | null; readonly api?: string }

/** The stylesheet of all screens but the first ones, unless the page names it itself. */
function loadStyles(name: string | null | undefined): Promise<unknown> {
  if (!name || document.querySelector(`link[href="${name}"]`)) return Promise.resolve();
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: name, onload: done, onerror: () => { link.remove(); failed(new Error(`${name} did not load`)); } });
    document.head.append(link);
  });
}

/** Brings a bundle to life in its page: over the prerendered screen where that is the one asked for. */
export async function start(root: HTMLElement, { face, bridge, country, routes }: Parts): Promise<void> {
  const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Partial<Boot>;
  const mount = mountOf(document.baseURI);
  const store = createStore();
  openStorage(`${country.COUNTRY_CODE}/${face.id}`, (thrown) => globalThis.dispatchEvent(new CustomEvent('Error FrontEnd', { detail: thrown })));
  store.set(faceAtom, face);
  store.set(countryAtom, country);
  store.set(navigateAtom, {
    go: (path, options) => {
      const address = addressOf(mount, path);
      // Tapped twice, a link leads to one place: back leaves it at once.
      if (options?.replace || address === location.pathname + location.search) history.replaceState(history.state, '', address);
      else history.pushState(null, '', address);
    },
  });
  if (face.launch.path) history.replaceState(null, '', addressOf(mount, face.launch.path));
  const path = pathBelow(mount, location.pathname);
  const tellPlace = () => store.set(placeAtom, pathBelow(mount, location.pathname) + location.search);
  tellPlace();
  // Heard before wouter renders the new place (its own listeners come later), so that a screen knows where it is when it enters.
  for (const move of ['popstate', 'pushState', 'replaceState']) addEventListener(move, tellPlace);
  const elsewhere = homeApp(country.HOME_APP_URL, path, location.href, !face.fullMode);
  if (elsewhere) return location.replace(elsewhere);
  const target = redirectOf(path, location.search.slice(1), country);
  const match = matchRow(routes, target?.split('?')[0] ?? path);
  const isPrerendered = boot.path !== null && boot.path !== undefined && target === null
    && match !== null && match.row === matchRow(routes, boot.path)?.row && Object.keys(match.params).length === 0;

  let isHydrating = false;
  const connect = async () => {
    const [{ enliven }, host] = await Promise.all([loadChunk(() => import('./alive.tsx')), loadChunk(bridge), loadChunk(() => loadStyles(boot.styles))]);
    if (isHydrating) await whenShown();
    await enliven(store, host, boot.api ?? '');
    nowConnected();
    // The other first screen: without a network, too, home leads to the menu.
    for (const row of routes) if (row.isFirst) loadScreen(row).catch(() => undefined);
  };
  // Not one of the first screens: it begins with a call, so both are wanted at once.
  const connecting = isPrerendered ? null : connect();
  // The screen's script and the default menu came with the page; both are on their way already.
  const menuIsIn = boot.menu
    ? fetch(boot.menu, { signal: AbortSignal.timeout(MENU_TIMEOUT_MS) }).then((reply) => reply.json() as Promise<Menu>)
      .then((menu) => store.set(defaultMenuAtom, menu), () => undefined)
    : Promise.resolve();
  await Promise.all([match?.row.isFirst && loadScreen(match.row).catch(() => undefined), menuIsIn]);

  const app = (
    <StrictMode>
      <Provider store={store}>
        <Router base={mount}>
          <App routes={routes}><Watchers mount={mount} /></App>
        </Router>
      </Provider>
    </StrictMode>
  );
  isHydrating = isPrerendered && store.get(defaultMenuAtom) !== null;
  if (isHydrating) {
    hydrateRoot(root, app);
    // Taps of before are made now (early.ts).
    void whenShown().then(() => document.dispatchEvent(new Event('alive')));
  } else {
    root.textContent = '';
    createRoot(root).render(app);
    // Nobody keeps the taps of a page that is drawn anew.
    document.dispatchEvent(new Event('alive'));
  }
  await (connecting ?? connect());
}
