import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { inLanguage } from '../../src/server/call/language.ts';
import { catalogueOf } from '../../src/server/rules/catalogue/catalogue.ts';
import { partyMenu } from '../../src/server/rules/catalogue/home.ts';
import { alternativeTo, dealOf, menuOf, widgetProducts, widgetsOf } from '../../src/server/rules/catalogue/menu.ts';
import { readSeeds, type SeedDeal, type SeedItem, type Seeds } from '../../src/server/store/seeds.ts';

// What a menu says of a shop with a few dishes, all of which stand here.

const INDIA = countryConfig('IN');
const SEEDS = readSeeds('IN');

function dish(id: string, kind: SeedItem['kind'], prices: SeedItem['prices'], more: Partial<SeedItem> = {}): SeedItem {
  return {
    ...{ id, kind, prices, name: id, description: `${id}, as it is`, foodType: 'VEG', kcal: {}, defaultToppings: [] },
    ...{ productType: 'PIZZA', customisable: false, crusts: [], allergens: [], spice: 0, jain: false },
    ...{ jainOnRequest: false, tags: [], categoryIds: ['2'], ...more },
  };
}
function combo(id: string, price: number, slots: SeedDeal['slots'], more: Partial<SeedDeal> = {}): SeedDeal {
  return {
    ...{ id, price, slots, name: id, description: `${id}, together`, foodType: 'VEG', productType: 'SIDECOMBOS' },
    ...{ tags: [], categoryIds: ['50'], ...more },
  };
}
const slot = (quantity: number, more: Partial<SeedDeal['slots'][number]>) => ({ label: 'Choose', quantity, ...more });

const shop = (items: SeedItem[], deals: SeedDeal[] = [], more: Partial<Seeds> = {}) =>
  catalogueOf(INDIA, { ...SEEDS, items, deals, ...more });
const defaultsIn = (items: SeedItem[], deal: SeedDeal) =>
  dealOf(shop(items, [deal]), deal).slots.map(({ defaults }) => defaults);

const best = { tags: ['bestseller'] };
const meat = { foodType: 'NON_VEG' } as const;

describe('the dishes that a combo holds before anybody chooses', () => {
  const pizzas = [
    dish('cheap', 'PIZZA', { R: 100, M: 200 }, best),
    dish('dear', 'PIZZA', { R: 180, M: 380 }, best),
    dish('plain', 'PIZZA', { R: 250, M: 390 }),
    dish('meat', 'PIZZA', { R: 300, M: 600 }, { ...best, ...meat }),
    dish('large', 'PIZZA', { L: 900 }, best),
    dish('cola', 'BEVERAGE', { ONE: 60 }, { ...best, categoryIds: ['5'] }),
  ];
  test.each<[string, SeedDeal, string[][]]>([
    [
      'the dearest vegetarian bestseller',
      combo('d', 100, [slot(1, { anyOfCategories: ['2'], size: 'R' })]),
      [['dear']],
    ],
    [
      'two different ones, and the first again where there is no third',
      combo('d', 100, [slot(3, { anyOfItems: ['cheap', 'dear'], size: 'R' })]),
      [['dear', 'cheap', 'dear']],
    ],
    [
      'two different ones in two places with the same choices',
      combo('d', 100, [slot(1, { anyOfCategories: ['2'], size: 'R' }), slot(1, { anyOfCategories: ['2'], size: 'R' })]),
      [['dear'], ['cheap']],
    ],
    [
      'the same in places whose choices are others',
      combo('d', 100, [
        slot(1, { anyOfCategories: ['2'], size: 'R' }),
        slot(1, { anyOfItems: ['cheap', 'dear'], size: 'R' }),
      ]),
      [['dear'], ['dear']],
    ],
    [
      'what is no bestseller where a bestseller would save nothing',
      combo('d', 180, [slot(1, { anyOfCategories: ['2'], size: 'R' })]),
      [['plain']],
    ],
    [
      'meat where nothing vegetarian would save anything',
      combo('d', 250, [slot(1, { anyOfCategories: ['2'], size: 'R' })]),
      [['meat']],
    ],
    [
      'the dearest where nothing saves anything',
      combo('d', 300, [slot(1, { anyOfCategories: ['2'], size: 'R' })]),
      [['meat']],
    ],
    [
      'meat in a combo that says so',
      combo('d', 100, [slot(1, { anyOfCategories: ['2'], size: 'R' })], meat),
      [['meat']],
    ],
    ['only what there is in that size', combo('d', 100, [slot(1, { anyOfCategories: ['2'], size: 'L' })]), [['large']]],
    [
      'what the data names, and of it the first again',
      combo('d', 100, [
        slot(2, { anyOfCategories: ['2'], size: 'R', default: ['gone', 'plain', 'cheap'] }),
        slot(3, { anyOfCategories: ['2'], size: 'R', default: ['cheap'] }),
      ]),
      [
        ['plain', 'cheap'],
        ['cheap', 'cheap', 'cheap'],
      ],
    ],
    [
      'of several categories, each in its first size',
      combo('d', 100, [slot(2, { anyOfCategories: ['5', '2'], anyOfItems: ['none'] })]),
      [['large', 'dear']],
    ],
    ['nothing where nothing fits', combo('d', 100, [slot(2, { anyOfCategories: ['77'] }), slot(1, {})]), [[], []]],
  ])('are %s', (_, deal, defaults) => {
    expect(defaultsIn(pizzas, deal)).toEqual(defaults);
  });
});

