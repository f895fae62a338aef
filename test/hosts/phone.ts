import type { Page } from '../../src/bridge/hostBridge.ts';

interface Meta {
  readonly tag: string;
  name?: string;
  content?: string;
  src?: string;
  onload?: () => void;
  onerror?: () => void;
  remove(): void;
}

export interface PhoneOptions {
  readonly url?: string;
  readonly userAgent?: string;
  /** Origin of the frame around the page; null: the page is on top. */
  readonly parent?: string | null;
  /** The browser does not tell its ancestors. */
  readonly hideAncestors?: boolean;
  readonly referrer?: string;
  readonly settings?: Record<string, string>;
  readonly storage?: Storage;
}

/** Storage with the browser's own calls, kept between two phones to play a reload. */
export function makeStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    key: (at: number) => [...values.keys()][at] ?? null,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, String(value)),
    removeItem: (key: string) => void values.delete(key),
  };
}

/** A window as small as the bridges need it: frames, history with asynchronous back, settings, storage. */
export function makePhone(options: PhoneOptions = {}) {
  const {
    url = 'https://pizza.example/in/gpay/',
    userAgent = 'Mozilla/5.0 (Linux; Android 14) Mobile',
    parent = null,
  } = options;
  const location = new URL(url);
  const assigned: string[] = [];
  const elements: Meta[] = Object.entries(options.settings ?? {}).map(([name, content]) => ({
    tag: 'meta',
    name,
    content,
    remove() {},
  }));
  const document = Object.assign(new EventTarget(), {
    hidden: false,
    title: 'Pizza at your door',
    referrer: options.referrer ?? (parent ? `${parent}/` : ''),
    baseURI: url,
    head: {
      append(element: Meta) {
        elements.push(element);
      },
    },
    createElement: (tag: string): Meta => {
      const element: Meta = { tag, remove: () => void elements.splice(elements.indexOf(element), 1) };
      return element;
    },
    querySelector(selector: string) {
      const name = /^meta\[name="(.+)"\]$/.exec(selector)?.[1];
      return elements.find((element) => (name ? element.name === name : element.tag === selector)) ?? null;
    },
  });
  const entries: { state: unknown }[] = [{ state: { page: 'before' } }, { state: { page: 'home' } }];
  let at = 1;
  const window = new EventTarget() as unknown as Page;
  const history = {
    get state() {
      return entries[at]!.state;
    },
    get length() {
      return entries.length;
    },
    pushState(state: unknown) {
      entries.splice(++at, entries.length, { state });
    },
    back() {
      setTimeout(() => {
        if (at === 0) return;
        at--;
        window.dispatchEvent(Object.assign(new Event('popstate'), { state: entries[at]!.state }));
      });
    },
  };
  const posted: unknown[] = [];
  const sessionStorage = makeStorage();
  const frame = { postMessage: (message: unknown) => void posted.push(message) };
  Object.assign(window, {
    document,
    history,
    isSecureContext: true,
    localStorage: options.storage ?? makeStorage(),
    sessionStorage,
    navigator: {
      userAgent,
      onLine: true,
      clipboard: { writeText: async (text: string) => void assigned.push(`clipboard:${text}`) },
    },
    location: {
      href: location.href,
      origin: location.origin,
      pathname: location.pathname,
      search: location.search,
      assign: (to: string) => void assigned.push(to),
      ...(options.hideAncestors ? {} : { ancestorOrigins: parent ? [parent] : [] }),
    },
    parent: parent ? frame : window,
  });
  return { window, assigned, posted, frame, history, entries, elements, depth: () => at };
}
