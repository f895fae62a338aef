// Every rule of a built pizza by itself, on a small invented kitchen whose numbers cannot be mixed up: the catalogues of the
// countries (build.test.ts) rarely have a dish that one rule alone decides.
import * as t from '#text/build.ts';
import { describe, expect, test } from 'vitest';
import {
  crustsFor,
  finish,
  LineProblem,
  slotSurcharge,
  toppingsPerHalf,
  unitPrice,
  workOut,
  type CrustRule,
  type DishRule,
  type Parts,
  type DishRequest,
} from '../../src/domain/build.ts';

const byId = <T extends { readonly id: string }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]));
const dish = (id: string, name: string, rest: Partial<DishRule>): DishRule => ({
  id,
  name,
  kind: 'PIZZA',
  foodType: 'VEG',
  prices: {},
  kcal: {},
  defaultToppings: [],
  customisable: true,
  crusts: ['thin', 'meaty'],
  allergens: [],
  jain: false,
  jainOnRequest: false,
  ...rest,
});
const crust = (id: string, name: string, rest: Partial<CrustRule>): CrustRule => ({
  id,
  name,
  foodType: 'VEG',
  sizes: ['R', 'M'],
  surcharge: {},
  kcal: {},
  allergens: [],
  isDefault: false,
  ...rest,
});
const topping = (id: string, name: string, R: number | undefined, M: number | undefined, kcal: number, rest = {}) => ({
  id,
  name,
  foodType: 'VEG',
  prices: { ...(R === undefined ? {} : { R }), ...(M === undefined ? {} : { M }) },
  kcal: { R: kcal, M: kcal * 2 },
  allergens: [] as string[],
  jainFriendly: true,
  ...rest,
});
const parts: Parts = {
  items: byId([
    dish('garden', 'Garden', {
      prices: { R: 20_000, M: 40_000 },
      kcal: { R: 500, M: 800 },
      sauce: 'tomato',
      defaultToppings: ['corn'],
      crusts: ['meaty', 'stuffed', 'thin', 'unknown'],
      allergens: ['gluten', 'celery', 'milk', 'nuts'],
      jainOnRequest: true,
    }),
    dish('white', 'White', {
      prices: { R: 15_000, M: 30_000 },
      kcal: { R: 400, M: 700 },
      sauce: 'plain',
      defaultToppings: ['corn', 'corn'],
      allergens: ['gluten', 'milk'],
      jain: true,
    }),
    dish('meat', 'Meat', {
      foodType: 'NON_VEG',
      prices: { M: 45_000 },
      kcal: { M: 900 },
      sauce: 'tomato',
      defaultToppings: ['ham'],
    }),
    dish('green', 'Green', {
      prices: { R: 12_000 },
      sauce: 'tomato',
      defaultToppings: ['pesto', 'unknown'],
      allergens: ['celery', 'gluten', 'milk', 'mustard', 'nuts'],
    }),
    dish('small', 'Small', { prices: { R: 10_000 }, kcal: { R: 50 }, defaultToppings: ['oil'] }),
    dish('bread', 'Bread', {
      kind: 'SIDE',
      prices: { R: 9_000 },
      kcal: { R: 300 },
      customisable: false,
      crusts: [],
      allergens: ['gluten', 'egg', 'gluten'],
      jain: true,
    }),
    dish('folded', 'Folded', {
      foodType: 'NON_VEG',
      prices: { R: 12_000, M: 14_000 },
      kcal: { R: 450, M: 470 },
      customisable: false,
      crusts: ['stuffed', 'meaty'],
      allergens: ['egg'],
    }),
    dish('pasta', 'Pasta', { kind: 'PASTA', prices: { M: 11_000 }, crusts: [] }),
  ]),
  crusts: byId([
    crust('thin', 'Thin', { kcal: { R: 100, M: 150 }, allergens: ['gluten'], isDefault: true }),
    crust('stuffed', 'Stuffed', {
      sizes: ['M'],
      surcharge: { M: 7_000 },
      kcal: { M: 400 },
      allergens: ['gluten', 'soy'],
    }),
    crust('meaty', 'Meaty', { foodType: 'NON_VEG', surcharge: { R: 3_000, M: 3_300 }, kcal: { R: 60, M: 80 } }),
  ]),
  sauces: byId([
    { id: 'tomato', name: 'Tomato', allergens: ['celery'], jain: false },
    { id: 'plain', name: 'Plain', allergens: [], jain: true },
  ]),
  toppings: byId([
    topping('onion', 'Onion', 3_500, 5_100, 20, { jainFriendly: false, onionGarlic: true }),
    topping('garlic', 'Garlic', 3_100, 4_100, 10, { onionGarlic: true }),
    topping('mozzarella', 'Mozzarella', 4_000, 6_000, 90, { allergens: ['milk'] }),
    topping('corn', 'Corn', 3_000, 4_500, 40),
    topping('pesto', 'Pesto', 3_000, 4_000, 50, { allergens: ['nuts'] }),
    topping('oil', 'Oil', 1_000, 2_000, 300),
    topping('ham', 'Ham', 5_000, undefined, 70, {
      foodType: 'NON_VEG',
      allergens: ['sulphites'],
      jainFriendly: false,
    }),
  ]),
  builder: {
    sizes: [
      { id: 'R', name: 'Regular' },
      { id: 'M', name: 'Medium' },
    ],
    maxExtraToppings: { R: 3, M: 4 },
    halfAndHalfSizes: ['M'],
  },
};
const item = (id: string) => parts.items.get(id)!;
const on = (id: string, half: 'WHOLE' | 'LEFT' | 'RIGHT', amount: 'none' | 'light' | 'normal' | 'extra') => ({
  id,
  half,
  amount,
});
const built = (build: NonNullable<DishRequest['build']>, size: 'R' | 'M' = 'R'): DishRequest => ({ size, build });

