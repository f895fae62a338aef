import { atom, useSetAtom } from 'jotai';
import { Suspense, use, useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { inTime } from '../domain/deadline.ts';
import { nowShown, whenConnected } from './live.ts';
import type { Entered, RouteRow, ScreenModule } from './row.ts';

const RETRIES = 5;
const RETRY_WAIT_MS = 1_000;
const CHUNK_TIMEOUT_MS = 120_000;

const loading = new Map<RouteRow, Promise<ScreenModule>>();

const wait = (ms: number) => new Promise((done) => { setTimeout(done, ms); });

/** A page never fetches a module again that failed once; its address is in the error, and with a query it is another one. */
function loadAgain<T>(load: () => Promise<T>, failed: unknown, tries: number): Promise<T> {
  const address = /https?:\/\/\S+?\.js/.exec(String(failed))?.[0];
  return address ? import(`${address}?again=${tries}`) as Promise<T> : load();
}

/** A chunk of script, tried again up to 5 times, 1000 ms apart (specification section 2). */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let failed: unknown = null;
  for (let tries = 0; ; tries += 1) {
    try {
      return await inTime(tries === 0 ? load() : loadAgain(load, failed, tries), CHUNK_TIMEOUT_MS);
    } catch (thrown) {
      if (tries === RETRIES) throw thrown;
      failed = thrown;
      await wait(RETRY_WAIT_MS);
    }
  }
}

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
