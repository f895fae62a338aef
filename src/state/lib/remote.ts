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
  /** Sets data that came with another answer. */
  readonly put: WritableAtom<null, [T | null], void>;
}

const IDLE = { status: 'idle', data: null, failure: null } as const;

export function remote<T, A extends unknown[]>(
  read: (get: Getter, set: Setter, signal: AbortSignal, ...args: A) => Promise<T>,
  { isCustomers = true }: { readonly isCustomers?: boolean } = {},
): RemoteAtoms<T, A> {
  const heldAtom = atom<Remote<T>>(IDLE);
  const runningAtom = atom<AbortController | null>(null);
  if (isCustomers) forgetters.add((set) => set(heldAtom, IDLE));
  return {
    atom: atom((get) => get(heldAtom)),
    put: atom(null, (get, set, data: T | null) => {
      get(runningAtom)?.abort();
      set(runningAtom, null);
      set(heldAtom, data === null ? IDLE : { status: 'ready', data, failure: null });
    }),
    load: atom(null, async (get, set, ...args: A) => {
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
    }),
  };
}
