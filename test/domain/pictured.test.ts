import { expect, test } from 'vitest';
import { picturedAs } from '../../src/domain/pictured.ts';

const garden = { id: 'garden', kind: 'PIZZA', name: 'Garden', sauce: 'tomato', defaultToppings: ['onion', 'olive'] };
const corn = { id: 'corn', kind: 'PIZZA', name: 'Corn', sauce: 'white', defaultToppings: ['corn'] };
const items = new Map([garden, corn].map((item) => [item.id, item]));
const product = { id: 'garden', kind: 'PIZZA', name: 'Garden' };

test('a half-and-half is drawn as both recipes, each half with its own changes and sauce', () => {
  const { left, right } = picturedAs(
    { product, build: { secondHalf: 'corn', toppings: [{ id: 'olive', half: 'RIGHT', amount: 'extra' }] } },
    items,
  );
  expect([left.defaultToppings, left.sauce]).toEqual([['onion', 'olive'], 'tomato']);
  expect([right?.defaultToppings, right?.sauce]).toEqual([['corn', 'olive'], 'white']);
});

test('a pizza is drawn as it was changed, in two halves only if they differ', () => {
  const onion = (half: 'WHOLE' | 'LEFT') => [{ id: 'onion', half, amount: 'none' }];
  const whole = picturedAs({ product, build: { toppings: onion('WHOLE'), sauce: { id: 'white' } } }, items);
  expect([whole.left.defaultToppings, whole.left.sauce, whole.right]).toEqual([['olive'], 'white', undefined]);
  const half = picturedAs({ product, build: { toppings: onion('LEFT') } }, items);
  expect([half.left.defaultToppings, half.right?.defaultToppings]).toEqual([['olive'], ['onion', 'olive']]);
});

test('a dish that left the menu is drawn by its kind and name', () => {
  const gone = { id: 'gone', kind: 'SIDE', name: 'Fries' };
  expect(picturedAs({ product: gone, build: { secondHalf: 'lost' } }, items).left).toMatchObject(gone);
});
