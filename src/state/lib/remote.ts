import { atom, type Atom, type Getter, type Setter, type WritableAtom } from 'jotai';
import { Failure, isFailure } from '../../api/failure.ts';
import { forgetters } from '../first/lib/forget.ts';

/** Something that comes from the server. `data` stays while it is loaded again. */
interface Remote<T> {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed';
  readonly data: T | null;
  readonly failure: Failure | null;
}

export interface RemoteAtoms<T, A extends unknown[]> {
  readonly atom: Atom<Remote<T>>;
  /** Loads it; only the newest answer counts. Never rejects: the failure is in the atom. */
  readonly load: WritableAtom<null, A, Promise<void>>;
  /** The same, unless it was asked for a moment ago, about the same: a second screen that shows it asks nobody. */
  readonly renew: WritableAtom<null, A, Promise<void>>;
  /** Sets data that came with another answer. */
  readonly put: WritableAtom<null, [T | null], void>;
}

/** For so long an answer is new enough for another screen. */
const FRESH_MS = 60_000;
/** Whether something was told less than so many ms ago; what lies ahead was told before the phone's clock was put right. */
export const isFresh = (at: number, ms: number): boolean => Math.abs(Date.now() - at) < ms;

const IDLE = { status: 'idle', data: null, failure: null } as const;

export function remote<T, A extends unknown[]>(
  read: (get: Getter, set: Setter, signal: AbortSignal, ...args: A) => Promise<T>,
  {
    isCustomers = true,
    about = () => '',
  }: {
    readonly isCustomers?: boolean;
    /** What the answer depends on beside the arguments: the cart as it is, a store. */
    readonly about?: (get: Getter) => string;
  } = {},
): RemoteAtoms<T, A> {
  const heldAtom = atom<Remote<T>>(IDLE);
  const runningAtom = atom<AbortController | null>(null);
  const askedAtom = atom<{ readonly what: string; readonly at: number; readonly done: Promise<void> } | null>(null);
  const whatOf = (get: Getter, args: A) => [about(get), ...args].join(' ');
  if (isCustomers) forgetters.add((set) => set(heldAtom, IDLE));
  const loadAtom = atom(null, (get, set, ...args: A): Promise<void> => {
    const done = readInto(get, set, args);
    set(askedAtom, { what: whatOf(get, args), at: Date.now(), done });
    return done;
  });
  const readInto = async (get: Getter, set: Setter, args: A): Promise<void> => {
    get(runningAtom)?.abort();
    const running = new AbortController();
    set(runningAtom, running);
    set(heldAtom, (before) => ({ ...before, status: 'loading', failure: null }));
    try {
      const data = await read(get, set, running.signal, ...args);
      if (get(runningAtom) === running) set(heldAtom, { status: 'ready', data, failure: null });
    } catch (thrown) {
      if (get(runningAtom) !== running) return;
      const failure = isFailure(thrown) ? thrown : new Failure('broken', { cause: thrown });
      set(heldAtom, (before) => ({ ...before, status: 'failed', failure }));
    }
  };
  return {
    atom: atom((get) => get(heldAtom)),
    load: loadAtom,
    renew: atom(null, (get, set, ...args: A): Promise<void> => {
      const asked = get(askedAtom);
      const { status } = get(heldAtom);
      return asked?.what === whatOf(get, args) &&
        isFresh(asked.at, FRESH_MS) &&
        (status === 'loading' || status === 'ready')
        ? asked.done
        : set(loadAtom, ...args);
    }),
    put: atom(null, (get, set, data: T | null) => {
      get(runningAtom)?.abort();
      set(runningAtom, null);
      set(heldAtom, data === null ? IDLE : { status: 'ready', data, failure: null });
    }),
  };
}
