import { flushSync } from 'react-dom';
import type { createStore } from 'jotai';
import type { Root } from 'react-dom/client';
import { afterAll, afterEach, vi } from 'vitest';
import type { Country } from '../../country/shape.ts';
import type { Api } from '../../src/api/api.ts';
import type { FakeOptions } from '../../hosts/imitated/phone.ts';
import { forgetModules, REMEMBERS_NOTHING } from '../kit/forget.ts';
import { closedPages } from './closedPages.ts';

const roots = vi.hoisted(() => [] as Root[]);
// Only to take a page away again, as closing it does.
vi.mock('react-dom/client', async (original) => {
  const client = await original<typeof import('react-dom/client')>();
  return {
    ...client,
    createRoot: (...given: Parameters<typeof client.createRoot>) => {
      const root = client.createRoot(...given);
      roots.push(root);
      return root;
    },
  };
});

const stores = vi.hoisted(() => [] as ReturnType<typeof createStore>[]);
// The same for what a page knows.
vi.mock('jotai', async (original) => {
  const jotai = await original<typeof import('jotai')>();
  return {
    ...jotai,
    createStore: () => {
      const store = jotai.createStore();
      stores.push(store);
      return store;
    },
  };
});

const NOBODY_ASKS = new Proxy({} as Api, { get: () => () => new Promise(() => {}) });
/** What stops each page that is open. */
const stops: (() => void)[] = [];
const closeAll = () => {
  closedPages.count += 1;
  for (const stop of stops.splice(0)) stop();
  for (const root of roots.splice(0)) flushSync(() => root.unmount());
};
/** Closes the page that is open: it draws nothing, asks nobody and keeps nothing any more. */
export async function closePage(): Promise<void> {
  closeAll();
  await new Promise((done) => {
    setTimeout(done);
  });
  await (window as unknown as { happyDOM: { abort(): Promise<void> } }).happyDOM.abort();
}
// Nothing of a page is drawn, and nobody is asked, once its document is gone.
afterAll(closePage);
/** A device that has not been here, for what a test puts into its memory before it opens a page (`keep`). */
export async function newDevice(): Promise<void> {
  await closePage();
  localStorage.clear();
}

/**
 * A closed page hears no answer any more, as in a browser: it would go on with what it was at, and write it into the storage
 * of the page after it.
 */
function unlessClosed<Given extends unknown[], R>(work: (...given: Given) => Promise<R>) {
  return async function (this: unknown, ...given: Given): Promise<R> {
    const page = closedPages.count;
    const answer = work.apply(this ?? globalThis, given);
    await Promise.allSettled([answer]);
    return page === closedPages.count ? await answer : await new Promise<never>(() => {});
  };
}
globalThis.fetch = unlessClosed(globalThis.fetch);
for (const name of ['json', 'text', 'arrayBuffer'] as const)
  Object.assign(Response.prototype, { [name]: unlessClosed(Response.prototype[name] as () => Promise<unknown>) });

/** Texts that React keeps hold of as nodes of their own: a translated page has others in their place (src/ui/jsx.ts). */
const loose: Text[] = [];
const createText = document.createTextNode.bind(document);
document.createTextNode = (data) => {
  const text = createText(data);
  loose.push(text);
  return text;
};
afterEach(() => {
  const found = loose
    .splice(0)
    .filter((node) => Object.keys(node).some((key) => key.startsWith('__reactFiber')))
    .map(({ data, parentElement }) => `'${data}' in ${parentElement?.outerHTML.slice(0, 300)}`);
  if (found.length > 0) throw new Error(`Texts without an element of their own: ${found.join('\n')}`);
});

/** Happy-dom leaves the document on back(), for whatever address it had before; inside one document a browser goes back by one entry. */
const entries: { readonly state: unknown; readonly href: string }[] = [];
const pushNow = history.pushState.bind(history);
history.pushState = (...entry) => {
  entries.push({ state: history.state as unknown, href: location.href });
  pushNow(...entry);
};
history.back = () => {
  const last = entries.pop();
  if (!last) return;
  const page = closedPages.count;
  setTimeout(() => {
    // A page that is closed meanwhile goes nowhere.
    if (page !== closedPages.count) return;
    history.replaceState(last.state, '', last.href);
    window.dispatchEvent(new PopStateEvent('popstate', { state: last.state }));
  });
};

