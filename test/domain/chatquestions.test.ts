import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Food } from '../../src/domain/chat/food.ts';
import { decided, readLearned } from '../../src/domain/chat/learned.ts';
import { verdictOf } from '../../src/domain/chat/verdict.ts';
import { CATALOGUES } from '../../src/domain/dishwords.ts';
import { find } from '../../src/domain/search.ts';
import { foodIn, rowsIn, SHOPS, understoodIn, type Row, type Shop } from '../questions/rows.ts';

/**
 * Questions as customers type them, as many in each language: what the assistant learned from (npm run questions), each of
 * which it answers rightly but those of NOT_RIGHT.
 */
const ROWS = rowsIn(path.join(import.meta.dirname, 'chatquestions.tsv'));
const learned = readLearned(readFileSync(path.resolve(import.meta.dirname, '../../src/server/rules/chat/learned.bin')));
/** No word of it says what is meant: that children like it mild. */
const IMPLIED = ['kids ku nalla pizza edhu'];
/** In no order. */
const NOT_RIGHT = [
  // Two dishes have it in their names.
  'নাগা হিট কি অনেক ঝাল',
  'নাগা পিজ্জা কেমন ঝাল',
  // Something is not there, which is no wish to have it without, and no denial.
  'cool drinks tharave illa',
  'prawn pizza sara wadida',
  // It asks for a dish by what is no name, or denies how it is.
  'is the tuna one too hot, i cant handle chilli',
  'নাগা হিট চিকেনটা কি খুব ঝাল',
  // What is asked of an order hides what is asked.
  'மாமாவுக்கு சுகர் இருக்கு கோதுமையும் ஆகாது, என்ன குடுக்கலாம்',
  // Too few words that are known.
  'সয়া কিমা পিজ্জায় কি সয়াবিন আছে',
  // A half is a dish, and a slice that is gone is none.
  'ये तो आधा पिज़्ज़ा है, दो स्लाइस गायब',
  // Of what the base is made, and what is vegetarian in a word that begins a dish.
  'சமைச்சாச்சா இல்ல இன்னும் பண்றீங்களா',
  // Strangers' questions, each of another kind.
  'সুধু সবজি পিজ্যা আছে? পিয়াজ ছারা',
  'base maide ka hai ya atta ka',
  'margherita eke mila',
  'margherita me pyaz hota hai kya',
  'pls dont make it, placed by mistake',
  'क्या पनीर पिज़्ज़ा में लहसुन होता है',
];

type Item = Shop['index']['rows'][number]['item'];

const heardOf = (shop: Shop, question: string) => {
  const food = foodIn(shop, question);
  return { food, ...decided(learned, understoodIn(shop, question, food)) };
};
const held = new Map<Shop, Map<string, ReturnType<typeof heardOf>>>();
/** Each question is heard once. */
function heardIn(shop: Shop, question: string): ReturnType<typeof heardOf> {
  const here = held.get(shop) ?? new Map<string, ReturnType<typeof heardOf>>();
  held.set(shop, here);
  const heard = here.get(question) ?? heardOf(shop, question);
  here.set(question, heard);
  return heard;
}

/** Whether the menu names something for a dish, or the dish is no fit for a diet or a price. */
function has(index: Shop['index'], item: Item, without: string): boolean {
  if (/^\d+$/.test(without)) return Math.min(...Object.values(item.prices)) > Number(without) * 100;
  if (without === 'mild') return item.spice > 1;
  if (item.noOnionGarlic === 'onRequest' && ['onion', 'garlic', 'jain'].includes(without)) return false;
  if (without === 'jain') return item.jain !== true;
  const row = index.rows.find((one) => one.item === item)!;
  const meaning = without === 'crustacean' ? 'prawn' : (without as Parameters<typeof verdictOf>[1]);
  return ['declared', 'named'].includes(verdictOf(row, meaning));
}
const DISH_ASKED = new Set(['contains', 'made', 'dish', 'spicy', 'calories']);
/** What the menu's data say of the first thing that is asked about. */
function verdictIn({ index }: Shop, { dishes, things }: Food<Item>): string {
  const row = index.rows.find(({ item }) => item.id === dishes[0]?.id);
  const [thing] = things;
  if (!row || !thing) return 'nothing';
  const verdict = verdictOf(row, thing.meaning);
  return verdict === 'declared' || verdict === 'named' ? 'yes' : verdict;
}
function isRight(shop: Shop, question: string, wanted: string): boolean {
  const { intent, food } = heardIn(shop, question);
  return wanted.split('|').some((one) => {
    const [id, subject, asked] = one.split(':');
    if (id !== (intent ?? 'beyond')) return false;
    // It asks which dish is meant.
    if (!DISH_ASKED.has(id) || subject === undefined) return true;
    if (food.dishes.length !== 1 || food.dishes[0]!.id !== subject) return false;
    return asked === undefined || asked.split('=')[1] === verdictIn(shop, food);
  });
}

