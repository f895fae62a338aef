import { atom, useSetAtom } from 'jotai';
import { Suspense, use, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { loadChunk, RETRY_WAIT_MS } from '../bridge/scripts.ts';
import { nowShown, whenConnected } from './live.ts';
import type { Entered, RouteRow, ScreenModule } from './row.ts';

const loading = new Map<RouteRow, Promise<ScreenModule>>();

async function loadRow(row: RouteRow): Promise<ScreenModule> {
  const [screen] = await Promise.all([loadChunk(row.load), row.isFirst ? null : whenConnected()]);
  return screen;
}

/** Loads a screen once; a failed load may be asked for again. */
export function loadScreen(row: RouteRow): Promise<ScreenModule> {
  let promise = loading.get(row);
  if (!promise) {
    const wanted: Promise<ScreenModule> & { status?: 'fulfilled'; value?: ScreenModule } = loadRow(row);
    promise = wanted;
    loading.set(row, promise);
    // What React's `use` looks for: a screen that is here renders at once, so that a prerendered page hydrates without a gap.
    promise.then((value) => Object.assign(wanted, { status: 'fulfilled', value }), () => {
      // React looks once more before it gives up, and must find the same end; after that the next visit begins anew.
      setTimeout(() => loading.delete(row), RETRY_WAIT_MS);
    });
  }
  return promise;
}

const nothingAtom: NonNullable<ScreenModule['enter']> = atom(null, (_get, _set, _entered: Entered) => {});

type Shown = { readonly params: Readonly<Record<string, string>>; readonly search: string };

function EnteredScreen({ screen, params, search }: Shown & { screen: ScreenModule }) {
  const enter = useSetAtom(screen.enter ?? nothingAtom);
  useEffect(nowShown, []);
  const key = JSON.stringify(params) + search;
  // Before anybody can touch the screen: what is typed afterwards is not taken for what was there before.
  const entered = useRef<unknown[]>([]);
  useLayoutEffect(() => {
    // A place is entered once, also where StrictMode or a suspended screen runs effects again.
    if (entered.current[0] === enter && entered.current[1] === key) return;
    entered.current = [enter, key];
    enter({ params, query: new URLSearchParams(search) });
    // The key says all that params and search say, and is stable between renders.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, enter]);
  const Screen = screen.default;
  return <Screen params={params} />;
}

/** Waits for the script. */
function LoadedScreen({ row, ...shown }: Shown & { row: RouteRow }) {
  return <EnteredScreen screen={use(loadScreen(row))} {...shown} />;
}

export function LazyScreen({ fallback, ...wanted }: Shown & { row: RouteRow; fallback: ReactNode }) {
  return <Suspense fallback={fallback}><LoadedScreen {...wanted} /></Suspense>;
}
