import { describe, expect, test } from 'vitest';
import type { Intent } from '../../src/domain/chat/intents.ts';
import { isDishWord } from '../../src/domain/dishwords.ts';
import { understand, wordsOfMenu } from '../../src/domain/chat/understand.ts';

const ours = new Set(['garlic', 'bread', 'margherita', 'paneer', 'cold', 'coke', 'veg', 'pizza', 'a']);
const heard = (text: string) => understand(text, { ours, isDishWord });

describe('what is left of a question that may name a dish', () => {
  test.each<[string, Intent | null, readonly string[], string]>([
    ['price of garlic bread', 'dish', [], 'garlic bread'],
    ['I want two garlic bread and 3 coke', 'dish', ['3'], 'two garlic bread coke'],
    ['garlic bread, paneer, coke', 'dish', [], 'garlic bread paneer coke'],
    ['i want a cold coke', 'dish', [], 'cold coke'],
    ['garlik bred', 'dish', [], 'garlik bred'],
    ['paneer 65', 'dish', ['65'], 'paneer'],
    ['does bread contain gluten', 'allergens', [], 'bread'],
    ['where is order 4711?', 'where', ['4711'], 'order'],
    ['order 12345 and 678 is late', 'late', ['12345', '678'], 'order'],
    ['refund 500 rupees for order 99', 'refund', ['500', '99'], 'order'],
    ['30 minutes or free', 'promise', ['30'], ''],
    ['delivery charge', 'fees', [], 'charge'],
    ['cancel my order', 'cancel', [], 'order'],
    ['colddd pizza', 'cold', [], 'coldd pizza'],
    ['extra cheese', 'recipe', [], ''],
    ['extra quantum', null, [], 'extra quantum'],
    ['garlic bread, cake, coke', 'dish', [], 'garlic bread cake coke'],
    ['personal pizza', 'dish', [], 'pizza'],
    ['do you have cake', 'dish', [], 'cake'],
    ['cake not arrived', 'notDelivered', [], 'cake'],
    ['cold coffee', 'dish', [], 'cold coffee'],
    ['coffee was cold', 'cold', [], 'coffee cold'],
    ['where is my unicorn', null, [], 'unicorn'],
    ['show me the unicorn', null, [], 'unicorn'],
    ['1 2 3', null, ['1', '2', '3'], ''],
    ['where is order ४७११', 'where', ['4711'], 'order'],
    ['refund ௫௦ or ৭', 'refund', ['50', '7'], ''],
    ['5a 12', null, ['12'], '5a'],
    ['a5 12', null, ['12'], 'a5'],
    ['overcharged', null, [], ''],
    ['', null, [], ''],
  ])('%j is %j with the numbers %j and the words %j', (text, intent, numbers, rest) => {
    expect(heard(text)).toMatchObject({ intent, numbers, rest });
  });
});

describe('how surely it is understood', () => {
  test.each<[string, Intent | null, number]>([
    ['refund', 'refund', 4],
    ['rfeund', 'refund', 3],
    ['erfund', 'refund', 3],
    ['efrund', null, 0],
    ['eefund', null, 0],
    ['xrefund', null, 0],
    ['cancelatoin', 'cancel', 2.25],
    ['cencelld', 'cancel', 1.8],
    ['cenceld', null, 0],
    ['lat', null, 0],
    ['cok', null, 0],
    ['acncel', 'cancel', 2.25],
    ['gst', 'invoice', 4],
    ['gs', null, 0],
    ['coke', 'dish', 1],
    ['coek', 'dish', 0.7],
    ['panneer', 'dish', 0.7],
    ['cancel refund', 'refund', 7],
    ['money back', 'refund', 4],
    ['money back please when', 'refund', 4.5],
    ['milk missing', 'missing', 4.5],
    ['late', 'late', 2.5],
    ['order not arrived', 'notDelivered', 2.3],
    ['', null, 0],
  ])('%j is %j, by %d', (text, intent, score) => {
    const said = heard(text);
    expect(said.intent).toBe(intent);
    expect(said.score).toBeCloseTo(score, 10);
  });
});

describe('which of two questions it is', () => {
  test.each<[string, Intent | null]>([
    ['order not arrived', 'notDelivered'],
    ['when order not arrived', 'where'],
    ['i do not want this order', 'cancel'],
    ['late', 'late'],
    ['late train', 'where'],
    ['late free', 'promise'],
    ['wrong order', 'wrong'],
    ['wrong address', 'address'],
    ['wrong bill', 'bill'],
    ['money extra', 'bill'],
    ['invoice', 'invoice'],
    ['invoice wrong', null],
    ['refund invoice', 'refund'],
    ['invoice refund', 'refund'],
    ['pizza was cold', 'cold'],
    ['offer code', 'offers'],
    ['code order', 'code'],
    ['when open', 'hours'],
    ['store when', 'hours'],
    ['where store', 'pickup'],
    ['open store broken', 'damaged'],
    ['call store', 'person'],
    ['last order want', 'again'],
    ['rider rude', 'rider'],
  ])('%j is %j', (text, intent) => expect(heard(text).intent).toBe(intent));

  test.each([['wrong'], ['rider'], ['order'], ['charge'], ['code'], ['gluten']])('%j alone is no question', (text) =>
    expect(heard(text).intent).toBeNull(),
  );
});

describe('how much else may be said', () => {
  test.each<[string, Intent | null]>([
    ['hello', 'hello'],
    ['hello stranger', null],
    ['where', 'where'],
    ['where quantum', null],
    ['refund quantum', 'refund'],
    ['refund quantum flux blorp', null],
    ['cancel quantum flux', null],
    ['refund cancel quantum', 'refund'],
    ['where order quantum flux', 'where'],
    ['where order quantum flux blorp vortex', 'where'],
    ['where order quantum flux blorp vortex zigzag', null],
  ])('%j is %j', (text, intent) => expect(heard(text).intent).toBe(intent));

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
