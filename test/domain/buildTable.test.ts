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
const OF_GARDEN = ['celery', 'gluten', 'milk', 'nuts'];

interface Made {
  readonly base: number;
  readonly extras: number;
  readonly kcal: number;
  readonly allergens: readonly string[];
  readonly foodType: 'VEG' | 'NON_VEG';
  readonly jain: boolean;
  readonly choices: readonly string[];
}
/** A regular Garden as it comes; each row says what differs from it. */
const GARDEN: Made = {
  base: 20_000,
  extras: 0,
  kcal: 600,
  allergens: OF_GARDEN,
  foodType: 'VEG',
  jain: false,
  choices: [],
};
const MEDIUM: Made = { ...GARDEN, base: 40_000, kcal: 950 };
const WHITE: Made = { ...GARDEN, base: 15_000, kcal: 500, allergens: ['gluten', 'milk'], jain: true };
const built = (build: NonNullable<DishRequest['build']>, size: 'R' | 'M' = 'R'): DishRequest => ({ size, build });
const HALVES = ['Left half: Garden', 'Right half: White'];

const MADE: readonly (readonly [title: string, id: string, DishRequest, Made])[] = [
  ['as it comes', 'garden', { size: 'R' }, GARDEN],
  ['the usual crust by name', 'garden', { size: 'R', crust: 'thin' }, GARDEN],
  [
    'a dearer crust, with its calories and allergens',
    'garden',
    { size: 'M', crust: 'stuffed' },
    { ...MEDIUM, extras: 7_000, kcal: 1_200, allergens: ['celery', 'gluten', 'milk', 'nuts', 'soy'] },
  ],
  [
    'a crust with meat and without gluten: what the usual crust alone held is gone',
    'garden',
    { size: 'R', crust: 'meaty' },
    { ...GARDEN, extras: 3_000, kcal: 560, foodType: 'NON_VEG', allergens: ['celery', 'milk', 'nuts'] },
  ],
  [
    'no cheese',
    'garden',
    built({ cheese: 'none' }),
    { ...GARDEN, kcal: 510, allergens: ['celery', 'gluten', 'nuts'], choices: ['No cheese'] },
  ],
  ['light cheese', 'garden', built({ cheese: 'light' }), { ...GARDEN, kcal: 555, choices: ['Light cheese'] }],
  [
    'extra cheese, a portion of mozzarella',
    'garden',
    built({ cheese: 'extra' }),
    { ...GARDEN, extras: 4_000, kcal: 690, choices: ['Extra cheese'] },
  ],
  ['cheese as usual', 'garden', built({ cheese: 'normal' }), GARDEN],
  [
    'another sauce, which a Jain may eat',
    'garden',
    built({ sauce: { id: 'plain', level: 'extra' } }),
    { ...GARDEN, allergens: ['gluten', 'milk', 'nuts'], jain: true, choices: ['Extra Plain sauce'] },
  ],
  [
    'no sauce',
    'garden',
    built({ sauce: { id: 'tomato', level: 'none' } }),
    { ...GARDEN, allergens: ['gluten', 'milk', 'nuts'], jain: true, choices: ['No sauce'] },
  ],
  [
    'the same sauce, named',
    'garden',
    built({ sauce: { id: 'tomato', level: 'normal' } }),
    { ...GARDEN, choices: ['Tomato sauce'] },
  ],
  [
    'a topping',
    'garden',
    built({ toppings: [on('onion', 'WHOLE', 'normal')] }),
    { ...GARDEN, extras: 3_500, kcal: 620, choices: ['Add Onion'] },
  ],
  [
    'two portions of it',
    'garden',
    built({ toppings: [on('onion', 'WHOLE', 'extra')] }),
    { ...GARDEN, extras: 7_000, kcal: 640, choices: ['Add double Onion'] },
  ],
  [
    'a little on a half: half a price, rounded up to one unit',
    'garden',
    built({ toppings: [on('onion', 'LEFT', 'light')] }),
    { ...GARDEN, extras: 1_800, kcal: 605, choices: ['Light Onion (left half)'] },
  ],
  [
    'double on the other half of a medium',
    'garden',
    built({ toppings: [on('onion', 'RIGHT', 'extra')] }, 'M'),
    { ...MEDIUM, extras: 5_200, kcal: 990, choices: ['Add double Onion (right half)'] },
  ],
  [
    'what is said of a half is stronger than what is said of the whole, in any order',
    'garden',
    built({ toppings: [on('onion', 'LEFT', 'extra'), on('onion', 'WHOLE', 'normal')] }),
    { ...GARDEN, extras: 5_300, kcal: 630, choices: ['Add double Onion (left half)', 'Add Onion (right half)'] },
  ],
  [
    'taken off: nothing is given back',
    'garden',
    built({ toppings: [on('corn', 'WHOLE', 'none')] }),
    { ...GARDEN, kcal: 560, choices: ['No Corn'] },
  ],
  [
    'more of what the recipe holds: its own portion is free',
    'garden',
    built({ toppings: [on('corn', 'WHOLE', 'extra')] }),
    { ...GARDEN, extras: 3_000, kcal: 640, choices: ['Extra Corn'] },
  ],
  ['what the recipe holds, asked for', 'garden', built({ toppings: [on('corn', 'WHOLE', 'normal')] }), GARDEN],
  [
    'less of what the recipe holds',
    'garden',
    built({ toppings: [on('corn', 'WHOLE', 'light')] }),
    { ...GARDEN, kcal: 580, choices: ['Light Corn'] },
  ],
  [
    'meat on a half',
    'garden',
    built({ toppings: [on('ham', 'RIGHT', 'normal')] }),
    {
      ...GARDEN,
      extras: 2_500,
      kcal: 635,
      foodType: 'NON_VEG',
      allergens: [...OF_GARDEN, 'sulphites'],
      choices: ['Add Ham (right half)'],
    },
  ],
  [
    'without what it never held, even where that is not offered',
    'garden',
    built({ toppings: [on('ham', 'WHOLE', 'none')] }, 'M'),
    MEDIUM,
  ],
  ['a Jain pizza', 'white', { size: 'R' }, WHITE],
  ['two portions of the recipe, as asked', 'white', built({ toppings: [on('corn', 'WHOLE', 'extra')] }), WHITE],
  [
    'less than two portions',
    'white',
    built({ toppings: [on('corn', 'WHOLE', 'light')] }),
    { ...WHITE, kcal: 440, choices: ['Light Corn'] },
  ],
  [
    'garlic, which no Jain eats, whatever its own mark says',
    'white',
    built({ toppings: [on('garlic', 'WHOLE', 'normal')] }),
    { ...WHITE, extras: 3_100, kcal: 510, jain: false, choices: ['Add Garlic'] },
  ],
  [
    'half and half: the dearer price, the mean of the calories, what either holds',
    'garden',
    built({ secondHalf: 'white' }, 'M'),
    { ...MEDIUM, kcal: 900, choices: HALVES },
  ],
  [
    'half and half the other way round',
    'white',
    built({ secondHalf: 'garden' }, 'M'),
    { ...MEDIUM, kcal: 900, choices: ['Left half: White', 'Right half: Garden'] },
  ],
  [
    'half with meat',
    'garden',
    built({ secondHalf: 'meat' }, 'M'),
    {
      ...MEDIUM,
      base: 45_000,
      kcal: 1_000,
      foodType: 'NON_VEG',
      allergens: [...OF_GARDEN, 'sulphites'],
      choices: ['Left half: Garden', 'Right half: Meat'],
    },
  ],
  ['its own second half', 'garden', built({ secondHalf: 'garden' }, 'M'), MEDIUM],
  [
    'less on one of two halves',
    'garden',
    built({ secondHalf: 'white', toppings: [on('corn', 'LEFT', 'none')] }, 'M'),
    { ...MEDIUM, kcal: 860, choices: [...HALVES, 'No Corn (left half)'] },
  ],
  [
    'never fewer than no calories',
    'small',
    built({ toppings: [on('oil', 'WHOLE', 'none')] }),
    { ...GARDEN, base: 10_000, kcal: 0, allergens: ['gluten', 'milk'], choices: ['No Oil'] },
  ],
  [
    'what cannot be changed',
    'bread',
    built({ cheese: 'normal', toppings: [] }),
    { ...GARDEN, base: 9_000, kcal: 300, allergens: ['egg', 'gluten'], jain: true },
  ],
  [
    'what cannot be changed, on the first crust there is',
    'folded',
    { size: 'R' },
    { ...GARDEN, base: 12_000, extras: 3_000, kcal: 510, allergens: ['egg'], foodType: 'NON_VEG' },
  ],
  [
    'what cannot be changed, on a crust of one’s choice',
    'folded',
    { size: 'M', crust: 'stuffed' },
    {
      ...GARDEN,
      base: 14_000,
      extras: 7_000,
      kcal: 870,
      allergens: ['egg', 'gluten', 'soy'],
      foodType: 'NON_VEG',
    },
  ],
];

