import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { CATALOGUES } from '../../src/domain/dishwords.ts';
import { find, indexOf, type Findable } from '../../src/domain/search.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';

/**
 * Queries as customers type them, written before the words of search were looked at: less and extra, numbers and prices in
 * words, denials. Columns: language, country, query, and what the menu's facts say of all that is shown: "!onion" none has
 * it, "max:200" none is dearer, "spice:1" none is hotter, "kind:PIZZA" each is one (or a mini or combo), "name:Cola" the
 * first ones have it in their names.
 */
const ROWS = readFileSync(path.join(import.meta.dirname, 'dishqueries.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [language: string, country: string, query: string, wanted: string]);

const shopOf = (name: string) => {
  const menu = defaultMenu(countryConfig(name), 'en');
  const labels = new Map(menu.categories.map((one) => [one.id, one.label]));
  return indexOf(menu.items, (id) => labels.get(id) ?? '');
};
const SHOPS: Readonly<Record<string, ReturnType<typeof shopOf>>> = {
  in: shopOf('india'),
  lk: shopOf('srilanka'),
  bg: shopOf('bangladesh'),
};

const ALLERGENS: Readonly<Record<string, string>> = {
  ...{ nuts: 'nuts', egg: 'egg', prawn: 'crustacean', milk: 'milk', gluten: 'gluten', sesame: 'sesame', fish: 'fish' },
  ...{ soya: 'soy', mustard: 'mustard' },
};
const DENIALS = /no onion, garlic or root vegetables|eggless|egg-free/gi;
function has(item: Findable, food: string): boolean {
  if (ALLERGENS[food] !== undefined) return item.allergens?.includes(ALLERGENS[food]) === true;
  if (food === 'tomatotopping') return item.defaultToppings.includes('tomato');
  // The kitchen makes these without it.
  if (['onion', 'garlic'].includes(food) && item.noOnionGarlic === 'onRequest') return false;
  return [item.name, item.description.replace(DENIALS, ''), ...item.defaultToppings]
    .join(' ')
    .toLowerCase()
    .includes(food);
}
const FIRST = 4;
const lowest = ({ prices = {} }: Findable) => Math.min(...Object.values(prices).flatMap((price) => price ?? []));
const isOfKind = ({ kind, foodType }: Findable, wanted: string) =>
  kind === wanted ||
  foodType === wanted ||
  (wanted === 'PIZZA' && ['MINI', 'DEAL'].includes(kind)) ||
  (wanted === 'NON_VEG' && foodType === 'MIX');
const RULES: Readonly<Record<string, (hits: readonly Findable[], value: string) => boolean>> = {
  kind: (hits, value) => hits.every((item) => isOfKind(item, value)),
  max: (hits, value) => hits.every((item) => lowest(item) <= Number(value) * 100),
  spice: (hits, value) => hits.every((item) => item.spice <= Number(value)),
  name: (hits, value) => hits.slice(0, FIRST).some((item) => new RegExp(value).test(item.name)),
};

test.each(ROWS)('%s in %s: %j shows what the menu says is %s [MENU-15]', (_, country, query, wanted) => {
  const { hits, near } = find(SHOPS[country]!, query);
  expect(hits.length).toBeGreaterThan(0);
  for (const rule of wanted.split(/ (?=!|[a-z]+:)/)) {
    if (rule.startsWith('!')) expect([...hits, ...near].filter((item) => has(item, rule.slice(1)))).toEqual([]);
    else {
      const [name, value] = rule.split(':') as [string, string];
      expect(RULES[name]!(hits, value), `${rule}: ${hits.map((item) => item.name).join(', ')}`).toBe(true);
    }
  }
});

test('less of something is offered where its amount is chosen, and the page says so [MENU-15]', () => {
  const less = find(SHOPS['in']!, 'less onion');
  expect(less.hits.map(({ name }) => name)).toContain('Garden Four');
  expect(less.hits.map(({ name }) => name)).not.toContain('Mini Onion');
  expect(less.cautions).toEqual(['amount']);
  expect(find(SHOPS['in']!, 'extra paneer').cautions).toEqual(['amount']);
  // Less of an allergen is none of it.
  for (const { allergens } of find(SHOPS['in']!, 'less egg').hits) expect(allergens).not.toContain('egg');
  expect(find(SHOPS['in']!, 'eggless chocolate').hits.map(({ id }) => id)).toContain('DS001');
});

test('a number in words that is a part of a name stays one [MENU-15]', () => {
  for (const [query, name] of [
    ['two cheese corn', 'Two-Cheese Corn'],
    ['garden four', 'Garden Four'],
    ['three chicken', 'Three-Chicken Supreme'],
    ['mini four', 'Mini Four'],
    ['party of six', 'Party of Six'],
  ] as const)
    expect(find(SHOPS['in']!, query).hits[0]?.name).toBe(name);
});

test.each(['pista', 'पिस्ता', 'celery', 'octopus', 'rennet', 'clams', 'tofurky'])(
  'of "no %s" nothing is shown: it only looks or sounds like something of the menu, which does not say who has it [MENU-15]',
  (word) => {
    for (const shop of Object.values(SHOPS)) {
      const { hits, near, unknown } = find(shop, `no ${word}`);
      expect([...hits, ...near].map(({ name }) => name)).toEqual([]);
      expect(unknown).toEqual([word]);
    }
  },
);

test.each([
  ['in', 'egg vazhnaa', 'vazhnaa'],
  ['in', 'mujhe badam brelk hai', 'brelk'],
  ['bg', 'ডিম কুলায়ম', 'কুলায়ম'],
  ['lk', 'biththara gulmade', 'gulmade'],
])('of %s %j nothing is shown while a word of it is not known, which may be a no [MENU-15]', (country, query, word) => {
  const { hits, near, missed } = find(SHOPS[country]!, query);
  expect([...hits, ...near].map(({ name }) => name)).toEqual([]);
  expect(missed).toEqual([word]);
});

test.each(['en', 'hi', 'bn', 'ta', 'si'])(
  'of two allergens in a row, named in %s, both are left out [MENU-15]',
  (language) => {
    const words = CATALOGUES[['en', 'hi', 'bn', 'si', 'ta'].indexOf(language)]!;
    const risks = ['gluten', 'milk', 'egg', 'nuts', 'mustard', 'sesame', 'soya', 'fish', 'prawn'] as const;
    const first = (list: string) => list.split(',')[0]!;
    const wrong = risks.flatMap((one) =>
      risks.flatMap((other) =>
        [
          `${first(words[one])}, ${first(words[other])} ${first(words.after)}`,
          `no ${first(words[one])}, ${first(words[other])}`,
        ].filter((query) => {
          const { hits, near } = find(SHOPS['lk']!, query);
          return [...hits, ...near].some((item) => has(item, one) || has(item, other));
        }),
      ),
    );
    expect(wrong).toEqual([]);
  },
);

test('dishes without something come close to a query of which a word is not known, and it is told [MENU-15]', () => {
  const { hits, near, missed } = find(SHOPS['in']!, 'gulmade without egg');
  expect(hits).toEqual([]);
  expect(near.length).toBeGreaterThan(3);
  expect(near.filter((item) => has(item, 'egg'))).toEqual([]);
  expect(missed).toEqual(['gulmade']);
});

test.each(['veg burger', 'jain thali', 'burger without egg'])(
  '%j is no dish of this menu, whatever else it says [MENU-15]',
  (query) => {
    expect(find(SHOPS['in']!, query).hits).toEqual([]);
  },
);
