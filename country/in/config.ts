import { environments } from '../environments.ts';
import { blockedPaths } from '../featurePaths.ts';
import { whole, type Country, type FirstCountry } from '../shape.ts';
import { first } from './first.ts';

export const config: Omit<Country, keyof FirstCountry | 'pwa'> = {
  PHONE_DIGIT: 10,
  BLOCKED_PATHS: blockedPaths(first.DISABLED_FEATURES),
  IS_WALLET_BLOCKED: false,
  TNC: 'I accept the terms and conditions.',
  SHOW_LOAGIN_WITH_PASSWORD: false,
  socialLogin: true,
  GOOGLE_MAP_COUNTRY: 'in',
  TNC_URL: '/terms',
  DEFAULT_TNC_URL: '/content/ve1/terms',
  GOOGLE_SITE_VERIFICATION_ID: '',
  DEFAULT_MENU: '/content/ve1/stores/10101/menu',
  LOYALTY_INFO_DEFAULT_DATA: {
    loyaltyProgramCode: 'PIZZAPALS',
    programName: 'Pizza Pals',
    earnPointsPerOrder: 100,
    slices: 6,
    redeemPoints: 600,
    reward: 'a free regular pizza',
  },
  names: ['in', 'india', 'ind'],
  label: 'India',
  iso: 'IN',
  addressExamples: {
    house: '12A, Sai Residency, 2nd floor',
    street: '80 Feet Road, 4th Block',
    landmark: 'Opposite the SBI bank',
  },
  dialPrefix: '+91',
  phoneHint: '^[6-9]',
  timeZone: 'Asia/Kolkata',
  languages: ['en', 'hi'],
  locales: { en: 'en-IN', hi: 'hi-IN' },
  ENVIRONMENTS: environments(),
  tax: {
    name: 'GST',
    basisPoints: 500,
    included: false,
    parts: [
      { id: 'CGST', label: 'CGST 2.5%', basisPoints: 250 },
      { id: 'SGST', label: 'SGST 2.5%', basisPoints: 250 },
    ],
    base: ['items', 'packaging', 'delivery'],
  },
  fees: {
    delivery: whole(39),
    freeDeliveryFrom: whole(399),
    packaging: whole(0),
    carryBag: whole(7),
    smallOrder: null,
  },
  minimumOrder: whole(1),
  tipChoices: [whole(10), whole(20), whole(30)],
  cashLimit: whole(2000),
  budgetForTwo: whole(300),
  mapCentre: { latitude: 28.6139, longitude: 77.209 },
  api: { keys: { browser: 'in-web', gpay: 'in-gpay', paytm: 'in-paytm' } },
};
