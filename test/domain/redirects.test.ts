import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countries, countryConfig } from '../../country/index.ts';
import { categoryOf, homeApp, redirectOf, withQuery, type PathRules } from '../../src/domain/redirects.ts';
import {
  afterAddress,
  afterCoupon,
  afterLogin,
  afterTakeaway,
  ownPath,
  splitRedirect,
} from '../../src/domain/safeRedirect.ts';

const [india, lk, bg] = [countryConfig('in'), countryConfig('lk'), countryConfig('bg')];

describe('menu paths', () => {
  it.each([
    ['NAV-06', '/menu/2', '/menu/veg-pizza'],
    ['NAV-07', '/menu/3', '/menu/non-veg-pizza'],
    ['NAV-08', '/menu/4', '/menu/sides'],
    ['NAV-09', '/menu/5', '/menu/beverages'],
    ['NAV-10', '/menu/20', '/menu/pizza-mania'],
    ['NAV-11', '/menu/26', '/menu/dessert'],
    ['NAV-11', '/menu/desserts', '/menu/dessert'],
    ['NAV-12', '/menu/46', '/menu/speciality-chicken'],
    ['NAV-13', '/menu/50', '/menu/combos'],
    ['NAV-14', '/everyday-value-offers', '/edv'],
    ['NAV-15', '/menu/bestsellers', '/menu'],
    ['NAV-16', '/menu/daily-essentials', '/menu'],
  ])(
    '%s: %s is redirected [NAV-06] [NAV-07] [NAV-08] [NAV-09] [NAV-10] [NAV-11] [NAV-12] [NAV-13] [NAV-14] [NAV-15] [NAV-16]',
    (_, from, to) => {
      expect(redirectOf(from, '', india)).toBe(to);
    },
  );

  it.each([
    ['NAV-41', 'Bangladesh', bg, '/menu/50', '/menu/pizza'],
    ['NAV-43', 'Bangladesh', bg, '/menu/51', '/menu/desserts'],
    ['NAV-44', 'Bangladesh', bg, '/menu/0', '/menu/favourite'],
    ['NAV-15', 'Bangladesh', bg, '/menu/bestsellers', '/menu'],
    ['NAV-30', 'Sri Lanka', lk, '/menu/bestsellers', null],
    ['NAV-37', 'Sri Lanka', lk, '/menu/41', null],
    ['NAV-37', 'Sri Lanka', lk, '/menu/desserts', '/menu/41'],
    ['NAV-32', 'Sri Lanka', lk, '/menu/35', null],
  ])(
    '%s: in %s a category id leads where that country says [NAV-15] [NAV-30] [NAV-32] [NAV-37] [NAV-41] [NAV-43] [NAV-44]',
    (_, _name, country, from, to) => {
      expect(redirectOf(from, '', country)).toBe(to);
    },
  );

  it('makes the categoryId query a segment and keeps the rest of the query [NAV-17]', () => {
    expect(redirectOf('/menu', '?categoryId=2', india)).toBe('/menu/veg-pizza');
    expect(redirectOf('/menu', '?utm_source=sms&categoryId=20&x=1', india)).toBe(
      '/menu/pizza-mania?utm_source=sms&x=1',
    );
    expect(redirectOf('/menu/veg-pizza', '?categoryId=3', india)).toBe('/menu/non-veg-pizza');
    expect(redirectOf('/menu', '?categoryId=999', india)).toBe('/menu/999');
    expect(redirectOf('/menu', '?categoryId=', india)).toBe('/menu');
    expect(redirectOf('/menu', '?categoryId=//e.com', india)).toBe('/menu/%2F%2Fe.com');
    expect(redirectOf('/cart', '?categoryId=2', india)).toBeNull();
  });

  it('leaves right paths alone, whatever their query, and forgives a slash at the end', () => {
    for (const path of ['/', '/menu', '/menu/veg-pizza', '/cart', '/edv'])
      expect(redirectOf(path, '?a=1', india)).toBeNull();
    expect(redirectOf('/menu/veg-pizza/', '?a=1', india)).toBe('/menu/veg-pizza?a=1');
  });

  it('gets there in one step', () => {
    const starts = fc.constantFrom(
      ...countries.flatMap((c) =>
        [
          ...Object.keys(c.redirects),
          ...c.categories.flatMap((row) => [row.path, `/menu/${row.id}`, ...(row.aliases ?? [])]),
        ].map((path) => [path, c] as const),
      ),
    );
    fc.assert(
      fc.property(starts, fc.constantFrom('', '?categoryId=2', '?q=1'), ([path, country], search) => {
        const to = redirectOf(path, search, country);
        if (to === null) return;
        const [next = '', query = ''] = to.split('?');
        expect(redirectOf(next, query && `?${query}`, country)).toBeNull();
      }),
    );
  });

  it('knows the category of each of its paths', () => {
    expect(categoryOf('/menu/2', india)?.id).toBe('2');
    expect(categoryOf('/menu/veg-pizza', india)?.id).toBe('2');
    expect(categoryOf('/menu/veg-pizza/20', india)?.id).toBe('20');
    expect(categoryOf('/menu', india)).toBeNull();
    expect(categoryOf('/menu/nothing', india)).toBeNull();
    expect(categoryOf('/cart/2', india)).toBeNull();
  });
});

