/**
 * The service worker. It keeps pages, scripts and the last menu, so that the app can be read without a network. Of the API it
 * keeps only menus, which are the same for everybody; never a reply that belongs to a customer. The server can switch it off
 * by answering /sw.js with a worker that removes itself.
 */
import { timeoutSignal } from '../../src/domain/sleep.ts';
import { trimmedEnd } from '../../src/domain/trimmedEnd.ts';

/** Filled in by the build (src/build/bundle.ts); file names are relative to the mount point. */
declare const VERSION: string;
declare const FIRST: readonly string[];
declare const LATER: readonly string[];
/** First path segments of the bundles that are mounted below this one. */
declare const BELOW: readonly string[];
/** For a notice without a text. */
declare const NEWS: { readonly title: string; readonly body: string };

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}
interface Pushed extends Extendable {
  readonly data: { json(): unknown } | null;
}
interface Tapped extends Extendable {
  readonly notification: { readonly data: unknown; close(): void };
}
interface Worker {
  readonly registration: {
    readonly scope: string;
    readonly installing: unknown;
    readonly waiting: unknown;
    showNotification(title: string, options: object): Promise<void>;
  };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly navigator: { readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string } };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'push', listener: (event: Pushed) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Tapped) => void): void;
  addEventListener(type: 'message', listener: (event: Extendable & { readonly data: unknown }) => void): void;
}
const worker = self as unknown as Worker;

const NETWORK_DEADLINE_MS = 4_000;
const mount = new URL(worker.registration.scope).pathname;
/** Caches are shared by all bundles of an origin (countries, languages), so the mount is in their names. */
const OWN_PAGES = `pages ${mount} `;
const PAGES = OWN_PAGES + VERSION;
const ASSETS = `assets ${mount}`;
/** The words of a menu are its language's, and so the bundle's. */
const MENUS = `menus ${mount}`;
const MENUS_KEPT = 8;
const MENU_PATH = /\/content\/ve1\/stores\/[^/]+\/(?:menu|toppings)$/;

const HANGS_MS = 20_000;
/** Since when each file is asked for that is not there yet. */
const asked = new Map<string, number>();
const assets = new Set([...FIRST, ...LATER]);

function pageFor(path: string): string {
  const inside = trimmedEnd(`/${path.slice(mount.length)}`, /\//);
  if (inside === '' || inside === '/home' || inside === '/landing') return 'index.html';
  return inside === '/menu' ? 'menu.html' : 'app.html';
}

/** Files with a hash in their name never change: what was fetched once stays right. */
async function asset(name: string): Promise<Response> {
  const cache = await caches.open(ASSETS);
  const held = await cache.match(mount + name);
  if (held) return held;
  // The browser joins whoever asks for a file to the request that is under way for it, and one that hangs outlives its
  // page here. Past the browser's own cache a request goes out anew.
  const now = Date.now();
  const since = asked.get(name) ?? now;
  const hangs = now - since > HANGS_MS;
  asked.set(name, hangs ? now : since);
  try {
    const fresh = await fetch(mount + name, hangs ? { cache: 'reload' } : {});
    if (fresh.ok) await cache.put(mount + name, fresh.clone());
    return fresh;
  } finally {
    asked.delete(name);
  }
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: timeoutSignal(NETWORK_DEADLINE_MS) });
  } catch (error) {
    const held = await (await caches.open(PAGES)).match(mount + pageFor(new URL(request.url).pathname));
    if (held) return held;
    throw error;
  }
}

async function menu(request: Request): Promise<Response> {
  const cache = await caches.open(MENUS);
  // `have` is the version that the page has. Without a network the page needs the whole menu, so `have` is not part of the key.
  const key = new URL(request.url);
  const conditional = key.searchParams.has('have');
  key.search = '';
  try {
    const fresh = await fetch(request, { signal: timeoutSignal(NETWORK_DEADLINE_MS) });
    if (fresh.ok && !conditional) {
      await cache.put(key.href, fresh.clone());
      const held = await cache.keys();
      await Promise.all(held.slice(0, Math.max(0, held.length - MENUS_KEPT)).map((old) => cache.delete(old)));
    }
    return fresh;
  } catch (error) {
    const held = await cache.match(key.href);
    if (held) return held;
    throw error;
  }
}

