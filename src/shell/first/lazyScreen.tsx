import { atom, useSetAtom } from 'jotai';
import { Suspense, use, useEffect, useLayoutEffect, useRef, type ReactElement } from 'react';
import { loadChunk, RETRY_WAIT_MS } from '../../bridge/scripts.ts';
import { nowShown, whenConnected } from './phases.ts';
import { matchRow } from './matching.ts';
import { firstRoutes } from './routes.ts';
import type { Later, RouteRow, ScreenInput, ScreenModule } from './row.ts';

const loading = new Map<object, Promise<unknown>>();

/** Loads once for each `key`; after a failure it may be tried again. */
function once<T>(key: object, load: () => Promise<T>): Promise<T> {
  const held = loading.get(key) as Promise<T> | undefined;
  if (held) return held;
  const wanted: Promise<T> & { status?: 'fulfilled'; value?: T } = load();
  loading.set(key, wanted);
  // React's `use` looks for these two fields: a screen that is loaded renders at once, so that a prerendered page
  // hydrates without a gap.
  wanted.then(
    (value) => Object.assign(wanted, { status: 'fulfilled', value }),
    () => {
      // React looks once more before it gives up, and must get the same failure; after that the next visit tries again.
      setTimeout(() => loading.delete(key), RETRY_WAIT_MS);
    },
  );
  return wanted;
}

/** The second load, once for all who ask. */
export function loadLater(later: Later): ReturnType<Later> {
  return once(later, () => loadChunk(later));
}

export function loadScreen(row: RouteRow): Promise<ScreenModule> {
  return once(row, async () => {
    const [screen] = await Promise.all([loadChunk(row.load), row.isFirst ? null : whenConnected()]);
    return screen;
  });
}

const nothingAtom: NonNullable<ScreenModule['enter']> = atom(null, (_get, _set, _entered: ScreenInput) => {});

type Shown = { readonly params: Readonly<Record<string, string>>; readonly search: string };

function EnteredScreen({ screen, params, search }: Shown & { screen: ScreenModule }) {
  const enter = useSetAtom(screen.enter ?? nothingAtom);
  useEffect(nowShown, []);
  const key = JSON.stringify(params) + search;
  // A layout effect, so that `enter` runs before anybody can type on the screen.
  const entered = useRef<unknown[]>([]);
  useLayoutEffect(() => {
    // Each page is entered once, even if StrictMode or a suspended screen runs effects again.
    if (entered.current[0] === enter && entered.current[1] === key) return;
    entered.current = [enter, key];
    enter({ params, query: new URLSearchParams(search) });
    // `key` contains params and search, and stays equal between renders.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, enter]);
  const Screen = screen.default;
  return <Screen params={params} />;
}

/** Suspends until the screen's script is loaded. */
function LoadedScreen({ row, ...shown }: Shown & { row: RouteRow }) {
  return <EnteredScreen screen={use(loadScreen(row))} {...shown} />;
}

/** A path of a later screen, whose route comes with the second load. `otherwise` is shown if no route fits. */
function LaterScreen({ path, later, isOpen, otherwise, search }: Omit<Wanted, 'fallback'> & { search: string }) {
  const { routes, country } = use(loadLater(later));
  const match = matchRow(routes, path);
  if (!match || country.BLOCKED_PATHS.includes(match.row.path) || (match.row.feature && !isOpen(match.row.feature)))
    return otherwise;
  return <LoadedScreen row={match.row} params={match.params} search={search} />;
}

interface Wanted {
  readonly path: string;
  readonly later: Later;
  readonly isOpen: (feature: string) => boolean;
  /** Shown while a script is on its way. */
  readonly fallback: ReactElement;
  readonly otherwise: ReactElement;
}

/** The screen of a path: one of the first load, or a later one. */
export function LazyScreen({ fallback, search, ...wanted }: Wanted & { search: string }) {
  const { path, isOpen, otherwise } = wanted;
  const match = matchRow(firstRoutes, path);
  if (match?.row.feature && !isOpen(match.row.feature)) return otherwise;
  return (
    <Suspense fallback={fallback}>
      {match ? (
        <LoadedScreen row={match.row} params={match.params} search={search} />
      ) : (
        <LaterScreen search={search} {...wanted} />
      )}
    </Suspense>
  );
}
