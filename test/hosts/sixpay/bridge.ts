import { createCalls, lazyActions } from '../../../src/bridge/call.ts';
import { on, webDefaults, webLink, webSupport } from '../../../src/bridge/defaults.ts';
import type { HostProfile } from '../../../src/bridge/profile.ts';
import type { Feature, HostBridge, Page, Support, Transport } from '../../../src/bridge/hostBridge.ts';
import { profile, sixpayProfile } from './profile.ts';
import './sdk.d.ts';

const METHODS: Partial<Record<Feature, string>> = { login: 'identify', phoneNumber: 'phone', payment: 'pay' };

interface Heard {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** `window.sixpay`, which the app sets when it likes; replies are events with the number of their call. */
export function sixpayTransport(win: Page | undefined): Transport {
  const present = () => typeof win?.sixpay?.send === 'function';
  const waiting = new Map<number, (raw: unknown) => void>();
  on(win, 'sixpayreply', (event) => {
    const { id, ...said } = (event as CustomEvent<Heard>).detail;
    // Kept after its reply, so that a second one is seen.
    waiting.get(id)?.(said);
  });
  return {
    id: 'sixpay',
    hosted: sixpayProfile(win).hosted,
    present,
    whenPresent: (signal) =>
      new Promise((resolve, reject) => {
        const stop = on(win, 'sixpayready', () => {
          if (!present()) return;
          stop();
          resolve();
        });
        signal.addEventListener('abort', () => {
          stop();
          reject(new Error('Disposed'));
        });
      }),
    has: (method) => (present() ? win!.sixpay!.can(method) : undefined),
    call(method, args, reply) {
      const id = waiting.size + 1;
      waiting.set(id, reply);
      win!.sixpay!.send({ id, method, args });
    },
    listen: () => () => undefined,
  };
}

export function createSixpay({
  window: win,
  transport = sixpayTransport(win),
  profile: own = sixpayProfile(win),
}: {
  readonly window: Page | undefined;
  readonly transport?: Transport;
  readonly profile?: HostProfile;
}): HostBridge {
  const calls = createCalls(transport);
  const base = webDefaults(win, transport, calls);
  const supports = (feature: Feature): Support => {
    const method = METHODS[feature];
    if (!method) return webSupport(win, feature);
    if (!transport.hosted) return { state: 'unavailable', because: 'outside-host' };
    const has = calls.isThere() ? transport.has(method) : undefined;
    if (has === undefined) return { state: 'unknown' };
    return has ? { state: 'available', via: 'host' } : { state: 'unavailable', because: 'host-version' };
  };
  return {
    ...own,
    ...base,
    launch: own.launch,
    ...lazyActions(calls, supports, async () => (await import('./actions.ts')).sixpayActions(win, calls, base)),
    supports,
    link: (path) => webLink(win, path),
  };
}

export const bridge: HostBridge = createSixpay({ window: globalThis.window, profile });
