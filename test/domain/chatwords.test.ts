import { describe, expect, test } from 'vitest';
import type { Intent } from '../../src/domain/chat/intents.ts';
import { isDishWord } from '../../src/domain/dishwords.ts';
import { understand, wordsOfMenu } from '../../src/domain/chat/understand.ts';

const ours = new Set(['garlic', 'bread', 'margherita', 'paneer', 'cold', 'coke', 'veg', 'pizza', 'a']);
const heard = (text: string) => understand(text, { ours, isDishWord });

describe('what is left of a question that may name a dish', () => {
  test.each<[string, Intent | null, readonly string[], string]>([
    ['paneer 65', 'dish', ['65'], 'paneer'],
    ['order 12345 and 678 is late', 'late', ['12345', '678'], 'order'],
    ['garlic bread, cake, coke', 'dish', [], 'garlic bread cake coke'],
    ['where is my unicorn', null, [], 'unicorn'],
    ['show me the unicorn', null, [], 'unicorn'],
    ['where is order ४७११', 'where', ['4711'], 'order'],
    ['refund ௫௦ or ৭', 'refund', ['50', '7'], ''],
    ['5a 12', null, ['12'], '5a'],
  ])('%j is %j with the numbers %j and the words %j', (text, intent, numbers, rest) => {
    expect(heard(text)).toMatchObject({ intent, numbers, rest });
  });
});

describe('how much else may be said', () => {
  const most = Array.from({ length: 59 }, () => 'the').join(' ');
  const letters = '. '.repeat(247);
  test('the sixtieth word is heard, the next one is not', () => {
    expect(heard(`${most} refund`).intent).toBe('refund');
    expect(heard(`${most} the refund`).intent).toBeNull();
  });
  test('five hundred letters are heard, and what is after them is not', () => {
    expect(heard(`${letters}refund`).intent).toBe('refund');
    expect(heard(`${letters}${letters}refund`).intent).toBeNull();
  });
});

test('the words of a menu are those of a weight of a name, of a category or of what is on a dish', () => {
  const rows = [
    {
      words: [
        ['margherita', 5],
        ['cheese', 3],
        ['classic', 2.9],
      ] as const,
    },
    {
      words: [
        ['margherita', 3],
        ['soft', 1],
      ] as const,
    },
  ];
  expect(wordsOfMenu({ rows })).toEqual(new Set(['margherita', 'cheese']));
  expect(wordsOfMenu({ rows: [] })).toEqual(new Set());
});

test('a word of three letters is nobody’s mistyped word, and what is nearly a word of a question is none of the menu', () => {
  expect(understand('dig', { ours: new Set(['dip']), isDishWord }).intent).toBeNull();
  expect(understand('dip', { ours: new Set(['dip']), isDishWord }).intent).toBe('dish');
  expect(understand('ordre', { ours: new Set(['order']), isDishWord }).intent).toBeNull();
});

test('a letter that is held down counts twice, and neither an English word nor one of the menu is short for another', () => {
  expect(heard('whereeee is my orderrrr').intent).toBe('where');
  expect(heard('my child wants pizza')).toMatchObject({ intent: 'dish', rest: 'child pizza' });
  for (const text of ['chocolate shake', 'turn left', 'blend cheese', 'draw', 'film'])
    expect(heard(text), text).toMatchObject({ intent: null, rest: text });
  // "Wreck" is a dish of this menu alone; "bbq" and "steak" are words for food everywhere.
  expect(heard('wreck').intent).toBeNull();
  for (const word of ['wreck', 'bbq', 'steak'])
    expect(understand(word, { ours: new Set(['wreck']), isDishWord })).toMatchObject({ intent: 'dish', rest: word });
});
