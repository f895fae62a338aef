import { seoTable, type SeoRow } from '../seoTable.ts';
import { first } from './first.ts';

const PAGES: readonly SeoRow[] = [
  [
    '/',
    'Golden Oven Pizza | Order pizza online',
    'Order pizza online for delivery, takeaway or dine-in in Bangladesh. Fresh dough, honest prices and the whole bill before you pay.',
    'pizza, order pizza online, pizza delivery, Bangladesh',
  ],
  [
    '/menu',
    'Our menu | Golden Oven Pizza',
    'Pizzas, sides, drinks and desserts with prices, calories and allergens. Build your own pizza and see it drawn as you go.',
    'pizza menu, pizza prices, Bangladesh',
  ],
  [
    '/offers',
    'Coupons and offers | Golden Oven Pizza',
    "Today's coupons and offers, with what each one saves and what it needs.",
    'pizza coupons, pizza offers, Bangladesh',
  ],
  [
    '/edv',
    'Everyday value | Golden Oven Pizza',
    'Pizzas and combos at small prices, every day of the week.',
    'value pizza, everyday value, Bangladesh',
  ],
  ['/cart', 'Your cart | Golden Oven Pizza', 'Your pizzas, your coupons and the complete bill.', 'cart'],
  [
    '/rewards',
    'Rewards | Golden Oven Pizza',
    'Every order fills a slice, and a whole pizza of slices is a free one.',
    'pizza rewards, free pizza',
  ],
  ['/login', 'Log in | Golden Oven Pizza', 'Log in with your mobile number and a one-time code.', 'login'],
  ['/address', 'Delivery address | Golden Oven Pizza', 'Where shall we bring your pizza?', 'delivery address'],
  [
    '/manualSelector',
    'Find a store | Golden Oven Pizza',
    'Choose your city and the pizza store nearest to you in Bangladesh.',
    'pizza near me, pizza stores, Bangladesh',
  ],
];

/** All menu pages of Bangladesh share one title, description and keywords (specification section 2). */
const MENU = {
  title: 'Golden Oven Pizza | Order pizza online in Bangladesh',
  description:
    'Order pizza online: pick your favourites, add sides and desserts, and get deals and coupons on the way.',
  keywords: 'Our Menu',
};

/** Titles and descriptions for search engines, by path. */
const table = seoTable(PAGES, first.categories, () => MENU, { ...first.redirects, '/landing': '/', '/home': '/' });
const home = { ...MENU, canonical: '/' };
export const seo = { fallback: home, paths: { ...table.paths, '/': home, '/landing': home, '/home': home } };
