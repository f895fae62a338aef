import * as z from 'zod/mini';
import { networkType } from '../../src/bridge/defaults.ts';
import { on } from '../../src/bridge/web.ts';
import { defineHost } from '../../src/bridge/defineHost.ts';
import type { NetworkType, Page, Transport } from '../../src/bridge/hostBridge.ts';
import type { HostProfile } from '../../src/bridge/profile.ts';
import { numbered } from '../../src/bridge/transports.ts';
import { around, frameProfile } from './profile.ts';
import { type FromApp, FromPage, VERSION } from './protocol.ts';

/** The first greeting is repeated after this long, and then ever more rarely: a page may begin to listen late. */
const AGAIN_MS = 250;
const AT_MOST_MS = 5_000;

type Without<M> = M extends unknown ? Omit<M, 'miniApp' | 'session'> : never;
type Listener = Parameters<Transport['listen']>[1];

/** Not randomUUID, which younger browsers have. */
const newSession = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What the page has told of its network; null before it did. */
const networks = new WeakMap<Transport, NetworkType>();

/**
 * Messages with the page around this one. Only the window around is heard, and only from an origin of the partner's row; what
 * does not fit the schema is as if it had not been sent. Each of ours names the origin that may read it.
 */
function transport(win: Page | undefined, { id, hosted }: HostProfile): Transport {
  const page = win?.parent;
  const session = hosted ? newSession() : '';
  const listeners = new Map<string, Set<Listener>>();
  /** The window we talk to: the only one, as soon as it has answered. */
  let origins = around(win);
  let capabilities: ReadonlySet<string> | undefined;
  let welcomed: (() => void) | undefined;

  const post = (message: Without<FromApp>) => {
    for (const origin of origins) page?.postMessage({ miniApp: 1, session, ...message }, origin);
  };
  const { call, reply } = numbered((number, method, args) => post({ type: 'call', id: number, method, args }));
  const tell = (event: string, prevent: () => void = () => undefined) => {
    for (const listener of listeners.get(event) ?? []) listener({ raw: undefined, preventDefault: prevent });
  };

  const tellSize = () => post({ type: 'size', height: Math.ceil(win!.document.documentElement.scrollHeight) });

  const heard = (message: FromPage, from: string) => {
    switch (message.type) {
      case 'welcome':
        if (message.version !== VERSION || capabilities) return;
        capabilities = new Set(message.capabilities);
        origins = [from];
        if (capabilities.has('size')) new ResizeObserver(tellSize).observe(win!.document.documentElement);
        return welcomed?.();
      case 'reply':
        return reply(message.id, message.error ? { error: message.error } : { result: message.result });
      case 'network':
        networks.set(self, networkType(message.networkType));
        return tell('network');
      case 'back': {
        let handled = false;
        tell('back', () => {
          handled = true;
        });
        return post({ type: 'back', id: message.id, handled });
      }
      default:
        return tell(message.type);
    }
  };
  if (hosted)
    on(win, 'message', (event) => {
      const { source, origin: from, data } = event as MessageEvent;
      if (source !== page || !origins.includes(from)) return;
      const read = z.safeParse(FromPage, data);
      if (read.success && read.data.session === session && (capabilities || read.data.type === 'welcome'))
        heard(read.data, from);
    });

  const self: Transport = {
    id,
    hosted,
    present: () => capabilities !== undefined,
    whenPresent: (signal) =>
      new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const greet = (wait: number) => {
          post({ type: 'hello', versions: [VERSION] });
          timer = setTimeout(() => greet(Math.min(wait * 2, AT_MOST_MS)), wait);
        };
        welcomed = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(new Error('Disposed'));
        });
        greet(AGAIN_MS);
      }),
    has: (method) => capabilities?.has(method),
    call,
    listen(event, handler) {
      const all = listeners.get(event) ?? new Set();
      listeners.set(event, all.add(handler));
      return () => void all.delete(handler);
    },
  };
  return self;
}

/** A page that shows the app in a frame and talks to it by messages (PROTOCOL.md): a partner of ours, known by a row. */
export const frame = defineHost({
  profile: frameProfile,
  transport,
  calls: {
    login: { method: 'login' },
    payment: { method: 'pay' },
    share: { method: 'share' },
    address: { method: 'address' },
    close: { method: 'close' },
  },
  network:
    ({ transport: own }) =>
    async () =>
      networks.get(own) ?? null,
  opened({ transport: { hosted }, calls }) {
    // At once, so that the page's capabilities are known before the first tap. Who needs it asks again.
    if (hosted) calls.ready().catch(() => undefined);
  },
});
