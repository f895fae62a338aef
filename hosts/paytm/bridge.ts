import { createCalls, lazyActions, NETWORK_TIMEOUT_MS } from '../../src/bridge/call.ts';
import { networkType, on, webDefaults, webLink, webSupport } from '../../src/bridge/defaults.ts';
import { setting, type HostProfile } from '../../src/bridge/profile.ts';
import type {
  CallOptions,
  Feature,
  HostBridge,
  NetworkType,
  Page,
  Support,
  Transport,
} from '../../src/bridge/hostBridge.ts';
import type { HostError } from '../../src/bridge/hostError.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { profile, paytmProfile } from './profile.ts';
import './sdk.d.ts';

/** Not published by the vendor: to be changed here once it is confirmed. */
const NETWORK_METHOD = 'paytmNetworkType';

/** `window.JSBridge`, which the app may set at any time; the user agent does not prove that it will. */
export function paytmTransport(win: Page | undefined): Transport {
  const present = () => typeof win?.JSBridge?.call === 'function';
  return {
    id: 'paytm',
    hosted: paytmProfile(win).hosted,
    present,
    whenPresent: (signal) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!present()) return;
          stop();
          resolve();
        };
        const stop = on(win!.document, 'JSBridgeReady', check);
        signal.addEventListener('abort', () => {
          stop();
          reject(new Error('Disposed'));
        });
        check();
      }),
    has: () => undefined,
    call: (method, args, reply) => win!.JSBridge!.call(method, args, reply),
    listen: (event, handler) =>
      on(win?.document, event, (raw) => handler({ raw, preventDefault: () => raw.preventDefault() })),
  };
}

export function createPaytm({
  window: win,
  transport = paytmTransport(win),
  profile: own = paytmProfile(win),
}: {
  readonly window: Page | undefined;
  readonly transport?: Transport;
  readonly profile?: HostProfile;
}): HostBridge {
  const calls = createCalls(transport);
  const refused = new Map<Feature, Support>();

  let silent = false;
  let heard = false;
  const askNetwork = async ({ signal, timeoutMs = NETWORK_TIMEOUT_MS }: CallOptions): Promise<NetworkType | null> => {
    if (silent || !calls.isThere()) return null;
    try {
      const said = Object(unwrap(await calls.ask('network.type', NETWORK_METHOD, {}, { signal, timeoutMs }))) as Record<
        string,
        unknown
      >;
      const data = unwrap(said.data);
      const type = networkType((data as { networkType?: unknown } | null | undefined)?.networkType ?? data);
      if (type !== 'unknown') heard = true;
      // No answer: this version has no such call, and what the browser says counts.
      else if (!heard) silent = true;
      return type;
    } catch (error) {
      if (!heard && (error as HostError).code !== 'ABORTED') silent = true;
      return null;
    }
  };
  const base = webDefaults(win, transport, calls, askNetwork);

  const link = (path: string) => {
    const app = setting(win, 'paytm-app');
    return app
      ? `paytmmp://mini-app?aId=${app}&data=${encodeURIComponent(btoa(JSON.stringify({ params: '', path })))}`
      : webLink(win, path);
  };
  const supports = (feature: Feature): Support => {
    if (feature === 'network.type' && heard) return { state: 'available', via: 'host' };
    if (!/^(login|payment|address|shortcut|close)$/.test(feature)) return webSupport(win, feature);
    return transport.hosted
      ? (refused.get(feature) ?? { state: 'unknown' })
      : { state: 'unavailable', because: 'outside-host' };
  };

  return {
    ...own,
    ...base,
    launch: own.launch,
    ...lazyActions(calls, supports, async () =>
      (await loadChunk(() => import('./actions.ts'))).paytmActions(win, calls, base, link, refused),
    ),
    supports,
    link,
  };
}

export const bridge: HostBridge = createPaytm({ window: globalThis.window, profile });
