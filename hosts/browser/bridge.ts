import { createCalls, lazySheets, listeners } from '../../src/bridge/call.ts';
import { on, webDefaults, webLink, webSupport } from '../../src/bridge/defaults.ts';
import type { HostFace } from '../../src/bridge/face.ts';
import type { Feature, HostBridge, Page, Support, Transport } from '../../src/bridge/hostBridge.ts';
import { loadChunk } from '../../src/bridge/scripts.ts';
import { browserFace, face } from './face.ts';

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

export function createBrowser({ window: win, face: own = browserFace(win) }: { readonly window: Page | undefined; readonly face?: HostFace }): HostBridge {
  const calls = createCalls(nowhere);
  const base = webDefaults(win, nowhere, calls);
  // The browser offers it once, perhaps before this script was here: main.tsx has kept it then.
  let offer = (win as (Page & { installOffer?: InstallPrompt }) | undefined)?.installOffer;
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
    ...lazySheets(calls, supports, async () => (await loadChunk(() => import('./sheets.ts'))).browserSheets(win, calls, base, takeOffer)),
    supports,
    link: (path) => webLink(win, path),
  };
}

export const bridge: HostBridge = createBrowser({ window: globalThis.window, face });
