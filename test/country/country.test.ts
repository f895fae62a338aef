import * as english from '#text/found.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildOfKey } from '../../src/server/rules/hosts/hosts.ts';
import { countries, countryConfig } from '../../country/index.ts';
import { compileTexts, spokenIn } from '../../src/build/texts.ts';
import { appTold, pagesTold, shortcutsTold, type SeoData } from '../../src/domain/seo.ts';
import { root } from '../architecture/sources.ts';

/** Those of the specification, with what it says of each; a further country has its own values. */
const specified = ['IN', 'LK', 'BG'].map((code) => countries.find((country) => country.COUNTRY_CODE === code)!);
const [india, lk, bg] = specified as [(typeof countries)[0], (typeof countries)[0], (typeof countries)[0]];
const LK_OFF = [
  ...['chatbot', 'deliverontrain', 'irctc', 'irctcOrder', 'irctcStation', 'paytmForm', 'upiForm'],
  ...['worldPizzaLeague', 'worldPizzaLeagueApp'],
];

describe('the countries that are built', () => {
  it.each([
    ['CFG-01', 'IN', 'IN', 'en-IN', 'India'],
    ['CFG-02', 'LK', 'LK', 'en-LK', 'Sri Lanka'],
    ['CFG-03', 'BG', 'BD', 'en-BD', 'Bangladesh'],
  ])(
    '%s: one of them is %s, to the browser %s and %s, and its pages say %s [CFG-01] [CFG-02] [CFG-03]',
    (_, code, iso, locale, name) => {
      expect(countries.map(({ COUNTRY_CODE }) => COUNTRY_CODE)).toContain(code);
      const country = countries.find(({ COUNTRY_CODE }) => COUNTRY_CODE === code)!;
      expect(country).toMatchObject({ iso, locale, locales: { en: locale } });
      const { paths } = pagesTold(country, english);
      for (const path of ['/offers', '/manualSelector']) expect(paths[path]?.keywords, path).toContain(name);
    },
  );
});

describe('looking a country up by name', () => {
  it.each([
    ['CFG-05', 'IN', ['in', 'india', 'ind']],
    ['CFG-06', 'LK', ['sl', 'lk', 'srilanka']],
    ['CFG-07', 'BG', ['bg', 'bangla', 'bangladesh']],
  ])('knows every name of the specification (%s) [CFG-05] [CFG-06] [CFG-07]', (_, code, names) => {
    for (const name of names) expect(countryConfig(name).COUNTRY_CODE).toBe(code);
  });

  it('does not mind case or surrounding spaces [CFG-08]', () => {
    const spelt = fc
      .constantFrom(
        ...countries.flatMap((country) => country.names.map((name) => [name, country.COUNTRY_CODE] as const)),
      )
      .chain(([name, code]) =>
        fc
          .record({
            text: fc
              .tuple(...[...name].map((letter) => fc.constantFrom(letter, letter.toUpperCase())))
              .map((letters) => letters.join('')),
            before: fc.constantFrom('', ' ', '\t', '\n '),
            after: fc.constantFrom('', ' ', '  '),
          })
          .map(({ text, before, after }) => [before + text + after, code] as const),
      );
    fc.assert(fc.property(spelt, ([name, code]) => countryConfig(name).COUNTRY_CODE === code));
  });

  it.each([[''], ['   '], [undefined], [null], [7], [{}], [['in']]])(
    'asks for a name when given %j [CFG-09] [ERR-37]',
    (name) => {
      expect(() => countryConfig(name)).toThrow(new Error('Please mention the country name.'));
    },
  );

  it.each([['us'], ['usa'], ['inn'], ['sri lanka'], ['constructor'], ['BD']])(
    'says so for the unknown name %j [CFG-10] [CFG-04] [ERR-38]',
    (name) => {
      expect(() => countryConfig(name)).toThrow(new Error('No config available with this country'));
    },
  );
});

