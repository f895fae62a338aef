import { afterAll, beforeAll } from 'vitest';

/** Stands for an object that is there later: whatever it is asked for, that one answers. */
export const standIn = <T extends object>(there: () => T): T =>
  new Proxy({} as T, {
    get(_, key) {
      const value: unknown = Reflect.get(there(), key);
      return typeof value === 'function' ? (value.bind(there()) as unknown) : value;
    },
    set: (_, key, value) => Reflect.set(there(), key, value),
    has: (_, key) => Reflect.has(there(), key),
  });

/**
 * What the tests of a file or of a block share: opened before the first, by `open` and then `prepare`, and stopped after
 * the last.
 */
export function during<T extends object>(
  open: () => Promise<T>,
  prepare: (opened: T) => unknown = () => undefined,
  stop: (opened: T) => unknown = (opened) => (opened as { stop?: () => unknown }).stop?.(),
): T {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
    await prepare(opened);
  });
  afterAll(() => (opened === undefined ? undefined : stop(opened)));
  return standIn(() => {
    if (opened === undefined) throw new Error('asked for before it was opened');
    return opened;
  });
}
