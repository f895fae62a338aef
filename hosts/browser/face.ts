import { readLaunch, type HostFace } from '../../src/bridge/face.ts';
import type { Page } from '../../src/bridge/hostBridge.ts';

/** The plain web: its own login, its own payment pages, every feature open. */
export function browserFace(win: Page | undefined): HostFace {
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

export const face: HostFace = browserFace(globalThis.window);
