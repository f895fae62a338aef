import { seoTable, type SeoRow } from '../seoTable.ts';
import { first } from './first.ts';

const PAGES: readonly SeoRow[] = [
  [
    '/',
    'Golden Oven Pizza | Order pizza online',
    'Order pizza online for delivery, takeaway or dine-in in India. Fresh dough, honest prices and the whole bill before you pay.',
    'pizza, order pizza online, pizza delivery, India',
  ],
  [
    '/menu',
    'Our menu | Golden Oven Pizza',
    'Pizzas, sides, drinks and desserts with prices, calories and allergens. Build your own pizza and see it drawn as you go.',
    'pizza menu, pizza prices, India',
  ],
  [
    '/offers',
    'Coupons and offers | Golden Oven Pizza',
    "Today's coupons and offers, with what each one saves and what it needs.",
    'pizza coupons, pizza offers, India',
  ],
  [
    '/edv',
    'Everyday value | Golden Oven Pizza',
    'Pizzas and combos at small prices, every day of the week.',
    'value pizza, everyday value, India',
  ],
  ['/cart', 'Your cart | Golden Oven Pizza', 'Your pizzas, your coupons and the complete bill.', 'cart'],
  [
    '/rewards',
    'Rewards | Golden Oven Pizza',
    'Every order fills a slice, and a whole pizza of slices is a free one.',
    'pizza rewards, free pizza',
  ],
  [
    '/deliverontrain',
    'Food on your train | Golden Oven Pizza',
    'Order pizza to your seat: type your PNR, choose a station, and take it at the coach door while your train stands.',
    'food on train, PNR food order, pizza in train',
  ],
  [
    '/worldPizzaLeague',
    'World Pizza League | Golden Oven Pizza',
    'Eight cities, a match each weekend, and slices for every order: see the table of the season.',
    'pizza league, leaderboard, India',
  ],
  ['/login', 'Log in | Golden Oven Pizza', 'Log in with your mobile number and a one-time code.', 'login'],
  ['/address', 'Delivery address | Golden Oven Pizza', 'Where shall we bring your pizza?', 'delivery address'],
  [
    '/manualSelector',
    'Find a store | Golden Oven Pizza',
    'Choose your city and the pizza store nearest to you in India.',
    'pizza near me, pizza stores, India',
  ],
];

/** Titles and descriptions of India's pages for search engines, by path. */
export const seo = seoTable(
  PAGES,
  first.categories,
  ({ label }) => ({
    title: `${label} | Golden Oven Pizza`,
    description: `Order ${label.toLowerCase()} online in India: hot, boxed and on its way in 30 minutes.`,
    keywords: `${label.toLowerCase()}, pizza menu, India`,
  }),
  { ...first.redirects, '/landing': '/', '/home': '/' },
);
