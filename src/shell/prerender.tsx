import { createStore, Provider } from 'jotai';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import type { CountryData } from '../../country/shape.ts';
import type { HostProfile } from '../bridge/profile.ts';
import type { Menu } from '../contract/menu.ts';
import { CartLink } from '../screens/first/Dock.tsx';
import { openStorage, storageKey } from '../state/first/lib/kept.ts';
import { defaultMenuAtom } from '../state/first/menu.ts';
import { firstCountryAtom, profileAtom } from '../state/first/seams.ts';
import { QuantityStepper } from '../ui/forms/QuantityStepper.tsx';
import { MANY, NAME } from './drawn.ts';
import { pagesFound } from './found.ts';
import { App } from './first/App.tsx';
import { loadScreen } from './first/lazyScreen.tsx';
import { matchRow } from './first/matching.ts';
import { firstRoutes } from './first/routes.ts';
import type { Later } from './first/row.ts';

/** A prerendered page never asks for what comes later. */
const nothingLater: Later = () => new Promise(() => {});

const COUNTS = [0, 1, Number(MANY)];

/** The first screen as HTML, from the country's default menu: what start() hydrates. Runs in the build, without a window. */
export async function prerender({
  profile,
  country,
  path,
  menu,
}: {
  profile: HostProfile;
  country: CountryData;
  path: string;
  menu: Menu;
}): Promise<{
  html: string;
  samples: string;
  title: string;
  description: string;
  languageKey: string;
  lookKey: string;
}> {
  const store = createStore();
  store.set(profileAtom, profile);
  store.set(firstCountryAtom, country);
  store.set(defaultMenuAtom, menu);
  const match = matchRow(firstRoutes, path);
  if (!match) throw new Error(`no route for ${path}`);
  await loadScreen(match.row);
  const html = renderToString(
    <StrictMode>
      <Provider store={store}>
        <Router ssrPath={path} ssrSearch="">
          <App later={nothingLater} />
        </Router>
      </Provider>
    </StrictMode>,
  );
  const { paths, fallback } = pagesFound(country);
  const entry = paths[path] ?? fallback;
  openStorage(`${country.COUNTRY_CODE}/${profile.id}`, () => {});
  // For taps before the script (early.ts): how a stepper and the cart look, and under which key operations are stored.
  const samples = renderToString(
    <template id="early" data-key={storageKey('cart-operations')}>
      {COUNTS.map((count) => (
        <QuantityStepper key={count} add label={NAME} value={count} onChange={() => {}} />
      ))}
      {COUNTS.map((count) => (
        <CartLink key={count} count={count} cart={null} />
      ))}
    </template>,
  );
  return {
    html,
    samples,
    title: entry.title,
    description: entry.description,
    languageKey: storageKey('language'),
    lookKey: storageKey('~card-variant'),
  };
}
