import { readLaunch, type HostProfile } from '../../../src/bridge/profile.ts';
import type { Page } from '../../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../../src/domain/features.ts';

declare module '../../../src/bridge/hostBridge.ts' {
  interface HostNames {
    sixpay: true;
  }
}

/** An invented payment app that exists only here: it shows that a host is one folder, with an account and a payment of its own. */
export function sixpayProfile(win: Page | undefined): HostProfile {
  const version = /(?:^|\s)SixPay\/([\d.]+)/.exec(win?.navigator.userAgent ?? '')?.[1] ?? null;
  return {
    id: 'sixpay',
    version,
    hosted: version !== null,
    forbids: new Set(['cookie-session', 'native-dialog']),
    partner: 'sixpay',
    fullMode: false,
    clientType: 'web app-sixpay',
    apiKeyName: 'sixpay',
    blockedFeatures: MINI_APP_BLOCKED,
    primaryPaymentId: 'HOST',
    launch: readLaunch(win),
  };
}

export const profile: HostProfile = sixpayProfile(globalThis.window);
