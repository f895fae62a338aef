import { on } from './web.ts';
import type { Page, Transport, Unsubscribe } from './hostBridge.ts';
import type { HostProfile } from './profile.ts';

/** Some hosts set their global without an event, or after the script that should have set it: it is looked for this often. */
const LOOK_MS = 250;

/** Resolves when `present` says so: looked for at each event that `listen` reports, and four times a second. Rejects when the signal aborts. */
function whenPresent(
  present: () => boolean,
  signal: AbortSignal,
  listen?: (look: () => void) => Unsubscribe,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearInterval(timer);
      forget?.();
    };
    const look = () => {
      if (!present()) return;
      stop();
      resolve();
    };
    const timer = setInterval(look, LOOK_MS);
    const forget = listen?.(look);
    signal.addEventListener('abort', () => {
      stop();
      reject(new Error('Disposed'));
    });
    look();
  });
}

interface SdkOptions {
  /** Address of the script. */
  readonly src: string;
  /** The object that it leaves on the window; its functions return promises. */
  readonly sdk: () => object | undefined;
}

/**
 * A host that is a script: it is fetched on the first call, and only inside the host. A reply is `{ value }` or, where the
 * script's promise was rejected, `{ error }`.
 */
export function scriptTransport(
  win: Page | undefined,
  { id, hosted }: Pick<HostProfile, 'id' | 'hosted'>,
  { src, sdk }: SdkOptions,
): Transport {
  const methods = () => sdk() as Record<string, (args?: unknown) => unknown> | undefined;
  const present = () => Boolean(sdk());
  return {
    id,
    hosted,
    present,
    async whenPresent(signal) {
      if (present()) return;
      await new Promise((resolve, reject) => {
        const script = win!.document.createElement('script');
        script.async = true;
        script.src = src;
        script.onload = resolve;
        script.onerror = () => {
          // Without its element a later call fetches it again.
          script.remove();
          reject(new Error('The script did not load'));
        };
        signal.addEventListener('abort', () => reject(new Error('Disposed')));
        win!.document.head.append(script);
      });
      await whenPresent(present, signal);
    },
    has: (method) => (present() ? typeof methods()![method] === 'function' : undefined),
    call(method, args, reply) {
      Promise.resolve(methods()![method]!(Object.keys(args).length ? args : undefined)).then(
        (value) => reply({ value }),
        (error: unknown) => reply({ error: error ?? 'rejected' }),
      );
    },
    listen: () => () => undefined,
  };
}

interface InjectedOptions {
  readonly present: () => boolean;
  /** The event that tells of it, `'ready'` on the window or the document; it may have come before, or never come. */
  readonly ready: readonly [target: EventTarget | undefined, name: string];
  /** A promise that it returns is an answer, too: some containers no longer call the callback. */
  readonly call: (...asked: Parameters<Transport['call']>) => unknown;
  /** Left out: the host cannot be asked which calls it has. */
  readonly has?: (method: string) => boolean;
  readonly listen?: Transport['listen'];
}

/** A bridge that the host puts into the page by itself, at a moment of its own. */
export function injectedTransport(
  { id, hosted }: Pick<HostProfile, 'id' | 'hosted'>,
  { present, ready: [target, name], call, has, listen = () => () => undefined }: InjectedOptions,
): Transport {
  return {
    id,
    hosted,
    present,
    whenPresent: (signal) => whenPresent(present, signal, (look) => on(target, name, look)),
    has: (method) => (has && present() ? has(method) : undefined),
    call(method, args, reply) {
      const said = call(method, args, reply) as PromiseLike<unknown> | undefined;
      if (typeof said?.then !== 'function') return;
      said.then(
        (raw) => raw !== undefined && reply(raw),
        () => undefined,
      );
    },
    listen,
  };
}

/**
 * For hosts that answer by a message: gives each call a number, and finds the call of each reply. `send` posts the call;
 * `reply` is to be called with the number and the rest of what was answered.
 */
export function numbered(send: (id: number, method: string, args: Readonly<Record<string, unknown>>) => void) {
  const waiting = new Map<number, (raw: unknown) => void>();
  return {
    call(method, args, reply) {
      const id = waiting.size + 1;
      waiting.set(id, reply);
      send(id, method, args);
    },
    // Kept after its reply, so that a second one is seen.
    reply: (id: number, raw: unknown) => waiting.get(id)?.(raw),
  } satisfies { call: Transport['call']; reply: (id: number, raw: unknown) => void };
}