const items = [
  dish(
    'farm',
    'PIZZA',
    { R: 10_000, M: 19_900, L: 29_900 },
    {
      ...{
        sauce: 'red',
        defaultToppings: ['corn'],
        crusts: ['thin'],
        customisable: true,
        spice: 1,
        kcal: { R: 500, M: 900 },
      },
      ...{
        allergens: ['milk', 'gluten'],
        tags: ['bestseller', 'value'],
        categoryIds: ['2', '46'],
        jainOnRequest: true,
      },
    },
  ),
  dish(
    'onion',
    'PIZZA',
    { R: 9_000, M: 18_000 },
    {
      ...{ sauce: 'plain', defaultToppings: ['onion'], allergens: ['gluten'], spice: 3, kcal: { R: 450 } },
      ...{ tags: ['everyday-value'], availableFrom: '11:00', availableTo: '16:00' },
    },
  ),
  dish('pure', 'PIZZA', { R: 9_500 }, { sauce: 'plain', defaultToppings: ['corn', 'gone'], availableFrom: '11:00' }),
  dish('jain', 'PIZZA', { M: 17_000 }, { jain: true, sauce: 'red', defaultToppings: ['onion'] }),
  dish(
    'mixed',
    'RICE_PASTA',
    { R: 9_900 },
    { sauce: 'plain', defaultToppings: ['corn', 'onion'], availableFrom: '11:00' },
  ),
  dish('mini', 'MINI', { ONE: 5_000 }, { categoryIds: ['46'] }),
  dish(
    'rolls',
    'SIDE',
    { ONE: 12_000 },
    { serving: '6 pc', kcal: { ONE: 300 }, categoryIds: ['4'], productType: 'SIDES' },
  ),
  dish('dip', 'SIDE', { ONE: 2_500 }, { serving: '25 g', categoryIds: ['4'], allergens: ['egg'] }),
  dish('wings', 'CHICKEN', { ONE: 15_000 }, { ...meat, categoryIds: ['4'] }),
  dish('cake', 'DESSERT', { ONE: 8_000 }, { categoryIds: ['5'], serving: 'a slice' }),
  dish('cola', 'BEVERAGE', { ONE: 6_000 }, { categoryIds: ['5'], serving: '475 ml', kcal: { ONE: 200 } }),
];
const deals = [
  combo(
    'pair',
    30_000,
    [slot(2, { anyOfItems: ['farm'], size: 'M', default: ['farm'] }), slot(1, { anyOfItems: ['cola'] })],
    {
      ...{ edv: true, tags: ['value'], availableFrom: '11:00', availableTo: '15:00' },
    },
  ),
  combo(
    'feast',
    40_000,
    [
      slot(1, { anyOfItems: ['farm'], size: 'L' }),
      slot(1, { anyOfItems: ['onion'], size: 'R' }),
      slot(1, { anyOfItems: ['mini'] }),
    ],
    {
      ...{ edv: true, tags: ['everyday-value'] },
    },
  ),
  combo('snack', 20_000, [
    slot(1, { anyOfItems: ['rolls'] }),
    slot(2, { anyOfItems: ['dip'], default: ['dip'] }),
    slot(1, { anyOfItems: ['cake'] }),
  ]),
];
const [corn, other] = SEEDS.toppings;
const [sauce] = SEEDS.builder.sauces;
const small = () =>
  shop(items, deals, {
    toppings: [
      { ...corn!, id: 'corn', onionGarlic: false },
      { ...other!, id: 'onion', onionGarlic: true },
    ],
    builder: {
      ...SEEDS.builder,
      sauces: [
        { ...sauce!, id: 'red', jain: false },
        { ...sauce!, id: 'plain', jain: true },
      ],
    },
  });
