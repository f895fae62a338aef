import { createCalls, lazyActions, listeners } from '../../src/bridge/call.ts';
import { on, webDefaults, webLink, webSupport } from '../../src/bridge/defaults.ts';
import type { HostProfile } from '../../src/bridge/profile.ts';
import type { Feature, HostBridge, Page, Support, Transport } from '../../src/bridge/hostBridge.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { browserProfile, profile } from './profile.ts';

export interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

const nowhere: Transport = {
  id: 'browser',
  hosted: true,
  present: () => true,
  whenPresent: () => Promise.resolve(),
  has: () => false,
  call: () => undefined,
  listen: () => () => undefined,
};

export function createBrowser({
  window: win,
  profile: own = browserProfile(win),
}: {
  readonly window: (Page & { installOffer?: InstallPrompt }) | undefined;
  readonly profile?: HostProfile;
}): HostBridge {
  const calls = createCalls(nowhere);
  const base = webDefaults(win, nowhere, calls);
  // The browser offers the installation once, perhaps before this script is there: then main.tsx has kept the event.
  let offer = win?.installOffer;
  const offered = listeners<[]>();
  on(win, 'beforeinstallprompt', (event) => {
    event.preventDefault();
    offer = event as InstallPrompt;
    offered.emit();
  });
  const takeOffer = () => {
    const taken = offer;
    offer = undefined;
    return taken;
  };

  const supports = (feature: Feature): Support => {
    if (/^(login|share)$/.test(feature)) return { state: 'available', via: 'web' };
    if (feature === 'payment') return { state: 'unknown' };
    if (feature === 'shortcut' && offer) return { state: 'available', via: 'web' };
    return webSupport(win, feature);
  };

  return {
    ...own,
    ...base,
    launch: own.launch,
    onReady(listener) {
      const stops = [base.onReady(listener), offered.add(listener)];
      return () => stops.forEach((stop) => stop());
    },
    ...lazyActions(calls, supports, async () =>
      (await loadChunk(() => import('./actions.ts'))).browserActions(win, calls, base, takeOffer),
    ),
    supports,
    link: (path) => webLink(win, path),
  };
}

export const bridge: HostBridge = createBrowser({ window: globalThis.window, profile });
