import type * as z from 'zod/mini';
import type { ANSWERS, Ask, ASKS, FromApp, FromPage } from './protocol.ts';

// For the page around the app, which loads it by one line of HTML (PROTOCOL.md). It takes nothing but types from the app.

/** What the page answers; whatever is left out, the app does without. A function may return a promise; what it throws is a refusal. */
type Answers = {
  readonly [A in Ask]?: (
    asked: z.output<(typeof ASKS)[A]>,
  ) => z.input<(typeof ANSWERS)[A]> | Promise<z.input<(typeof ANSWERS)[A]>>;
};
export interface Page extends Answers {
  /** The app's page is this high, in CSS pixels. */
  readonly size?: (height: number) => void;
  /** The app is there, after its start and after each of its reloads. */
  readonly ready?: (app: App) => void;
}

/** What the page can tell the app. */
export interface App {
  readonly frame: HTMLIFrameElement;
  /** The phone's back button was pressed: whether the app had something open to close. If not, go on as you would without it. */
  back(): Promise<boolean>;
  /** wifi, 2g, 3g, 4g, 5g, cellular, ethernet, none. */
  network(networkType: string): void;
  pause(): void;
  resume(): void;
}

type Without<M> = M extends unknown ? Omit<M, 'miniApp' | 'session'> : never;

const script = document.currentScript as HTMLScriptElement;
const { host = '', path = '' } = script.dataset;
/** Where the script is, the app is. */
const home = new URL('.', script.src);
const BACK_MS = 500;
const NAMES: readonly string[] = ['login', 'pay', 'share', 'address', 'close', 'size'];

const frame = document.createElement('iframe');
// Not resolved as an address of its own, which could be another's.
frame.src = home.href + path.replace(/^\/+/, '');
frame.title = script.title || 'Pizza';
frame.allow = 'geolocation; clipboard-write; microphone';
// The app compares it with the partner's row, also where this page is silent about itself.
frame.referrerPolicy = 'origin';
frame.style.cssText = 'border:0;width:100%;height:100%';

let session = '';
let backs = 0;
const waiting = new Map<number, (handled: boolean) => void>();
const page = (): Page => (window as unknown as Record<string, Page | undefined>)[host] ?? {};
const post = (message: Without<FromPage>) =>
  frame.contentWindow?.postMessage({ miniApp: 1, session, ...message }, home.origin);

const app: App = {
  frame,
  back: () =>
    new Promise((resolve) => {
      const id = ++backs;
      waiting.set(id, resolve);
      setTimeout(resolve, BACK_MS, false);
      post({ type: 'back', id });
    }),
  network: (networkType) => post({ type: 'network', networkType }),
  pause: () => post({ type: 'pause' }),
  resume: () => post({ type: 'resume' }),
};

const answer = async (id: number, method: Ask, args: unknown) => {
  try {
    if (!NAMES.includes(method)) throw { code: 'UNSUPPORTED', message: method };
    post({ type: 'reply', id, result: await (page()[method] as (asked: unknown) => unknown)(args) });
  } catch (thrown) {
    const { code, message } = Object(thrown) as { code?: unknown; message?: unknown };
    const error = { code: String(code || 'FAILED'), message: String(message) };
    post({ type: 'reply', id, result: null, error });
  }
};

addEventListener('message', ({ source, origin, data }: MessageEvent<FromApp | null>) => {
  if (source !== frame.contentWindow || origin !== home.origin || data?.miniApp !== 1) return;
  if (data.type === 'hello') {
    // Asked again until there is somebody to answer.
    if (host && !(host in window)) return;
    session = data.session;
    post({ type: 'welcome', version: 1, capabilities: NAMES.filter((name) => name in page()) });
    page().ready?.(app);
  }
  if (data.session !== session) return;
  if (data.type === 'call') void answer(data.id, data.method as Ask, data.args);
  if (data.type === 'back') waiting.get(data.id)?.(data.handled);
  if (data.type === 'size') page().size?.(data.height);
});
script.after(frame);
