import { readLaunch, type HostProfile } from '../../src/bridge/profile.ts';
import type { Launch, Page } from '../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../src/domain/features.ts';

declare module '../../src/bridge/hostBridge.ts' {
  interface HostNames {
    paytm: true;
  }
}

/** Reads `data` of a deep link: base64 of JSON `{path, params}`, where params are a query string or an object. */
function followed({ href, params: { data = '', ...params } }: Launch): Launch {
  try {
    // A "+" of base64 that was not encoded for the address arrives as a space.
    const said = JSON.parse(atob(data.replace(/[ -]/g, '+').replace(/_/g, '/'))) as { path?: unknown; params?: string };
    const query = new URLSearchParams(said.params);
    const path = typeof said.path === 'string' && /^\/(?![/\\])/.test(said.path) ? said.path : null;
    return {
      href,
      path: path && String(query) ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path,
      params: { ...params, ...Object.fromEntries(query) },
    };
  } catch {
    return { href, path: null, params };
  }
}

/**
 * Paytm's webviews append product tokens to the phone's user agent, such as `AppContainer/10.5.10 AppContainer
 * PhoenixContainer/2.0.9`. The word inside another word is another program's.
 */
const AGENT = /(?:^|\s)AppContainer(?:\/([\d.]+)\S*)?(?=\s|$)/i;

export function paytmProfile(win: Page | undefined): HostProfile {
  const agent = AGENT.exec(win?.navigator.userAgent ?? '');
  return {
    id: 'paytm',
    version: agent?.[1] ?? null,
    hosted: agent !== null,
    forbids: new Set([
      'own-login',
      'social-login',
      'other-payment',
      'install-prompt',
      'leave-host',
      'promo-message',
      'own-address-form',
      'native-dialog',
      'new-window',
    ]),
    partner: 'paytm',
    fullMode: false,
    clientType: 'web app-paytm',
    apiKeyName: 'paytm',
    blockedFeatures: MINI_APP_BLOCKED,
    primaryPaymentId: 'PAYTM',
    launch: followed(readLaunch(win)),
  };
}

export const profile: HostProfile = paytmProfile(globalThis.window);