const menu = () => menuOf(small(), '10101');
const item = (id: string) => menu().items.find((one) => one.id === id)!;

describe('the menu of a small shop', () => {
  test('says of a dish all that is known of it, and nothing of what is not', () => {
    expect(item('farm')).toEqual({
      ...{ id: 'farm', kind: 'PIZZA', productType: 'PIZZA', name: 'farm', description: 'farm, as it is' },
      ...{ foodType: 'VEG', categoryIds: ['2', '46'], prices: { R: 10_000, M: 19_900, L: 29_900 } },
      ...{ kcal: { R: 500, M: 900 }, allergens: ['milk', 'gluten'], spice: 1, jain: false, jainOnRequest: true },
      ...{ tags: ['bestseller', 'value'], noOnionGarlic: 'onRequest', priceForTwo: 19_900, customisable: true },
      ...{ sauce: 'red', defaultToppings: ['corn'], crusts: ['thin'] },
    });
    expect(item('rolls')).toEqual({
      ...{ id: 'rolls', kind: 'SIDE', productType: 'SIDES', name: 'rolls', description: 'rolls, as it is' },
      ...{ foodType: 'VEG', categoryIds: ['4'], prices: { ONE: 12_000 }, kcal: { ONE: 300 }, serving: '6 pc' },
      ...{ allergens: [], spice: 0, jain: false, jainOnRequest: false, tags: [], customisable: false },
      ...{ defaultToppings: [], crusts: [], noOnionGarlic: 'unstated' },
    });
  });

  test.each([
    ['farm', 'onRequest', 19_900],
    ['onion', undefined, 18_000],
    ['pure', 'always', 19_000],
    ['jain', 'always', 17_000],
    ['mini', 'unstated', 10_000],
    ['mixed', undefined, 19_800],
    ['rolls', 'unstated', undefined],
    ['wings', 'unstated', 30_000],
    ['cake', 'always', undefined],
    ['cola', 'always', undefined],
    ['pair', undefined, 30_000],
    ['feast', undefined, 40_000],
    ['snack', undefined, undefined],
  ])(
    'says of %s whether it has onion or garlic, where its recipe proves it, and what it costs for two',
    (id, onion, price) => {
      expect([item(id).noOnionGarlic, item(id).priceForTwo]).toEqual([onion, price]);
    },
  );

  test('says of a combo what its parts come to: money, calories, allergens, heat, and whom it feeds', () => {
    expect(item('pair')).toEqual({
      ...{ id: 'pair', kind: 'DEAL', productType: 'SIDECOMBOS', name: 'pair', description: 'pair, together' },
      ...{ foodType: 'VEG', categoryIds: ['50'], prices: { ONE: 30_000 }, originalPrices: { ONE: 45_800 } },
      ...{ kcal: { ONE: 2_000 }, serving: 'serves 4', allergens: ['gluten', 'milk'], spice: 1, jain: false },
      ...{ jainOnRequest: false, priceForTwo: 30_000, tags: ['value', 'everyday-value'], customisable: true },
      ...{ defaultToppings: [], crusts: [], availableFrom: '11:00', availableTo: '15:00' },
    });
    expect(item('feast')).toMatchObject({
      ...{ originalPrices: { ONE: 43_900 }, kcal: { ONE: 450 }, serving: 'serves 5-6', spice: 3 },
      ...{ allergens: ['gluten', 'milk'], tags: ['everyday-value'] },
    });
    expect(item('snack')).toMatchObject({
      kcal: { ONE: 300 },
      serving: '6 pc + 2 × 25 g + a slice',
      allergens: ['egg'],
      spice: 0,
    });
    // Its parts cost no more one by one.
    const dear = shop(items, [combo('dear', 6_000, [slot(1, { anyOfItems: ['cola'] })])]);
    expect(menuOf(dear, '10101').items.at(-1)).not.toHaveProperty('originalPrices');
    expect(dealOf(dear, dear.deals.get('dear')!)).not.toHaveProperty('originalPrice');
    expect(dealOf(small(), deals[0]!)).toEqual({
      ...{ id: 'pair', name: 'pair', description: 'pair, together', foodType: 'VEG', productType: 'SIDECOMBOS' },
      ...{ price: 30_000, originalPrice: 45_800, tags: ['value'] },
      slots: [
        {
          label: 'Choose',
          quantity: 2,
          size: 'M',
          choices: [{ productId: 'farm', surcharge: 0 }],
          defaults: ['farm', 'farm'],
        },
        { label: 'Choose', quantity: 1, choices: [{ productId: 'cola', surcharge: 0 }], defaults: ['cola'] },
      ],
    });
  });

  test('names the hours of a dish that has both, and the categories that hold something', () => {
    expect(item('onion')).toMatchObject({ availableFrom: '11:00', availableTo: '16:00' });
    expect(item('pure')).not.toHaveProperty('availableFrom');
    const held = menu().categories.map(({ id }) => id);
    for (const { id, dynamic } of INDIA.categories)
      expect(held.includes(id), id).toBe(dynamic === true || ['2', '46', '4', '5', '50'].includes(id));
  });
});

