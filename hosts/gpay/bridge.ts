import { createCalls, lazyActions } from '../../src/bridge/call.ts';
import { webDefaults, webLink, webSupport } from '../../src/bridge/defaults.ts';
import { setting, type HostProfile } from '../../src/bridge/profile.ts';
import type { Feature, HostBridge, Page, Support, Transport } from '../../src/bridge/hostBridge.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { profile, gpayProfile } from './profile.ts';
import './sdk.d.ts';

const SDK_URL = 'https://microapps.google.com/apis/v1alpha/microapps.js';

const METHODS: Partial<Record<Feature, string>> = {
  login: 'getIdentity',
  phoneNumber: 'getPhoneNumber',
  location: 'getCurrentLocation',
  payment: 'requestPayment',
  share: 'requestSharing',
};

/** `window.microapps`; its script is fetched on the first call, and only inside the host. */
export function gpayTransport(win: Page | undefined): Transport {
  const sdk = () => win?.microapps as Record<string, (args?: unknown) => unknown> | undefined;
  return {
    id: 'gpay',
    hosted: gpayProfile(win).hosted,
    present: () => Boolean(sdk()),
    whenPresent: (signal) =>
      new Promise((resolve, reject) => {
        if (sdk()) return resolve();
        const script = win!.document.createElement('script');
        script.async = true;
        script.src = setting(win, 'gpay-sdk') ?? SDK_URL;
        script.onload = () => (sdk() ? resolve() : reject(new Error('The script came without its global')));
        script.onerror = () => {
          script.remove();
          reject(new Error('The script did not load'));
        };
        signal.addEventListener('abort', () => reject(new Error('Disposed')));
        win!.document.head.append(script);
      }),
    has: (method) => (sdk() ? typeof sdk()![method] === 'function' : undefined),
    call(method, args, reply) {
      Promise.resolve(sdk()![method]!(Object.keys(args).length ? args : undefined)).then(
        (value) => reply({ value }),
        (error: unknown) => reply({ error: error ?? 'rejected' }),
      );
    },
    listen: () => () => undefined,
  };
}

export function createGpay({
  window: win,
  transport = gpayTransport(win),
  profile: own = gpayProfile(win),
}: {
  readonly window: Page | undefined;
  readonly transport?: Transport;
  readonly profile?: HostProfile;
}): HostBridge {
  const calls = createCalls(transport);
  const base = webDefaults(win, transport, calls);

  const link = (path: string) => {
    const spot = setting(win, 'gpay-spot');
    return spot ? `https://microapps.google.com/${spot}?link=${encodeURIComponent(path)}` : webLink(win, path);
  };
  const supports = (feature: Feature): Support => {
    const method = METHODS[feature];
    if (!method || (feature === 'location' && !transport.hosted)) return webSupport(win, feature);
    if (!transport.hosted) return { state: 'unavailable', because: 'outside-host' };
    const has = calls.isThere() ? transport.has(method) : undefined;
    if (has === undefined) return { state: 'unknown' };
    return has ? { state: 'available', via: 'host' } : { state: 'unavailable', because: 'host-version' };
  };

  return {
    ...own,
    ...base,
    launch: own.launch,
    ...lazyActions(calls, supports, async () =>
      (await loadChunk(() => import('./actions.ts'))).gpayActions(win, calls, base, link),
    ),
    supports,
    link,
  };
}

export const bridge: HostBridge = createGpay({ window: globalThis.window, profile });
