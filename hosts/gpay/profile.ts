import { readLaunch, setting, type HostProfile } from '../../src/bridge/profile.ts';
import type { Page } from '../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../src/domain/features.ts';

declare module '../../src/bridge/hostBridge.ts' {
  interface HostNames {
    gpay: true;
  }
}

const HOST_ORIGINS =
  'https://microapps.google.com https://www.microapps.google.com https://microapps-prod-tt.sandbox.google.com';

/** Whether the page is a frame in one of Google's origins. In a browser that does not name the ancestors, the user agent decides. */
function inGpay(win: Page | undefined): boolean {
  if (!win || win.parent === win) return false;
  const { referrer } = win.document;
  const parent = win.location.ancestorOrigins?.[0] ?? (URL.canParse?.(referrer) ? new URL(referrer).origin : '');
  return parent
    ? (setting(win, 'host-origins') ?? HOST_ORIGINS).split(' ').includes(parent)
    : /GPay-Microapps/i.test(win.navigator.userAgent);
}

export function gpayProfile(win: Page | undefined): HostProfile {
  return {
    id: 'gpay',
    version: null,
    hosted: inGpay(win),
    forbids: new Set(['cookie-session', 'native-dialog', 'new-window']),
    partner: 'gpay',
    fullMode: false,
    clientType: 'web app-gpay',
    apiKeyName: 'gpay',
    blockedFeatures: MINI_APP_BLOCKED,
    primaryPaymentId: 'GPAY',
    launch: readLaunch(win),
  };
}

export const profile: HostProfile = gpayProfile(globalThis.window);
