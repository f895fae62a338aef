import { environments } from '../environments.ts';
import { blockedPaths } from '../featurePaths.ts';
import { whole, type CountryData, type FirstCountry } from '../shape.ts';
import { first } from './first.ts';

export const config: Omit<CountryData, keyof FirstCountry | 'pwa'> = {
  PHONE_DIGIT: 10,
  BLOCKED_PATHS: blockedPaths(first.DISABLED_FEATURES),
  IS_WALLET_BLOCKED: false,
  SHOW_LOAGIN_WITH_PASSWORD: false,
  socialLogin: true,
  GOOGLE_MAP_COUNTRY: 'bd',
  TNC_URL: '/terms',
  DEFAULT_TNC_URL: '/content/ve1/terms',
  GOOGLE_SITE_VERIFICATION_ID: '',
  DEFAULT_MENU: '/content/ve1/stores/30101/menu',
  LOYALTY_INFO_DEFAULT_DATA: {
    loyaltyProgramCode: 'PIZZAPALS',
    programName: 'Pizza Pals',
    earnPointsPerOrder: 100,
    slices: 4,
    redeemPoints: 400,
  },
  names: ['bg', 'bangla', 'bangladesh'],
  label: 'Bangladesh',
  iso: 'BD',
  addressExamples: {
    en: { house: 'House 12, Flat 4B', street: 'Road 11, Block C', landmark: 'Behind the central mosque' },
    bn: { house: 'বাসা ১২, ফ্ল্যাট ৪বি', street: 'রোড ১১, ব্লক সি', landmark: 'কেন্দ্রীয় মসজিদের পেছনে' },
  },
  dialPrefix: '+880',
  phoneHint: '^1[3-9]',
  timeZone: 'Asia/Dhaka',
  dietsAsked: ['halal', 'beef', 'veg', 'mild'],
  languages: ['en', 'bn'],
  locales: { en: 'en-BD', bn: 'bn-BD' },
  ENVIRONMENTS: environments(),
  categoryNames: {
    bn: {
      '50': 'পিজ্জা',
      '52': 'লোডেড পিজ্জা',
      '4': 'সাইডস',
      '5': 'ড্রিংকস',
      '51': 'ডেজার্ট',
      '0': 'ফেভারিট',
    },
  },
  menuTold: 'alike',
  tax: {
    name: 'VAT',
    basisPoints: 500,
    included: false,
    parts: [{ id: 'VAT', label: 'VAT 5%', basisPoints: 500 }],
    base: ['items'],
  },
  fees: {
    delivery: whole(60),
    freeDeliveryFrom: whole(799),
    packaging: whole(0),
    carryBag: whole(5),
    smallOrder: null,
  },
  minimumOrder: whole(50),
  tipChoices: [whole(10), whole(20), whole(30)],
  cashLimit: whole(3000),
  budgetForTwo: whole(500),
  mapCentre: { latitude: 23.8103, longitude: 90.4125 },
  api: { keys: { browser: 'bg-web' } },
};
