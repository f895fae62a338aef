import { readLaunch, type HostProfile } from '../../../src/bridge/profile.ts';
import type { Page } from '../../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../../src/domain/features.ts';

declare module '../../../src/bridge/hostBridge.ts' {
  interface HostNames {
    tarnpay: true;
  }
}

/**
 * An invented payment app of another kind: a script of promises, a payment in another app that the page never hears of, and
 * calls between the servers that are signed in Authorization.
 */
export function tarnpayProfile(win: Page | undefined): HostProfile {
  const version = /TarnPay\/([\d.]+)/.exec(win?.navigator.userAgent ?? '')?.[1] ?? null;
  return {
    id: 'tarnpay',
    version,
    hosted: version !== null,
    forbids: new Set(['cookie-session', 'native-dialog']),
    partner: 'tarnpay',
    fullMode: false,
    clientType: 'web app-tarnpay',
    apiKeyName: 'tarnpay',
    blockedFeatures: MINI_APP_BLOCKED,
    primaryPaymentId: 'HOST',
    launch: readLaunch(win),
  };
}

export const profile: HostProfile = tarnpayProfile(globalThis.window);
