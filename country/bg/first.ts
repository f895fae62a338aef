import { whole, type FirstCountry } from '../shape.ts';

/** The settings that the first load reads; config.ts holds the rest and comes with the second load. */
export const first: FirstCountry = {
  COUNTRY_CODE: 'BG',
  CURRENCY_SYMBOL: '৳',
  CURRENCY_CODE: 'BDT',
  DEFAULT_STORE: '30101',
  HELP_DESK_NO: '16656',
  appName: 'Golden Oven Pizza',
  locale: 'en-BD',
  DISABLED_FEATURES: [
    'chatbot',
    'deliverontrain',
    'irctc',
    'irctcOrder',
    'irctcStation',
    'paytmForm',
    'upiForm',
    'worldPizzaLeague',
    'worldPizzaLeagueApp',
    'wallet',
  ],
  HOME_APP_URL: '',
  roundTo: 100,
  guarantee: {
    minutes: 30,
    nightMinutes: 45,
    nightFrom: '23:00',
    nightTo: '03:00',
    maxLiability: whole(300),
    bulkFromPizzas: 4,
  },
  categories: [
    { id: '50', label: 'Pizza', path: '/menu/pizza' },
    { id: '52', label: 'Loaded Pizza', path: '/menu/loaded-pizza' },
    { id: '4', label: 'Sides', path: '/menu/sides' },
    { id: '5', label: 'Beverages', path: '/menu/beverages' },
    { id: '51', label: 'Desserts', path: '/menu/desserts', aliases: ['/menu/dessert'] },
    { id: '0', label: 'Favourites', path: '/menu/favourite', dynamic: true },
  ],
  redirects: { '/everyday-value-offers': '/edv', '/menu/bestsellers': '/menu', '/menu/daily-essentials': '/menu' },
  seo: () => import('./seo.ts').then((module) => module.seo),
};