/** The real app of one bundle, started in this document over a real server. */
export interface AppPage {
  /** Text of the page with runs of white space as one. */
  text(): string;
  /** Waits for an element by role and accessible name (aria-label, label or text), and answers it. */
  find(role: Role, name: string | RegExp): Promise<HTMLElement>;
  /** Waits until there is none. */
  gone(role: Role, name: string | RegExp): Promise<void>;
  /** The same without waiting; null when it is not there. */
  get(role: Role, name: string | RegExp): HTMLElement | null;
  press(role: Role, name: string | RegExp): Promise<void>;
  type(name: string | RegExp, text: string): Promise<void>;
  sees(text: string | RegExp): Promise<void>;
  /** Follows a link to a path of the app; happy-dom resolves the page's own links without its <base>. */
  go(path: string): void;
  /** Own path of the page. */
  path(): string;
}
type Role =
  | 'button'
  | 'link'
  | 'checkbox'
  | 'radio'
  | 'img'
  | 'searchbox'
  | 'listitem'
  | 'navigation'
  | 'heading'
  | 'group'
  | 'region';

const SELECTORS: Readonly<Record<Role, string>> = {
  button: 'button,a[href][class]',
  link: 'a[href]',
  checkbox: 'input[type=checkbox]',
  radio: 'input[type=radio]',
  img: '[role=img],img:not([alt=""])',
  searchbox: 'input[type=search]',
  listitem: 'li',
  navigation: 'nav',
  heading: 'h1,h2,h3',
  group: '[role=group],fieldset',
  region: 'section[aria-label]',
};
const flat = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
/** As a screen reader would hear it: the label, else the text that is not hidden from it. */
function nameOf(element: Element): string {
  const label = element.getAttribute('aria-label') ?? element.getAttribute('alt');
  if (label !== null) return flat(label);
  const said = (element as HTMLInputElement).labels?.[0] ?? element.closest('label') ?? element;
  if (!said.querySelector('[aria-hidden="true"]')) return flat(said.textContent);
  const copy = said.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return flat(copy.textContent);
}
const fits = (name: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name);

const NOT_YET = new Error('not yet');
/**
 * Waits until `look` answers something. What is `missing` is worked out once, when the wait has ended in vain: the text of a
 * whole page at each look took a tenth of these tests' time.
 */
async function until<Found>(look: () => Found | null | undefined | false, missing: () => string): Promise<Found> {
  try {
    return await vi.waitFor(() => {
      const found = look();
      if (!found) throw NOT_YET;
      return found;
    });
  } catch (error) {
    throw error === NOT_YET ? new Error(missing()) : error;
  }
}

/** Too narrow for a cart beside the menu. */
const TABLET_PX = 1000;

const MOUNTS = { browser: '', frame: '/frame/sample', gpay: '/gpay', paytm: '/paytm' };

/** What an imitated payment app has put over the window's own, and where. */
const over: { readonly place: object; readonly name: PropertyKey; readonly own: PropertyDescriptor | undefined }[] = [];
/** Takes the payment app of an earlier page away again, but nothing that a test has put there since. */
function leaveApp(page: Window & typeof globalThis): void {
  for (const { place, name, own } of over.splice(0)) {
    const now = Object.getOwnPropertyDescriptor(place, name);
    if (now?.get === own?.get && now?.value === own?.value) Reflect.deleteProperty(place, name);
  }
  Object.defineProperty(page, 'parent', { configurable: true, value: page });
}
/** What is new on these objects once `enter` has run is of the app that it imitates. */
function enterApp(page: Window & typeof globalThis, enter: () => void): void {
  const places: readonly object[] = [page, page.navigator, page.document];
  const before = places.map((place) => new Set(Reflect.ownKeys(place)));
  const fetchNow = page.fetch;
  enter();
  page.fetch = fetchNow;
  for (const [at, place] of places.entries())
    for (const name of Reflect.ownKeys(place))
      if (!before[at]!.has(name)) over.push({ place, name, own: Object.getOwnPropertyDescriptor(place, name) });
}

