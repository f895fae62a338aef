import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { countries } from '../../country/index.ts';
import type { DeliveryType } from '../../src/contract/names.ts';
import type { Bill } from '../../src/contract/cart.ts';
import { money } from '../../src/contract/price.ts';
import * as t from '#text/group.ts';
import { lineCosts, type TaxRule } from '../../src/domain/allocation.ts';
import { clashesOf, DIETS, groupCode, sharesAfter, sharesOf, typedLimit } from '../../src/domain/group.ts';
import { billOf, type Discount } from '../../src/server/rules/pricing/bill.ts';

/** Ten per cent on dishes and delivery, as the bills below have it. */
const TAX = { base: ['items', 'delivery'], basisPoints: 1_000, included: false };
const NO_TAX = { ...TAX, basisPoints: 0 };

/** What each person's one line costs. */
const each = (bill: Bill, dishes: readonly number[], tax: TaxRule) =>
  lineCosts(
    bill,
    dishes.map((own, index) => ({ lineId: String(index), lineTotal: money(own), quantity: 1 })),
    tax,
  ).map((cost) => [cost]);
const shared = (bill: Bill, dishes: readonly number[], tax: TaxRule = NO_TAX) =>
  sharesOf(bill, each(bill, dishes, tax), tax);

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
          const shares = shared(bill, dishes, country.tax);
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
    expect(shared(bill, [20_000, 10_000, 0], TAX)).toEqual([
      { dishes: 20_000, discount: -2_000, charges: 1_800 + 2_200 - 100, total: 21_900 },
      { dishes: 10_000, discount: -1_000, charges: 900 + 2_200, total: 12_100 },
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
    expect(shared(bill, [0, 0]).map((share) => share.total)).toEqual([500, 0]);
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

const sharesOfTwo = (bill: Bill) => shared(bill, [20_000, 10_000]);

describe('who pays how much of one line of a bill', () => {
  type Line = readonly [id: string, kind: 'charge' | 'tip' | 'tax' | 'discount' | 'rounding', amount: number];
  const split = (dishes: readonly number[], ...lines: readonly Line[]) => splitTaxed(NO_TAX, dishes, ...lines);
  const splitTaxed = (tax: TaxRule, dishes: readonly number[], ...lines: readonly Line[]) => {
    const items = sum(dishes);
    const bill = {
      currencyCode: 'INR',
      savings: money(0),
      total: money(items + sum(lines.map(([, , amount]) => amount))),
      lines: [
        { id: 'items', label: 'Items', amount: money(items), kind: 'items' as const },
        ...lines.map(([id, kind, amount]) => ({ id, label: id, amount: money(amount), kind })),
      ],
    };
    return shared(bill, dishes, tax).map(({ discount, charges, total }) => [discount, charges, total]);
  };

  it('a tip is shared equally by those who eat, and the unit that is left goes to the first of them', () => {
    expect(split([20_000, 0, 10_000], ['tip', 'tip', 1_001])).toEqual([
      [0, 501, 20_501],
      [0, 0, 0],
      [0, 500, 10_500],
    ]);
  });

  it('packaging, bag and delivery are shared together, so that what cannot be divided is left once', () => {
    expect(
      split([1_000, 2_000, 3_000], ['packaging', 'charge', 100], ['bag', 'charge', 100], ['delivery', 'charge', 100]),
    ).toEqual([
      [0, 100, 1_100],
      [0, 100, 2_100],
      [0, 100, 3_100],
    ]);
  });

  it('a tax follows what each owes, the units that are left go to the largest remainders', () => {
    expect(splitTaxed({ ...TAX, basisPoints: 167 }, [3_000, 2_000, 1_000], ['tax', 'tax', 100])).toEqual([
      [0, 50, 3_050],
      [0, 33, 2_033],
      [0, 17, 1_017],
    ]);
  });

  it('a tax follows the dishes after their discount', () => {
    expect(
      splitTaxed(
        TAX,
        [20_000, 10_000],
        ['discount', 'discount', -15_000],
        ['delivery', 'charge', 6_000],
        ['tax', 'tax', 2_100],
      ),
    ).toEqual([
      [-10_000, 4_300, 14_300],
      [-5_000, 3_800, 8_800],
    ]);
  });

  it('a discount before the delivery is of the dishes, one after it is of the delivery', () => {
    const dishes = [20_000, 10_000];
    expect(split(dishes, ['off', 'discount', -3_000], ['delivery', 'charge', 4_000])).toEqual([
      [-2_000, 2_000, 20_000],
      [-1_000, 2_000, 11_000],
    ]);
    expect(split(dishes, ['delivery', 'charge', 4_000], ['off', 'discount', -3_000])).toEqual([
      [0, 500, 20_500],
      [0, 500, 10_500],
    ]);
    expect(split(dishes, ['off', 'discount', -3_000])).toEqual([
      [-2_000, 0, 18_000],
      [-1_000, 0, 9_000],
    ]);
  });

  it('a discount after a delivery that is named first is of the delivery', () => {
    const shares = sharesOfTwo({
      currencyCode: 'INR',
      savings: money(0),
      total: money(31_000),
      lines: [
        { id: 'delivery', label: 'Delivery', amount: money(4_000), kind: 'charge' },
        { id: 'off', label: 'Off', amount: money(-3_000), kind: 'discount' },
        { id: 'items', label: 'Items', amount: money(30_000), kind: 'items' },
      ],
    });
    expect(shares.map(({ discount, charges }) => [discount, charges])).toEqual([
      [0, 500],
      [0, 500],
    ]);
  });

  it('a rounding up and a rounding down are those of the host, or of the first one who eats', () => {
    expect(split([30_000, 10_000], ['rounding', 'rounding', 40])).toEqual([
      [0, 40, 30_040],
      [0, 0, 10_000],
    ]);
    expect(split([0, 30_000, 10_000], ['rounding', 'rounding', -40])).toEqual([
      [0, 0, 0],
      [0, -40, 29_960],
      [0, 0, 10_000],
    ]);
    // Nobody is below zero: who owes less than was taken off leaves it to who owes enough.
    expect(split([30, 10_010], ['rounding', 'rounding', -40])).toEqual([
      [0, 0, 30],
      [0, -40, 9_970],
    ]);
  });

  it('what a price has in it already is not paid again', () => {
    const shares = sharesOfTwo({
      currencyCode: 'INR',
      savings: money(0),
      total: money(31_000),
      lines: [
        { id: 'items', label: 'Items', amount: money(30_000), kind: 'items' },
        { id: 'delivery', label: 'Delivery', amount: money(1_000), kind: 'charge' },
        { id: 'tax', label: 'Tax', amount: money(9_000), kind: 'tax', included: true },
      ],
    });
    expect(shares.map(({ charges, total }) => [charges, total])).toEqual([
      [500, 20_500],
      [500, 10_500],
    ]);
  });

  it('one who is alone pays all of it, and so does the first of a group in which nobody eats', () => {
    expect(split([7_000], ['tip', 'tip', 333], ['tax', 'tax', 77])).toEqual([[0, 410, 7_410]]);
    expect(split([0, 0, 0], ['delivery', 'charge', 100], ['off', 'discount', -40], ['tax', 'tax', 9])).toEqual([
      [0, 69, 69],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });
});

test.each<[string, readonly string[]]>([
  ['egg', ['NO_EGG']],
  ['nuts', ['NO_NUTS']],
  ['peanut', ['NO_NUTS']],
  ['milk', ['NO_MILK']],
  ['gluten', ['NO_GLUTEN']],
  ['soy', ['NO_SOY']],
  ['mustard', ['NO_MUSTARD']],
  ['sesame', ['NO_SESAME']],
  ['fish', ['NO_SEAFOOD']],
  ['crustacean', ['NO_SEAFOOD']],
  ['mollusc', ['NO_SEAFOOD']],
  ['molluscs', ['NO_SEAFOOD']],
  ['celery', []],
])('a dish with %s does not suit %j, and suits all others', (allergen, diets) => {
  const dish = { product: { foodType: 'VEG' as const }, allergens: ['celery', allergen], jain: true };
  expect(clashesOf(dish, DIETS)).toEqual(diets);
});

it('diets are named in the order in which they are offered, and only those of the person', () => {
  const dish = { product: { foodType: 'NON_VEG' as const }, allergens: ['milk', 'egg'], jain: false };
  expect(clashesOf(dish, ['NO_MILK', 'NO_EGG', 'JAIN', 'VEG'])).toEqual(['VEG', 'JAIN', 'NO_EGG', 'NO_MILK']);
  expect(clashesOf(dish, ['NO_MILK', 'NO_SOY'])).toEqual(['NO_MILK']);
  expect(clashesOf(dish, [])).toEqual([]);
});

test.each<[string, number | null]>([
  ['', null],
  ['   ', null],
  ['500', 50_000],
  [' 1 ', 100],
  ['1,500', 150_000],
  ['1 500', 150_000],
  ['५००', 50_000],
  ['999999', 99_999_900],
  ['1000000', Number.NaN],
  ['0', Number.NaN],
  ['000', Number.NaN],
  [',', Number.NaN],
  ['-5', Number.NaN],
  ['5.5', Number.NaN],
  ['5 rupees', Number.NaN],
  ['₹500', Number.NaN],
])('a typed limit %j is %j', (typed, limit) => expect(typedLimit(typed)).toBe(limit));

test.each([
  ['https://x.example/in/group/abcd-2345-wxyz-6789#top', 'abcd-2345-wxyz-6789'],
  ['https://x.example/in/group/abcd-2345-wxyz-6789///', 'abcd-2345-wxyz-6789'],
  [' https://x.example/in/group/abcd-2345-wxyz-6789/ \n', 'abcd-2345-wxyz-6789'],
  ['https://x.example/in/group/abcd-2345-wxyz-6789/?from=/a/b', 'abcd-2345-wxyz-6789'],
  ['Join us:\nhttps://x.example/g/abcd2345wxyz6789', 'abcd-2345-wxyz-6789'],
  ['abcd-2345-wxyz-6789-2', null],
  ['abcd-2345-wxyz-6781', null],
  ['https://x.example/abcd-2345-wxyz-6789/menu', null],
])('the code in %j is %j', (typed, code) => expect(groupCode(typed)).toBe(code));

test('what went back for a dish is taken off the share it stands in, what is more than that off the others, and nobody owes less than nothing', () => {
  const share = (total: number) => ({
    dishes: money(total),
    discount: money(0),
    charges: money(0),
    total: money(total),
  });
  const people = [share(100), share(50), share(0)].map((own, at) => ({
    personId: `${at}`,
    name: '',
    isHost: at === 0,
    share: own,
  }));
  const left = (...backs: Parameters<typeof sharesAfter>[1]) =>
    sharesAfter({ code: '', people }, backs).people.map((one) => one.share.total);
  const ofGuest = (amount: number) => ({ amount, worths: new Map([['1', 40]]) });
  expect(left(ofGuest(40))).toEqual([100, 10, 0]);
  expect(left(ofGuest(80))).toEqual([70, 0, 0]);
  expect(left({ amount: 30, worths: null }, ofGuest(40))).toEqual([80, 0, 0]);
  expect(left(ofGuest(40), { amount: 110, worths: null })).toEqual([0, 0, 0]);
  // More never goes back; where it is said all the same, nobody owes less than nothing.
  expect(left({ amount: 999, worths: new Map([['2', 1]]) })).toEqual([0, 0, 0]);
  expect(left({ amount: 0, worths: null })).toEqual([100, 50, 0]);
});
