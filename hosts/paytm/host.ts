import { DEADLINE_MS } from '../../src/bridge/deadlines.ts';
import { networkType } from '../../src/bridge/defaults.ts';
import { on, webSupport } from '../../src/bridge/web.ts';
import { defineHost, type OpenHost } from '../../src/bridge/defineHost.ts';
import type { CallOptions, NetworkType } from '../../src/bridge/hostBridge.ts';
import type { HostError } from '../../src/bridge/hostError.ts';
import { setting } from '../../src/bridge/profile.ts';
import { injectedTransport } from '../../src/bridge/transports.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { paytmProfile } from './profile.ts';
import './sdk.d.ts';

/** Not published by the vendor: to be changed here once it is confirmed. */
const NETWORK_METHOD = 'paytmNetworkType';
/** The guidelines call the address picker only "SelectAddress": not confirmed by the vendor yet. */
const ADDRESS_METHOD = 'SelectAddress';

/** Words of the container that this one looks like. */
const WORDS: Readonly<Record<string, string>> = { NOTREACHABLE: 'none', WWAN: 'cellular' };

function networkAsker(host: OpenHost) {
  let silent = false;
  let heard = false;
  return async ({ signal, timeoutMs = DEADLINE_MS.network }: CallOptions): Promise<NetworkType | null> => {
    if (silent || !host.calls.isThere()) return null;
    try {
      const raw = await host.calls.ask('network.type', NETWORK_METHOD, {}, { signal, timeoutMs });
      const data = unwrap((Object(unwrap(raw)) as Record<string, unknown>).data);
      const { networkType: named = data, networkAvailable } = Object(data) as Record<string, unknown>;
      const type = String(networkAvailable) === 'false' ? 'none' : networkType(WORDS[String(named)] ?? named);
      if (type !== 'unknown' && !heard) {
        heard = true;
        host.learn('network.type', { state: 'available', via: 'host' });
      }
      // No answer: this version has no such call, and what the browser says counts.
      else if (!heard) silent = true;
      return type;
    } catch (error) {
      if (!heard && (error as HostError).code !== 'ABORTED') silent = true;
      return null;
    }
  };
}

/** Paytm: `window.JSBridge`, which the app sets at any time, and which cannot be asked what it has. The user agent does not prove that it will come. */
export const paytm = defineHost({
  profile: paytmProfile,
  transport: (win, profile) =>
    injectedTransport(profile, {
      present: () => typeof win?.JSBridge?.call === 'function',
      ready: [win?.document, 'JSBridgeReady'],
      call: (method, args, reply) => win!.JSBridge!.call(method, args, reply),
      listen: (event, handler) =>
        on(win?.document, event, (raw) => handler({ raw, preventDefault: () => raw.preventDefault() })),
    }),
  calls: {
    // The app may always show its sheet, so a silent login cannot be promised.
    login: { method: 'paytmFetchAuthCode', parameters: { silent: false } },
    location: { supported: ({ window }) => webSupport(window, 'location'), orWeb: true },
    address: { method: ADDRESS_METHOD },
    payment: { method: 'paytmPayment' },
    shortcut: { method: 'createAppShortcut' },
    close: { method: 'popWindow' },
  },
  link(win, path) {
    const app = setting(win, 'paytm-app');
    return (
      app && `paytmmp://mini-app?aId=${app}&data=${encodeURIComponent(btoa(JSON.stringify({ params: '', path })))}`
    );
  },
  network: networkAsker,
});