test.each<[string, string, string[], string | undefined]>([
  ['of the same kind, diet and category, the nearest in price', 'farm', [], 'jain'],
  ['which is not sold out', 'farm', ['jain'], undefined],
  ['never one that is sold in some hours only', 'jain', ['farm'], undefined],
  ['of another category where there is none of the same', 'dip', [], 'rolls'],
  ['none with an allergen that it is without', 'rolls', [], undefined],
  ['none of another kind', 'wings', [], undefined],
  ['nor a combo of dishes with one, or of some hours', 'snack', [], undefined],
  ['none of what is not there', 'nothing', [], undefined],
])('instead of what is sold out stands another one: %s', (_, id, soldOut, expected) => {
  expect(alternativeTo(small(), id, new Set([id, ...soldOut]))).toBe(expected);
});

test('of two that are as near, the first stands instead; a shared category counts for more than any price', () => {
  const near = shop([
    dish('lost', 'SIDE', { ONE: 100 }, { categoryIds: ['4', '5'] }),
    dish('far', 'SIDE', { ONE: 90_000 }, { categoryIds: ['5'] }),
    dish('other', 'SIDE', { ONE: 100 }, { categoryIds: ['3'] }),
    dish('less', 'SIDE', { ONE: 60 }, { categoryIds: ['4'] }),
    dish('more', 'SIDE', { ONE: 140 }, { categoryIds: ['9', '4'] }),
    dish('nearer', 'SIDE', { ONE: 110 }, { categoryIds: ['4'] }),
    dish('meat', 'SIDE', { ONE: 100 }, { ...meat, categoryIds: ['4'] }),
  ]);
  expect(alternativeTo(near, 'lost', new Set())).toBe('nearer');
  const soldOut = ['lost'];
  const order: (string | undefined)[] = [];
  for (;;) {
    const next = alternativeTo(near, 'lost', new Set(soldOut));
    order.push(next);
    if (next === undefined) break;
    soldOut.push(next);
  }
  expect(order).toEqual(['nearer', 'less', 'more', 'far', 'other', undefined]);
});

test.each<[string, SeedItem[], string | undefined]>([
  ['a brownie with nuts', [dish('nutty', 'DESSERT', { ONE: 100 }, { allergens: ['milk', 'nuts'] })], undefined],
  ['a cup without them', [dish('cup', 'DESSERT', { ONE: 900 }, { allergens: ['milk'] })], 'cup'],
  ['beef', [dish('Beef Bites', 'DESSERT', { ONE: 100 })], undefined],
  ['chicken by another name', [dish('Murgh Wings', 'DESSERT', { ONE: 100 })], 'Murgh Wings'],
  ['what says that it is eggless', [dish('plain', 'DESSERT', { ONE: 100 }, { description: 'no egg' })], 'plain'],
])('instead of chicken with milk may stand what has no more than that: %s', (_, others, expected) => {
  const lost = dish('Chicken Cup', 'DESSERT', { ONE: 100 }, { allergens: ['milk'] });
  expect(alternativeTo(shop([lost, ...others]), lost.id, new Set([lost.id]))).toBe(expected);
});

