import { expect, test } from 'vitest';
import { type Diet, dietBuild, fitsDiet } from '../../src/domain/diet.ts';

const dish = (more: Partial<Parameters<typeof fitsDiet>[0]> = {}) => ({
  jain: false,
  jainOnRequest: false,
  customisable: true,
  sauce: 'red',
  defaultToppings: [] as readonly string[],
  ...more,
});
const parts = {
  sauces: [
    { id: 'red', name: 'Red', jain: false },
    { id: 'makhani', name: 'Makhani', jain: true },
    { id: 'white', name: 'White', jain: true },
  ],
  toppings: [
    { id: 'onion', name: 'Onion', jainFriendly: false, onionGarlic: true },
    { id: 'potato', name: 'Potato', jainFriendly: false },
    { id: 'corn', name: 'Corn', jainFriendly: true },
  ],
};

test.each<[name: string, diet: Diet, fits: boolean, of: Partial<Parameters<typeof fitsDiet>[0]>]>([
  ['a Jain dish', 'jain', true, { jain: true, customisable: false }],
  ['one that the kitchen can make so', 'jain', true, { jainOnRequest: true }],
  ['one that it cannot change', 'jain', false, { jainOnRequest: true, customisable: false }],
  ['one that it does not make so', 'jain', false, {}],
  ['one without onion and garlic', 'onion', true, { noOnionGarlic: 'always', customisable: false }],
  ['one without them on request', 'onion', true, { noOnionGarlic: 'onRequest', jainOnRequest: true }],
  ['one of which nobody says so', 'onion', false, { jainOnRequest: true }],
  ['one without onion only', 'jain', false, { noOnionGarlic: 'always' }],
])('of a diet the filter shows what fits it: %s (%s: %s)', (_name, diet, fits, of) => {
  expect(fitsDiet(dish(of), diet)).toBe(fits);
});

test('a dish that fits as it comes is not changed, and one that cannot be judged is left to its customer', () => {
  expect(dietBuild(dish({ jain: true }), 'jain', parts)).toBeUndefined();
  expect(dietBuild(dish({ noOnionGarlic: 'always' }), 'onion', parts)).toBeUndefined();
  expect(dietBuild(dish(), 'jain', null)).toBeNull();
  expect(dietBuild(dish({ customisable: false }), 'jain', parts)).toBeNull();
  expect(dietBuild(dish({ defaultToppings: ['corn', 'unknown'] }), 'jain', parts)).toBeNull();
  expect(dietBuild(dish({ sauce: undefined }), 'jain', parts)?.sauce).toBe('Makhani');
  expect(dietBuild(dish({ sauce: undefined }), 'jain', { ...parts, sauces: [] })).toBeNull();
  expect(dietBuild(dish(), 'jain', { ...parts, sauces: parts.sauces.slice(0, 1) })).toBeNull();
});

test('what a diet forbids is left out, and the sauce gives way to the first that it allows', () => {
  const recipe = dish({ defaultToppings: ['onion', 'potato', 'corn'] });
  const none = (id: string) => ({ id, half: 'WHOLE', amount: 'none' });
  expect(dietBuild(recipe, 'jain', parts)).toEqual({
    off: ['Onion', 'Potato'],
    sauce: 'Makhani',
    build: { sauce: { id: 'makhani', level: 'normal' }, toppings: [none('onion'), none('potato')] },
  });
  expect(dietBuild({ ...recipe, sauce: 'white' }, 'onion', parts)).toEqual({
    off: ['Onion'],
    sauce: undefined,
    build: { toppings: [none('onion')] },
  });
  expect(dietBuild(dish({ sauce: 'white', defaultToppings: ['corn'] }), 'jain', parts)).toEqual({
    off: [],
    sauce: undefined,
    build: {},
  });
});