/** Does something with a list that grows by the address of every call meanwhile. */
export async function notingCalls(during: (asked: string[]) => Promise<void>): Promise<void> {
  const real = globalThis.fetch;
  const asked: string[] = [];
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    asked.push(given[0] instanceof Request ? given[0].url : String(given[0]));
    return await real(...given);
  };
  try {
    await during(asked);
  } finally {
    globalThis.fetch = real;
  }
}

/**
 * Amounts that live regions say, each text as a screen reader hears it: by a region that was there before its text was.
 * What one hears ends with `end`.
 */
export function hearingAmounts(): { readonly said: string[]; readonly end: () => void } {
  const said: string[] = [];
  const ear = new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    const regions = new Set(
      records.map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest('[role=status],[aria-live=polite]'),
      ),
    );
    for (const region of regions)
      if (region && /₹/.test(region.textContent) && !added.some((one) => one.contains(region)))
        said.push(flat(region.textContent));
  });
  ear.observe(document.body, { subtree: true, childList: true, characterData: true });
  return { said, end: () => ear.disconnect() };
}

/**
 * Opens `path` of a bundle on the server at `url`. An earlier page is closed first; `keep` leaves the device its memory, so that this is a reload.
 * `inside` opens it within the imitated payment app; else such a bundle stands in a plain tab. `config` is what a country has of its own.
 */
