import { expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { withSearch } from '../../src/domain/recentQueries.ts';
import { find, type Findable, indexOf } from '../../src/domain/search.ts';
import { slips, wordsOf } from '../../src/domain/slips.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';

const menuOf = (name: string) => {
  const menu = defaultMenu(countryConfig(name), 'en');
  const labels = new Map(menu.categories.map((one) => [one.id, one.label]));
  return indexOf(menu.items, (id) => labels.get(id) ?? '');
};
const india = menuOf('india');
const names = (query: string, index = india) => find(index, query).hits.map((item) => item.name);

test('the menu is found by name, by a part of a word and without case or marks [MENU-15]', () => {
  expect(names('tomato basil')[0]).toBe('Tomato Basil Classic');
  expect(names('TOM BAS')[0]).toBe('Tomato Basil Classic');
  expect(names('jalapeño')).toContain('Jalapeno Dip');
});

test('in another language a dish is found by what it is in that one, and as in English [MENU-15]', () => {
  const hindi = indexOf(defaultMenu(countryConfig('india'), 'hi').items, () => '');
  for (const word of ['अखरोट', 'walnut', 'fudge', 'ब्राउनी']) expect(names(word, hindi)).toContain('Walnut Brownie');
  expect(names('drizzle', hindi)).toEqual(names('पुदीना सॉस', hindi).filter((name) => /Tikka/.test(name)));
});

test.each([
  ['panner', 'Paneer'],
  ['chiken wings', 'Wings'],
  ['brwonie', 'Brownie'],
  ['garlc bread', 'Garlic'],
  ['mushrom', ''],
  ['tiramsu', 'Tiramisu'],
])('a slip of the finger in %j still finds it [MENU-15]', (query, part) => {
  const found = names(query);
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]).toContain(part);
});

test('a word that is known is not taken for another that looks like it [MENU-15]', () => {
  const [first] = defaultMenu(countryConfig('in'), 'en').items;
  const menu = indexOf(
    ['Coke', 'Lassi', 'Lasso'].map((name) => ({ ...first!, name, description: '', defaultToppings: [], tags: [] })),
    () => '',
  );
  expect(names('coke', menu)).toEqual(['Coke']);
  expect(names('coka', menu)).toEqual(['Coke']);
  // An everyday word for a dish that is not here, and one of the menu itself.
  expect(names('cake', menu)).toEqual([]);
  expect(names('lassi', menu)).toEqual(['Lassi']);
  expect(names('lasse', menu)).toEqual(['Lassi', 'Lasso']);
});

test('words of Indian scripts keep their vowels, and are one word whether their joined letters are typed so or not', () => {
  expect(wordsOf('हाँ, क्या है? पिज़्ज़ा')).toEqual(['हाँ', 'क्या', 'है', 'पिज्जा']);
  expect(wordsOf('ছেঁড়া ছাড়')).toEqual(['ছেঁডা', 'ছাড']);
  expect(wordsOf('ප්\u200dරමාද')).toEqual(['ප්රමාද']);
  expect(wordsOf('பீட்சா')).toEqual(['பீட்சா']);
  expect(wordsOf('Jalapeño')).toEqual(['jalapeno']);
});

test('every word of the query has to fit the dish', () => {
  const found = names('paneer tikka');
  expect(found.length).toBeGreaterThan(0);
  for (const item of find(india, 'paneer tikka').hits) {
    expect(`${item.name} ${item.description} ${item.defaultToppings.join(' ')}`.toLowerCase()).toMatch(/paneer/);
  }
  expect(names('zzzzzz')).toEqual([]);
});

test('without a hit the nearest dishes are offered [MENU-16]', () => {
  const { hits, near } = find(india, 'paneer spaceship');
  expect(hits).toEqual([]);
  expect(near.length).toBeGreaterThan(0);
  expect(near[0]?.name.toLowerCase()).toContain('paneer');
  expect(find(india, 'xqzwv').near).toEqual([]);
  expect(find(india, '   ').near).toEqual([]);
});

test('a sold-out dish is found, after the others', () => {
  const menu = defaultMenu(countryConfig('in'), 'en');
  const first = find(
    indexOf(menu.items, () => ''),
    'cola',
  ).hits[0]!;
  const sold = indexOf(
    menu.items.map((item) => (item.id === first.id ? { ...item, soldOut: true } : item)),
    () => '',
  );
  const again = find(sold, 'cola').hits;
  expect(again.at(-1)?.id).toBe(first.id);
});

