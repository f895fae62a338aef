import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { CartLine } from '../../src/contract/cart.ts';
import { money } from '../../src/contract/price.ts';
import { hasComboSaving, isBulk, missingToMinimum, vegType, type CartRuleLine } from '../../src/domain/cart.ts';
import { inputOf } from '../../src/domain/lineInput.ts';
import { firstSize } from '../../src/domain/sizes.ts';
import { promiseCredit, promiseDeadline, promiseMinutes } from '../../src/domain/promise.ts';

const line = (foodType: string, more: Partial<CartRuleLine> = {}): CartRuleLine => ({
  product: { foodType, price: 100, originalPrice: 100 },
  productType: 'PIZZA',
  quantity: 1,
  ...more,
});

describe('veg classification [CART-06]', () => {
  it('is YES all veg, NO all non-veg, MIX otherwise, NA empty', () => {
    expect(vegType([])).toBe('NA');
    expect(vegType([line('VEG'), line('VEG')])).toBe('YES');
    expect(vegType([line('NON_VEG')])).toBe('NO');
    expect(vegType([line('VEG'), line('NON_VEG')])).toBe('MIX');
  });

  it('looks into a deal', () => {
    expect(vegType([line('MIX', { slots: [{ foodType: 'VEG' }, { foodType: 'VEG' }] })])).toBe('YES');
    expect(vegType([line('MIX', { slots: [{ foodType: 'VEG' }, { foodType: 'NON_VEG' }] })])).toBe('MIX');
    expect(vegType([line('MIX')])).toBe('MIX');
  });

  it('does not depend on order or repetition', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('VEG', 'NON_VEG'), { maxLength: 8 }), (kinds) => {
        const lines = kinds.map((kind) => line(kind));
        expect(vegType([...lines].reverse())).toBe(vegType(lines));
        expect(vegType([...lines, ...lines])).toBe(vegType(lines));
      }),
    );
  });
});

describe('combo badge [CART-07]', () => {
  const combo = (price: number, originalPrice: number, productType = 'SIDECOMBOS') =>
    line('VEG', { productType, product: { foodType: 'VEG', price, originalPrice, kind: 'DEAL' } });
  it('needs a combo that costs less than its parts', () => {
    expect(hasComboSaving([combo(299, 350)])).toBe(true);
    expect(hasComboSaving([combo(299, 350, 'PIZZA')])).toBe(true);
    expect(hasComboSaving([combo(299, 299)])).toBe(false);
    expect(hasComboSaving([combo(299, 250)])).toBe(false);
    expect(hasComboSaving([])).toBe(false);
    // By its kind alone, or by its type alone.
    const plain = { foodType: 'VEG', price: 299, originalPrice: 350 };
    expect(hasComboSaving([line('VEG', { productType: 'SIDECOMBOS', product: plain })])).toBe(true);
    expect(hasComboSaving([line('VEG', { productType: 'SIDES', product: plain })])).toBe(false);
    expect(hasComboSaving([line('VEG'), combo(299, 350)])).toBe(true);
  });
  it('is not given for a plain item with a struck price', () => {
    expect(
      hasComboSaving([line('VEG', { product: { foodType: 'VEG', price: 1, originalPrice: 2, kind: 'PIZZA' } })]),
    ).toBe(false);
  });
});

describe('bulk orders and the promise', () => {
  const india = countryConfig('in');
  it('are bulk from 4 pizzas [CART-21] [ORD-27]', () => {
    expect([isBulk(3, india), isBulk(4, india)]).toEqual([false, true]);
  });

  it('is 30 minutes by day, 45 from 23:00 to just before 03:00, by the clock of the country [ORD-25]', () => {
    const at = (text: string) => promiseMinutes(Date.parse(text), india);
    expect([
      at('2027-01-15T22:59:59+05:30'),
      at('2027-01-15T23:00:00+05:30'),
      at('2027-01-16T02:59:59+05:30'),
      at('2027-01-16T03:00:00+05:30'),
      at('2027-01-15T13:00:00+05:30'),
    ]).toEqual([30, 45, 45, 30, 30]);
    expect(promiseMinutes(Date.parse('2027-01-15T23:10:00+06:00'), countryConfig('bg'))).toBe(45);
    expect(promiseMinutes(Date.parse('2027-01-15T23:10:00+06:00'), india)).toBe(30);
  });

  it('runs from the confirmation, and pays up to the limit [ORD-25] [ORD-26]', () => {
    const noon = Date.parse('2027-01-15T12:00:00+05:30');
    const deadline = promiseDeadline(noon, india);
    expect(deadline - noon).toBe(30 * 60_000);
    expect(promiseCredit(money(25000), india.guarantee.maxLiability)).toBe(25000);
    expect(promiseCredit(money(99900), india.guarantee.maxLiability)).toBe(30000);
    expect(promiseCredit(money(999900), countryConfig('lk').guarantee.maxLiability)).toBe(75000);
  });
});

test('what a bill lacks to the minimum order is told to the last unit; a tip is no part of it', () => {
  const bill = (total: number, ...tips: number[]) => ({
    total,
    lines: [{ kind: 'items', amount: total }, ...tips.map((amount) => ({ kind: 'tip', amount }))],
  });
  expect(missingToMinimum(bill(99_00), 100_00)).toBe(1_00);
  expect(missingToMinimum(bill(100_00), 100_00)).toBe(0);
  expect(missingToMinimum(bill(130_00), 100_00)).toBe(0);
  expect(missingToMinimum(bill(110_00, 20_00), 100_00)).toBe(10_00);
  expect(missingToMinimum(bill(110_00, 5_00, 20_01), 100_00)).toBe(15_01);
});

test('a line is asked for again with all that makes it, and nothing that it has not', () => {
  const has = (more: object) =>
    inputOf({ lineId: 'l', quantity: 2, product: { id: 'p' }, lineTotal: 5, ...more } as unknown as CartLine);
  const plain = { lineId: 'l', quantity: 2, productId: 'p' };
  expect(has({})).toStrictEqual(plain);
  expect(has({ size: undefined, crust: undefined, build: undefined, note: '', slots: undefined })).toStrictEqual(plain);
  const own = { size: 'M', crust: 'thin', build: { cheese: 'extra' }, note: 'hot' };
  expect(has(own)).toStrictEqual({ ...plain, ...own });
  const { note: _, ...made } = own;
  expect(
    has({
      slots: [
        { slot: 'a', productId: 'q', label: 'Side', ...made },
        { slot: 'b', productId: 'r', label: 'Drink', size: undefined, crust: undefined, build: undefined },
      ],
    }),
  ).toStrictEqual({
    ...plain,
    slots: [
      { slot: 'a', productId: 'q', ...made },
      { slot: 'b', productId: 'r' },
    ],
  });
  expect(has({ slots: [] })).toStrictEqual({ ...plain, slots: [] });
});

test('a dish is bought in its smallest size where none is asked for', () => {
  expect([firstSize({ prices: { L: 3, M: 2 } }), firstSize({ prices: { R: 0, L: 3 } })]).toEqual(['M', 'R']);
  expect([firstSize({ prices: { ONE: 1 } }), firstSize({ prices: {} })]).toEqual(['ONE', 'ONE']);
});
