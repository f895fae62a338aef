import * as t from '#text/build.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { finish, LineProblem, slotSurcharge, toppingsPerHalf, unitPrice, type Parts } from '../../src/domain/build.ts';
import { firstSize } from '../../src/domain/sizes.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { priceLine } from '../../src/server/rules/pricing/price.ts';

const COUNTRIES = ['in', 'lk', 'bg'] as const;
const of = (name: string) => {
  const country = countryConfig(name);
  const catalogue = catalogueFromDisk(country);
  const menu = defaultMenu(country, 'en');
  const byId = <T extends { id: string }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));
  // As the client has it: only what came over the wire.
  const builder = JSON.parse(JSON.stringify(catalogue.builder)) as typeof catalogue.builder;
  const parts: Parts = {
    items: byId(menu.items),
    crusts: byId(builder.crusts),
    sauces: byId(builder.sauces),
    toppings: byId(builder.toppings),
    builder,
  };
  return {
    catalogue,
    menu,
    builder,
    parts,
    pizzas: menu.items.filter((item) => item.kind === 'PIZZA' && item.customisable),
  };
};
const india = of('in');
const item = (id: string, from = india) => from.parts.items.get(id)!;

const builds = ({ builder, pizzas }: typeof india) =>
  fc.record({
    pizza: fc.constantFrom(...pizzas),
    size: fc.constantFrom('R', 'M', 'L'),
    crust: fc.option(fc.constantFrom(...builder.crusts.map((one) => one.id)), { nil: undefined }),
    sauce: fc.option(
      fc.record({
        id: fc.constantFrom(...builder.sauces.map((one) => one.id)),
        level: fc.constantFrom('light', 'normal', 'extra'),
      }),
      { nil: undefined },
    ),
    cheese: fc.option(fc.constantFrom('none', 'light', 'normal', 'extra'), { nil: undefined }),
    toppings: fc.array(
      fc.record({
        id: fc.constantFrom(...builder.toppings.map((one) => one.id)),
        half: fc.constantFrom('WHOLE', 'LEFT', 'RIGHT'),
        amount: fc.constantFrom('none', 'light', 'normal', 'extra'),
      }),
      { maxLength: 8 },
    ),
    secondHalf: fc.option(fc.constantFrom(...pizzas.map((one) => one.id)), { nil: undefined }),
  });
type Wish = {
  pizza: { id: string };
  size: 'R' | 'M' | 'L';
  crust?: string;
  sauce?: { id: string; level: 'light' | 'normal' | 'extra' };
  cheese?: 'none' | 'light' | 'normal' | 'extra';
  toppings: { id: string; half: 'WHOLE' | 'LEFT' | 'RIGHT'; amount: 'none' | 'light' | 'normal' | 'extra' }[];
  secondHalf?: string;
};
const wanted = ({ size, crust, sauce, cheese, toppings, secondHalf }: Wish) => ({
  size,
  crust,
  build: { sauce, cheese, toppings, secondHalf },
});
interface Outcome {
  price: number;
  kcal: number | undefined;
  allergens: readonly string[];
  foodType: string;
  choices: readonly string[];
}
const outcome = (work: () => Outcome): Outcome | { refused: string } => {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'LineProblem') throw thrown;
    return { refused: (thrown as LineProblem).code };
  }
};

