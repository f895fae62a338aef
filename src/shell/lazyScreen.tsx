import { atom, useSetAtom } from 'jotai';
import { Suspense, use, useEffect, type ReactNode } from 'react';
import { nowShown, whenConnected } from './live.ts';
import type { Entered, RouteRow, ScreenModule } from './row.ts';

const RETRIES = 5;
const RETRY_WAIT_MS = 1_000;
const CHUNK_TIMEOUT_MS = 120_000;

const loading = new Map<RouteRow, Promise<ScreenModule>>();

const wait = (ms: number) => new Promise((done) => { setTimeout(done, ms); });

function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => reject(new Error('script chunk timed out')), CHUNK_TIMEOUT_MS); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A chunk of script, tried again up to 5 times, 1000 ms apart (specification section 2). */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTime(load());
    } catch (thrown) {
      if (tries > RETRIES) throw thrown;
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
    promise.then((value) => Object.assign(wanted, { status: 'fulfilled', value }), () => loading.delete(row));
  }
  return promise;
}

const nothingAtom: NonNullable<ScreenModule['enter']> = atom(null, (_get, _set, _entered: Entered) => {});

type Shown = { readonly params: Readonly<Record<string, string>>; readonly search: string };

function EnteredScreen({ screen, params, search }: Shown & { screen: ScreenModule }) {
  const enter = useSetAtom(screen.enter ?? nothingAtom);
  useEffect(nowShown, []);
  const key = JSON.stringify(params) + search;
  useEffect(() => {
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