/** Ways to say that something must not be eaten, by country; X and Y are each language's first word for an allergen. */
const MUST_NOT: readonly (readonly [country: Row['country'], language: string, asked: string])[] = [
  ['in', 'en', 'im allergic to X, what can i have'],
  ['in', 'en', 'pizza with no X and no Y'],
  ['in', 'en', 'we avoid X and Y at home, what is there'],
  ['in', 'hi', 'पिज़्ज़ा चाहिए बिना X'],
  ['in', 'hi', 'X और Y नहीं खाते'],
  ['in', 'hi', 'बच्चे को X से एलर्जी है'],
  ['bg', 'bn', 'X ছাড়া পিজ্জা আছে'],
  ['bg', 'bn', 'X আর Y ছাড়া কী আছে'],
  ['lk', 'si', 'මට X අසාත්මිකයි'],
  ['lk', 'si', 'X සහ Y නැති මොනවද'],
  ['lk', 'ta', 'X இல்லாத பீட்சா'],
  ['lk', 'ta', 'X Y வேண்டாம்'],
];
const RISKS = ['egg', 'milk', 'nuts', 'gluten', 'soya', 'mustard'] as const;
test.each(MUST_NOT)('in %s %s %j leaves out each allergen', (country, language, asked) => {
  const shop = SHOPS[country];
  const words = CATALOGUES[language]!;
  for (const [at, one] of RISKS.entries()) {
    const other = RISKS[(at + 1) % RISKS.length]!;
    const question = asked.replace('X', words[one].split(',')[0]!).replace('Y', words[other].split(',')[0]!.trim());
    const { intent, food } = heardIn(shop, question);
    expect([question, intent]).toEqual([question, intent === 'find' ? 'find' : 'free']);
    const { hits, near } = find(shop.index, intent === 'find' ? food.query : food.without, 100);
    for (const without of asked.includes('Y') ? [one, other] : [one])
      expect([question, [...hits, ...near].filter((item) => has(shop.index, item, without))]).toEqual([question, []]);
  }
});

describe('questions as customers type them', () => {
  test.each(['en', 'hi', 'bn', 'si', 'ta'])('in %s each is understood, and the dish that is meant', (language) => {
    const own = ROWS.filter((row) => row.language === language);
    expect(own).toHaveLength(ROWS.length / 5);
    const wrong = own.filter(({ country, question, wanted }) => !isRight(SHOPS[country], question, wanted));
    expect(wrong.map(({ question }) => question).sort()).toEqual(
      NOT_RIGHT.filter((question) => own.some((row) => row.question === question)).sort(),
    );
  });

  test('whoever must not eat something is shown no dish for which it is declared', () => {
    const asked = ROWS.filter(({ wanted }) => /^free:(egg|milk|nuts|gluten|crustacean)/.test(wanted));
    expect(asked.length).toBeGreaterThan(9);
    for (const { country, question, wanted } of asked) {
      const shop = SHOPS[country];
      const { things, unknown, without } = heardIn(shop, question).food;
      expect([question, unknown]).toEqual([question, []]);
      expect(things.length, question).toBeGreaterThan(0);
      const { hits } = find(shop.index, without, 100);
      const allergen = /^free:(\w+)/.exec(wanted)![1]!;
      expect(hits.length, question).toBeGreaterThan(3);
      expect([question, hits.filter((item) => item.allergens.includes(allergen))]).toEqual([question, []]);
    }
  });

  test('what is without something or within a price is found by the same words, and nothing that has it', () => {
    for (const { country, question, wanted } of ROWS) {
      if (!/(?:find|free):/.test(wanted) || IMPLIED.includes(question)) continue;
      const { intent, food } = heardIn(SHOPS[country], question);
      if ((intent !== 'find' && intent !== 'free') || !wanted.includes(`${intent}:`)) continue;
      const { index } = SHOPS[country];
      const query = intent === 'find' ? food.query : food.without;
      const { hits } = find(index, query, 100);
      expect(hits.length, question).toBeGreaterThan(0);
      const asked = wanted.split('|').find((one) => one.startsWith(`${intent}:`))!;
      for (const without of asked.split(':')[1]!.split(','))
        expect([question, hits.filter((item) => has(index, item, without)).map(({ name }) => name)]).toEqual([
          question,
          [],
        ]);
    }
  });
});

/** Written by others who knew nothing of the assistant, labelled by others again, and never learned from. */
const STRANGERS = rowsIn(path.resolve(import.meta.dirname, '../questions/strangers.tsv'));
/** Answers that name dishes whatever is in them. */
const NAMING = new Set(['dish', 'made', 'cheap', 'popular', 'serves', 'recipe', 'half', 'spicy', 'again']);
test('nine of ten questions of strangers are understood, and no dish is named to whoever must not eat something', () => {
  const heard = STRANGERS.map((row) => ({ ...row, intent: heardIn(SHOPS[row.country], row.question).intent }));
  const right = heard.filter(({ about, intent }) => about.includes(intent ?? 'beyond'));
  expect(right.length / heard.length).toBeGreaterThanOrEqual(0.9);
  const careful = heard.filter(({ wanted }) => /\b(?:free|find):[a-z]/.test(wanted));
  expect(careful.length).toBeGreaterThan(9);
  expect(
    careful.filter(({ about, intent }) => intent !== null && NAMING.has(intent) && !about.includes(intent)),
  ).toEqual([]);
});