async function install(): Promise<void> {
  const pages = await caches.open(PAGES);
  await Promise.all([
    ...FIRST.map(asset),
    ...['index.html', 'menu.html', 'app.html'].map((name) => pages.add(new Request(mount + name, { cache: 'reload' }))),
  ]);
}

async function activate(): Promise<void> {
  // One for all languages, as workers of before kept it.
  await caches.delete('menus');
  for (const name of await caches.keys()) if (name.startsWith(OWN_PAGES) && name !== PAGES) await caches.delete(name);
  const cache = await caches.open(ASSETS);
  for (const held of await cache.keys()) {
    if (!assets.has(new URL(held.url).pathname.slice(mount.length))) await cache.delete(held);
  }
  await worker.clients.claim();
}

/** As src/shell/loading/slowly.ts: the customer wants less data, or the line is like 2G. */
function isSlow(): boolean {
  const { saveData, effectiveType } = worker.navigator.connection ?? {};
  return saveData === true || effectiveType?.endsWith('2g') === true;
}

/**
 * Later screens too, so that a cart opens in a tunnel; but never on a slow line. A page asks for it
 * when the worker is active: until then the browser holds back whatever its pages ask for. It ends where a newer version
 * has come, which keeps files of its own: that one could not take over before this worker has nothing left to do.
 */
async function keepLater(): Promise<void> {
  const { registration } = worker;
  for (const name of LATER) {
    if (isSlow() || registration.installing !== null || registration.waiting !== null) return;
    await asset(name);
  }
}

/** Browsers withdraw the permission from a worker that gets a push and shows no notification. */
async function showNews(event: Pushed): Promise<void> {
  let said: { title?: unknown; body?: unknown; tag?: unknown; path?: unknown } = {};
  try {
    said = event.data?.json() ?? {};
  } catch {
    // Not a message of ours: a general sentence is shown.
  }
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
  await worker.registration.showNotification(text(said.title, NEWS.title), {
    body: text(said.body, NEWS.body),
    tag: text(said.tag, 'order'),
    renotify: true,
    icon: `${mount}icon-192.png`,
    data: { path: text(said.path, mount) },
  });
}

/** Opens the order in a page of this app that is open already, or in a new one. */
async function openNews({ notification }: Tapped): Promise<void> {
  notification.close();
  const path = String((notification.data as { path?: unknown } | null)?.path ?? mount);
  const url = new URL(path.startsWith(mount) ? path : mount, location.origin).href;
  const open = (await worker.clients.matchAll({ type: 'window' })).find((one) =>
    new URL(one.url).pathname.startsWith(mount),
  );
  if (!open) return void (await worker.clients.openWindow(url));
  await open.focus();
  await open.navigate(url).catch(() => worker.clients.openWindow(url));
}

worker.addEventListener('push', (event) => event.waitUntil(showNews(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(openNews(event)));
worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('message', (event) => {
  const wish = (event.data as { type?: unknown } | null)?.type;
  if (wish === 'skip-waiting') event.waitUntil(worker.skipWaiting());
  if (wish === 'keep-later') event.waitUntil(keepLater());
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  const inside = url.pathname.startsWith(mount) ? url.pathname.slice(mount.length) : null;
  // Other bundles are mounted below this one (other hosts, other languages); this worker leaves them alone.
  if (inside !== null && BELOW.includes(inside.split('/')[0] ?? '')) return;
  if (inside !== null && request.mode === 'navigate') event.respondWith(page(request));
  else if (inside !== null && assets.has(inside)) event.respondWith(asset(inside));
  else if (MENU_PATH.test(url.pathname)) event.respondWith(menu(request));
});
