import { readLaunch, type HostFace } from '../../src/bridge/face.ts';
import type { Page } from '../../src/bridge/hostBridge.ts';
import { MINI_APP_BLOCKED } from '../../src/domain/features.ts';

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
    launch: readLaunch(win),
  };
}

export const face: HostFace = paytmFace(globalThis.window);
