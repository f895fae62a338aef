import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { countries, countryConfig } from '../../country/index.ts';
import { money, type Money } from '../../src/contract/price.ts';
import {
  add,
  allocate,
  barLength,
  decimal,
  formatMoney,
  fraction,
  minorOf,
  multiply,
  percent,
  rounding,
  smaller,
  subtract,
  ZERO,
} from '../../src/domain/money.ts';
import { latinDigits } from '../../src/domain/typedText.ts';

const amounts = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((minor) => money(minor));
const bills = fc.integer({ min: 0, max: 100_000_000 }).map((minor) => money(minor));

describe('counting', () => {
  it('is exact and only ever whole', () => {
    expect(add(money(10), money(20), money(-5))).toBe(25);
    expect(subtract(money(10), money(25))).toBe(-15);
    expect(multiply(money(19900), 3)).toBe(59700);
    expect(() => multiply(money(100), 1.005)).toThrow(RangeError);
    expect(() => money(0.1)).toThrow(RangeError);
    expect(() => money(2 ** 53)).toThrow(RangeError);
  });

  it('takes percentages half up, exactly, at any size', () => {
    expect(percent(money(250), 500)).toBe(13);
    expect(percent(money(10), 500)).toBe(1);
    expect(percent(money(9), 500)).toBe(0);
    expect(percent(money(-10), 500)).toBe(-1);
    expect(percent(money(9_007_199_254_740_991), 10_000)).toBe(9_007_199_254_740_991);
    fc.assert(
      fc.property(
        bills,
        fc.integer({ min: 0, max: 10_000 }),
        (amount, rate) => BigInt(percent(amount, rate)) === (BigInt(amount) * BigInt(rate) + 5000n) / 10_000n,
      ),
    );
  });

  it('takes a fraction with halves away from zero, and refuses what is none', () => {
    expect([-3, -2, -1, 0, 1, 2, 3].map((minor) => fraction(money(minor), 1, 2))).toEqual([-2, -1, -1, 0, 1, 1, 2]);
    expect([-5, -4, 4, 5].map((minor) => fraction(money(minor), 1, 3))).toEqual([-2, -1, 1, 2]);
    expect([fraction(money(10), -1, 4), fraction(money(-10), -1, 4), fraction(money(0), 3, 7)]).toEqual([-3, 3, 0]);
    expect(fraction(money(2 ** 53 - 1), 2 ** 53 - 1, 2 ** 53 - 1)).toBe(2 ** 53 - 1);
    for (const [numerator, denominator] of [
      [1, 0],
      [1, -2],
      [0.5, 1],
      [1, 1.5],
      [2 ** 53, 1],
      [1, 2 ** 53],
      [Number.NaN, 1],
      [1, Number.NaN],
    ] as const)
      expect(() => fraction(money(0), numerator, denominator), `${numerator}/${denominator}`).toThrow(
        new RangeError(`Not a fraction: ${numerator}/${denominator}`),
      );
    expect(() => fraction(money(2 ** 52), 4, 1)).toThrow(RangeError);
  });

  it('takes the smaller of two amounts', () => {
    expect([smaller(money(1), money(2)), smaller(money(2), money(1)), smaller(money(-3), ZERO)]).toEqual([1, 1, -3]);
  });

  it('draws a bar as long as its share of the largest amount, and none for what is below zero', () => {
    const all = [money(50), money(200), money(-40)];
    expect(all.map((amount) => barLength(amount, all))).toEqual(['25%', '100%', '0%']);
    expect([barLength(ZERO, []), barLength(ZERO, [ZERO]), barLength(money(1), [money(1)])]).toEqual([
      '0%',
      '0%',
      '100%',
    ]);
  });

  it('is written as banks write it, and read back', () => {
    const written = { 39900: '399.00', 5: '0.05', 50: '0.50', 0: '0.00', 100: '1.00', 12345: '123.45' };
    for (const [minor, text] of Object.entries(written)) {
      expect(decimal(Number(minor))).toBe(text);
      expect(minorOf(text)).toBe(Number(minor));
    }
    expect([decimal(-5), decimal(-12345), decimal(-100)]).toEqual(['-0.05', '-123.45', '-1.00']);
    expect([' 7 ', '7.5', '7.05', '007', '999999999999.99'].map(minorOf)).toEqual([700, 750, 705, 700, 99999999999999]);
    for (const text of ['', '.', '7.', '.5', '7.555', '-7', '+7', '7,5', 'x7', '7x', '1e3', '1234567890123', '1 2'])
      expect(minorOf(text), text).toBeNull();
  });

  it('shares out every last paisa and gives nobody more than one extra', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 12 }),
        (amount, weights) => {
          fc.pre(weights.some((weight) => weight > 0));
          const parts = allocate(amount, weights);
          const total = weights.reduce((sum, weight) => sum + weight, 0);
          expect(add(...parts)).toBe(amount);
          parts.forEach((part, index) =>
            expect(Math.abs(part - (amount * weights[index]!) / total)).toBeLessThan(1.000001),
          );
        },
      ),
    );
    expect(allocate(money(100), [1, 1, 1])).toEqual([34, 33, 33]);
    expect(allocate(money(-100), [1, 1, 1])).toEqual([-34, -33, -33]);
    // The largest remainders first, and of equal ones the earlier.
    expect(allocate(money(100), [1, 2, 4])).toEqual([14, 29, 57]);
    expect(allocate(money(5), [1, 3, 3, 1])).toEqual([1, 2, 2, 0]);
    expect(allocate(money(2), [1, 1, 1, 1])).toEqual([1, 1, 0, 0]);
    // Not even a zero is below zero.
    expect(allocate(money(-1), [1, 1]).map((part) => Object.is(part, -0))).toEqual([false, false]);
    expect(allocate(money(2 ** 53 - 1), [2, 1])).toEqual([6004799503160661, 3002399751580330]);
    expect(allocate(ZERO, [0, 0])).toEqual([0, 0]);
    expect(allocate(ZERO, [])).toEqual([]);
    for (const weights of [[0, 0], []])
      expect(() => allocate(money(1), weights)).toThrow(new RangeError('Nothing to allocate to'));
    for (const weights of [
      [-1, 2],
      [0.5, 1],
      [2 ** 53, 1],
      [-1, 1],
    ])
      expect(() => allocate(money(1), weights)).toThrow(new RangeError('Weights are whole numbers from 0 up'));
  });

  it('rounds a total to whole units and says by how much', () => {
    expect([45050, 45049, 45000, 45099, -50].map((minor) => rounding(money(minor), 100))).toEqual([50, -49, 0, 1, 50]);
    expect([7, 8, -7, -8].map((minor) => rounding(money(minor), 5))).toEqual([-2, 2, 2, -2]);
    fc.assert(
      fc.property(amounts, (amount) => {
        const step = rounding(amount, 100);
        expect((amount + step) % 100 === 0 && Math.abs(step) <= 50).toBe(true);
      }),
    );
  });
});

