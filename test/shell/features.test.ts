import { createStore } from 'jotai';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { browserProfile } from '../../hosts/browser/profile.ts';
import { gpayProfile } from '../../hosts/gpay/profile.ts';
import { paytmProfile } from '../../hosts/paytm/profile.ts';
import type { AppConfig } from '../../src/contract/config.ts';
import { appConfigAtom, isOpenAtom } from '../../src/state/first/config.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { profileAtom } from '../../src/state/first/seams.ts';
import { FORBIDDEN_FEATURES } from '../kit/forbidden.ts';

const FACES = { browser: browserProfile, gpay: gpayProfile, paytm: paytmProfile };
const CONFIG: AppConfig = {
  features: '{"features":[]}',
  vendorConfig: { blockedFeatures: [] },
  disableCookies: false,
  otpVariant: 0,
  timestamp: 1,
};

/** The one question that routes and tiles ask, in a page of this country and host. */
function page(country: string, host: keyof typeof FACES, config: AppConfig | null = null) {
  const store = createStore();
  store.set(countryAtom, countryConfig(country));
  store.set(profileAtom, FACES[host](undefined));
  if (config) store.set(appConfigAtom, config);
  return (feature: string) => store.get(isOpenAtom)(feature);
}

test.each(['gpay', 'paytm'] as const)(
  'inside %s eleven features are closed before any server was asked, the rest is open [MINI-09] [MINI-10] [MINI-11] [MINI-12] [MINI-13] [MINI-14] [MINI-15] [MINI-16] [MINI-17] [MINI-18] [MINI-19]',
  (host) => {
    const isOpen = page('in', host);
    expect(FORBIDDEN_FEATURES.filter(isOpen)).toEqual([]);
    expect(['upiForm', 'chatbot', 'worldPizzaLeague'].map(isOpen)).toEqual([true, true, true]);
  },
);

test('on the web India has them all, Sri Lanka and Bangladesh lack their own [CFG-30] [CFG-31] [CFG-32]', () => {
  const off = [
    'chatbot',
    'deliverontrain',
    'irctc',
    'irctcOrder',
    'irctcStation',
    'paytmForm',
    'upiForm',
    'worldPizzaLeague',
    'worldPizzaLeagueApp',
  ];
  expect([...off, ...FORBIDDEN_FEATURES].filter((feature) => !page('in', 'browser')(feature))).toEqual([]);
  for (const country of ['lk', 'bg']) expect(off.filter(page(country, 'browser')), country).toEqual([]);
  expect([page('bg', 'browser')('wallet'), page('bg', 'browser')('offers')]).toEqual([false, true]);
});

describe('the app config', () => {
  test("closes what its list or the vendor's names, and opens nothing that the country or the host closed [CFG-37] [CFG-38] [CFG-X03]", () => {
    const features = JSON.stringify({
      features: [
        { name: 'edv', value: 'D' },
        { name: 'chatbot', value: 'E' },
      ],
    });
    const isOpen = page('lk', 'browser', { ...CONFIG, features, vendorConfig: { blockedFeatures: ['support'] } });
    expect(['edv', 'support', 'chatbot', 'offers'].map(isOpen)).toEqual([false, false, false, true]);
  });

  test.each(['', '{broken', 'null', '[[', '{"features":"all"}'])(
    'with %j for its list closes nothing more [CFG-37]',
    (features) => {
      const isOpen = page('in', 'browser', { ...CONFIG, features });
      expect(['edv', 'offers', 'logout', 'support'].map(isOpen)).toEqual([true, true, true, true]);
    },
  );
});