/** Rows of a table that is written as text, with bars between its columns. */
const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((column) => column.trim()));
const wordsIn = (column: string, between = ' ') => (column === '' ? [] : column.split(between));

/** A dish in its size, and what is wished of it: 'garden M, crust stuffed, sauce plain extra, onion left light'. */
function orderOf(text: string): { id: string; wanted: DishRequest } {
  const [[id = '', size] = [], ...wishes] = text.split(', ').map((wish) => wish.split(' '));
  const build: Record<string, unknown> = {};
  const wishFor: Record<string, (...rest: string[]) => object> = {
    half: (secondHalf) => ({ secondHalf }),
    cheese: (cheese) => ({ cheese }),
    sauce: (sauce, level) => ({ sauce: { id: sauce, level } }),
    toppings: () => ({ toppings: [] }),
  };
  const toppings: object[] = [];
  let crust: string | undefined;
  for (const [what = '', ...rest] of wishes)
    if (what === 'crust') crust = rest[0];
    else if (wishFor[what]) Object.assign(build, wishFor[what](...rest));
    else toppings.push({ id: what, half: rest[0]!.toUpperCase(), amount: rest[1] });
  if (toppings.length > 0) build['toppings'] = toppings;
  const isBuilt = Object.keys(build).length > 0;
  return { id, wanted: { size, ...(crust ? { crust } : {}), ...(isBuilt ? { build } : {}) } as DishRequest };
}

