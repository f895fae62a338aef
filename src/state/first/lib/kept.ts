import { atom, type Setter, type WritableAtom } from 'jotai';
import type * as z from 'zod/mini';
import type { schemas } from '../../schemas.ts';
import { forgetters } from './forget.ts';

/**
 * Remembered values. The first render is the same for everybody, because it was prerendered: so a kept atom has its
 * initial value until `wakeAtom` runs after hydration, and then the value that the device remembers, checked by its
 * schema. Changes made before that are collected and applied to the remembered value.
 */
const isAwakeAtom = atom(false);

type Wake = (set: Setter) => void;
const wakers = new Set<Wake>();

/** What the first load remembers, by key. The schemas come with the second load. */
export type LateSchemas = typeof schemas;
type LateValue<K extends keyof LateSchemas> =
  z.output<LateSchemas[K]> extends (infer One)[] ? readonly One[] : z.output<LateSchemas[K]>;
let lateSchemas: Readonly<Partial<Record<string, z.ZodMiniType>>> = {};

export const wakeAtom = atom(null, (get, set, late: LateSchemas) => {
  if (get(isAwakeAtom)) return;
  lateSchemas = late;
  set(isAwakeAtom, true);
  for (const wake of wakers) wake(set);
});

/** Takes over what another page has written, by key; state/base/otherPages.ts hears of it. */
export const elsewhere = new Map<string, (set: Setter, text: string | null) => void>();

/** Keys of `secret` values. state/lib/secretStorage.ts decrypts them before anything is read. */
export const secretKeys = new Set<string>();
/**
 * Prefix of the keys of `optional` values on the device, so that all of them can be found, even if their script is not
 * loaded.
 */
export const OPTIONAL_MARK = '~';

/** Bundles of several countries and hosts may share one origin: each has its own prefix for its keys. */
let prefix = '';
const onStorageError: { report: (thrown: unknown) => void } = { report: () => {} };

export function openStorage(bundle: string, report: (thrown: unknown) => void): void {
  prefix = `${bundle}:`;
  onStorageError.report = report;
}

const memory = new Map<string, string>();

/** The full name of a key on the device. */
export const storageKey = (key: string): string => prefix + key;

/**
 * Never throws: without storage, values last as long as the page. state/lib/secretStorage.ts replaces its two
 * functions.
 */
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
      // Specification section 8: reported as "Error FrontEnd"; the page goes on with the copy in memory.
      onStorageError.report(thrown);
      // An older value must not be the truth again after a reload; without it there may be room for the new one.
      try {
        localStorage.removeItem(prefix + key);
        if (text !== null) localStorage.setItem(prefix + key, text);
      } catch {
        // The copy in memory lasts as long as the page.
      }
    }
  },
};

/** Older pages wrote 'undefined', 'null' and 'false': these count as absent (specification section 5). */
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

interface Common {
  /** 'logout': logging out removes it. */
  readonly forget: 'logout' | 'never';
  /** Gives access to somebody's account: encrypted on the device. */
  readonly secret?: true;
  /**
   * The page works without it: where cookies are disabled it lasts only as long as the page (product.md C34,
   * specification section 3).
   */
  readonly optional?: true;
}
export interface KeptConfig<T> extends Common {
  readonly key: string;
  readonly schema: z.ZodMiniType<T>;
  readonly initial: T;
}
/** For the first load: a key of state/schemas.ts, with the type of its schema. */
export interface FirstKeptConfig<K extends keyof LateSchemas> extends Common {
  readonly key: K;
  readonly initial: LateValue<K>;
}

type Update<T> = T | ((before: T) => T);
type KeptAtom<T> = WritableAtom<T, [Update<T>], void>;

/** A remembered value: read once after hydration, written on every change, kept the same in all tabs. */
export function kept<T>(config: KeptConfig<T>): KeptAtom<T>;
export function kept<K extends keyof LateSchemas>(config: FirstKeptConfig<K>): KeptAtom<LateValue<K>>;
export function kept<T>({
  key: name,
  schema,
  initial,
  forget,
  secret,
  optional,
}: Common & { key: string; schema?: z.ZodMiniType<T>; initial: T }): KeptAtom<T> {
  const key = (optional ? OPTIONAL_MARK : '') + name;
  if (secret) secretKeys.add(key);
  const read = (text: string | null) =>
    parse(text, schema ?? (lateSchemas[name] as z.ZodMiniType<T> | undefined), initial);
  const heldAtom = atom<{ value: T } | null>(null);
  elsewhere.set(key, (set, text) => set(heldAtom, { value: read(text) }));
  const stored = () => {
    const old = optional ? safeStorage.read(name) : null;
    if (old !== null) {
      // Stored before this value became optional, under a key without the mark.
      safeStorage.write(name, null);
      if (safeStorage.read(key) === null) safeStorage.write(key, old);
    }
    return safeStorage.read(key);
  };
  const storedAtom = atom((get) => ({ value: get(isAwakeAtom) ? read(stored()) : initial }));
  let early: Update<T>[] = [];
  let textBefore: string | null = null;
  /**
   * Saves a change before the schemas are loaded: unchecked, because the page may be killed before they come. The waker
   * then checks it and saves it again.
   */
  const saveEarly = (update: Update<T>) => {
    const text = safeStorage.read(key);
    if (early.length === 0) textBefore = text;
    early.push(update);
    try {
      const before = text === null || ABSENT.has(text) ? initial : (JSON.parse(text) as T);
      safeStorage.write(
        key,
        JSON.stringify(typeof update === 'function' ? (update as (before: T) => T)(before) : update),
      );
    } catch {
      // Unreadable text: the waker finds the same and starts from the initial value.
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
