import { atom, type WritableAtom } from 'jotai';
import { forgetters } from '../first/lib/forget.ts';
import { OPTIONAL_MARK, safeStorage, storageKey } from '../first/lib/kept.ts';

/** Names of everything that this bundle remembers on the device. */
export function keptNames(): string[] {
  const start = storageKey('');
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
  } catch {
    return [];
  }
}

/** The keys of what stays with the device whoever leaves it: what is `kept` and forgotten 'never' (a test compares). */
const STAYING: ReadonlySet<string> = new Set([
  'alerts-dismissed',
  'app-config',
  'app-refused',
  'card-variant',
  'device-token',
  'experiment-rows',
  'experiment-settings',
  'feedback-query',
  'filters',
  'forgetting',
  'gps',
  'household',
  'journal',
  'language',
  'language-scroll',
  'login-redirect',
  'shortcut-settled',
  'veg-only',
]);

/** Resets everything that was registered, and removes what scripts have kept that are not loaded here. */
export const forgetCustomerAtom = atom(null, (_get, set) => {
  for (const forget of forgetters) forget(set);
  for (const name of keptNames())
    if (!STAYING.has(name.startsWith(OPTIONAL_MARK) ? name.slice(1) : name)) safeStorage.write(name, null);
});

/** A value of one customer that lasts as long as the page. */
export function customerAtom<T>(initial: T): WritableAtom<T, [T | ((before: T) => T)], void> {
  const heldAtom = atom(initial);
  forgetters.add((set) => set(heldAtom, () => initial));
  return heldAtom;
}