export async function openPage(
  url: string,
  path: string,
  {
    country = 'in',
    host = 'browser',
    keep = false,
    width = TABLET_PX,
    inside,
    config = {},
  }: {
    country?: string;
    config?: Partial<Country>;
    host?: keyof typeof MOUNTS;
    keep?: boolean;
    width?: number;
    inside?: Omit<FakeOptions, 'window'>;
  } = {},
): Promise<AppPage> {
  const mount = `/${country}${MOUNTS[host]}`;
  const { happyDOM } = window as unknown as {
    happyDOM: {
      setURL(url: string): void;
      setViewport(size: { width: number }): void;
      settings: { navigation: Record<string, boolean>; fetch: { interceptor: unknown } };
    };
  };
  happyDOM.setViewport({ width });
  // The imitated cache takes an answer that has an ETag for fresh for ever; a browser asks again.
  happyDOM.settings.fetch.interceptor = {
    beforeAsyncRequest: async ({ request }: { request: Request }) => request.headers.set('Cache-Control', 'no-cache'),
  };
  // A bank's page would take this document's place.
  Object.assign(happyDOM.settings.navigation, { disableMainFrameNavigation: true, disableFallbackToSetURL: true });
  closeAll();
  if (!keep) localStorage.clear();
  // What a closed page takes with it: everything in its modules, but for those that remember nothing.
  forgetModules(REMEMBERS_NOTHING);
  // Written into a bundle when it is built (vitest.config.ts).
  Object.assign(globalThis, { isFullMode: host === 'browser' });
  const { countryConfig } = await import('../../country/index.ts');
  const { createBrowser } = await import('../../hosts/browser/bridge.ts');
  const { browserProfile } = await import('../../hosts/browser/profile.ts');
  const { createFrame } = await import('../../hosts/frame/bridge.ts');
  const { createFrameFake } = await import('../../hosts/frame/fake.ts');
  const { frameProfile } = await import('../../hosts/frame/profile.ts');
  const { createGpay } = await import('../../hosts/gpay/bridge.ts');
  const { createGpayFake } = await import('../../hosts/gpay/fake.ts');
  const { gpayProfile } = await import('../../hosts/gpay/profile.ts');
  const { createPaytm } = await import('../../hosts/paytm/bridge.ts');
  const { createPaytmFake } = await import('../../hosts/paytm/fake.ts');
  const { paytmProfile } = await import('../../hosts/paytm/profile.ts');
  const { start } = await import('../../src/shell/first/start.tsx');
  const { safeStorage } = await import('../../src/state/first/lib/kept.ts');
  const { apiAtom, navigateAtom } = await import('../../src/state/first/seams.ts');
  entries.length = 0;
  happyDOM.setURL(`${url}${mount}${path}`);
  history.replaceState(null, '', location.href);
  document.head.innerHTML = `<base href="${url}${mount}/">`;
  document.body.innerHTML = '<div id="app"></div><script type="application/json" id="boot">{"path":null}</script>';
  const root = document.getElementById('app') as HTMLElement;
  const page = window;
  // An earlier page may have had one around it.
  leaveApp(page);
  if (host === 'frame') createFrameFake({ window: page });
  if (inside && host === 'gpay') enterApp(page, () => createGpayFake({ ...inside, window: page }));
  if (inside && host === 'paytm') enterApp(page, () => createPaytmFake({ ...inside, window: page }));
  const profile = { browser: browserProfile, frame: frameProfile, gpay: gpayProfile, paytm: paytmProfile }[host](page);
  const bridge = async () =>
    ({ browser: createBrowser, frame: createFrame, gpay: createGpay, paytm: createPaytm })[host]({ window: page });
  // An answer to the page before may have come meanwhile, and is of no device of this one.
  if (!keep) localStorage.clear();
  stores.length = 0;
  // A closed page moves nobody, asks for nothing and keeps nothing, as in a browser: its timers go on here, and would renew
  // the session of whoever had it, in the storage of the page after it.
  stops.push(() => {
    safeStorage.write = () => {};
    for (const store of stores) {
      store.set(navigateAtom, { go: () => {} });
      store.set(apiAtom, NOBODY_ASKS);
    }
  });
  await start(root, {
    profile,
    bridge,
    country: { ...countryConfig(country), ...config },
    later: async () => ({
      ...(host === 'browser'
        ? await import('../../src/shell/routes.full.ts')
        : await import('../../src/shell/routes.ts')),
      country: { ...countryConfig(country), ...config },
    }),
  });
  const get = (role: Role, name: string | RegExp) =>
    [...document.querySelectorAll<HTMLElement>(SELECTORS[role])].find((element) => fits(nameOf(element), name)) ?? null;
  const find = (role: Role, name: string | RegExp) =>
    until(
      () => get(role, name),
      () => `No ${role} '${name}' on the page: ${flat(root.textContent).slice(0, 1500)}`,
    );
  return {
    text: () => flat(document.body.textContent),
    get,
    find,
    gone: async (role, name) => {
      await until(
        () => !get(role, name),
        () => `${role} '${name}' is still there`,
      );
    },
    go: (to) => {
      const link = document.body.appendChild(document.createElement('a'));
      link.href = url + mount + to;
      link.click();
      link.remove();
    },
    press: async (role, name) => {
      (await find(role, name)).click();
    },
    type: async (name, text) => {
      const box = await until(
        () =>
          [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input,textarea')].find((element) =>
            fits(nameOf(element), name),
          ),
        () => `No box '${name}' on the page: ${flat(root.textContent).slice(0, 1500)}`,
      );
      // React listens to the setter of the element, so the prototype's own has to be called.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box) as object, 'value')?.set?.call(box, text);
      box.dispatchEvent(new Event('input', { bubbles: true }));
    },
    sees: async (text) => {
      const all = () => flat(document.body.textContent);
      await until(
        () => (typeof text === 'string' ? all().includes(text) : text.test(all())),
        () => `'${text}' is not on the page: ${all().slice(0, 2500)}`,
      );
    },
    path: () => location.href.slice(`${url}${mount}`.length),
  };
}

/** The page that `walkTo` opened last. */
let walked: { readonly at: string; readonly page: AppPage; readonly closed: number } | undefined;
/** The same page at another address, as a link leads there; the first one of a bundle, or after another page, is opened. */
export async function walkTo(
  url: string,
  path: string,
  options: Pick<NonNullable<Parameters<typeof openPage>[2]>, 'country' | 'host'> = {},
): Promise<AppPage> {
  const { country = 'in', host = 'browser' } = options;
  const at = `${url}/${country}${MOUNTS[host]}`;
  if (walked?.at === at && walked.closed === closedPages.count) history.pushState(null, '', at + path);
  else {
    const page = await openPage(url, path, options);
    walked = { at, page, closed: closedPages.count };
  }
  return walked.page;
}
