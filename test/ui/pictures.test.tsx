import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { pictureCell, ItemPicture } from '../../src/ui/ItemPicture.tsx';
import { apart, cutAt, fitted } from '../../src/ui/mapView.ts';
import { describePizza, PizzaPicture, type Pizza, type PizzaTopping } from '../../src/ui/PizzaPicture.tsx';
import { PizzaThumb } from '../../src/ui/PizzaThumb.tsx';
import { toppingsInName } from '../../src/ui/toppingLooks.ts';

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
  name,
  shape: 'ring',
  colour: '#2b2730',
  countPerSlice: 4,
  sizeMm: 11,
  half: 'WHOLE',
  amount: 'normal',
  ...change,
});
const pizza = (toppings: PizzaTopping[], change: Partial<Pizza> = {}): Pizza => ({
  size: 'L',
  sizeName: 'Large',
  crust: 'thin-crisp',
  sauce: 'tomato',
  cheese: 'normal',
  slices: 8,
  toppings,
  ...change,
});
const nodes = (markup: string) => markup.match(/<[a-z]/gi)?.length ?? 0;
const places = (markup: string) =>
  [...markup.matchAll(/<use [^>]*translate\(([\d.]+) /g)].map((found) => Number(found[1]));

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
  expect(renderToStaticMarkup(<PizzaPicture {...pizza([topping('Onion')])} />)).toContain(
    'aria-label="Large pizza in 8 slices',
  );
});

test('the same pizza is the same picture, and another topping does not move the first', () => {
  const one = pizza([topping('Onion')]);
  expect(renderToStaticMarkup(<PizzaPicture {...one} />)).toBe(renderToStaticMarkup(<PizzaPicture {...one} />));
  const before = places(renderToStaticMarkup(<PizzaPicture {...one} />));
  const after = places(renderToStaticMarkup(<PizzaPicture {...pizza([topping('Onion'), topping('Jalapeno')])} />));
  expect(before).toHaveLength(32);
  expect(after).toHaveLength(64);
  expect(after.slice(0, 32)).toEqual(before);
});

test('a half topping stays on its half', () => {
  const left = places(renderToStaticMarkup(<PizzaPicture {...pizza([topping('Onion', { half: 'LEFT' })])} />));
  const right = places(renderToStaticMarkup(<PizzaPicture {...pizza([topping('Onion', { half: 'RIGHT' })])} />));
  expect(left).toHaveLength(16);
  expect(Math.max(...left)).toBeLessThan(101);
  expect(Math.min(...right)).toBeGreaterThan(99);
});

test('more of a topping is more pieces', () => {
  const count = (amount: PizzaTopping['amount']) =>
    places(renderToStaticMarkup(<PizzaPicture {...pizza([topping('Onion', { amount })])} />)).length;
  expect([count('light'), count('normal'), count('extra')]).toEqual([19, 32, 48]);
});

test('everything at once stays under 250 nodes, on every crust', () => {
  const all = SHAPES.map((shape) => topping(shape, { shape, amount: 'extra', countPerSlice: 6 }));
  for (const crust of [
    'hand-tossed',
    'pan',
    'thin-crisp',
    'multigrain',
    'cheese-filled',
    'sausage-edge',
    'unheard-of',
  ]) {
    expect(nodes(renderToStaticMarkup(<PizzaPicture {...pizza(all, { crust, cheese: 'extra' })} />))).toBeLessThan(250);
  }
});

test('thumbnails stay under 25 nodes and are decoration', () => {
  const markup = renderToStaticMarkup(
    <PizzaThumb
      seed="PZ016"
      sauce="tomato"
      toppings={['onion', 'capsicum', 'tomato', 'mushroom', 'sweet-corn', 'black-olive', 'jalapeno', 'mozzarella']}
    />,
  );
  expect(nodes(markup)).toBeLessThan(25);
  expect(markup).toContain('aria-hidden="true"');
});

test('pictures are chosen by kind and name; small pizzas show what their name says', () => {
  expect(pictureCell('SIDE', 'Garlic Bread Sticks')).not.toBe(pictureCell('SIDE', 'Cheese-Stuffed Garlic Bread'));
  expect(pictureCell('BEVERAGE', 'Cola Zero Sugar 475 ml')).toBe(pictureCell('BEVERAGE', 'Cola 475 ml') + 1);
  expect(pictureCell('CHICKEN', 'Something new')).toBe(pictureCell('CHICKEN', 'Oven-Roast Wings'));
  expect(toppingsInName('Mini Golden Corn')).toEqual(['sweet-corn']);
  expect(toppingsInName('Mini Chicken Sausage')[0]).toBe('chicken-sausage');
  expect(renderToStaticMarkup(<ItemPicture item={{ id: 'MN038', kind: 'MINI', name: 'Mini Onion' }} />)).toContain(
    '<svg',
  );
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
