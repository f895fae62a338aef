import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeStorage } from '../hosts/phone.ts';

type KeyStore = Map<string, unknown>;
/** A browser's place for keys. `fails` says which of its requests do not succeed. */
function keyStore(held: KeyStore, fails: (request: 'open' | 'get' | 'add') => Error | 'never' | null = () => null) {
  const request = (kind: 'open' | 'get' | 'add', result: () => unknown, before?: (own: object) => void) => {
    const own: Record<string, unknown> & { onsuccess?: () => void; onerror?: () => void } = {};
    queueMicrotask(() => {
      const failure = fails(kind);
      if (failure === 'never') return;
      try {
        if (failure) throw failure;
        Object.assign(own, { result: result() });
      } catch (error) {
        Object.assign(own, { error });
        own.onerror?.();
        return;
      }
      before?.(own);
      own.onsuccess?.();
    });
    return own;
  };
  const objectStore = () => ({
    get: (name: string) => request('get', () => held.get(name)),
    add: (key: unknown, name: string) =>
      request('add', () => {
        if (held.has(name)) throw new Error('there is one');
        held.set(name, key);
      }),
  });
  const db = { transaction: () => ({ objectStore }), createObjectStore: vi.fn(), close: vi.fn() };
  const open = () =>
    request(
      'open',
      () => db,
      (own) => (own as { onupgradeneeded?: () => void }).onupgradeneeded?.(),
    );
  return { open, db };
}

