import { expect, test } from 'vitest';
import * as chat from '../../src/contract/chat.ts';
import { shopHere } from './shopHere.ts';

const { server } = shopHere();
const asked = (text: string, apiKey = 'in-web') => server.call(chat.understand, { body: { text } }, { apiKey });
const heard = async (text: string) => (await asked(text)).body.heard;

test.each([
  ['where is my order', 'where'],
  ['mera order kahan hai', 'where'],
  ['টাকা ফেরত কবে পাব', 'refund'],
  ['මගේ ඕඩර් එක අවලංගු කරන්න', 'cancel'],
  ['பில் அனுப்புங்க', 'invoice'],
  ['his lips are swelling after the pizza', 'harm'],
])('%j is about %s, in whichever language it is', async (text, intent) => {
  expect((await heard(text)).intent).toBe(intent);
});

test('of food it tells the dishes that are meant, what may be in them, and what shall not', async () => {
  const { intent, dishes, things } = await heard('is there onion in garden four');
  expect([intent, dishes, things]).toEqual(['contains', ['PZ004'], [{ word: 'onion', meaning: 'onion' }]]);
  expect(await heard('pizza without onion under 300')).toMatchObject({ intent: 'find', unknown: [] });
  expect(await heard('allergic to peanuts')).toMatchObject({ intent: 'free', without: 'no peanuts' });
});

test('a text of which nothing is known is about nothing', async () => {
  expect(await heard('xkcd blorp fnord')).toMatchObject({ intent: null, likely: [] });
});

test('a text that is too long is refused, and so is any where there is no assistant', async () => {
  expect((await asked('a'.repeat(chat.LONGEST_QUESTION + 1))).status).toBe(400);
  expect((await asked('where is my order', 'lk-web')).status).toBe(403);
});
