import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { CATALOGUES, isKnown } from '../../src/domain/dishwords.ts';
import { find, indexOf, type Findable } from '../../src/domain/search.ts';
import { wordsOf } from '../../src/domain/slips.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';
import { randomOf } from '../kit/random.ts';

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
  ['in', 'mushroom کے بغیر', 'کے بغیر'],
  ['in', 'chicken ଦରକାର', 'ଦରକାର'],
])('of %s %j nothing is shown while a word of it is not known, which may be a no [MENU-15]', (country, query, word) => {
  const { hits, near, missed } = find(SHOPS[country]!, query);
  expect([...hits, ...near].map(({ name }) => name)).toEqual([]);
  expect(missed.join(' ')).toBe(word);
});

test('of what is refused by a picture of which nothing is known nothing is shown [MENU-15]', () => {
  const { hits, near, unknown } = find(SHOPS['in']!, 'pizza 🦑❌');
  expect([...hits, ...near]).toEqual([]);
  expect(unknown).toEqual(['🦑']);
});

test.each(['en', 'hi', 'bn', 'ta', 'si'])(
  'of two allergens in a row, named in %s, both are left out [MENU-15]',
  (language) => {
    const words = CATALOGUES[language]!;
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

/** How each language denies a word, in its own letters and in Latin ones. */
const DENIED: Readonly<Record<string, readonly string[]>> = {
  en: ['no _', 'without _', 'allergic to _', '_ free pizza', 'pizza no _ please'],
  hi: ['bina _', 'बिना _', '_ nahi', '_ नहीं चाहिए', '_ se allergy hai'],
  bn: ['_ chara', '_ ছাড়া', '_ khai na', '_ বাদ'],
  si: ['_ nathuwa', '_ නැතුව', '_ epa', '_ එපා'],
  ta: ['_ illamal', '_ இல்லாமல்', '_ vendam', '_ வேண்டாம்'],
};
const RISKS = ['gluten', 'milk', 'cheese', 'egg', 'nuts', 'mustard', 'sesame', 'soya', 'fish', 'prawn'] as const;
const LEAST_MISTYPED = 4;
const MISTYPED = 1_500;
/** A word with a letter left out, swapped, changed or added. */
function mistyped(word: string, random: () => number): string {
  const letters = Array.from(word);
  const all = /[a-z]/.test(word) ? Array.from('abcdefghijklmnopqrstuvwxyz') : [...new Set(letters)];
  const at = Math.floor(random() * letters.length);
  const letter = all[Math.floor(random() * all.length)]!;
  const next = Math.min(at + 1, letters.length - 1);
  const slip = Math.floor(random() * 4);
  if (slip === 0) letters.splice(at, 1);
  else if (slip === 1) [letters[at], letters[next]] = [letters[next]!, letters[at]!];
  else letters.splice(at, slip === 2 ? 1 : 0, letter);
  return letters.join('');
}

test('a mistyped allergen after a "no" shows no dish that has it, unless it is another word for food by then [MENU-15]', () => {
  const words = Object.keys(DENIED).flatMap((language) =>
    RISKS.flatMap((risk) =>
      CATALOGUES[language]![risk].split(',')
        .flatMap((phrase) => (wordsOf(phrase).length === 1 ? wordsOf(phrase) : []))
        .filter((word) => word.length >= LEAST_MISTYPED)
        .map((word) => ({ language, risk, word })),
    ),
  );
  const random = randomOf(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const shops = Object.values(SHOPS);
  const wrong = Array.from({ length: MISTYPED }, () => {
    const { language, risk, word } = pick(words);
    const typed = mistyped(word, random);
    const [query, shop] = [pick(DENIED[language]!).replace('_', typed), pick(shops)];
    const { hits, near } = find(shop, query);
    const allergen = risk === 'cheese' ? 'milk' : risk;
    // Potatoes are no fish: alu, and not malu.
    const isOther = typed === word || isKnown(typed) || shop.place.has(typed);
    return isOther || ![...hits, ...near].some((item) => has(item, allergen)) ? '' : `${query} (${word})`;
  });
  expect(wrong.filter(Boolean)).toEqual([]);
});

test.each([
  ['no what', 'gluten'],
  ['bina and', 'egg'],
  ['and nahi', 'egg'],
  ['and se allergy hai', 'egg'],
  ['saro nahi', 'mustard'],
  ['allergic to four', 'gluten'],
  ['saya free pizza', 'soya'],
  ['bada chara', 'nuts'],
  ['eafood free pizza', 'fish'],
  ['soqa free pizza', 'soya'],
  ['aandu illamal', 'prawn'],
  ['aandu illamal', 'egg'],
])('%j leaves out the allergen that it is a slip of: %s [MENU-15]', (query, allergen) => {
  for (const shop of Object.values(SHOPS)) {
    const { hits, near } = find(shop, query);
    expect([...hits, ...near].filter((item) => has(item, allergen)).map(({ name }) => name)).toEqual([]);
  }
});
