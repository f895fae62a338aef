import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { kept, openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { schemas } from '../../src/state/schemas.ts';

/** A device whose storage takes so many letters. */
let device: Map<string, string>;
let most: number;
const full = () => new Error('full');
beforeEach(() => {
  device = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => device.get(key) ?? null,
    setItem: (key: string, text: string) => {
      const others = [...device]
        .filter(([one]) => one !== key)
        .reduce((sum, [one, held]) => sum + one.length + held.length, 0);
      // Where a key is written again, some browsers need room for both.
      if (others + (device.get(key)?.length ?? 0) + key.length + text.length > most) throw full();
      device.set(key, text);
    },
    removeItem: (key: string) => void device.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const placeAtom = kept({ key: 'full-test', schema: z.string(), initial: '', forget: 'never' });
/** What a page that is loaded finds. */
function opened(name: string, report: (thrown: unknown) => void) {
  openStorage(name, report);
  const store = createStore();
  store.set(wakeAtom, schemas);
  return store;
}

test('what a full device does not take leaves no older value, which would be the truth again after a reload', () => {
  most = 40;
  const report = vi.fn();
  const page = opened('shop', report);
  page.set(placeAtom, 'Saket');
  expect(device.get('shop:full-test')).toBe('"Saket"');
  page.set(placeAtom, 'A'.repeat(60));
  expect(device.has('shop:full-test')).toBe(false);
  // The page itself goes on with it.
  expect(page.get(placeAtom)).toBe('A'.repeat(60));
  expect(report).toHaveBeenCalledWith(full());
});

test('the room of the older value is used for the new one', () => {
  most = 40;
  const page = opened('room', () => {});
  page.set(placeAtom, 'Connaught Place');
  page.set(placeAtom, 'Barakhamba Road');
  expect(device.get('room:full-test')).toBe('"Barakhamba Road"');
});
