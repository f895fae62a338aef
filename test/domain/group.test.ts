import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import type { DeliveryType } from '../../src/contract/names.ts';
import { money, type Money } from '../../src/contract/price.ts';
import * as t from '#text/group.ts';
import { clashesOf, groupCode, sharesOf } from '../../src/domain/group.ts';
import { billOf, type Discount } from '../../src/server/rules/pricing/bill.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);
const discount = fc.record({
  code: fc.constantFrom('A', 'B', 'C'),
  title: fc.constant('Offer'),
  amount: fc.integer({ min: 0, max: 90_000 }),
  on: fc.constantFrom<Discount['on']>('items', 'delivery'),
});
const people = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60_000 })), { minLength: 1, maxLength: 20 });

describe('the shares of a bill', () => {
  it('add up to the total to the last paisa, and nobody is below zero, whatever is on the bill [CART-X07]', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...countries),
        people,
        fc.array(discount, { maxLength: 3 }),
        fc.constantFrom<DeliveryType>('DELIVERY', 'PICKUP', 'CURB', 'DINEIN'),
        fc.boolean(),
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 0, max: 3_000 }),
        (country, dishes, discounts, deliveryType, carryBag, tip, packaging) => {
          const bill = billOf(country, {
            deliveryType,
            items: sum(dishes),
            discounts,
            given: 0,
            packaging,
            carryBag,
            tip,
          });
          const shares = sharesOf(bill, dishes as Money[]);
          expect(sum(shares.map((share) => share.total))).toBe(bill.total);
          for (const [index, share] of shares.entries()) {
            expect(share.total).toBeGreaterThanOrEqual(0);
            expect(share.dishes).toBe(dishes[index]);
            expect(share.discount).toBeLessThanOrEqual(0);
            expect(share.dishes + share.discount + share.charges).toBe(share.total);
            if (dishes[index] === 0) expect(share.total).toBe(0);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('discounts and taxes follow the dishes, the delivery is shared equally by those who eat [CART-X07]', () => {
    const bill = {
      currencyCode: 'INR',
      savings: money(0),
      total: money(34_000),
      lines: [
        { id: 'items', label: 'Items', amount: money(30_000), kind: 'items' as const },
        { id: 'discount:X', label: 'X', amount: money(-3_000), kind: 'discount' as const },
        { id: 'delivery', label: 'Delivery', amount: money(4_000), kind: 'charge' as const },
        { id: 'tax:T', label: 'T', amount: money(3_100), kind: 'tax' as const },
        { id: 'rounding', label: 'Rounding', amount: money(-100), kind: 'rounding' as const },
      ],
    };
    expect(sharesOf(bill, [money(20_000), money(10_000), money(0)])).toEqual([
      { dishes: 20_000, discount: -2_000, charges: 2_000 + 2_000 - 65, total: 21_935 },
      { dishes: 10_000, discount: -1_000, charges: 2_000 + 1_100 - 35, total: 12_065 },
      { dishes: 0, discount: 0, charges: 0, total: 0 },
    ]);
  });

  it("a bill of nobody's dishes is the host's", () => {
    const bill = {
      currencyCode: 'INR',
      savings: money(0),
      total: money(500),
      lines: [{ id: 'tip', label: 'Tip', amount: money(500), kind: 'tip' as const }],
    };
    expect(sharesOf(bill, [money(0), money(0)]).map((share) => share.total)).toEqual([500, 0]);
  });
});

it("a dish says what of it does not go with somebody's marks, and nothing is guessed to be safe [CART-X06]", () => {
  const dish = { product: { foodType: 'NON_VEG' as const }, allergens: ['egg', 'pine nuts', 'fish'] };
  const said = clashesOf(dish, ['VEG', 'NO_EGG', 'NO_NUTS', 'NO_MILK', 'NO_SEAFOOD']).map((diet) =>
    t.dietClash({ diet }),
  );
  expect(said).toEqual(['not vegetarian', 'has egg', 'has nuts', 'has seafood']);
  expect(clashesOf({ product: { foodType: 'VEG' }, allergens: [] }, ['VEG', 'JAIN'])).toEqual(['JAIN']);
  expect(clashesOf({ product: { foodType: 'VEG' }, allergens: [], jain: true }, ['VEG', 'JAIN', 'NO_NUTS'])).toEqual(
    [],
  );
  expect(clashesOf({ product: { foodType: 'MIX' }, allergens: [] }, ['VEG'])).toEqual(['VEG']);
});

it('a code is found in what people paste', () => {
  for (const typed of [
    'abcd-2345-wxyz-6789',
    ' ABCD 2345 WXYZ 6789 ',
    'abcd2345wxyz6789',
    'https://x.example/in/group/abcd-2345-wxyz-6789?a=1',
    'https://x.example/in/group/abcd-2345-wxyz-6789/',
  ]) {
    expect(groupCode(typed)).toBe('abcd-2345-wxyz-6789');
  }
  for (const typed of ['', 'abcd', 'abcd-2345-wxyz-678', 'il0o-2345-wxyz-6789']) expect(groupCode(typed)).toBeNull();
});
