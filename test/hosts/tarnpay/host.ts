import { defineHost } from '../../../src/bridge/defineHost.ts';
import { scriptTransport } from '../../../src/bridge/transports.ts';
import { tarnpayProfile } from './profile.ts';
import './sdk.d.ts';

/** A script that answers with promises, and asks for consent whenever it likes. */
export const tarnpay = defineHost({
  profile: tarnpayProfile,
  transport: (win, profile) =>
    scriptTransport(win, profile, { src: 'https://sdk.tarnpay.example/v3.js', sdk: () => win?.tarnpay }),
  calls: {
    login: { method: 'authorize', parameters: { silent: false } },
    payment: { method: 'openPayment' },
  },
});
