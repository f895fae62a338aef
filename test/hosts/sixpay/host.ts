import { on } from '../../../src/bridge/web.ts';
import { defineHost } from '../../../src/bridge/defineHost.ts';
import type { Page } from '../../../src/bridge/hostBridge.ts';
import type { HostProfile } from '../../../src/bridge/profile.ts';
import { injectedTransport, numbered } from '../../../src/bridge/transports.ts';
import { sixpayProfile } from './profile.ts';
import './sdk.d.ts';

/** `window.sixpay`, which the app sets when it likes; replies are events with the number of their call. */
function transport(win: Page | undefined, profile: HostProfile) {
  const { call, reply } = numbered((id, method, args) => win!.sixpay!.send({ id, method, args }));
  on(win, 'sixpayreply', (event) => {
    const { id, ...said } = (event as CustomEvent<{ readonly id: number }>).detail;
    reply(id, said);
  });
  return injectedTransport(profile, {
    present: () => typeof win?.sixpay?.send === 'function',
    ready: [win, 'sixpayready'],
    has: (method) => win!.sixpay!.can(method),
    call,
  });
}

export const sixpay = defineHost({
  profile: sixpayProfile,
  transport,
  calls: {
    login: { method: 'identify' },
    phoneNumber: { method: 'phone' },
    payment: { method: 'pay' },
  },
});
