import { readLaunch, type HostProfile } from '../../src/bridge/profile.ts';
import type { Page } from '../../src/bridge/hostBridge.ts';

/** A plain browser: the app's own login and payment pages, and every feature open. */
export function browserProfile(win: Page | undefined): HostProfile {
  return {
    id: 'browser',
    version: null,
    hosted: true,
    forbids: new Set(),
    partner: '',
    fullMode: true,
    clientType: 'web app-chrome',
    apiKeyName: 'browser',
    blockedFeatures: [],
    primaryPaymentId: null,
    launch: readLaunch(win),
  };
}

export const profile: HostProfile = browserProfile(globalThis.window);