test('swapped neighbours are one slip and long differences stop early', () => {
  expect(slips('brwonie', 'brownie', 2)).toBe(1);
  expect(slips('paneer', 'panner', 2)).toBe(1);
  expect(slips('a', 'abcdef', 2)).toBe(3);
  expect(wordsOf('Bread & Dip (2)')).toEqual(['bread', 'dip', '2']);
});

test('three recent searches are kept, newest first, none twice', () => {
  let recent: string[] = [];
  for (const query of ['cola', 'paneer', 'wings', 'Cola ', 'x', 'corn']) recent = withSearch(recent, query);
  expect(recent).toEqual(['corn', 'Cola', 'wings']);
});

const dish = (id: string, name: string, more: Partial<Findable> = {}): Findable => ({
  id,
  name,
  description: '',
  foodType: 'VEG',
  kind: 'SIDES',
  categoryIds: [],
  defaultToppings: [],
  tags: [],
  spice: 0,
  ...more,
});
const among = (dishes: readonly Findable[], query: string, limit?: number) => {
  const { hits, near } = find(
    indexOf(dishes, () => ''),
    query,
    limit,
  );
  return [hits, near].map((list) => list.map(({ id }) => String(id)).join(''));
};

test('what is found comes best first: the name before the text, bestsellers before their like, else as in the menu', () => {
  const dishes = [
    dish('a', 'Corn Roll'),
    dish('b', 'Bread', { description: 'with corn' }),
    dish('c', 'Corn Soup'),
    dish('d', 'Corn Cup', { tags: ['bestseller'] }),
    dish('e', 'Corn Pie', { tags: ['bestseller'], soldOut: true }),
    dish('f', 'Corn Bun', { soldOut: true }),
  ];
  expect(among(dishes, 'corn')).toEqual(['dacbef', '']);
  expect(among(dishes, 'corn', 2)).toEqual(['da', '']);
});

test('what fits a part of the words is offered when nothing fits them all, six dishes at most', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => dish(id, 'Corn Roll'));
  expect(among(many, 'corn banana')).toEqual(['', 'abcdef']);
  expect(among([...many, dish('i', 'Corn Soup')], 'corn soup')).toEqual(['i', '']);
});

test('when no word fits, the names that look most like it are offered, the likest first', () => {
  const dishes = [
    dish('a', 'Lasagne'),
    dish('b', 'Tiramisu'),
    dish('c', 'Bread', { description: 'tiramisu' }),
    dish('d', 'Tiramisoo Cup'),
    dish('e', 'Tea'),
  ];
  // Three slips of the finger are too many to be found by, and few enough to be meant.
  expect(among(dishes, 'teremesu')).toEqual(['', 'b']);
  expect(among(dishes, 'terameso')).toEqual(['', 'db']);
  expect(among(dishes, 'lassagnnee')).toEqual(['', 'a']);
  // Half of a word wrong, or a word of two letters, is like everything.
  expect(among(dishes, 'tuna')).toEqual(['', '']);
  expect(among(dishes, 'te')).toEqual(['e', '']);
  expect(among(dishes, 'ta')).toEqual(['', '']);
  expect(among(dishes, 'dig')).toEqual(['', '']);
});

test('the nearer a typed word is to that of a dish, the earlier the dish comes', () => {
  const dishes = [
    dish('a', 'Margarine'),
    dish('e', 'Corn', { description: 'tiramisu tiramisu' }),
    dish('f', 'Tramisu'),
    dish('c', 'Tiramisus'),
    dish('b', 'Tiramisu Cup'),
  ];
  // The word itself, its beginning, and a name before a text; what is on the menu so is no slip of the finger.
  expect(among(dishes, 'tiramisu')).toEqual(['bce', '']);
  // One slip, then two, then one in a text.
  expect(among(dishes, 'tiramesu')).toEqual(['bfce', '']);
  // The beginning of a word, with a slip in it.
  expect(among([dish('a', 'Tiramisu'), dish('b', 'Tirumala')], 'tirem')).toEqual(['ab', '']);
  expect(among([dish('a', 'Tiramisu')], 'tiremo')).toEqual(['', '']);
  expect(among([dish('a', 'Paneerless')], 'pnaer')).toEqual(['', '']);
});

test('a short word has to be typed as it is, and is near what looks like it', () => {
  expect(among([dish('a', 'Dip')], 'dip')).toEqual(['a', '']);
  expect(among([dish('a', 'Dip')], 'dig')).toEqual(['', 'a']);
  expect(among([dish('a', 'Dips')], 'dips')).toEqual(['a', '']);
  expect(among([dish('a', 'Corn')], 'cern')).toEqual(['a', '']);
});

