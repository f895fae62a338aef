import { expect, test } from 'vitest';
import { countries } from '../../country/index.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';
import { subjectsOf, type DishChoice } from '../../src/state/menu/pizzaArt.ts';
import { draw } from '../../src/ui/food/picture.ts';
import type { Pizza } from '../../src/ui/food/pizza.ts';

const [country] = countries.filter(({ COUNTRY_CODE }) => COUNTRY_CODE === 'IN');
const items = new Map(defaultMenu(country!, 'en').items.map((item) => [item.id, item]));
const looks = catalogueFromDisk(country!).builder;

function pizzaIn(chosen: DishChoice): Pizza {
  const [subject] = subjectsOf(items, looks, chosen) ?? [];
  if (!subject || !('pizza' in subject)) throw new Error('no pizza');
  return subject.pizza;
}

test('a line that is as the menu offers it shows the menu’s own picture', () => {
  expect(subjectsOf(items, looks, { productId: 'PZ004', size: 'R', crust: 'hand-tossed' })).toBeNull();
  expect(subjectsOf(items, looks, { productId: 'SD005' })).toBeNull();
});

test('a half-and-half is drawn as both recipes, each half with its own changes and sauce', () => {
  const pizza = pizzaIn({
    productId: 'PZ004',
    size: 'L',
    build: { secondHalf: 'PZ013', toppings: [{ id: 'onion', half: 'LEFT', amount: 'none' }] },
  });
  const on = (half: string) => pizza.toppings.filter((one) => one.half === half).map(({ id }) => id);
  expect([on('LEFT'), on('RIGHT'), on('WHOLE')]).toEqual([
    ['capsicum', 'tomato', 'mushroom'],
    ['baby-spinach', 'sweet-corn'],
    [],
  ]);
  expect(pizza.otherSauceColour).toBe('#F4EBD3');
});

test('another size and another crust are other pictures, and a combo is drawn of what was chosen for it', () => {
  const drawn = (chosen: object) => draw(subjectsOf(items, looks, { productId: 'PZ004', ...chosen })!);
  const large = drawn({ size: 'L' });
  expect(drawn({ size: 'L', crust: 'thin-crisp' })).not.toBe(large);
  const combo = (productId: string) => drawn({ productId: 'DL001', slots: [{ productId }, { productId: 'BV001' }] });
  expect(combo('PZ004')).not.toBe(combo('PZ005'));
});

test('small pizzas show what their words say', () => {
  const mini = pizzaIn({ productId: 'DL007', slots: [{ productId: 'MN045' }] });
  expect(mini.toppings.map(({ id }) => id).sort()).toEqual(['chicken-sausage', 'chicken-tikka', 'onion']);
  // In another language they say the same.
  const hindi = new Map(defaultMenu(country!, 'hi').items.map((item) => [item.id, item]));
  const [subject] = subjectsOf(hindi, looks, { productId: 'DL007', slots: [{ productId: 'MN045' }] }) ?? [];
  expect(subject).toEqual({ pizza: mini });
});