describe.each(COUNTRIES)('in %s', (name) => {
  const world = of(name);
  test('the price shown while building is the price the server asks [MENU-19] [CART-02]', () => {
    let priced = 0;
    fc.assert(
      fc.property(builds(world), (made) => {
        const wish = made as unknown as Wish;
        const client = outcome(() => {
          const done = finish(world.parts, world.parts.items.get(wish.pizza.id)!, wanted(wish), t);
          return {
            price: unitPrice(done),
            kcal: done.kcal,
            allergens: done.allergens,
            foodType: done.foodType,
            choices: done.choices,
          };
        });
        const server = outcome(() => {
          const { crust, build, size } = wanted(wish);
          const clean = Object.fromEntries(Object.entries(build).filter(([, value]) => value !== undefined));
          const { view } = priceLine(
            world.catalogue,
            'line',
            1,
            { productId: wish.pizza.id, size, ...(crust ? { crust } : {}), build: clean },
            null,
          );
          return {
            price: view.product.price,
            kcal: view.kcal,
            allergens: view.allergens,
            foodType: view.product.foodType,
            choices: view.choices,
          };
        });
        expect(client).toEqual(server);
        if ('price' in client) priced += 1;
      }),
      { numRuns: 200 },
    );
    expect(priced).toBeGreaterThan(15);
  });

  test('a combo shows the surcharge of a changed piece that the server asks [MENU-X11]', () => {
    for (const deal of world.catalogue.deals.values()) {
      const slots = world.catalogue.slots.get(deal.id)!;
      const at = slots.findIndex((slot) => slot.choices.some((id) => world.parts.items.get(id)?.customisable));
      if (at < 0) continue;
      const slot = slots[at]!;
      const pizza = world.parts.items.get(slot.choices.find((id) => world.parts.items.get(id)?.customisable)!)!;
      const own = slot.size ?? firstSize(pizza);
      const build = { cheese: 'extra' as const };
      const pieces = slots.flatMap((one, index) =>
        Array.from({ length: one.quantity }, (_, unit) => ({
          slot: index,
          productId: index === at ? pizza.id : one.defaults[unit]!,
          ...(index === at && unit === 0 ? { build } : {}),
        })),
      );
      const { view } = priceLine(world.catalogue, 'line', 1, { productId: deal.id, slots: pieces }, null);
      const piece = slotSurcharge(pizza, own, finish(world.parts, pizza, { size: own, build }, t));
      expect(piece).toBeGreaterThan(0);
      expect(view.product.price).toBe(deal.price + piece);
    }
  });

  test('no build marked free of an allergen holds a part with it [MENU-X06]', () => {
    fc.assert(
      fc.property(builds(world), (made) => {
        const wish = made as unknown as Wish;
        const dish = world.parts.items.get(wish.pizza.id)!;
        let done;
        try {
          done = finish(world.parts, dish, wanted(wish), t);
        } catch {
          return;
        }
        const second = wish.secondHalf ? world.parts.items.get(wish.secondHalf)! : dish;
        const on = toppingsPerHalf(dish, second, wish.toppings);
        for (const [id, { left, right }] of on) {
          if (left === 'none' && right === 'none') continue;
          for (const allergen of world.parts.toppings.get(id)!.allergens) expect(done.allergens).toContain(allergen);
          if (world.parts.toppings.get(id)!.foodType === 'NON_VEG') expect(done.foodType).toBe('NON_VEG');
          if (!world.parts.toppings.get(id)!.jainFriendly) expect(done.jain).toBe(false);
        }
        if (done.crust) for (const allergen of done.crust.allergens) expect(done.allergens).toContain(allergen);
      }),
      { numRuns: 150 },
    );
  });
});

test('a Jain pizza stays Jain only while every part of it is [MENU-X07]', () => {
  const jain = india.pizzas.find((pizza) => pizza.jain)!;
  expect(finish(india.parts, jain, { size: firstSize(jain) }, t).jain).toBe(true);
  expect(
    finish(india.parts, jain, { size: 'R', build: { toppings: [{ id: 'onion', half: 'WHOLE', amount: 'normal' }] } }, t)
      .jain,
  ).toBe(false);
  const asked = item('PZ001');
  expect(asked.jainOnRequest).toBe(true);
  expect(finish(india.parts, asked, { size: 'R' }, t).jain).toBe(false);
  expect(
    finish(india.parts, asked, { size: 'R', build: { sauce: { id: 'jain-tomato', level: 'normal' } } }, t).jain,
  ).toBe(true);
});

test('a sauce with fish makes a vegetarian pizza non-vegetarian, unless it is left out', () => {
  const lanka = of('lk');
  const made = (level: 'normal' | 'none') =>
    finish(lanka.parts, item('PZ001', lanka), { size: 'R', build: { sauce: { id: 'sambal', level } } }, t).foodType;
  expect([made('normal'), made('none')]).toEqual(['NON_VEG', 'VEG']);
});