test('instead of a Jain dish stands a Jain one, and of a combo another combo', () => {
  const plain = dish('plain', 'PIZZA', { R: 100 });
  const [lost, other] = ['lost', 'other'].map((id) => dish(id, 'PIZZA', { R: 900 }, { jain: true }));
  expect(alternativeTo(shop([lost!, plain, other!]), 'lost', new Set(['lost']))).toBe('other');
  expect(alternativeTo(shop([lost!, plain]), 'lost', new Set(['lost']))).toBeUndefined();
  const slots = [slot(1, { anyOfItems: ['plain'] })];
  const deals = [combo('one', 100, slots), combo('two', 200, slots)];
  expect(alternativeTo(shop([plain], deals), 'one', new Set(['one']))).toBe('two');
});

test('a menu marks what is sold out, with what to take instead where there is any', () => {
  const without = menuOf(small(), '10101', new Set(['farm', 'wings']));
  const marks = without.items.flatMap(({ id, soldOut, alternativeId }) => (soldOut ? [[id, alternativeId]] : []));
  expect(marks).toEqual([
    ['farm', 'jain'],
    ['wings', undefined],
  ]);
  expect(without.items.find(({ id }) => id === 'wings')).not.toHaveProperty('alternativeId');
  expect(without.version).not.toBe(menu().version);
});

test('a menu is in the language of its reader, with its English beside it; allergens have names where the reader needs them', () => {
  const own = shop([
    dish('farm', 'PIZZA', { R: 100 }, { descriptions: { hi: 'खेत' } }),
    dish('plain', 'PIZZA', { R: 100 }),
  ]);
  const read = (language: string) => inLanguage(language, () => menuOf(own, '10101'));
  expect(read('hi').items.map(({ description, english }) => [description, english])).toEqual([
    ['खेत', 'farm, as it is'],
    ['plain, as it is', undefined],
  ]);
  expect(read('en').items[0]).not.toHaveProperty('english');
  expect(read('en')).not.toHaveProperty('allergenNames');
  expect(Object.keys(read('hi').allergenNames ?? {})).toContain('milk');
  expect(read('hi').version).not.toBe(read('en').version);
});

