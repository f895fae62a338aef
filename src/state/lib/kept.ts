import { atom, type Setter, type WritableAtom } from 'jotai';
import type * as z from 'zod/mini';
import { forgetters } from './forget.ts';

/**
 * Remembered values. The first render of a page is the same for everybody (it was prerendered), so a kept atom shows its
 * initial value until `wakeAtom` runs, after hydration; then it shows what the device remembers, checked by its schema.
 * What is changed before that is remembered as a change, and applied to the remembered value.
 */
const isAwakeAtom = atom(false);

type Wake = (set: Setter) => void;
const wakers = new Set<Wake>();

/** Nouns of the first load leave their schema out: it comes with the part of the app that talks to the server. */
const lateSchemas = new Map<string, z.ZodMiniType>();

/** `schemas`: by the key of a kept value. */
export const wakeAtom = atom(null, (get, set, schemas: Readonly<Record<string, z.ZodMiniType>>) => {
  if (get(isAwakeAtom)) return;
  for (const [key, schema] of Object.entries(schemas)) lateSchemas.set(key, schema);
  set(isAwakeAtom, true);
  for (const wake of wakers) wake(set);
});

/** One page may hold several bundles of one origin (countries, hosts): keys carry the bundle's own prefix. */
let prefix = '';
const onStorageError: { report: (thrown: unknown) => void } = { report: () => {} };

export function openStorage(bundle: string, report: (thrown: unknown) => void): void {
  prefix = `${bundle}:`;
  onStorageError.report = report;
}

const memory = new Map<string, string>();

/** Where a key lies on the device. */
export const storageKey = (key: string): string => prefix + key;

/** Never throws: a device without storage remembers until the page is gone. state/lib/vault.ts puts itself in front of it. */
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

function parse<T>(text: string | null, schema: z.ZodMiniType<T> | undefined, initial: T): T {
  if (text === null || ABSENT.has(text) || !schema) return initial;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : initial;
  } catch {
    return initial;
  }
}

export interface KeptConfig<T> {
  readonly key: string;
  /** Left out where state/live.ts brings it. */
  readonly schema?: z.ZodMiniType<T>;
  readonly initial: T;
  /** What logging out does to it. */
  readonly forget: 'logout' | 'never';
}

type Update<T> = T | ((before: T) => T);

/** A remembered value: read once after hydration, written on every change, followed across tabs. */
export function kept<T>({ key, schema, initial, forget }: KeptConfig<T>): WritableAtom<T, [Update<T>], void> {
  const read = (text: string | null) => parse(text, schema ?? (lateSchemas.get(key) as z.ZodMiniType<T> | undefined), initial);
  const heldAtom = atom<{ value: T } | null>(null);
  heldAtom.onMount = (set) => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === prefix + key) set({ value: read(event.newValue) });
    };
    globalThis.addEventListener?.('storage', onStorage);
    return () => globalThis.removeEventListener?.('storage', onStorage);
  };
  const storedAtom = atom((get) => ({ value: get(isAwakeAtom) ? read(safeStorage.read(key)) : initial }));
  let early: Update<T>[] = [];
  let textBefore: string | null = null;
  /** Without its schema nothing can be checked, yet a page may be killed before that comes: saved as it is, and put right by the waker. */
  const saveEarly = (update: Update<T>) => {
    const text = safeStorage.read(key);
    if (early.length === 0) textBefore = text;
    early.push(update);
    try {
      const before = text === null || ABSENT.has(text) ? initial : JSON.parse(text) as T;
      safeStorage.write(key, JSON.stringify(typeof update === 'function' ? (update as (before: T) => T)(before) : update));
    } catch {
      // Not ours to read: the waker finds the same and begins anew.
    }
  };
  const keptAtom = atom(
    (get) => (get(heldAtom) ?? get(storedAtom)).value,
    (get, set, update: Update<T>) => {
      const isAwake = get(isAwakeAtom);
      if (!isAwake) saveEarly(update);
      const before = (get(heldAtom) ?? get(storedAtom)).value;
      const value = typeof update === 'function' ? (update as (before: T) => T)(before) : update;
      if (value === before) return;
      set(heldAtom, { value });
      if (isAwake) safeStorage.write(key, value === initial || value === null ? null : JSON.stringify(value));
    },
  );
  wakers.add((set) => {
    if (early.length === 0) return;
    const changes = early;
    early = [];
    safeStorage.write(key, textBefore);
    set(heldAtom, null);
    for (const change of changes) set(keptAtom, change);
  });
  if (forget === 'logout') forgetters.add((set) => set(keptAtom, initial));
  return keptAtom;
}