/** A row: the dish in its size and what is wished, its price as base and extras, calories, kind, allergens, and what is chosen. */
const MADE = rowsOf(`
  as it comes | garden R | 20000 + 0 | 600 | VEG | celery gluten milk nuts |
  the usual crust by name | garden R, crust thin | 20000 + 0 | 600 | VEG | celery gluten milk nuts |
  a dearer crust, with its calories and allergens | garden M, crust stuffed | 40000 + 7000 | 1200 | VEG | celery gluten milk nuts soy |
  a crust with meat and without gluten: what the usual crust alone held is gone | garden R, crust meaty | 20000 + 3000 | 560 | NON_VEG | celery milk nuts |
  no cheese | garden R, cheese none | 20000 + 0 | 510 | VEG | celery gluten nuts | No cheese
  light cheese | garden R, cheese light | 20000 + 0 | 555 | VEG | celery gluten milk nuts | Light cheese
  extra cheese, a portion of mozzarella | garden R, cheese extra | 20000 + 4000 | 690 | VEG | celery gluten milk nuts | Extra cheese
  cheese as usual | garden R, cheese normal | 20000 + 0 | 600 | VEG | celery gluten milk nuts |
  another sauce, which a Jain may eat | garden R, sauce plain extra | 20000 + 0 | 600 | VEG jain | gluten milk nuts | Extra Plain sauce
  no sauce | garden R, sauce tomato none | 20000 + 0 | 600 | VEG jain | gluten milk nuts | No sauce
  the same sauce, named | garden R, sauce tomato normal | 20000 + 0 | 600 | VEG | celery gluten milk nuts | Tomato sauce
  a topping | garden R, onion whole normal | 20000 + 3500 | 620 | VEG | celery gluten milk nuts | Add Onion
  two portions of it | garden R, onion whole extra | 20000 + 7000 | 640 | VEG | celery gluten milk nuts | Add double Onion
  a little on a half: half a price, rounded up to one unit | garden R, onion left light | 20000 + 1800 | 605 | VEG | celery gluten milk nuts | Light Onion (left half)
  double on the other half of a medium | garden M, onion right extra | 40000 + 5200 | 990 | VEG | celery gluten milk nuts | Add double Onion (right half)
  what is said of a half is stronger than what is said of the whole, in any order | garden R, onion left extra, onion whole normal | 20000 + 5300 | 630 | VEG | celery gluten milk nuts | Add double Onion (left half); Add Onion (right half)
  taken off: nothing is given back | garden R, corn whole none | 20000 + 0 | 560 | VEG | celery gluten milk nuts | No Corn
  more of what the recipe holds: its own portion is free | garden R, corn whole extra | 20000 + 3000 | 640 | VEG | celery gluten milk nuts | Extra Corn
  what the recipe holds, asked for | garden R, corn whole normal | 20000 + 0 | 600 | VEG | celery gluten milk nuts |
  less of what the recipe holds | garden R, corn whole light | 20000 + 0 | 580 | VEG | celery gluten milk nuts | Light Corn
  meat on a half | garden R, ham right normal | 20000 + 2500 | 635 | NON_VEG | celery gluten milk nuts sulphites | Add Ham (right half)
  without what it never held, even where that is not offered | garden M, ham whole none | 40000 + 0 | 950 | VEG | celery gluten milk nuts |
  a Jain pizza | white R | 15000 + 0 | 500 | VEG jain | gluten milk |
  two portions of the recipe, as asked | white R, corn whole extra | 15000 + 0 | 500 | VEG jain | gluten milk |
  less than two portions | white R, corn whole light | 15000 + 0 | 440 | VEG jain | gluten milk | Light Corn
  garlic, which no Jain eats, whatever its own mark says | white R, garlic whole normal | 15000 + 3100 | 510 | VEG | gluten milk | Add Garlic
  half and half: the dearer price, the mean of the calories, what either holds | garden M, half white | 40000 + 0 | 900 | VEG | celery gluten milk nuts | Left half: Garden; Right half: White
  half and half the other way round | white M, half garden | 40000 + 0 | 900 | VEG | celery gluten milk nuts | Left half: White; Right half: Garden
  half with meat | garden M, half meat | 45000 + 0 | 1000 | NON_VEG | celery gluten milk nuts sulphites | Left half: Garden; Right half: Meat
  its own second half | garden M, half garden | 40000 + 0 | 950 | VEG | celery gluten milk nuts |
  less on one of two halves | garden M, half white, corn left none | 40000 + 0 | 860 | VEG | celery gluten milk nuts | Left half: Garden; Right half: White; No Corn (left half)
  never fewer than no calories | small R, oil whole none | 10000 + 0 | 0 | VEG | gluten milk | No Oil
  what cannot be changed | bread R, cheese normal, toppings | 9000 + 0 | 300 | VEG jain | egg gluten |
  what cannot be changed, on the first crust there is | folded R | 12000 + 3000 | 510 | NON_VEG | egg |
  what cannot be changed, on a crust of one’s choice | folded M, crust stuffed | 14000 + 7000 | 870 | NON_VEG | egg gluten soy |
`);

