import * as english from '#text/found.ts';
import { describe, expect, it, test } from 'vitest';
import type { PwaConfig } from '../../country/shape.ts';
import { countryName } from '../../src/domain/countryName.ts';
import { appTold, categoryLabel, pagesTold, shortcutsTold, type CountryFacts } from '../../src/domain/seo.ts';

const told: CountryFacts = {
  appName: 'Oven',
  iso: 'IN',
  locale: 'en-IN',
  BLOCKED_PATHS: [],
  categories: [
    { id: '50', label: 'Pizza Mania', path: '/menu/pizza', aliases: ['/menu/pizzas', '/pizza'] },
    { id: '4', label: 'Sides', path: '/menu/sides' },
  ],
  categoryNames: { hi: { 50: 'पिज़्ज़ा' } },
  redirects: { '/deals': '/offers', '/old': '/nowhere' },
  guarantee: { minutes: 30, nightMinutes: 45, nightFrom: '23:00', nightTo: '03:00', bulkFromPizzas: 4 } as never,
  tax: { name: 'GST' } as never,
  menuTold: 'time',
};
const pages = (more: Partial<CountryFacts> = {}) => pagesTold({ ...told, ...more }, english);

test('a country has its name in the language of a page, and its code where that has no name', () => {
  expect([countryName('LK', 'en-LK'), countryName('IN', 'hi-IN'), countryName('QQ', 'en')]).toEqual([
    'Sri Lanka',
    'भारत',
    'QQ',
  ]);
});

test('a category has its name in the language of a page, else its own', () => {
  const [pizza, sides] = told.categories;
  expect(categoryLabel(told, pizza!)).toBe('Pizza Mania');
  expect(categoryLabel({ ...told, locale: 'hi-IN' }, pizza!)).toBe('पिज़्ज़ा');
  expect(categoryLabel({ ...told, locale: 'hi' }, sides!)).toBe('Sides');
});