test('of an allergen that is not declared it is never said that it is not there', () => {
  for (const { index } of Object.values(SHOPS))
    for (const row of index.rows)
      for (const meaning of ['egg', 'milk', 'gluten', 'nuts', 'soya', 'mustard', 'sesame', 'fish', 'prawn'] as const)
        expect(['declared', 'chosen', 'unnamed']).toContain(verdictOf(row, meaning));
});

/** Found wrong by others' questions: food that only helps to name a dish, a town taken for a "where", a last word that asks. */
test.each<[country: Row['country'], question: string, wanted: string]>([
  ['in', 'kya brownie me egg hota hai', 'contains:DS003:egg=unnamed'],
  ['in', 'my daughter cant have eggs, is tiramisu cup ok', 'contains:DS005:egg=yes'],
  ['lk', 'කොළඹ 7 ට ඩිලිවරි කරනවද', 'place'],
  ['lk', 'mage account eka ain karanna', 'erase'],
  ['lk', 'bill anupunga', 'invoice'],
  // Another one is no complaint before one came.
  ['in', 'allergic to nuts so another pizza please', 'free:nuts'],
  ['in', 'मूंगफली से एलर्जी है कोई और पिज़्ज़ा बताओ', 'free:nuts'],
  ['bg', 'আমার বাদামে এলার্জি অন্য পিজ্জা দেন', 'free:nuts'],
  ['lk', 'මට කජු ඇලර්ජි වෙන පීසා එකක් කියන්න', 'free:nuts'],
  ['lk', 'எனக்கு நட்ஸ் அலர்ஜி வேற பீட்சா சொல்லுங்க', 'free:nuts'],
  ['in', 'दूसरा पिज़्ज़ा आ गया', 'wrong'],
  ['lk', 'vera pizza vanthuchu', 'wrong'],
  // Vowels are left out in a hurry.
  ['in', 'pls cncl my ordr', 'cancel'],
  ['in', 'rfnd kb milega', 'refund'],
  ['lk', 'heta order krnna puluwnda', 'later'],
  // The least hot is not the cheapest.
  ['bg', 'সবচেয়ে কম ঝাল কোনটায়', 'spicy|find'],
  ['lk', 'සැර අඩුම එක මොකක්ද', 'spicy|find'],
  // A time, and one that has gone by.
  ['in', 'you said 8:15. its 9.', 'late'],
])('in %s %j is %s', (country, question, wanted) => {
  expect(isRight(SHOPS[country], question, wanted)).toBe(true);
});

const ENEMIES = [
  ...['<script>alert(1)</script> is there onion in garden four', '<img src=x onerror=alert(1)>'],
  ...[`${'(a+)+'.repeat(60)}$`, 'onion '.repeat(80), `no ${'no '.repeat(90)}`, 'ප්‍රශ්න'.repeat(60)],
  ...['\u202egarden four\u202c \u200b\u200b onion?', '%s %d ${1} {{7*7}} \\p{L} [a-'],
  ...["'; drop table orders; --", '🍕'.repeat(150), '\ud800 \udfff lone', '1'.repeat(300)],
];
test.each(ENEMIES)('%j breaks nothing', (text) => {
  for (const shop of Object.values(SHOPS)) expect(() => heardIn(shop, text)).not.toThrow();
});

test.each<[country: Row['country'], question: string]>([
  ['lk', 'is there seafood in tuna sambal'],
  ['lk', 'is tuna sambal seafood free'],
  ['bg', 'does the prawn & chilli have seafood'],
  ['in', 'any root vegetables in garlic bread sticks'],
])('in %s, of a word for several foods none is left out: %j [MENU-15]', (country, question) => {
  const shop = SHOPS[country];
  const { dishes, things } = foodIn(shop, question);
  const [row] = shop.index.rows.filter(({ item }) => item.id === dishes[0]?.id);
  expect(things.map(({ meaning }) => verdictOf(row!, meaning))).toContainEqual(
    expect.stringMatching(/^(?:declared|named)$/),
  );
});

test.each(['chicken was not cooked', 'my account is banned', 'is this app safe', 'this delay will kill me'])(
  'what is said of no food is no wish about food: %j',
  (question) => {
    const { food, intent } = heardOf(SHOPS.in, question);
    expect([food.unknown, food.facts.has('untold')]).toEqual([[], false]);
    expect(['free', 'find', 'contains']).not.toContain(intent);
  },
);