test.each(MADE)('%s [MENU-X01] [MENU-X02] [MENU-X06]', (_, order, price, kcal, kind, allergens, choices) => {
  const { id, wanted } = orderOf(order);
  const { size, second, ...made } = finish(parts, item(id), wanted, t);
  expect({ price: `${made.base} + ${made.extras}`, kcal: made.kcal }).toEqual({ price, kcal: Number(kcal) });
  expect(made.foodType + (made.jain ? ' jain' : '')).toBe(kind);
  expect({ allergens: made.allergens, choices: made.choices }).toEqual({
    allergens: wordsIn(allergens),
    choices: wordsIn(choices, '; '),
  });
  expect(size).toBe(wanted.size);
  expect(second?.id).toBe(wanted.build?.secondHalf === id ? undefined : wanted.build?.secondHalf);
});

const ONIONS = [on('onion', 'WHOLE', 'extra'), on('garlic', 'LEFT', 'extra')];
const REFUSED = rowsOf(`
  a size it has not | meat R | wrong SIZE size | Meat does not come in this size.
  a crust where there is none | bread R, crust thin | wrong CRUST crust | Bread has no crust to choose.
  a crust of other sizes | garden R, crust stuffed | wrong CRUST crust | Garden in this size does not come with Stuffed.
  a crust of other dishes | white M, crust stuffed | wrong CRUST crust | White in this size does not come with Stuffed.
  a crust that is gone | garden R, crust unknown | gone CRUST_GONE crust | This crust is no longer available
  cheese where nothing is changed | bread R, cheese extra | wrong NOT_CUSTOMISABLE build | Bread cannot be changed.
  a topping where nothing is changed | bread R, corn whole normal | wrong NOT_CUSTOMISABLE build | Bread cannot be changed.
  a half that is gone | garden M, half nothing | gone HALF_GONE build.secondHalf | The second half is no longer on our menu
  a half that is no pizza, though it can be changed | garden M, half pasta | wrong HALF build.secondHalf | Pasta cannot be half of a pizza.
  a half of what is no pizza | pasta M, half garden | wrong HALF build.secondHalf | Garden cannot be half of a pizza.
  halves of a small one | garden R, half white | wrong HALF_SIZE build.secondHalf | This size is not made half-and-half.
  a half that has not this size | garden M, half small | wrong HALF_SIZE build.secondHalf | Small does not come in this size.
  a crust that the other half has not | garden M, crust stuffed, half white | wrong CRUST crust | White does not come with Stuffed.
  a topping that is gone | garden R, nothing whole none | gone TOPPING_GONE build.toppings | One of the toppings is no longer available
  a topping of other sizes | garden M, ham left light | wrong TOPPING build.toppings | Ham is not offered in this size.
  more toppings than bake through | garden R, onion whole extra, garlic left extra | wrong TOPPING_LIMIT build.toppings | A regular pizza holds at most 3 extra toppings, or it does not bake through. Please take one off.
`);
test('an allergen goes with the part that has it, and stays where none of the parts does [MENU-X06]', () => {
  const of = (wanted: DishRequest) => finish(parts, item('green'), { size: 'R', ...wanted }, t).allergens;
  expect(of({})).toEqual(['celery', 'gluten', 'milk', 'mustard', 'nuts']);
  expect(of({ crust: 'meaty' })).toEqual(['celery', 'milk', 'mustard', 'nuts']);
  expect(of({ build: { sauce: { id: 'plain', level: 'normal' } } })).toEqual(['gluten', 'milk', 'mustard', 'nuts']);
  expect(of({ build: { toppings: [on('pesto', 'WHOLE', 'none')] } })).toEqual(['celery', 'gluten', 'milk', 'mustard']);
  expect(of({ build: { toppings: [on('pesto', 'LEFT', 'none')] } })).toContain('nuts');
  expect(of({ build: { cheese: 'none' } })).toEqual(['celery', 'gluten', 'mustard', 'nuts']);
  // What has neither a crust nor a sauce has the cheese alone.
  const pasta = finish(parts, item('pasta'), { size: 'M' }, t);
  expect([pasta.allergens, pasta.crust, pasta.base, pasta.jain]).toEqual([['milk'], undefined, 11_000, false]);
});

