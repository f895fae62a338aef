import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { pictureCell, ItemPicture } from '../../src/ui/ItemPicture.tsx';
import { MapSketch, project } from '../../src/ui/MapSketch.tsx';
import { describePizza, PizzaPicture, type Pizza, type PizzaTopping } from '../../src/ui/PizzaPicture.tsx';
import { PizzaThumb } from '../../src/ui/PizzaThumb.tsx';
import { toppingsInName } from '../../src/ui/toppingLooks.ts';

const SHAPES = ['disc', 'chunk', 'cube', 'ring', 'strip', 'crumb', 'melt', 'flake', 'leaf', 'dot', 'cap', 'wedge', 'hook'];
const topping = (name: string, change: Partial<PizzaTopping> = {}): PizzaTopping => ({ name, shape: 'ring', colour: '#2b2730', countPerSlice: 4, sizeMm: 11, half: 'WHOLE', amount: 'normal', ...change });
const pizza = (toppings: PizzaTopping[], change: Partial<Pizza> = {}): Pizza => ({ size: 'L', crust: 'thin-crisp', sauce: 'tomato', cheese: 'normal', slices: 8, toppings, ...change });
const nodes = (markup: string) => markup.match(/<[a-z]/gi)?.length ?? 0;
const places = (markup: string) => [...markup.matchAll(/<use [^>]*translate\(([\d.]+) /g)].map((found) => Number(found[1]));

test('a pizza is described from the data it is drawn from, halves apart', () => {
  expect(describePizza(pizza([topping('Onion'), topping('Paneer', { half: 'LEFT', amount: 'extra' }), topping('Prawns', { half: 'RIGHT', amount: 'light' })]))).toBe(
    'Large pizza in 8 slices, thin crisp crust, tomato sauce, normal cheese; Onion; left half: extra Paneer; right half: light Prawns.',
  );
  expect(describePizza(pizza([], { size: 'R', slices: 4, cheese: 'none', crustName: 'Deep Pan', sauceName: 'Makhani' }))).toBe('Regular pizza in 4 slices, Deep Pan crust, Makhani sauce, no cheese, no toppings.');
  expect(renderToStaticMarkup(<PizzaPicture {...pizza([topping('Onion')])} />)).toContain('aria-label="Large pizza in 8 slices');
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
  const count = (amount: PizzaTopping['amount']) => places(renderToStaticMarkup(<PizzaPicture {...pizza([topping('Onion', { amount })])} />)).length;
  expect([count('light'), count('normal'), count('extra')]).toEqual([19, 32, 48]);
});

test('everything at once stays under 250 nodes, on every crust', () => {
  const all = SHAPES.map((shape) => topping(shape, { shape, amount: 'extra', countPerSlice: 6 }));
  for (const crust of ['hand-tossed', 'pan', 'thin-crisp', 'multigrain', 'cheese-filled', 'sausage-edge', 'unheard-of']) {
    expect(nodes(renderToStaticMarkup(<PizzaPicture {...pizza(all, { crust, cheese: 'extra' })} />))).toBeLessThan(250);
  }
});

test('thumbnails stay under 25 nodes and are decoration', () => {
  const markup = renderToStaticMarkup(<PizzaThumb seed="PZ016" sauce="tomato" toppings={['onion', 'capsicum', 'tomato', 'mushroom', 'sweet-corn', 'black-olive', 'jalapeno', 'mozzarella']} />);
  expect(nodes(markup)).toBeLessThan(25);
  expect(markup).toContain('aria-hidden="true"');
});

test('pictures are chosen by kind and name; small pizzas show what their name says', () => {
  expect(pictureCell('SIDE', 'Garlic Bread Sticks')).not.toBe(pictureCell('SIDE', 'Cheese-Stuffed Garlic Bread'));
  expect(pictureCell('BEVERAGE', 'Cola Zero Sugar 475 ml')).toBe(pictureCell('BEVERAGE', 'Cola 475 ml') + 1);
  expect(pictureCell('CHICKEN', 'Something new')).toBe(pictureCell('CHICKEN', 'Oven-Roast Wings'));
  expect(toppingsInName('Mini Golden Corn')).toEqual(['sweet-corn']);
  expect(toppingsInName('Mini Chicken Sausage')[0]).toBe('chicken-sausage');
  expect(renderToStaticMarkup(<ItemPicture item={{ id: 'MN038', kind: 'MINI', name: 'Mini Onion' }} />)).toContain('<svg');
});

test('the map keeps directions and proportions, and says in words what it shows', () => {
  const pins = [
    { kind: 'store' as const, label: 'Restaurant', latitude: 6.9, longitude: 79.85 },
    { kind: 'rider' as const, label: 'Rider', latitude: 6.905, longitude: 79.86 },
    { kind: 'customer' as const, label: 'You', latitude: 6.91, longitude: 79.87 },
  ];
  const [store, rider, customer] = project(pins);
  expect(store![0]).toBeLessThan(customer![0]);
  expect(store![1]).toBeGreaterThan(customer![1]);
  expect(Math.abs(rider![0] * 2 - store![0] - customer![0])).toBeLessThanOrEqual(1);
  expect(project([pins[0]!])).toEqual([[180, 100]]);
  expect(renderToStaticMarkup(<MapSketch pins={pins} text="The rider is 1.2 km away." />)).toContain('aria-label="The rider is 1.2 km away. Restaurant, Rider, You."');
});