let device: Storage;
let keys: KeyStore;
let log: unknown[];
let events: (event: object) => void;
let dispatched: object[];
beforeEach(() => {
  [device, keys, log, dispatched, events] = [makeStorage(), new Map(), [], [], () => undefined];
  vi.stubGlobal('localStorage', device);
  vi.stubGlobal('indexedDB', keyStore(keys));
  vi.stubGlobal('addEventListener', (name: string, own: typeof events) => {
    if (name === 'storage') events = own;
  });
  vi.stubGlobal('dispatchEvent', (event: object) => dispatched.push(event));
  vi.stubGlobal('StorageEvent', function StorageEvent(this: object, type: string, init: object) {
    Object.assign(this, { type }, init);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A page of this device, whose secrets are open. */
async function page(secrets: readonly string[] = ['session', 'device-token']) {
  vi.resetModules();
  const { openStorage, safeStorage, secretKeys } = await import('../../src/state/first/lib/kept.ts');
  const { openSecretStorage } = await import('../../src/state/lib/secretStorage.ts');
  openStorage('in', () => undefined);
  for (const name of secrets) secretKeys.add(name);
  await openSecretStorage((thrown) => log.push(thrown));
  return { safeStorage, secretKeys };
}
const onDevice = (name: string) => device.getItem(`in:${name}`);
const SEALED = /^sealed\.1\.[\w+/=]+\.[\w+/=]+$/;
const isSealed = (name: string) => vi.waitFor(() => expect(onDevice(name)).toMatch(SEALED));

test('a secret is read at once by its page and by the next one, and stands on the device as nobody can read it', async () => {
  const { safeStorage } = await page();
  expect(safeStorage.read('session')).toBeNull();
  safeStorage.write('session', 'प्रवेश token');
  safeStorage.write('cart', 'two');
  expect([safeStorage.read('session'), safeStorage.read('cart'), onDevice('cart')]).toEqual([
    'प्रवेश token',
    'two',
    'two',
  ]);
  await isSealed('session');
  const before = onDevice('session');
  const next = await page();
  expect([next.safeStorage.read('session'), onDevice('session')]).toEqual(['प्रवेश token', before]);
  next.safeStorage.write('session', null);
  expect([next.safeStorage.read('session'), onDevice('session')]).toEqual([null, null]);
  expect(log).toEqual([]);
});

test('of two words said at once the last stays; the same word is never written in the same way', async () => {
  const { safeStorage } = await page();
  safeStorage.write('session', 'first');
  safeStorage.write('session', 'second');
  safeStorage.write('device-token', 'gone');
  safeStorage.write('device-token', null);
  await isSealed('session');
  const written = onDevice('session');
  safeStorage.write('session', 'third');
  safeStorage.write('session', 'second');
  await vi.waitFor(() => expect(onDevice('session')).not.toBe(written));
  const next = await page();
  expect([next.safeStorage.read('session'), next.safeStorage.read('device-token')]).toEqual(['second', null]);
  expect(onDevice('device-token')).toBeNull();
});

test('what was stored before secrets were sealed is sealed, and one that was moved to another place is not read', async () => {
  device.setItem('in:session', 'old token');
  const { safeStorage } = await page();
  expect(safeStorage.read('session')).toBe('old token');
  await isSealed('session');
  device.setItem('in:device-token', onDevice('session')!);
  const next = await page();
  expect([next.safeStorage.read('session'), next.safeStorage.read('device-token'), log.length]).toEqual([
    'old token',
    null,
    1,
  ]);
});

test.each([
  [
    'does not let this page ask for one',
    () =>
      vi.stubGlobal('indexedDB', {
        open: () => {
          throw new Error('sandboxed');
        },
      }),
    0,
  ],
  [
    'keeps nothing',
    () =>
      vi.stubGlobal(
        'indexedDB',
        keyStore(keys, (kind) => (kind === 'open' ? new Error('private') : null)),
      ),
    1,
  ],
])('a browser that %s stores secrets as they are', async (_, make, logged) => {
  make();
  const { safeStorage } = await page();
  safeStorage.write('session', 'token');
  expect([safeStorage.read('session'), onDevice('session'), log.length]).toEqual(['token', 'token', logged]);
});

test('where a key should be and cannot be had, secrets last as long as the page, and never stand there plainly', async () => {
  const sealing = await page();
  sealing.safeStorage.write('session', 'token');
  await isSealed('session');
  device.setItem('in:device-token', 'plain');
  vi.stubGlobal(
    'indexedDB',
    keyStore(keys, (kind) => (kind === 'get' ? new Error('broken') : null)),
  );
  const { safeStorage } = await page();
  expect([safeStorage.read('session'), log.length]).toEqual([null, 2]);
  expect([safeStorage.read('device-token'), onDevice('device-token')]).toEqual(['plain', null]);
  safeStorage.write('session', 'other');
  expect([safeStorage.read('session'), onDevice('session')]).toEqual(['other', null]);
});

test('a place for keys that does not answer is waited for two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal(
    'indexedDB',
    keyStore(keys, () => 'never'),
  );
  let isOpen = false;
  const opening = page().then(() => (isOpen = true));
  // Until it waits: a module fetch does not run on fake timers.
  while (vi.getTimerCount() === 0)
    await new Promise((done) => {
      setImmediate(done);
    });
  await vi.advanceTimersByTimeAsync(1_999);
  expect(isOpen).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await opening;
  expect(log).toHaveLength(1);
});

test('of two pages that make a key at once both use the one that was there first, and the place is closed again', async () => {
  const { subtle } = crypto;
  const first = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const store = keyStore(keys, (kind) => {
    if (kind === 'add') keys.set('device', first);
    return null;
  });
  vi.stubGlobal('indexedDB', store);
  const { safeStorage } = await page();
  safeStorage.write('session', 'token');
  await isSealed('session');
  expect([store.db.close.mock.calls.length, store.db.createObjectStore.mock.calls]).toEqual([1, [['keys']]]);
  const next = await page();
  expect([next.safeStorage.read('session'), keys.get('device'), log]).toEqual(['token', first, []]);
  expect(first.extractable).toBe(false);
});

test('a secret that comes after they were opened is an error of ours', async () => {
  const { secretKeys } = await page();
  expect(() => secretKeys.add('late')).toThrow('late became a secret too late');
});

test('what another page of this device has written is read here, and told on as it is', async () => {
  const here = await page();
  const hear = events;
  const stop = vi.fn();
  const tell = (key: string, newValue: string | null) => hear({ key, newValue, stopImmediatePropagation: stop });
  const other = await page();
  other.safeStorage.write('session', 'theirs');
  await isSealed('session');
  expect(here.safeStorage.read('session')).toBeNull();
  tell('in:session', onDevice('session'));
  expect(stop).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(dispatched).toHaveLength(1));
  expect(dispatched[0]).toMatchObject({ type: 'storage', key: 'in:session', newValue: 'theirs' });
  expect(here.safeStorage.read('session')).toBe('theirs');
  // What cannot be read changes nothing, and what is no secret is nobody's business here.
  tell('in:session', 'sealed.1.broken.broken');
  await vi.waitFor(() => expect(log).toHaveLength(1));
  tell('in:cart', 'sealed.1.x.y');
  expect([stop.mock.calls.length, dispatched.length, here.safeStorage.read('session')]).toEqual([2, 1, 'theirs']);
  tell('in:session', null);
  expect([stop.mock.calls.length, here.safeStorage.read('session')]).toEqual([2, null]);
});