test('extra cheese costs nothing in a kitchen whose price list has none', () => {
  const without = new Map([...parts.toppings].filter(([id]) => id !== 'mozzarella'));
  const made = (cheese: 'normal' | 'extra') =>
    finish({ ...parts, toppings: without }, item('garden'), built({ cheese }), t);
  expect([made('normal').extras, made('extra').extras, made('extra').kcal]).toEqual([0, 0, 600]);
});

test.each(REFUSED)('refused, with its sentence and its field: %s [MENU-X01] [MENU-X04]', (_, order, why, message) => {
  const { id, wanted } = orderOf(order);
  const [kind, code, field] = why.split(' ');
  const made = () => finish(parts, item(id), wanted, t);
  expect(made).toThrow(LineProblem);
  expect(made).toThrow(expect.objectContaining({ name: 'LineProblem', kind, code, field, message }));
});

describe('beside the dish itself', () => {
  test('crusts are those of the dish in this size, in its own order', () => {
    const of = (size: 'R' | 'M') => crustsFor(parts, item('garden'), size).map(({ id }) => id);
    expect([of('R'), of('M')]).toEqual([
      ['meaty', 'thin'],
      ['meaty', 'stuffed', 'thin'],
    ]);
  });

  test('portions are counted on the fuller half, with the extra cheese; as many as allowed are made [MENU-X04]', () => {
    const tally = (toppings: ReturnType<typeof on>[], cheese: 'normal' | 'extra') =>
      workOut(parts, item('garden'), built({ toppings, cheese }), t).tally;
    expect(tally([], 'normal')).toEqual({ used: 0, limit: 3 });
    expect(tally([on('onion', 'LEFT', 'extra'), on('garlic', 'RIGHT', 'light')], 'extra')).toEqual({
      used: 3,
      limit: 3,
    });
    expect(tally(ONIONS, 'extra')).toEqual({ used: 5, limit: 3 });
    const three = built({ toppings: [on('onion', 'WHOLE', 'extra'), on('garlic', 'LEFT', 'light')] });
    expect(finish(parts, item('garden'), three, t).extras).toBe(7_000 + 1_600);
    expect(workOut(parts, item('bread'), { size: 'R' }, t).tally).toEqual({ used: 0, limit: undefined });
  });

  test('what one piece costs, and what it adds to a combo', () => {
    const made = finish(parts, item('garden'), { size: 'M', crust: 'stuffed' }, t);
    expect(unitPrice(made)).toBe(47_000);
    expect(slotSurcharge(item('garden'), 'R', made)).toBe(27_000);
    expect(slotSurcharge(item('garden'), 'M', made)).toBe(7_000);
    const small = finish(parts, item('garden'), built({ cheese: 'extra' }), t);
    expect(slotSurcharge(item('garden'), 'M', small)).toBe(4_000);
    expect(slotSurcharge(item('garden'), 'L', small)).toBe(24_000);
  });

  test('the picture has the recipe of each half with every change applied', () => {
    const of = (...wishes: ReturnType<typeof on>[]) =>
      Object.fromEntries(toppingsPerHalf(item('garden'), item('white'), wishes));
    expect(of()).toEqual({ corn: { left: 'normal', right: 'extra' } });
    expect(of(on('onion', 'RIGHT', 'none'), on('onion', 'WHOLE', 'light'), on('corn', 'LEFT', 'none'))).toEqual({
      corn: { left: 'none', right: 'extra' },
      onion: { left: 'light', right: 'none' },
    });
  });
});
