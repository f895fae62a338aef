import { createStore, Provider } from 'jotai';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import type { Country } from '../../country/shape.ts';
import type { HostFace } from '../bridge/face.ts';
import type { Menu } from '../contract/menu.ts';
import { defaultMenuAtom } from '../state/menu.ts';
import { countryAtom, faceAtom } from '../state/seams.ts';
import { App } from './App.tsx';
import { loadScreen } from './lazyScreen.tsx';
import { matchRow } from './matching.ts';
import type { RouteRow } from './row.ts';

/** The first screen as HTML, from the country's default menu: what start() hydrates. Runs in the build, without a window. */
export async function prerender({ face, country, routes, path, menu }: {
  face: HostFace; country: Country; routes: readonly RouteRow[]; path: string; menu: Menu;
}): Promise<{ html: string; title: string; description: string }> {
  const store = createStore();
  store.set(faceAtom, face);
  store.set(countryAtom, country);
  store.set(defaultMenuAtom, menu);
  const match = matchRow(routes, path);
  if (!match) throw new Error(`no route for ${path}`);
  await loadScreen(match.row);
  const html = renderToString(
    <StrictMode>
      <Provider store={store}>
        <Router ssrPath={path} ssrSearch="">
          <App routes={routes} />
        </Router>
      </Provider>
    </StrictMode>,
  );
  const seo = await country.seo();
  const entry = seo.paths[path] ?? seo.fallback;
  return { html, title: entry.title, description: entry.description };
}
