import { defineHost } from '../../src/bridge/defineHost.ts';
import { setting } from '../../src/bridge/profile.ts';
import { scriptTransport } from '../../src/bridge/transports.ts';
import { gpayProfile } from './profile.ts';
import './sdk.d.ts';

const SDK_URL = 'https://microapps.google.com/apis/v1alpha/microapps.js';

/** Google Pay: `window.microapps`, a script that is fetched on the first call. It has no versions; each call is asked for by name. */
export const gpay = defineHost({
  profile: gpayProfile,
  transport: (win, profile) =>
    scriptTransport(win, profile, { src: setting(win, 'gpay-sdk') ?? SDK_URL, sdk: () => win?.microapps }),
  calls: {
    login: { method: 'getIdentity', parameters: { clientId: false } },
    phoneNumber: { method: 'getPhoneNumber' },
    location: { method: 'getCurrentLocation', parameters: { accuracy: false }, orWeb: true },
    payment: { method: 'requestPayment' },
    share: { method: 'requestSharing' },
  },
  link(win, path) {
    const spot = setting(win, 'gpay-spot');
    return spot && `https://microapps.google.com/${spot}?link=${encodeURIComponent(path)}`;
  },
});
