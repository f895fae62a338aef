import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { draw, pictureUrl } from '../../src/ui/food/picture.ts';
import type { PizzaTopping } from '../../src/ui/food/pizza.ts';
import { ItemPicture } from '../../src/ui/pictures/ItemPicture.tsx';
import { apart, cutAt, fitted } from '../../src/ui/pictures/mapView.ts';
import { describePizza, PizzaPicture, type NamedPizza } from '../../src/ui/pictures/PizzaPicture.tsx';

const SHAPES = [
  'disc',
  'chunk',
  'cube',
  'ring',
  'strip',
  'crumb',
  'melt',
  'flake',
  'leaf',
  'dot',
  'cap',
  'wedge',
  'hook',
];
const topping = (name: string, change: Partial<PizzaTopping> = {}): PizzaTopping => ({
  id: name.toLowerCase(),
  name,
  shape: 'ring',
  colour: '#2b2730',
  countPerSlice: 4,
  sizeMm: 11,
  half: 'WHOLE',
  amount: 'normal',
  ...change,
});
const pizza = (toppings: PizzaTopping[], change: Partial<NamedPizza> = {}): NamedPizza => ({
  seed: 'PZ001',
  size: 'L',
  sizeName: 'Large',
  crust: 'thin-crisp',
  sauce: 'normal',
  sauceColour: '#c6402b',
  sauceName: 'tomato',
  cheese: 'normal',
  slices: 8,
  toppings,
  ...change,
});
const drawn = (toppings: PizzaTopping[], change: Partial<NamedPizza> = {}) =>
  draw([{ pizza: pizza(toppings, change) }]);
const nodes = (markup: string) => markup.match(/<[a-z]/gi)?.length ?? 0;
/** Where the pieces of a topping lie, from the left; `at` is its place among the toppings. */
const places = (markup: string, at = 0) =>
  [...markup.matchAll(new RegExp(`<use href="#t${at}" transform="translate\\((\\d+) `, 'g'))].map((found) =>
    Number(found[1]),
  );

test('a pizza is described from the data it is drawn from, halves apart', () => {
  expect(
    describePizza(
      pizza([
        topping('Onion'),
        topping('Paneer', { half: 'LEFT', amount: 'extra' }),
        topping('Prawns', { half: 'RIGHT', amount: 'light' }),
      ]),
    ),
  ).toBe(
    'Large pizza in 8 slices, thin crisp crust, tomato sauce, normal cheese; Onion; left half: extra Paneer; right half: light Prawns.',
  );
  expect(
    describePizza(
      pizza([], { sizeName: 'Regular', slices: 4, cheese: 'none', crustName: 'Deep Pan', sauceName: 'Makhani' }),
    ),
  ).toBe('Regular pizza in 4 slices, Deep Pan crust, Makhani sauce, no cheese, no toppings.');
  expect(renderToStaticMarkup(<PizzaPicture pizza={pizza([topping('Onion')])} />)).toContain(
    'alt="Large pizza in 8 slices',
  );
});

test('the same pizza is the same picture, another dish is another, and another topping does not move the first', () => {
  const [onion, jalapeno] = [topping('Onion'), topping('Jalapeno')];
  expect(drawn([onion])).toBe(drawn([onion]));
  expect(drawn([onion])).not.toBe(drawn([onion], { seed: 'PZ002' }));
  const before = places(drawn([onion]));
  const after = drawn([onion, jalapeno]);
  expect(before).toHaveLength(32);
  expect(places(after, 1).length).toBeGreaterThan(20);
  const kept = places(after);
  expect(kept).toEqual(before.slice(0, kept.length));
});

test('a half topping stays on its half, and each half has its own sauce', () => {
  const left = places(drawn([topping('Onion', { half: 'LEFT' })]));
  const right = places(drawn([topping('Onion', { half: 'RIGHT' })]));
  expect(left).toHaveLength(16);
  expect(Math.max(...left)).toBeLessThan(100);
  expect(Math.min(...right)).toBeGreaterThan(100);
  expect(drawn([], { otherSauceColour: '#f4ebd3' })).not.toBe(drawn([]));
});

test('more of a topping is more pieces', () => {
  const count = (amount: PizzaTopping['amount']) => places(drawn([topping('Onion', { amount })])).length;
  expect([count('light'), count('normal'), count('extra')]).toEqual([19, 32, 48]);
});

test('everything at once stays under 300 nodes, and every crust and size is another picture', () => {
  const all = SHAPES.map((shape) => topping(shape, { shape, amount: 'extra', countPerSlice: 6 }));
  const crusts = ['hand-tossed', 'pan', 'thin-crisp', 'multigrain', 'cheese-filled', 'sausage-edge', 'unheard-of'];
  for (const crust of crusts) expect(nodes(drawn(all, { crust, cheese: 'extra' }))).toBeLessThan(300);
  expect(new Set(crusts.map((crust) => drawn([], { crust }))).size).toBe(crusts.length);
  expect(new Set(['R', 'M', 'L'].map((size) => drawn([topping('Onion')], { size }))).size).toBe(3);
});

test('a colour that is none never gets into a drawing', () => {
  const evil = '"/><script>alert(1)</script>';
  const markup = drawn([topping('Onion', { colour: evil, edge: evil })], { sauceColour: evil });
  expect(markup).not.toContain('script');
  expect(pictureUrl(markup)).toMatch(/^data:image\/svg\+xml,%3Csvg/);
});

test('pictures on the menu are decoration, wait for their turn, and keep their room', () => {
  const markup = renderToStaticMarkup(<ItemPicture item={{ id: 'PZ001' }} />);
  expect(markup).toContain('alt=""');
  expect(markup).toContain('loading="lazy"');
  expect(markup).toContain('width="200" height="200"');
  expect(markup).toMatch(/src="food-PZ001-[0-9A-Z]{8}\.svg"/);
});

test('the map keeps pins from hiding each other, shows all of them, and cuts the way where the rider is', () => {
  const [a, b, c] = apart(
    [
      { x: 50, y: 50 },
      { x: 50, y: 50 },
      { x: 300, y: 50 },
    ],
    34,
  );
  expect(Math.hypot(a!.x - b!.x, a!.y - b!.y)).toBeGreaterThanOrEqual(34);
  expect(c).toEqual({ x: 300, y: 50 });
  const [store, door] = [
    { latitude: 6.9, longitude: 79.85 },
    { latitude: 6.91, longitude: 79.87 },
  ];
  const near = fitted([store], 16);
  const far = fitted([store, door], 16);
  expect(near).toEqual({ centre: store, zoom: 16 });
  expect(far.zoom).toBeLessThan(16);
  expect(far.centre.latitude).toBeCloseTo(6.905, 6);
  // All of it lies within what the smallest phone shows.
  expect(((door.longitude - store.longitude) / 360) * 256 * 2 ** far.zoom).toBeLessThanOrEqual(240);
  expect(fitted([store, { latitude: 28, longitude: 77 }], 16).zoom).toBe(5);
  const way = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 100, y: 100 },
  ];
  expect(cutAt(way, 0.75)).toEqual(['M0 0L100 0L100 50', 'M100 50L100 100']);
  expect(cutAt(way, 1)).toEqual(['M0 0L100 0L100 100', 'M100 100L100 100']);
  expect(cutAt([], 0.5)).toEqual(['', '']);
});