describe('showing', () => {
  const plain = (text: string) => text.replace(/\s/gu, ' ');
  it("uses the country's own symbol and grouping, and no fraction when whole [CFG-13]", () => {
    const [india, lk, bg] = ['IN', 'LK', 'BG'].map(countryConfig);
    expect(formatMoney(money(12345600), india!)).toBe('₹1,23,456');
    expect(formatMoney(money(12345650), india!)).toBe('₹1,23,456.50');
    expect(plain(formatMoney(money(123450), lk!))).toBe('Rs. 1,234.50');
    expect(plain(formatMoney(money(329000), lk!))).toBe('Rs. 3,290');
    expect(formatMoney(money(123456700), bg!)).toBe('৳1,234,567');
    expect(formatMoney(money(0), india!)).toBe('₹0');
    expect(formatMoney(money(-10000), india!)).toBe('-₹100');
  });

  it('follows the language where it is not English [CFG-X02]', () => {
    const bg = countryConfig('BG');
    expect(plain(formatMoney(money(123450), { ...bg, locale: bg.locales['bn']! }))).toBe('১,২৩৪.৫০৳');
    expect(plain(formatMoney(money(100), { ...countryConfig('LK'), locale: 'si-LK' }))).toContain('Rs.');
  });

  /** Reads an amount as a person of that language would: its own digits, grouping and decimal sign. */
  function read(text: string, locale: string): number {
    const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(-12345.5);
    const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].reverse();
    const latin = [...text].map((one) => (digits.includes(one) ? String(digits.indexOf(one)) : one)).join('');
    const number = latin
      .replaceAll(sign('group'), '')
      .replaceAll(sign('decimal'), '#')
      .replace(/[^\d#]/g, '')
      .replace(/^#/, '')
      .replace('#', '.');
    return Math.round(Number(number) * 100) * (latin.includes(sign('minusSign') || '-') ? -1 : 1);
  }

  it.each(
    countries.flatMap((country) =>
      [...Object.values(country.locales), 'en-US', 'te-IN'].map(
        (locale) => [country.COUNTRY_CODE, locale, country] as const,
      ),
    ),
  )('in %s, %s: read back, an amount is what it was [P5] [CFG-X02]', (_code, locale, country) => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(read(formatMoney(amount, { ...country, locale }).replace(country.CURRENCY_SYMBOL, ''), locale)).toBe(
          amount,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(countries.flatMap((one) => Object.values(one.locales).map((locale) => ({ ...one, locale }))))(
    'below a lakh, too, in $COUNTRY_CODE, $locale is as the locale writes it',
    (style) => {
      const [whole, parted] = [0, 2].map(
        (digits) =>
          new Intl.NumberFormat(style.locale, {
            style: 'currency',
            currency: style.CURRENCY_CODE,
            currencyDisplay: 'narrowSymbol',
            minimumFractionDigits: digits,
            maximumFractionDigits: digits,
          }),
      );
      fc.assert(
        fc.property(fc.integer({ min: -15_000_000, max: 15_000_000 }), (minor) => {
          const parts = (minor % 100 === 0 ? whole : parted)!.formatToParts(minor / 100);
          expect(formatMoney(money(minor), style)).toBe(
            parts.map(({ type, value }) => (type === 'currency' ? style.CURRENCY_SYMBOL : value)).join(''),
          );
        }),
      );
    },
  );

  it("uses each language's own digits and grouping in every country, also in a web view that knows less of Intl [QUAL-X04]", async () => {
    const shown = () =>
      Object.fromEntries(
        countries.flatMap((country) =>
          Object.entries(country.locales).map(([language, locale]) => [
            `${country.COUNTRY_CODE} ${language}`,
            plain(formatMoney(money(123456750), { ...country, locale })),
          ]),
        ),
      );
    const wanted = {
      'IN en': '₹12,34,567.50',
      'IN hi': '₹12,34,567.50',
      'LK en': 'Rs. 1,234,567.50',
      'LK si': 'Rs. 1,234,567.50',
      'LK ta': 'Rs. 12,34,567.50',
      'BG en': '৳1,234,567.50',
      'BG bn': '১২,৩৪,৫৬৭.৫০৳',
    };
    expect(shown()).toMatchObject(wanted);
    // What is typed in any of these digits is understood.
    expect(latinDigits('০১২৩ ०४५ ௬ 789')).toBe('01230456789');
    const real = Intl.NumberFormat;
    vi.resetModules();
    const old = function old(locale: string, options: Intl.NumberFormatOptions) {
      if (options.currencyDisplay === 'narrowSymbol')
        throw new RangeError('Value narrowSymbol out of range for Intl.NumberFormat options property currencyDisplay');
      return new real(locale, options);
    };
    vi.stubGlobal('Intl', {
      ...Intl,
      NumberFormat: Object.assign(old, { supportedLocalesOf: real.supportedLocalesOf }),
    });
    const { formatMoney: fresh } = await import('../../src/domain/money.ts');
    expect(
      plain(
        fresh(
          money(123456750),
          countries.find(({ COUNTRY_CODE }) => COUNTRY_CODE === 'LK')!,
        ),
      ),
    ).toBe(wanted['LK en']);
    vi.unstubAllGlobals();
  });

  it('money is written in the country’s English if the browser lacks the language, never in the browser’s own [CFG-X02]', async () => {
    const real = Intl.NumberFormat;
    const isSinhala = (locale: string) => locale.startsWith('si');
    // A browser that is set to German and was built without Sinhala.
    const german = function german(locale: string, options: Intl.NumberFormatOptions) {
      return new real(isSinhala(locale) ? 'de-DE' : locale, options);
    };
    const supportedLocalesOf = (locale: string) => (isSinhala(locale) ? [] : real.supportedLocalesOf(locale));
    vi.resetModules();
    vi.stubGlobal('Intl', { ...Intl, NumberFormat: Object.assign(german, { supportedLocalesOf }) });
    try {
      const { formatMoney: fresh } = await import('../../src/domain/money.ts');
      const lk = countries.find(({ COUNTRY_CODE }) => COUNTRY_CODE === 'LK')!;
      expect(plain(fresh(money(123450), { ...lk, locale: lk.locales['si']! }))).toBe('Rs. 1,234.50');
      expect(plain(fresh(money(123456750), { ...lk, locale: lk.locales['ta']! }))).toBe('Rs. 12,34,567.50');
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('never loses a digit', () => {
    fc.assert(
      fc.property(bills, (amount: Money) => {
        const shown = formatMoney(amount, countryConfig('IN')).replace(/[₹,]/g, '');
        expect(Math.round(Number(shown) * 100)).toBe(amount);
      }),
    );
  });
});
