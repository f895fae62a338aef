import { atom, type WritableAtom } from 'jotai';
import type * as z from 'zod/mini';
import { forgetters } from './forget.ts';

/**
 * Remembered values. The first render of a page is the same for everybody (it was prerendered), so a kept atom shows its
 * initial value until `wake` runs, right after hydration; then it shows what the device remembers.
 */
export const awakeAtom = atom(false);

/** One page may hold several bundles of one origin (countries, hosts): keys carry the bundle's own prefix. */
let prefix = '';
const onStorageError: { report: (thrown: unknown) => void } = { report: () => {} };

export function openStorage(bundle: string, report: (thrown: unknown) => void): void {
  prefix = `${bundle}:`;
  onStorageError.report = report;
}

const memory = new Map<string, string>();

/** Never throws: a device without storage remembers until the page is gone. */
export const safeStorage = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(prefix + key) ?? memory.get(prefix + key) ?? null;
    } catch {
      return memory.get(prefix + key) ?? null;
    }
  },
  write(key: string, text: string | null): void {
    if (text === null) memory.delete(prefix + key);
    else memory.set(prefix + key, text);
    try {
      if (text === null) localStorage.removeItem(prefix + key);
      else localStorage.setItem(prefix + key, text);
    } catch (thrown) {
      // Specification section 8: reported as "Error FrontEnd"; the page goes on from memory.
      onStorageError.report(thrown);
    }
  },
};

/** 'undefined', 'null' and 'false' were written by older pages and count as absent (specification section 5). */
const ABSENT = new Set(['', 'undefined', 'null', 'false']);

function parse<T>(text: string | null, schema: z.ZodMiniType<T>, initial: T): T {
  if (text === null || ABSENT.has(text)) return initial;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : initial;
  } catch {
    return initial;
  }
}

export interface KeptConfig<T> {
  readonly key: string;
  readonly schema: z.ZodMiniType<T>;
  readonly initial: T;
  /** What logging out does to it. */
  readonly forget: 'logout' | 'never';
}

type Update<T> = T | ((before: T) => T);

/** A remembered value: read once after hydration, written on every change, followed across tabs. */
export function kept<T>({ key, schema, initial, forget }: KeptConfig<T>): WritableAtom<T, [Update<T>], void> {
  const heldAtom = atom<{ value: T } | null>(null);
  heldAtom.onMount = (set) => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === prefix + key) set({ value: parse(event.newValue, schema, initial) });
    };
    globalThis.addEventListener?.('storage', onStorage);
    return () => globalThis.removeEventListener?.('storage', onStorage);
  };
  const storedAtom = atom(() => ({ value: parse(safeStorage.read(key), schema, initial) }));
  const keptAtom = atom(
    (get) => (get(awakeAtom) ? (get(heldAtom) ?? get(storedAtom)).value : initial),
    (get, set, update: Update<T>) => {
      const before = (get(heldAtom) ?? get(storedAtom)).value;
      const value = typeof update === 'function' ? (update as (before: T) => T)(before) : update;
      if (value === before) return;
      set(heldAtom, { value });
      safeStorage.write(key, value === initial || value === null ? null : JSON.stringify(value));
    },
  );
  if (forget === 'logout') forgetters.add((set) => set(keptAtom, initial));
  return keptAtom;
}
