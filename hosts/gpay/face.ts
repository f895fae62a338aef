import { readLaunch, setting, type HostFace } from '../../src/bridge/face.ts';
import type { Page } from '../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../src/domain/features.ts';

const HOST_ORIGINS = 'https://microapps.google.com https://www.microapps.google.com https://microapps-prod-tt.sandbox.google.com';

/** A frame of one of the trusted origins; where the browser hides its ancestors, the user agent decides. */
function inGpay(win: Page | undefined): boolean {
  if (!win || win.parent === win) return false;
  const { referrer } = win.document;
  const parent = win.location.ancestorOrigins?.[0] ?? (URL.canParse?.(referrer) ? new URL(referrer).origin : '');
  return parent
    ? (setting(win, 'host-origins') ?? HOST_ORIGINS).split(' ').includes(parent)
    : /GPay-Microapps/.test(win.navigator.userAgent);
}

export function gpayFace(win: Page | undefined): HostFace {
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

export const face: HostFace = gpayFace(globalThis.window);