describe('what search engines read', () => {
  it('of home, of both its other paths, and of a path that has no entry', () => {
    const { fallback, paths } = pages();
    expect(fallback).toEqual({
      title: 'Oven | Order pizza online',
      description: english.homeText({ country: 'India' }),
      keywords: 'pizza, order pizza online, pizza delivery, India',
      canonical: '/',
    });
    for (const path of ['/', '/home', '/landing']) expect(paths[path], path).toEqual(fallback);
  });

  it('of every page that a country has', () => {
    const texts = Object.entries(pages().paths).map(([path, { title, keywords }]) => [path, title, keywords]);
    expect(texts).toEqual([
      ['/', 'Oven | Order pizza online', 'pizza, order pizza online, pizza delivery, India'],
      ['/menu', 'Our menu | Oven', 'pizza menu, pizza prices, India'],
      ['/offers', 'Coupons and offers | Oven', 'pizza coupons, pizza offers, India'],
      ['/edv', 'Everyday value | Oven', 'value pizza, everyday value, India'],
      ['/cart', 'Your cart | Oven', 'cart'],
      ['/rewards', 'Rewards | Oven', 'pizza rewards, free pizza'],
      ['/deliverontrain', 'Food on your train | Oven', 'food on train, PNR food order, pizza in train'],
      ['/worldPizzaLeague', 'World Pizza League | Oven', 'pizza league, leaderboard, India'],
      ['/login', 'Log in | Oven', 'login'],
      ['/address', 'Delivery address | Oven', 'delivery address'],
      ['/manualSelector', 'Find a store | Oven', 'pizza near me, pizza stores, India'],
      ['/group/:code', 'Order with us | Oven', ''],
      ['/shared/:token', 'Where the order is | Oven', ''],
      ['/pay/:token', 'Pay for an order | Oven', ''],
      ['/menu/pizza', 'Pizza Mania | Oven', 'pizza mania, pizza menu, India'],
      ['/menu/50', 'Pizza Mania | Oven', 'pizza mania, pizza menu, India'],
      ['/menu/pizzas', 'Pizza Mania | Oven', 'pizza mania, pizza menu, India'],
      ['/pizza', 'Pizza Mania | Oven', 'pizza mania, pizza menu, India'],
      ['/menu/sides', 'Sides | Oven', 'sides, pizza menu, India'],
      ['/menu/4', 'Sides | Oven', 'sides, pizza menu, India'],
      ['/deals', 'Coupons and offers | Oven', 'pizza coupons, pizza offers, India'],
      ['/landing', 'Oven | Order pizza online', 'pizza, order pizza online, pizza delivery, India'],
      ['/home', 'Oven | Order pizza online', 'pizza, order pizza online, pizza delivery, India'],
    ]);
  });

  it('has each page described in its own words', () => {
    const descriptions = Object.values(pages().paths).map(({ description }) => description);
    expect(descriptions.filter((text) => text.length < 20)).toEqual([]);
    // Of home, 13 further pages and two categories.
    expect(new Set(descriptions).size).toBe(16);
    expect(pages().paths['/manualSelector']?.description).toContain('in India');
  });

  it('names the readable path of a category, and the own path of a page, as the one that counts', () => {
    const canonical = Object.entries(pages().paths).map(([path, entry]) => [path, entry.canonical]);
    expect(canonical.filter(([path, own]) => path !== own)).toEqual([
      ['/menu/50', '/menu/pizza'],
      ['/menu/pizzas', '/menu/pizza'],
      ['/pizza', '/menu/pizza'],
      ['/menu/4', '/menu/sides'],
      ['/deals', '/offers'],
      ['/landing', '/'],
      ['/home', '/'],
    ]);
  });

  it("says which pages are one customer's, or of those to whom a link was sent", () => {
    const { paths } = pages();
    expect(Object.keys(paths).filter((path) => paths[path]?.isPrivate)).toEqual([
      '/cart',
      '/login',
      '/address',
      '/group/:code',
      '/shared/:token',
      '/pay/:token',
    ]);
    expect(paths['/menu']).not.toHaveProperty('isPrivate');
  });

  it('has no page of what a country has switched off', () => {
    const all = Object.keys(pages().paths);
    expect(Object.keys(pages({ BLOCKED_PATHS: ['/rewards', '/deliverontrain'] }).paths)).toEqual(
      all.filter((path) => path !== '/rewards' && path !== '/deliverontrain'),
    );
  });

  it('of a category is how soon it comes, that its prices have the tax, or the same for all as for home', () => {
    const of = (menuTold: CountryFacts['menuTold']) => pages({ menuTold }).paths['/menu/pizza'];
    expect(of('time')?.description).toBe('Order pizza mania online in India: hot, boxed and on its way in 30 minutes.');
    expect(of('tax')?.description).toBe(
      'Order pizza mania online in India. Prices include GST: what you see is what you pay.',
    );
    const alike = {
      title: 'Oven | Order pizza online in India',
      description: english.everyMenuText,
      keywords: 'Our Menu',
    };
    expect(of('alike')).toEqual({ ...alike, canonical: '/menu/pizza' });
    expect(pages({ menuTold: 'alike' }).fallback).toEqual({ ...alike, canonical: '/' });
  });

  it('writes a category small by the rules of its language', () => {
    const turkish = { ...told, locale: 'tr-TR', categories: [{ id: '1', label: 'ISI', path: '/menu/hot' }] };
    expect(pagesTold(turkish, english).paths['/menu/hot']?.keywords).toBe('ısı, pizza menu, Hindistan');
  });

  it('names the country as it is told to', () => {
    expect(pagesTold(told, english, 'Bharat').paths['/menu']?.keywords).toBe('pizza menu, pizza prices, Bharat');
  });
});

test('the installed app is called by the shop and its country, and says what it is for', () => {
  expect(appTold(told, english)).toEqual({
    name: 'Oven India',
    description: 'Order pizza in India: menu, coupons, payment and live tracking.',
  });
});

test('a long press on the installed app names the pages it leads to; one without a name is refused', () => {
  const to = (...shortcuts: string[]) => shortcutsTold({ shortcuts } as unknown as PwaConfig, told, english);
  expect(to('/cart', '/menu/sides', '/menu')).toEqual([
    { name: 'Cart', url: '/cart' },
    { name: 'Sides', url: '/menu/sides' },
    { name: 'Menu', url: '/menu' },
  ]);
  expect(() => to('/menu', '/offers')).toThrow(new Error('/offers has no name for a shortcut'));
});