describe('paths of a country with two categories', () => {
  const rules = {
    categories: [
      { id: '1', path: '/menu/pies', aliases: ['/menu/tarts', '/menu/flans'] },
      { id: '2', path: '/drinks' },
    ],
    redirects: { '/old': '/menu/tarts', '/older': '/cart', '/menu/gone': '/menu' },
  } as unknown as PathRules;

  test.each([
    ['/menu/1', '1'],
    ['/menu/pies', '1'],
    ['/menu/tarts', '1'],
    ['/menu/flans', '1'],
    ['/menu/2', '2'],
    ['/menu/a/b/2', '2'],
    ['/menu/2/1', '1'],
    ['/menu/drinks', null],
    ['/drinks', null],
    ['/menu/', null],
    ['/menu/1/', null],
    ['/menu', null],
    ['/1', null],
    ['menu/1', null],
    ['/x/menu/1', null],
  ])('%s is of the category %j', (path, id) => expect(categoryOf(path, rules)?.id ?? null).toBe(id));

  test.each([
    ['/menu/1', '', '/menu/pies'],
    ['/menu/2', '', '/drinks'],
    ['/menu/1', '?a=1&b=x+y', '/menu/pies?a=1&b=x+y'],
    ['/menu/1', 'a=1', '/menu/pies?a=1'],
    ['/old', '', '/menu/pies'],
    ['/old/', '', '/menu/pies'],
    ['/older', '?a=1', '/cart?a=1'],
    ['/menu/gone', '', '/menu'],
    ['/menu', '?categoryId=gone', '/menu'],
    ['/menu', '?categoryId=tarts&categoryId=2', '/menu/pies'],
    ['/menu/', '?categoryId=2', '/drinks'],
    ['/menu/pies', '?categoryId=', '/menu/pies'],
    ['/menu', '?categoryId=a%20b', '/menu/a%20b'],
    ['/cart/', '', '/cart'],
    ['/cart///', '?a=1', '/cart?a=1'],
    ['//', '', '/'],
    ['/', '', null],
    ['', '', null],
    ['/menu/pies', '?a=1', null],
    ['/drinks', '?categoryId=1', null],
    ['/menus', '?categoryId=1', null],
    ['/x/menu/', '?categoryId=1', '/x/menu?categoryId=1'],
    ['/toString', '', null],
    ['constructor', '', null],
  ])('%j with the query %j leads to %j', (path, search, to) => expect(redirectOf(path, search, rules)).toBe(to));

  it('a query is added where there is one', () => {
    expect(withQuery('/cart', new URLSearchParams())).toBe('/cart');
    expect(withQuery('/cart', new URLSearchParams({ a: '1', b: 'ä' }))).toBe('/cart?a=1&b=%C3%A4');
  });
});

test.each([
  ['https://home.example/start', '/', 'https://home.example/start'],
  ['https://home.example/start', '/landing', 'https://home.example/start'],
  ['https://home.example/start', '/home', 'https://home.example/start'],
  ['https://home.example/start', '/home/', null],
  ['https://home.example/start', '/menu', null],
  ['/start?a=1', '/', 'https://order.example/start?a=1'],
  ['http://order.example/in', '/', 'http://order.example/in'],
  ['https://order.example/in?a=1', '/', null],
  ['', '/', null],
])(
  'with the home application %j, %s of https://order.example/in leads to %j, and never in a mini-app [NAV-04]',
  (home, path, to) => {
    expect(homeApp(home, path, 'https://order.example/in', false)).toBe(to);
    expect(homeApp(home, path, 'https://order.example/in', true)).toBeNull();
  },
);