describe('the keys of the specification', () => {
  it('are all there in every country, spelled as there', () => {
    for (const country of countries) {
      for (const key of [
        ...['COUNTRY_CODE', 'PHONE_DIGIT', 'CURRENCY_SYMBOL', 'CURRENCY_CODE', 'BLOCKED_PATHS'],
        ...['IS_WALLET_BLOCKED', 'TNC', 'DEFAULT_STORE', 'SHOW_LOAGIN_WITH_PASSWORD', 'GOOGLE_MAP_COUNTRY'],
        ...['TNC_URL', 'DEFAULT_TNC_URL', 'GOOGLE_SITE_VERIFICATION_ID', 'DEFAULT_MENU', 'HELP_DESK_NO'],
        'LOYALTY_INFO_DEFAULT_DATA',
      ])
        expect(country, country.COUNTRY_CODE).toHaveProperty(key);
      expect(country.TNC).toBe('I accept the terms and conditions.');
      expect(country.GOOGLE_SITE_VERIFICATION_ID).toBe('');
      expect(country.HOME_APP_URL).toBe('');
    }
  });

  it('the password is off in every country [CFG-19]', () => {
    for (const { SHOW_LOAGIN_WITH_PASSWORD } of countries) expect(SHOW_LOAGIN_WITH_PASSWORD).toBe(false);
  });

  it.each([
    ['CFG-11', 'COUNTRY_CODE', ['IN', 'LK', 'BG']],
    ['CFG-12', 'PHONE_DIGIT', [10, 9, 10]],
    ['CFG-13', 'CURRENCY_SYMBOL', ['₹', 'Rs.', '৳']],
    ['CFG-14', 'CURRENCY_CODE', ['INR', 'LKR', 'BDT']],
    ['CFG-16', 'IS_WALLET_BLOCKED', [false, true, false]],
    ['CFG-18', 'DEFAULT_STORE', ['10101', '20101', '30101']],
    ['CFG-20', 'GOOGLE_MAP_COUNTRY', ['in', 'lk', 'bd']],
    ['CFG-25', 'HELP_DESK_NO', ['6888 6888', '0117777888', '16656']],
    ['CFG-34', 'minimumOrder', [100, 100, 5000]],
    ['CFG-35', 'dialPrefix', ['+91', '+94', '+880']],
    ['PAY-04', 'cashLimit', [200_000, 1_000_000, 300_000]],
  ] as const)(
    '%s: each country has its %s [CFG-11] [CFG-12] [CFG-13] [CFG-14] [CFG-16] [CFG-18] [CFG-20] [CFG-25] [CFG-34] [CFG-35] [PAY-04]',
    (_, key, values) => {
      expect(specified.map((country) => country[key])).toEqual(values);
    },
  );

  it('each country has the specified map, reward slices and points, and the most that a late order can cost', () => {
    const facts = specified.map((c) => [
      c.iso,
      c.LOYALTY_INFO_DEFAULT_DATA.slices,
      c.LOYALTY_INFO_DEFAULT_DATA.redeemPoints,
      c.guarantee.maxLiability,
    ]);
    expect(facts).toEqual([
      ['IN', 6, 600, 30000],
      ['LK', 4, 400, 75000],
      ['BD', 4, 400, 30000],
    ]);
  });

  it.each([
    ['CFG-30', 'India', india, []],
    ['CFG-31', 'Sri Lanka', lk, LK_OFF],
    ['CFG-32', 'Bangladesh', bg, [...LK_OFF, 'wallet']],
  ])('%s: what %s has switched off [CFG-30] [CFG-31] [CFG-32]', (_, _name, country, off) => {
    expect([...country.DISABLED_FEATURES].sort()).toEqual([...off].sort());
  });

  it('derive the blocked paths from what is off; the blocked wallet goes with them [CFG-15] [PAY-33]', () => {
    expect(india.BLOCKED_PATHS).toEqual([]);
    for (const country of [lk, bg]) {
      expect([...country.BLOCKED_PATHS].sort()).toEqual([
        ...['/chatbot', '/deliverontrain', '/irctc', '/irctcOrder', '/irctcStation', '/paytmForm'],
        ...['/postorder-ui/wallet', '/upiForm', '/wallet', '/worldPizzaLeague', '/worldPizzaLeagueApp'],
      ]);
    }
  });

  it('include every environment with the same keys and, unless configured, our own origin [CFG-42]', () => {
    for (const country of countries) {
      expect(Object.keys(country.ENVIRONMENTS).sort()).toEqual([
        ...['beta', 'development', 'local', 'production', 'srilanka', 'stage', 'uat'],
      ]);
      for (const values of Object.values(country.ENVIRONMENTS)) {
        expect(Object.keys(values).sort()).toEqual(['API_HOST', 'USER_ACTIVITY_TRACKING']);
        expect(values.API_HOST).toBe('');
      }
      if (country !== bg)
        for (const values of Object.values(country.ENVIRONMENTS))
          expect(values.USER_ACTIVITY_TRACKING).not.toBe('true');
    }
  });

  it('say taxes as data whose parts add up [CFG-X01] and centre the map inside the country [CFG-44]', () => {
    expect(specified.map((c) => [c.tax.basisPoints, c.tax.included])).toEqual([
      [500, false],
      [1800, true],
      [500, false],
    ]);
    for (const country of countries) {
      expect(country.tax.parts.reduce((sum, part) => sum + part.basisPoints, 0)).toBe(country.tax.basisPoints);
    }
    expect(specified.map((c) => [Math.round(c.mapCentre.latitude), Math.round(c.mapCentre.longitude)])).toEqual([
      [29, 77],
      [7, 80],
      [24, 90],
    ]);
  });

  it('name their languages, with a locale for each [CFG-X02]', () => {
    for (const [at, own] of [['hi'], ['si', 'ta'], ['bn']].entries()) {
      const [first, ...others] = specified[at]!.languages;
      expect(first).toBe('en');
      expect(others).toEqual(expect.arrayContaining(own));
    }
    for (const country of countries)
      for (const own of [country.locales, country.addressExamples])
        expect(Object.keys(own).sort()).toEqual([...country.languages].sort());
    for (const country of countries)
      for (const language of country.languages.slice(1))
        expect(Object.keys(country.categoryNames[language] ?? {}).sort()).toEqual(
          country.categories.map(({ id }) => id).sort(),
        );
  });
});

