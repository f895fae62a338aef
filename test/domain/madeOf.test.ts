import { expect, test } from 'vitest';
import { money } from '../../src/contract/price.ts';
import { foldLines } from '../../src/domain/foldLines.ts';
import { isSameDish, madeOf } from '../../src/domain/madeOf.ts';

const line = (more: object = {}) => ({
  product: { id: 'p', price: money(100) },
  size: 'M',
  quantity: 1,
  lineTotal: money(100),
  ...more,
});
const build = (...ids: string[]) => ({ toppings: ids.map((id) => ({ id, half: 'WHOLE', amount: 'extra' })) });

test('the order in which toppings were tapped makes no other dish; size, crust, note, parts and toppings do', () => {
  const one = { productId: 'p', size: 'M', crust: 'thin', build: build('corn', 'onion'), note: 'hot' };
  expect(isSameDish(one, { ...one, build: build('onion', 'corn') })).toBe(true);
  expect(isSameDish({ productId: 'p', build: {}, slots: [] }, { productId: 'p', note: undefined })).toBe(true);
  expect(isSameDish({ productId: 'p', note: '' }, { productId: 'p' })).toBe(true);
  expect(isSameDish({ productId: 'p', size: 'ONE' }, { productId: 'p' })).toBe(true);
  // Nor do the order in which parts are named, or what is left open.
  const same = { ...one, build: { cheese: 'extra', sauce: { id: 'a', level: 'light' } } };
  expect(isSameDish(same, { ...one, build: { sauce: { level: 'light', id: 'a' }, cheese: 'extra' } })).toBe(true);
  expect(isSameDish(same, { ...one, build: { ...same.build, secondHalf: undefined } })).toBe(true);
  expect(isSameDish(same, { ...one, build: { ...same.build, secondHalf: null } })).toBe(false);
  for (const other of [
    { productId: 'q' },
    { size: 'L' },
    { size: undefined },
    { crust: 'pan' },
    { build: build('corn') },
    { build: undefined },
    { slots: [{ slot: 'a', productId: 'q' }] },
    { note: 'mild' },
  ])
    expect(isSameDish(one, { ...one, ...other }), JSON.stringify(other)).toBe(false);
  expect(isSameDish({ productId: 'p', size: 'x' }, { productId: 'p', crust: 'x' })).toBe(false);
});

test('equal lines are one with their sums, where the first of them stood', () => {
  const folded = foldLines([
    line({ quantity: 2, lineTotal: money(200) }),
    line({ size: 'L' }),
    line({ quantity: 3, lineTotal: money(300) }),
  ]);
  expect(folded.map(({ size, quantity, lineTotal }) => [size, quantity, lineTotal])).toEqual([
    ['M', 5, 500],
    ['L', 1, 100],
  ]);
});

test.each([
  ['another price', { product: { id: 'p', price: money(90) } }],
  ['a free one', { free: true }],
  ['for another person', { by: { personId: 'b' } }],
  ['another dish', { product: { id: 'q', price: money(100) } }],
  ['with a note', { note: 'well done' }],
])('a line stays a line of its own: %s', (_name, more) => {
  expect(foldLines([line(), line(more), line()]).map(({ quantity }) => quantity)).toEqual([2, 1]);
});

test('a dish is told apart by size, crust and changes, in that order', () => {
  expect(madeOf({ sizeName: 'Medium', crustName: 'Thin', choices: ['no onion'] })).toEqual([
    'Medium',
    'Thin',
    'no onion',
  ]);
  expect(madeOf({ choices: [] })).toEqual([]);
});
