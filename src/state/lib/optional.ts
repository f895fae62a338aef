import { OPTIONAL_MARK, safeStorage, storageKey } from '../first/lib/kept.ts';

/** The keys of all optional values on the device, also of those whose script is not loaded. */
export function optionalNames(): string[] {
  const start = storageKey(OPTIONAL_MARK);
  try {
    return Object.keys(localStorage).flatMap((key) =>
      key.startsWith(start) ? [key.slice(storageKey('').length)] : [],
    );
  } catch {
    return [];
  }
}

/** From now on optional values last only as long as the page, and those on the device are deleted. */
export function keepShortly(): void {
  const { read, write } = safeStorage;
  const held = new Map(optionalNames().map((name) => [name, read(name)]));
  for (const name of held.keys()) write(name, null);
  safeStorage.read = (name) => (held.has(name) ? (held.get(name) ?? null) : read(name));
  safeStorage.write = (name, text) => {
    if (name.startsWith(OPTIONAL_MARK)) held.set(name, text);
    else write(name, text);
  };
}
