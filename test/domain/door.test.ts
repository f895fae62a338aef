import { expect, test } from 'vitest';
import { areaNames, isHouse, isStreet, splitDoor } from '../../src/domain/door.ts';

test('what stands before the area is a house and a street, as people here write them', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['12 MG Road', '12', 'MG Road'],
    ['12, 80 feet road', '12', '80 feet road'],
    ['80 feet road', '', '80 feet road'],
    ['12 80 ft road', '12', '80 ft road'],
    ['5th Cross Road', '', '5th Cross Road'],
    ['5th Street', '', '5th Street'],
    ['12th Avenue', '', '12th Avenue'],
    ['1st, 2nd Street', '1st', '2nd Street'],
    ['4a5th Street', '4a5th', 'Street'],
    ['5sta Road', '5sta', 'Road'],
    ['Flat Main Road', 'Flat', 'Main Road'],
    ['Main Road', '', 'Main Road'],
    ['Plot 5, Shop 6 - Park Street', 'Plot 5, Shop 6', 'Park Street'],
    ['No. 7/3, 27 Main', 'No. 7/3', '27 Main'],
    ['Flat 4B - Park Street', 'Flat 4B', 'Park Street'],
    ['H.No. 221/2 Baker Street', 'H.No. 221/2', 'Baker Street'],
    ['Sunrise Apartments; Wing C\nHill Road', 'Sunrise Apartments, Wing C', 'Hill Road'],
    ['Hill Road, behind the school', '', 'Hill Road, behind the school'],
    ['Hill Road, 12 Park Lane', '', 'Hill Road, 12 Park Lane'],
    ['B12 Hill Road', 'B12', 'Hill Road'],
    ['Flat C2 Hill Road', 'Flat C2', 'Hill Road'],
    ['AB7a Hill Road', 'AB7a', 'Hill Road'],
    ['B7 Road', '', 'B7 Road'],
    ['NH44 Hosur Road', '', 'NH44 Hosur Road'],
    ['SH17 Mysuru Road', '', 'SH17 Mysuru Road'],
    ['Nh Hill Road', '', 'Nh Hill Road'],
    ['ABC7 Hill Road', '', 'ABC7 Hill Road'],
    ['House 3, Road 7, Block B', 'House 3', 'Road 7, Block B'],
    ['মিরপুর রোড', '', 'মিরপুর রোড'],
    ['বাসা 12 মিরপুর রোড', 'বাসা 12', 'মিরপুর রোড'],
    ['मकान 5 गांधी मार्ग', 'मकान 5', 'गांधी मार्ग'],
    ['FLAT 9 GALLE ROAD', 'FLAT 9', 'GALLE ROAD'],
    ['Rose Villa', 'Rose Villa', ''],
    [' , ;\n', '', ''],
    ['', '', ''],
  ];
  for (const [text, house, street] of table) expect(splitDoor(text), text).toEqual({ house, street });
});

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