describe('a link cannot lead out of our origin [NAV-59]', () => {
  const OUT = [
    ...['//e.com', '///e.com', '////e.com', '//e.com/cart', '/\\e.com', '\\\\e.com', '\\/e.com', '/\\/e.com'],
    ...['/\\\\e.com', 'https:e.com', 'https:/e.com', 'https://e.com', 'http://e.com', 'HTTPS://E.COM'],
    ...['http:\\\\e.com', 'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)'],
    ...[' javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'blob:x', 'file:///etc/passwd'],
    ...['intent://e.com#Intent;end', 'upi://pay?pa=x', 'tel:123', 'mailto:a@e.com', '%2f%2fe.com', '/%2fe.com'],
    ...['/%2Fe.com', '/%5ce.com', '/%5Ce.com', '/%252fe.com', '/%25252fe.com', '/%09/e.com', '/\t/e.com'],
    ...['/\n/e.com', '/\r/e.com', '\t//e.com', '\n//e.com', ' //e.com', '/ /e.com', '/%0a/e.com'],
    ...['/%0d%0aLocation:%20//e.com', '/\u0000/e.com', '/%00/e.com', '//e。com', '//e．com', '/\u00a0/e.com'],
    ...['/.//e.com', '/..//e.com', '/a/..//e.com', '/./..//e.com', '/%2e//e.com', '/%2e%2e//e.com'],
    ...['//user@e.com', '//own@e.com:443', '@e.com', 'e.com', 'e.com/cart', 'cart', './cart', '../cart'],
    ...['?x=1', '#x', '', ' ', '/%', '/%zz', '/%u2215e.com', '/\u2028/e.com', '/\ufeff/e.com'],
    `/${'a'.repeat(3000)}`,
  ];
  it.each(OUT.map((url) => [url]))('%j is refused', (url) => {
    expect(ownPath(url)).toBeNull();
    expect(afterLogin(url)).toBe('/');
  });

  it.each([['/a?x=\\y'], ['/a?x=\ny'], ['/a#\u007f'], [`/${'a'.repeat(2000)}`]])('%j is no path of ours', (url) =>
    expect(ownPath(url)).toBeNull(),
  );

  it.each([[null], [undefined], [7], [{}], [['/cart']]])('%j is refused', (url) => expect(ownPath(url)).toBeNull());

  it.each([
    ['/'],
    ['/cart'],
    ['/menu/veg-pizza?a=1&b=2'],
    ['/postorder-ui/selectRestaurant?deliveryType=PICKUP&isFromHome=true'],
    ['/cart#bill'],
    ['/address?next=https://e.com'],
    ['/search?q=paneer%20tikka'],
    ['/menu/%E0%A4%B5'],
    ['/uf?orderId=1'],
    ['/a//b'],
    ['/a/b?x=//c'],
    [`/${'a'.repeat(1999)}`],
  ])('%j is ours', (url) => expect(ownPath(url)).toBe(url));

  it('holds for anything: what passes stays on the origin and comes out as it would be opened', () => {
    const pieces = fc.constantFrom(
      ...['/', '//', '\\', '%2f', '%5c', '%09', '\t', '\n', ' ', '.', '..', '@', ':', 'e.com'],
      ...['http', 'javascript', 'cart', '?', '#', '&', '%', 'a=1'],
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
        (url) => {
          for (const path of [ownPath(url), splitRedirect(url), afterLogin(url, 'x=1')]) {
            if (path === null) continue;
            expect(path.startsWith('/') && !path.startsWith('//')).toBe(true);
            expect(new URL(path, 'https://shop.example').origin).toBe('https://shop.example');
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('where a step leads', () => {
  it('splits a redirect url on & into its path and query [LOC-46]', () => {
    expect(splitRedirect('/postorder-ui/nearestStore&deliveryType=PICKUP&isFromHome=true')).toBe(
      '/postorder-ui/nearestStore?deliveryType=PICKUP&isFromHome=true',
    );
    expect(splitRedirect('/address?from=cart&storeId=10101')).toBe('/address?from=cart&storeId=10101');
    expect(splitRedirect('/cart')).toBe('/cart');
    expect(splitRedirect('//e.com&a=1')).toBeNull();
  });

  it('after a login is the redirect url, with deliveryType for changeAddress [AUTH-13] [AUTH-14]', () => {
    expect(afterLogin('/cart')).toBe('/cart');
    expect(afterLogin('/changeAddress')).toBe('/changeAddress?deliveryType=delivery');
    expect(afterLogin('/cart?step=changeAddress')).toBe('/cart?step=changeAddress&deliveryType=delivery');
    expect(afterLogin(undefined)).toBe('/');
  });

  it('after a login gives a feedback link its query back [AUTH-15]', () => {
    expect(afterLogin('/uf', 'orderId=77&token=a%20b')).toBe('/uf?orderId=77&token=a+b');
    expect(afterLogin('/uf')).toBe('/uf');
    expect(afterLogin('/ufo', 'orderId=77')).toBe('/ufo');
    expect(afterLogin('/cart', 'orderId=77')).toBe('/cart');
  });

  it('after an address is the cart, a reload, or the page with the offline flag only for an offline store [LOC-45] [LOC-30]', () => {
    expect(afterAddress('cart', '/menu', 0)).toEqual({ go: '/cart' });
    expect(afterAddress('cart-refresh', '/menu', 1)).toEqual({ reload: true });
    expect(afterAddress('', undefined, 1)).toEqual({ go: '/address' });
    expect(afterAddress('', undefined, 0)).toEqual({ go: '/address?offline=true' });
    expect(afterAddress('', '/menu?x=1', 0)).toEqual({ go: '/menu?x=1&offline=true' });
    expect(afterAddress('', '//e.com', 1)).toEqual({ go: '/address' });
  });

  it('after a takeaway store is home [LOC-47] and after a coupon the cart or home [OFF-06]', () => {
    expect([afterTakeaway(true), afterTakeaway(false)]).toEqual(['/', '/home?offline=false']);
    expect([afterCoupon(true), afterCoupon(false)]).toEqual(['/cart', '/home']);
  });
});