test('what fits a part of the words by its text alone is offered before what only looks like it', () => {
  const dishes = [dish('a', 'Roll', { description: 'with corn' }), dish('b', 'Bananas')];
  expect(among(dishes, 'corn ananasx')).toEqual(['', 'a']);
});

test('of names that look like a word the likest come first, else as on the menu, and six at most', () => {
  const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => dish(id, 'Tiramisu'));
  expect(among(eight, 'teremesu')).toEqual(['', 'abcdef']);
  // Four slips are few in a long word, five too many.
  expect(among([dish('a', 'Schwarzwald'), dish('b', 'Schwarzwald')], 'schwarzxyzq')).toEqual(['', 'ab']);
  expect(among([dish('a', 'Schwarzwaelder')], 'schwarzwvxyzq')).toEqual(['', '']);
  // Only names count, not what is on a dish.
  expect(among([dish('a', 'Roll', { defaultToppings: ['tiramisu'] })], 'teremesu')).toEqual(['', '']);
});

test('of a question eight words count', () => {
  const long = dish('a', 'Nine Two Three Four Five Six Seven Eight');
  expect(among([long], 'nine two three four five six seven eight nothing')).toEqual(['a', '']);
  expect(among([long], 'nine two three four five six seven nothing')).toEqual(['', 'a']);
});

test('a dish is found by its text in both languages, its category, what is on it, its tags, its kind and its heat', () => {
  const own = dish('a', 'Roll', {
    description: 'सब्ज़ी वाला',
    english: 'crisp vegetables',
    kind: 'PIZZA',
    categoryIds: ['4', '7'],
    defaultToppings: ['paneer', 'corn'],
    tags: ['new', 'bestseller'],
    spice: 2,
  });
  const other = dish('b', 'Cup', { kind: 'DRINK', foodType: 'NON_VEG', spice: 1 });
  const index = indexOf([other, own], (id) => ({ 4: 'Party', 7: 'Lunch' })[id] ?? '');
  const found = (query: string) =>
    find(index, query)
      .hits.map(({ id }) => id)
      .join('');
  for (const word of ['सब्ज़ी', 'वाला', 'crisp', 'party', 'lunch', 'paneer', 'corn', 'new', 'bestseller', 'pizza'])
    expect(found(word), word).toBe('a');
  for (const word of ['spicy', 'veg', 'vegetarian']) expect(found(word), word).toBe('a');
  for (const word of ['drink', 'non', 'nonveg', 'cup']) expect(found(word), word).toBe('b');
  for (const word of ['undefined', 'null', 'panercorn', 'stryker']) expect(found(word), word).toBe('');
});

test('a combo is found as one, and rice is not pasta though they are sold side by side', () => {
  const dishes = [
    dish('a', 'Feast', { kind: 'DEAL' }),
    dish('b', 'Penne Alfredo', { kind: 'RICE_PASTA' }),
    dish('c', 'Jeera Rice', { kind: 'RICE_PASTA' }),
  ];
  expect(among(dishes, 'combo')).toEqual(['a', '']);
  expect(among(dishes, 'deal')).toEqual(['a', '']);
  expect(among(dishes, 'rice')).toEqual(['c', '']);
});

test('a word that a dish has twice counts as where it says most', () => {
  const dishes = [
    dish('a', 'Roll', { defaultToppings: ['corn'] }),
    dish('b', 'Corn', { description: 'corn', tags: ['corn'] }),
    dish('c', 'Cup', { defaultToppings: ['corn'], tags: ['corn'] }),
  ];
  expect(among(dishes, 'corn')).toEqual(['bac', '']);
});

test('a recent search is kept as it is typed, without what is around it; one letter is none', () => {
  expect(withSearch(['cola', 'wings'], ' Cola ')).toEqual(['Cola', 'wings']);
  expect(withSearch(['COLA', 'wings'], 'cola')).toEqual(['cola', 'wings']);
  expect(withSearch(['wings'], 'ab')).toEqual(['ab', 'wings']);
  expect(withSearch(['wings'], ' a ')).toEqual(['wings']);
  expect(withSearch([], 'x'.repeat(110))).toEqual(['x'.repeat(100)]);
  const recent = ['wings'];
  expect(withSearch(recent, '')).not.toBe(recent);
});