describe('the party menu of a small shop', () => {
  test('shows combos for more people first, from two on, and none with meat for who eats none', () => {
    const own = shop(items, [
      combo('one', 9_000, [slot(1, { anyOfItems: ['pure'], size: 'R' })]),
      combo('two', 18_000, [slot(2, { anyOfItems: ['pure'], size: 'R' })]),
      combo('three', 28_000, [slot(1, { anyOfItems: ['farm'], size: 'L' })]),
      combo('meat', 28_000, [slot(1, { anyOfItems: ['farm'], size: 'L' })], meat),
    ]);
    const [combos] = partyMenu(own, new Set(), { guests: null, isVeg: true }).groups;
    expect(combos!.items).toEqual([
      { productId: 'three', price: 28_000, serves: 3 },
      { productId: 'two', price: 18_000, serves: 2 },
    ]);
  });

  const party = (guests: number | null, isVeg = false, soldOut: string[] = []) =>
    partyMenu(small(), new Set(soldOut), { guests, isVeg });
  const titles = (all: ReturnType<typeof party>) =>
    all.groups.map(({ title, items: of }) => [
      title,
      ...of.map(({ productId, size, price, serves }) => [productId, size, price, serves]),
    ]);

  test('has combos for two and more, the largest pizzas, and what goes with them, each with whom it feeds', () => {
    expect(titles(party(null))).toEqual([
      ['Combos for many', ['feast', undefined, 40_000, 5]],
      [
        'Large pizzas',
        ['farm', 'L', 29_900, 3],
        ['onion', 'M', 18_000, 2],
        ['pure', 'R', 9_500, 1],
        ['jain', 'M', 17_000, 2],
      ],
      [
        'Sides to share',
        ['rolls', undefined, 12_000, null],
        ['dip', undefined, 2_500, null],
        ['wings', undefined, 15_000, null],
      ],
      ['Something sweet', ['cake', undefined, 8_000, null]],
      ['Drinks', ['cola', undefined, 6_000, null]],
    ]);
    expect(party(null)).not.toHaveProperty('plan');
    const few = titles(party(null, true, ['feast', 'rolls', 'dip', 'cola']));
    expect(few.map(([title]) => title)).toEqual(['Large pizzas', 'Something sweet']);
  });

  test.each([
    [1, ['pure R 1'], 1, 9_500],
    [2, ['jain M 1'], 2, 17_000],
    [3, ['pure R 1', 'jain M 1'], 3, 26_500],
    [5, ['feast  1'], 5, 40_000],
    [6, ['pure R 1', 'feast  1'], 6, 49_500],
    [7, ['jain M 1', 'feast  1'], 7, 57_000],
    [10, ['feast  2'], 10, 80_000],
  ])('plans for %i guests what feeds them for the least', (guests, lines, serves, price) => {
    const { plan } = party(guests);
    expect(plan).toMatchObject({ guests, serves, price });
    expect(
      plan!.lines.map(({ productId, size, quantity }) => `${productId} ${size ?? ''} ${quantity}`).toSorted(),
    ).toEqual(lines.toSorted());
  });

  test('plans nothing where nothing feeds anybody for certain', () => {
    const all = ['feast', 'farm', 'onion', 'pure', 'jain'];
    expect(party(4, false, all)).not.toHaveProperty('plan');
  });
});

test('a widget holds what it picks: by tag, category, kind or everyday value, without what is sold out', () => {
  const pick = (name: string, of: Seeds['content']['widgets'][number]['pick'], pages?: string[]) => ({
    ...{ name, label: name.toUpperCase(), title: `All ${name}`, pick: of },
    ...(pages === undefined ? {} : { pages }),
  });
  const widgets = [
    pick('value', { tag: 'value' }, ['home']),
    pick('edv', { edv: true }),
    pick('sides', { category: '4' }, ['menu', 'home']),
    pick('drinks', { kind: 'BEVERAGE' }, ['menu']),
    { ...pick('deals', { kind: 'DEAL', offers: true }), subtitle: 'Together' },
    pick('few', { tag: 'value', kind: 'DEAL' }),
  ];
  const own = shop(items, deals, { content: { ...SEEDS.content, widgets } });
  const held = (name: string, ...soldOut: string[]) => widgetProducts(own, name, new Set(soldOut));
  expect(held('value')).toEqual({ title: 'All value', productIds: ['farm', 'pair'], withOffers: false });
  expect(held('edv')?.productIds).toEqual(['onion', 'pair', 'feast']);
  expect(held('sides', 'dip')?.productIds).toEqual(['rolls', 'wings']);
  expect(held('drinks')?.productIds).toEqual(['cola']);
  expect(held('deals')).toEqual({ title: 'All deals', productIds: ['pair', 'feast', 'snack'], withOffers: true });
  expect(held('few')?.productIds).toEqual(['pair']);
  expect(held('nothing')).toBeNull();
  const shown = (blocked: string[], page?: string) => widgetsOf(own, '10101', blocked, page).map(({ label }) => label);
  expect(shown([])).toEqual(['VALUE', 'EDV', 'SIDES', 'DRINKS', 'DEALS', 'FEW']);
  expect(shown(['Value'], 'home')).toEqual(['EDV', 'SIDES', 'DEALS', 'FEW']);
  expect(shown([], 'menu')).toEqual(['EDV', 'SIDES', 'DRINKS', 'DEALS', 'FEW']);
  expect(widgetsOf(own, '10101', []).slice(3, 5)).toEqual([
    { label: 'DRINKS', title: 'All drinks', links: [{ href: '/content/ve1/stores/10101/widgets/drinks' }] },
    {
      label: 'DEALS',
      title: 'All deals',
      subtitle: 'Together',
      links: [{ href: '/content/ve1/stores/10101/widgets/deals' }],
    },
  ]);
});
