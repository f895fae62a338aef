import { whole, type FirstCountry } from '../shape.ts';

/** The settings that the first load reads; config.ts holds the rest and comes with the second load. */
export const first: FirstCountry = {
  COUNTRY_CODE: 'IN',
  CURRENCY_SYMBOL: '₹',
  CURRENCY_CODE: 'INR',
  DEFAULT_STORE: '10101',
  HELP_DESK_NO: '6888 6888',
  trunkPrefix: '',
  phonePattern: '##### #####',
  appName: 'Golden Oven Pizza',
  locale: 'en-IN',
  DISABLED_FEATURES: [],
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
    { id: '2', label: 'Veg Pizza', path: '/menu/veg-pizza' },
    { id: '3', label: 'Non-Veg Pizza', path: '/menu/non-veg-pizza' },
    { id: '20', label: 'Mini Pizzas', path: '/menu/pizza-mania' },
    { id: '4', label: 'Sides', path: '/menu/sides' },
    { id: '46', label: 'Speciality Chicken', path: '/menu/speciality-chicken' },
    { id: '50', label: 'Combos', path: '/menu/combos' },
    { id: '26', label: 'Dessert', path: '/menu/dessert', aliases: ['/menu/desserts'] },
    { id: '5', label: 'Beverages', path: '/menu/beverages' },
    { id: 'pasta-pizza-party', label: 'Pasta Pizza Party', path: '/menu/pasta-pizza-party' },
    { id: 'loaded-pizza', label: 'Loaded Pizza', path: '/menu/loaded-pizza' },
    { id: 'favourite', label: 'Favourites', path: '/menu/favourite', dynamic: true },
  ],
  redirects: { '/everyday-value-offers': '/edv', '/menu/bestsellers': '/menu', '/menu/daily-essentials': '/menu' },
};