test.each(MADE)('%s [MENU-X01] [MENU-X02] [MENU-X06]', (_, id, wanted, expected) => {
  const { base, extras, kcal, allergens, foodType, jain, choices, size, second } = finish(parts, item(id), wanted, t);
  expect({ base, extras, kcal, allergens, foodType, jain, choices }).toEqual(expected);
  expect(size).toBe(wanted.size);
  expect(second?.id).toBe(wanted.build?.secondHalf === id ? undefined : wanted.build?.secondHalf);
});

const ONIONS = [on('onion', 'WHOLE', 'extra'), on('garlic', 'LEFT', 'extra')];
const REFUSED: readonly (readonly [
  string,
  string,
  DishRequest,
  kind: 'gone' | 'wrong',
  code: string,
  field: string,
  says: string,
])[] = [
  ['a size it has not', 'meat', { size: 'R' }, 'wrong', 'SIZE', 'size', 'Meat does not come in this size.'],
  [
    'a crust where there is none',
    'bread',
    { size: 'R', crust: 'thin' },
    'wrong',
    'CRUST',
    'crust',
    'Bread has no crust to choose.',
  ],
  [
    'a crust of other sizes',
    'garden',
    { size: 'R', crust: 'stuffed' },
    'wrong',
    'CRUST',
    'crust',
    'Garden in this size does not come with Stuffed.',
  ],
  [
    'a crust of other dishes',
    'white',
    { size: 'M', crust: 'stuffed' },
    'wrong',
    'CRUST',
    'crust',
    'White in this size does not come with Stuffed.',
  ],
  [
    'a crust that is gone',
    'garden',
    { size: 'R', crust: 'unknown' },
    'gone',
    'CRUST_GONE',
    'crust',
    'This crust is no longer available',
  ],
  [
    'cheese where nothing is changed',
    'bread',
    built({ cheese: 'extra' }),
    'wrong',
    'NOT_CUSTOMISABLE',
    'build',
    'Bread cannot be changed.',
  ],
  [
    'a topping where nothing is changed',
    'bread',
    built({ toppings: [on('corn', 'WHOLE', 'normal')] }),
    'wrong',
    'NOT_CUSTOMISABLE',
    'build',
    'Bread cannot be changed.',
  ],
  [
    'a half that is gone',
    'garden',
    built({ secondHalf: 'nothing' }, 'M'),
    'gone',
    'HALF_GONE',
    'build.secondHalf',
    'The second half is no longer on our menu',
  ],
  [
    'a half that is no pizza, though it can be changed',
    'garden',
    built({ secondHalf: 'pasta' }, 'M'),
    'wrong',
    'HALF',
    'build.secondHalf',
    'Pasta cannot be half of a pizza.',
  ],
  [
    'a half of what is no pizza',
    'pasta',
    built({ secondHalf: 'garden' }, 'M'),
    'wrong',
    'HALF',
    'build.secondHalf',
    'Garden cannot be half of a pizza.',
  ],
  [
    'halves of a small one',
    'garden',
    built({ secondHalf: 'white' }),
    'wrong',
    'HALF_SIZE',
    'build.secondHalf',
    'This size is not made half-and-half.',
  ],
  [
    'a half that has not this size',
    'garden',
    built({ secondHalf: 'small' }, 'M'),
    'wrong',
    'HALF_SIZE',
    'build.secondHalf',
    'Small does not come in this size.',
  ],
  [
    'a crust that the other half has not',
    'garden',
    { size: 'M', crust: 'stuffed', build: { secondHalf: 'white' } },
    'wrong',
    'CRUST',
    'crust',
    'White does not come with Stuffed.',
  ],
  [
    'a topping that is gone',
    'garden',
    built({ toppings: [on('nothing', 'WHOLE', 'none')] }),
    'gone',
    'TOPPING_GONE',
    'build.toppings',
    'One of the toppings is no longer available',
  ],
  [
    'a topping of other sizes',
    'garden',
    built({ toppings: [on('ham', 'LEFT', 'light')] }, 'M'),
    'wrong',
    'TOPPING',
    'build.toppings',
    'Ham is not offered in this size.',
  ],
  [
    'more toppings than bake through',
    'garden',
    built({ toppings: ONIONS }),
    'wrong',
    'TOPPING_LIMIT',
    'build.toppings',
    'A regular pizza holds at most 3 extra toppings, or it does not bake through. Please take one off.',
  ],
];
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

test.each(REFUSED)(
  'refused, with its sentence and its field: %s [MENU-X01] [MENU-X04]',
  (_, id, wanted, kind, code, field, says) => {
    const made = () => finish(parts, item(id), wanted, t);
    expect(made).toThrow(LineProblem);
    expect(made).toThrow(expect.objectContaining({ name: 'LineProblem', kind, code, field, message: says }));
  },
);

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
