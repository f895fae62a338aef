import { readLaunch, type HostFace } from '../../src/bridge/face.ts';
import type { Launch, Page } from '../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../src/domain/features.ts';

/** `data` of the address is base64 JSON `{path, params}` as the vendor's deep link carries it: the params, a query or an object, belong behind the path. */
function followed({ href, params: { data = '', ...params } }: Launch): Launch {
  try {
    // A plus of base64 is a space to whoever forgot to encode it.
    const said = JSON.parse(atob(data.replace(/[ -]/g, '+').replace(/_/g, '/'))) as { path?: unknown; params?: string };
    const query = new URLSearchParams(said.params);
    const path = typeof said.path === 'string' && /^\/(?![/\\])/.test(said.path) ? said.path : null;
    return { href, path: path && String(query) ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path, params: { ...params, ...Object.fromEntries(query) } };
  } catch {
    return { href, path: null, params };
  }
}

export function paytmFace(win: Page | undefined): HostFace {
  const agent = win?.navigator.userAgent ?? '';
  return {
    id: 'paytm',
    version: /AppContainer[/ ]([\d.]+)/i.exec(agent)?.[1] ?? null,
    hosted: /AppContainer/i.test(agent),
    forbids: new Set([
      'own-login', 'social-login', 'other-payment', 'install-prompt', 'leave-host', 'promo-message', 'own-address-form',
      'native-dialog', 'new-window',
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

export const face: HostFace = paytmFace(globalThis.window);
