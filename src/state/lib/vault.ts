import { inTime } from '../../domain/deadline.ts';
import { safeStorage, storageKey } from './kept.ts';

// Secrets lie on the device as AES-GCM text (specification section 8, product.md C35). The key belongs to the device: it is made
// there, cannot be taken out of the browser, and is read once, so that reading stays synchronous. A browser that offers no key
// (a page without https, storage that is blocked) keeps what it kept before: as plain as it came over its wire.

const KEY_WAIT_MS = 2_000;
const MARK = 'sealed.1.';
const NAME = 'device';

/** Null where there is no such store, or where a frame without an origin of its own is refused it: nothing to report. */
function openKeys(): IDBOpenDBRequest | null {
  try {
    return globalThis.indexedDB?.open('vault', 1) ?? null;
  } catch {
    return null;
  }
}

/** Never rejects: null where this browser has no lasting key. */
async function deviceKey(log: (thrown: unknown) => void): Promise<CryptoKey | null> {
  const settled = <T>(request: IDBRequest<T>) => new Promise<T>((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error('the key store failed'));
  });
  const read = async () => {
    const opening = openKeys();
    if (!opening || !globalThis.crypto?.subtle) return null;
    opening.onupgradeneeded = () => { opening.result.createObjectStore('keys'); };
    const db = await settled(opening);
    try {
      const held = await settled(db.transaction('keys').objectStore('keys').get(NAME)) as CryptoKey | undefined;
      if (held) return held;
      const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
      try {
        await settled(db.transaction('keys', 'readwrite').objectStore('keys').add(made, NAME));
        return made;
      } catch {
        // Another page of this device was quicker: its key is the one.
        return await settled(db.transaction('keys').objectStore('keys').get(NAME)) as CryptoKey;
      }
    } finally {
      db.close();
    }
  };
  try {
    return await inTime(read(), KEY_WAIT_MS);
  } catch (thrown) {
    log(thrown);
    return null;
  }
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const bytesOf = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/** Encrypted text, or null with a word in the log. The place is part of what is sealed: a text moved elsewhere does not open. */
async function seal(key: CryptoKey, place: string, text: string, log: (thrown: unknown) => void): Promise<string | null> {
  try {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(place) }, key, new TextEncoder().encode(text));
    return `${MARK}${base64(iv)}.${base64(new Uint8Array(sealed))}`;
  } catch (thrown) {
    log(thrown);
    return null;
  }
}

/** What was sealed, or null with a word in the log. */
async function unseal(key: CryptoKey | null, place: string, text: string, log: (thrown: unknown) => void): Promise<string | null> {
  try {
    if (!key) throw new Error('what is sealed here cannot be opened without its key');
    const [iv = '', sealed = ''] = text.slice(MARK.length).split('.');
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytesOf(iv), additionalData: new TextEncoder().encode(place) }, key, bytesOf(sealed));
    return new TextDecoder().decode(opened);
  } catch (thrown) {
    log(thrown);
    return null;
  }
}

/** Puts itself between the remembered values and the device for these keys. Never rejects; `log` hears what could not be opened or sealed. */
export async function openVault(secrets: readonly string[], log: (thrown: unknown) => void): Promise<void> {
  const key = await deviceKey(log);
  const { read, write } = safeStorage;
  const isSecret = (name: string) => secrets.includes(name);
  const opened = new Map<string, string | null>();
  let writing = Promise.resolve();

  const keep = (name: string, text: string | null) => {
    opened.set(name, text);
    if (text === null || !key) return write(name, text);
    writing = writing.then(async () => {
      const sealed = await seal(key, name, text, log);
      if (opened.get(name) === text) write(name, sealed);
    });
  };
  for (const name of secrets) {
    const text = read(name);
    if (text?.startsWith(MARK)) opened.set(name, await unseal(key, name, text, log));
    // Written before there was a vault.
    else if (text !== null) keep(name, text);
  }
  safeStorage.read = (name) => (isSecret(name) ? opened.get(name) ?? null : read(name));
  safeStorage.write = (name, text) => (isSecret(name) ? keep(name, text) : write(name, text));

  // Another tab's secret is opened first; whoever follows it then hears of it as if it had been plain.
  globalThis.addEventListener?.('storage', (event) => {
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
  }, { capture: true });
}

/** From now on these keys live as long as the page, and what the device held of them is gone from it. */
export function keepShortly(optional: readonly string[]): void {
  const { read, write } = safeStorage;
  const held = new Map(optional.map((name) => [name, read(name)]));
  for (const name of optional) write(name, null);
  safeStorage.read = (name) => (held.has(name) ? held.get(name) ?? null : read(name));
  safeStorage.write = (name, text) => { if (held.has(name)) held.set(name, text); else write(name, text); };
}
