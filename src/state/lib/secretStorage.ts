import { withTimeout } from '../../domain/withTimeout.ts';
import { safeStorage, secretKeys, storageKey } from '../first/lib/kept.ts';

// Secrets are stored on the device as AES-GCM text (specification section 8, product.md C35). The key is made on the
// device, cannot be taken out of the browser, and is read once, so that reading a secret needs no waiting. A browser
// without a place for such a key (a page without https, blocked storage) stores secrets unencrypted; where a key should
// be and cannot be made or read, they live as long as the page.

const KEY_WAIT_MS = 2_000;
const MARK = 'sealed.1.';
const NAME = 'device';

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error('the key store failed'));
  });

/** Null if there is no IndexedDB, or if a frame without an origin of its own may not use it: nothing to report. */
function openKeys(): IDBOpenDBRequest | null {
  try {
    return globalThis.indexedDB?.open('vault', 1) ?? null;
  } catch {
    return null;
  }
}

/** Never rejects; 'none' if this browser keeps no keys, 'failed' if it should have one and has not. */
async function deviceKey(log: (thrown: unknown) => void): Promise<CryptoKey | 'none' | 'failed'> {
  const read = async () => {
    const opening = openKeys();
    if (!opening || !globalThis.crypto?.subtle) return 'none';
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('keys');
    };
    const db = await settled(opening).catch((thrown: unknown) => {
      // A browser that is told to keep nothing says so only here.
      log(thrown);
      return null;
    });
    if (!db) return 'none';
    try {
      const held = (await settled(db.transaction('keys').objectStore('keys').get(NAME))) as CryptoKey | undefined;
      if (held) return held;
      const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
      try {
        await settled(db.transaction('keys', 'readwrite').objectStore('keys').add(made, NAME));
        return made;
      } catch {
        // Another page of this device was quicker: its key is used.
        return (await settled(db.transaction('keys').objectStore('keys').get(NAME))) as CryptoKey;
      }
    } finally {
      db.close();
    }
  };
  try {
    return await withTimeout(read(), KEY_WAIT_MS);
  } catch (thrown) {
    log(thrown);
    return 'failed';
  }
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const bytesOf = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/**
 * The encrypted text, or null with an entry in the log. `place` is authenticated with it, so that a text moved to
 * another key cannot be decrypted.
 */
async function seal(
  key: CryptoKey,
  place: string,
  text: string,
  log: (thrown: unknown) => void,
): Promise<string | null> {
  try {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(place) },
      key,
      new TextEncoder().encode(text),
    );
    return `${MARK}${base64(iv)}.${base64(new Uint8Array(sealed))}`;
  } catch (thrown) {
    log(thrown);
    return null;
  }
}

/** The decrypted text, or null with an entry in the log. */
async function unseal(
  key: CryptoKey | null,
  place: string,
  text: string,
  log: (thrown: unknown) => void,
): Promise<string | null> {
  try {
    if (!key) throw new Error('no key opens what is sealed');
    const [iv = '', sealed = ''] = text.slice(MARK.length).split('.');
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytesOf(iv), additionalData: new TextEncoder().encode(place) },
      key,
      bytesOf(sealed),
    );
    return new TextDecoder().decode(opened);
  } catch (thrown) {
    log(thrown);
    return null;
  }
}

/** Encrypts and decrypts what is `kept` as secret. Never rejects; `log` gets what could not be read or written. */
export async function openSecretStorage(log: (thrown: unknown) => void): Promise<void> {
  const secrets = [...secretKeys];
  // Decrypting takes time, reading must not: a secret that registers later could not be read, so it is an error.
  secretKeys.add = (name) => {
    throw new Error(`${name} became a secret too late`);
  };
  const found = await deviceKey(log);
  const key = typeof found === 'string' ? null : found;
  const { read, write } = safeStorage;
  const isSecret = (name: string) => secrets.includes(name);
  const opened = new Map<string, string | null>();
  let writing = Promise.resolve();

  const keep = (name: string, text: string | null) => {
    opened.set(name, text);
    if (text === null || found === 'none') return write(name, text);
    // Never plain where it should be sealed.
    if (!key) return write(name, null);
    writing = writing.then(async () => {
      const sealed = await seal(key, name, text, log);
      if (opened.get(name) === text) write(name, sealed);
    });
  };
  for (const name of secrets) {
    const text = read(name);
    if (text?.startsWith(MARK)) opened.set(name, await unseal(key, name, text, log));
    // Stored before secrets were encrypted.
    else if (text !== null) keep(name, text);
  }
  safeStorage.read = (name) => (isSecret(name) ? (opened.get(name) ?? null) : read(name));
  safeStorage.write = (name, text) => (isSecret(name) ? keep(name, text) : write(name, text));

  // A secret from another tab is decrypted first; those who follow it then get the event with the plain text.
  globalThis.addEventListener?.(
    'storage',
    (event) => {
      const name = secrets.find((one) => storageKey(one) === event.key);
      if (!name || !event.newValue?.startsWith(MARK)) {
        if (name) opened.set(name, event.newValue);
        return;
      }
      event.stopImmediatePropagation();
      void unseal(key, name, event.newValue, log).then((text) => {
        if (text === null) return;
        opened.set(name, text);
        dispatchEvent(new StorageEvent('storage', { key: event.key, newValue: text }));
      });
    },
    { capture: true },
  );
}
