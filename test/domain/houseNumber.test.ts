import { expect, test } from 'vitest';
import { areaNames, isHouse, isStreet } from '../../src/domain/houseNumber.ts';

test('a house has a letter or a digit, in any script', () => {
  expect(['4', 'B', 'ঘ', '१२', '-', ' . ', ''].map(isHouse)).toEqual([true, true, true, true, false, false, false]);
});

test('a text says more than its area when it names a street or something that is no area’s name', () => {
  const isArea = areaNames('Indiranagar, Bengaluru, 560038', 'New Delhi');
  const table: readonly (readonly [string, boolean])[] = [
    ['Indiranagar', false],
    ['INDIRANAGAR, bengaluru', false],
    ['Near New Delhi - 110017', false],
    ['near  Indiranagar', false],
    ['560038', false],
    ['Indiranagar ५६००३८', false],
    ['Indiranagar; 12', false],
    ['Indiranagar\nGreen Park', true],
    ['Indiranagar 12345678', true],
    ['Main', true],
    ['100 feet road, Indiranagar', true],
    ['Nearby New Delhi', true],
    ['', false],
  ];
  for (const [text, says] of table) expect(isStreet(text, isArea), text).toBe(says);
  // A single word of a street is a name too: Cross, Main and Row are areas somewhere.
  expect(isStreet('Main', areaNames('Main'))).toBe(false);
  expect(isStreet('Main.', areaNames('Main'))).toBe(false);
  // A postcode is one at the end.
  expect(isStreet('New 110017 Delhi', areaNames('New Delhi'))).toBe(true);
  expect(isStreet('New Delhi 110017', areaNames('New Delhi 110001'))).toBe(false);
  expect(isStreet('Main Bazaar', areaNames('Main Bazaar'))).toBe(true);
});
