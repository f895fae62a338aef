import * as t from '#text/first.ts';
import { useAtomValue } from 'jotai';
import { useLocation, useSearch } from 'wouter';
import { categoryOf, redirectOf } from '../../domain/redirects.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { firstCountryAtom, profileAtom } from '../../state/first/seams.ts';
import { CurrencyContext } from '../../ui/money/Price.tsx';
import { LazyScreen } from './lazyScreen.tsx';
import { Moved } from './Moved.tsx';
import type { Later } from './row.ts';
import { ScreenGuard } from './ScreenGuard.tsx';
import { Scroll } from './Scroll.tsx';
import { Slot } from './slots.tsx';
import { Waiting } from './Waiting.tsx';
import { Watchers } from './watchers.tsx';
import css from './App.module.css';

function Screen({ later }: { later: Later }) {
  const [path] = useLocation();
  const search = useSearch();
  const country = useAtomValue(firstCountryAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const target = redirectOf(path, search, country);
  if (target !== null) return <Moved to={target} />;
  // Below the menu is nothing but the country's categories.
  if (path.startsWith('/menu/') && !categoryOf(path, country)) return <Moved to="/" />;
  return (
    <ScreenGuard place={path}>
      <LazyScreen
        path={path}
        search={search}
        later={later}
        isOpen={isOpen}
        fallback={<Waiting />}
        // Any other path leads home, and so does the path of a feature that is blocked here.
        otherwise={<Moved to="/" />}
      />
    </ScreenGuard>
  );
}

/** The frame around every screen: its slots, and the effects that last as long as the page. */
export function App({ later }: { later: Later }) {
  const country = useAtomValue(firstCountryAtom);
  const [path] = useLocation();
  // An app that shows this page in a frame has a bar of its own, too.
  const isBranded = useAtomValue(profileAtom).fullMode && path !== '/worldPizzaLeagueApp';
  return (
    <CurrencyContext value={country}>
      <a className="skip-link" href="#main" data-plain>
        {t.skip}
      </a>
      {/* Inside payment apps their own bar shows whose page it is. */}
      <header className={isBranded ? css.brand : 'visually-hidden'} translate="no">
        {isBranded && <img src="icon.svg" width="22" height="22" alt="" />}
        {country.appName}
      </header>
      <Slot name="top" />
      <Slot name="above" />
      <main tabIndex={-1} className={css.main}>
        <Screen later={later} />
      </main>
      <Slot name="over" />
      <Scroll />
      <Watchers />
    </CurrencyContext>
  );
}