describe('what a country brings along', () => {
  it('has a title, description and keywords for every category path, with the friendly path as canonical [CFG-28] [NAV-46]', async () => {
    for (const country of countries) {
      const seo = pagesTold(country, english);
      for (const row of country.categories) {
        for (const path of [row.path, `/menu/${row.id}`, ...(row.aliases ?? [])]) {
          expect(seo.paths[path], `${country.COUNTRY_CODE} ${path}`).toMatchObject({ canonical: row.path });
          for (const text of [seo.paths[path]?.title, seo.paths[path]?.description, seo.paths[path]?.keywords])
            expect(text).toBeTruthy();
        }
      }
      for (const path of ['/', '/menu', '/landing', '/home', '/edv', '/everyday-value-offers', '/cart'])
        expect(seo.paths[path]).toBeTruthy();
      expect(seo.paths['/home']?.canonical).toBe('/');
    }
  });

  it('says in each of its languages what it says in English: of its pages, its app and itself [CFG-X02]', async () => {
    const LETTERS: Readonly<Record<string, RegExp>> = {
      hi: /\p{sc=Deva}/u,
      bn: /\p{sc=Beng}/u,
      si: /\p{sc=Sinh}/u,
      ta: /\p{sc=Taml}/u,
    };
    // Names, which stay as they are: the shop's, a tax's.
    const named = (text: string, names: readonly string[]) =>
      names.reduce((rest, name) => rest.replaceAll(name, ''), text);
    for (const country of countries)
      for (const [language, locale] of Object.entries(country.locales)) {
        if (language === 'en') continue;
        const words = await spokenIn<typeof english>(await compileTexts(root, { language }), 'found');
        const told = { ...country, locale };
        const { paths } = pagesTold(told, words);
        expect(Object.keys(paths)).toEqual(Object.keys(pagesTold(country, english).paths));
        const { name, description } = appTold(told, words);
        const names = [country.appName, country.tax.name, 'OTP', 'SMS', 'PNR'];
        const shortcuts = shortcutsTold(await country.pwa(), told, words).map((one) => one.name);
        const texts = Object.values(paths).flatMap((entry) => [entry.title, entry.description, entry.keywords]);
        for (const text of [...texts, name, description, ...shortcuts]) {
          expect(named(text, names), `${locale}: ${text}`).not.toMatch(/[a-z]/i);
          if (named(text, names).replace(/[\s|]/g, '') !== '') expect(text).toMatch(LETTERS[language]!);
        }
      }
  });

  it('has no page of what is off there [CFG-30]', () => {
    const has = (own: typeof india) => Object.keys(pagesTold(own, english).paths);
    for (const path of ['/deliverontrain', '/worldPizzaLeague']) {
      expect(has(india)).toContain(path);
      expect(has(lk)).not.toContain(path);
    }
  });

  it('shares one title, one inviting description and the keywords "Our Menu" over the menu of Bangladesh [NAV-45]', async () => {
    const { paths }: SeoData = pagesTold(bg, english);
    const table = [
      ...['/', '/menu/pizza', '/menu/50', '/menu/loaded-pizza', '/menu/52', '/menu/sides', '/menu/4'],
      ...['/menu/beverages', '/menu/5', '/menu/desserts', '/menu/51', '/menu/favourite', '/menu/0'],
    ];
    expect(new Set(table.map((path) => paths[path]?.title)).size).toBe(1);
    expect(new Set(table.map((path) => paths[path]?.keywords))).toEqual(new Set(['Our Menu']));
    const descriptions = new Set(table.map((path) => paths[path]?.description));
    expect(descriptions.size).toBe(1);
    for (const word of ['Order', 'favourites', 'sides', 'desserts', 'deals'])
      expect([...descriptions][0]).toMatch(new RegExp(`\\b${word}\\b`));
  });

  it('has a registry of calls without those of features that are off [CFG-29] [CFG-33]', () => {
    const [a, b, c] = specified.map((country) => country.api.paths);
    expect(a).toMatchObject({ cart: { byId: '/agg/cart-service/ve1/cart/{cartId}' }, wallet: {}, trains: {} });
    for (const registry of [b, c]) {
      expect(registry).not.toHaveProperty('wallet');
      expect(registry).not.toHaveProperty('trains');
      expect(registry).toHaveProperty('cart.byId', '/agg/cart-service/ve1/cart/{cartId}');
    }
  });

  it('has an api key per host, and a key leads back to its country and host [MINI-03]', () => {
    expect(specified.map((country) => country.api.keys)).toEqual([
      { browser: 'in-web', gpay: 'in-gpay', paytm: 'in-paytm' },
      { browser: 'lk-web' },
      { browser: 'bg-web' },
    ]);
    expect(buildOfKey('in-paytm')).toEqual({ country: india, host: 'paytm' });
    expect(buildOfKey('lk-web')).toEqual({ country: lk, host: 'web' });
    expect(buildOfKey('lk-gpay')).toBeNull();
    expect(buildOfKey('')).toBeNull();
  });
});
