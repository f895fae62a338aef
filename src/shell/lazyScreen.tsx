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

/** Scripts that are in the browser's cache by now, the page's own first of all. */
const fetched = new Map<string, Promise<unknown>>([[import.meta.url, Promise.resolve()]]);

/**
 * Fetches a script and all that it imports. A page never asks again for a module that failed once, be it only imported by the one
 * that was wanted: so each is in the cache before it is asked for as a module.
 */
function fetchScript(address: string): Promise<unknown> {
  let all = fetched.get(address);
  if (!all) {
    all = (async () => {
      const reply = await fetch(address);
      if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
      await Promise.all(Array.from((await reply.text()).matchAll(SCRIPT), ([, name]) => fetchScript(new URL(name!, address).href)));
    })();
    fetched.set(address, all);
    all.catch(() => fetched.delete(address));
  }
  return all;
}
/** As the bundler writes it. */
const SCRIPT = /(?:from|import)"(\.\/[^"]+\.js)"/g;

/** A chunk of script, tried again up to 5 times, 1000 ms apart (specification section 2). */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  // Its address, as the bundler writes it; the page that draws the first screens beforehand has its files beside it.
  const [, name] = /^http/.test(import.meta.url) ? /import\("(\.\/[^"]+\.js)"\)/.exec(String(load)) ?? [] : [];
  for (let tries = 0; ; tries += 1) {
    try {
      if (name) await inTime(fetchScript(new URL(name, import.meta.url).href), CHUNK_TIMEOUT_MS);
      return await inTime(load(), CHUNK_TIMEOUT_MS);
    } catch (thrown) {
      if (tries === RETRIES) throw thrown;
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
