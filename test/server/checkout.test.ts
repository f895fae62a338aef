import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as errors from '#text/errors.ts';
import { customerProblems, placeProblems, tableProblems } from '../../src/server/rules/checkout/checkout.ts';
import { readSeeds, type SeedStore } from '../../src/server/store/seeds.ts';

// What is missing before an order can be placed, each with its sentence and its field.

const INDIA = countryConfig('IN');
const store: SeedStore = {
  ...readSeeds('IN').stores[0]!,
  ...{ latitude: 28.63, longitude: 77.22, deliveryRadiusKm: 4, dineInTables: 12 },
};
const at = (latitude: number, longitude = 77.22) => ({
  ...{ latitude, longitude, houseNo: '12', address: 'Barakhamba Road', type: 'home' as const },
});
const car = { colour: 'Red', model: 'Swift', lastFourDigits: '4821' };

test.each<[string, Parameters<typeof placeProblems>[0], [string, string] | null]>([
  ['a delivery without an address', { deliveryType: 'DELIVERY' }, ['ADDRESS_MISSING', 'address']],
  ['a delivery to nowhere', { deliveryType: 'DELIVERY', address: null }, ['ADDRESS_MISSING', 'address']],
  ['a delivery next door', { deliveryType: 'DELIVERY', address: at(28.63) }, null],
  ['a delivery inside the circle', { deliveryType: 'DELIVERY', address: at(28.6659) }, null],
  ['a delivery outside of it', { deliveryType: 'DELIVERY', address: at(28.6661) }, ['OUT_OF_RANGE', 'address']],
  ['a table for a delivery', { deliveryType: 'DELIVERY', address: at(28.63), table: '99' }, null],
  ['a pickup from anywhere', { deliveryType: 'PICKUP', address: at(12.9) }, null],
  ['a pickup', { deliveryType: 'PICKUP' }, null],
  ['curbside without a car', { deliveryType: 'CURB' }, ['VEHICLE_MISSING', 'vehicle']],
  ['curbside with none', { deliveryType: 'CURB', vehicle: null }, ['VEHICLE_MISSING', 'vehicle']],
  ['curbside with a car', { deliveryType: 'CURB', vehicle: car }, null],
  ['a meal here without a table', { deliveryType: 'DINEIN' }, ['TABLE_MISSING', 'table']],
  ['a meal here at a table', { deliveryType: 'DINEIN', table: '7' }, null],
  ['a meal here at a table that is not there', { deliveryType: 'DINEIN', table: '13' }, ['TABLE_UNKNOWN', 'table']],
])('%s: what is missing of the place', (_, basket, problem) => {
  const sentences: Readonly<Record<string, string>> = {
    ADDRESS_MISSING: errors.addressMissing,
    OUT_OF_RANGE: errors.noDeliveryHere,
    VEHICLE_MISSING: errors.vehicleMissing,
    TABLE_MISSING: errors.tableMissing,
  };
  const found = placeProblems(basket, store);
  expect(found.map(({ code, field }) => [code, field])).toEqual(problem === null ? [] : [problem]);
  for (const { code, displayMsg } of found)
    if (code === 'TABLE_UNKNOWN') expect(displayMsg).toContain('12');
    else expect(displayMsg).toBe(sentences[code]);
});

test.each([
  ['1', null],
  ['007', null],
  ['0', 'TABLE_UNKNOWN'],
  ['000', 'TABLE_UNKNOWN'],
  ['13', 'TABLE_UNKNOWN'],
  ['0012', 'TABLE_UNKNOWN'],
  ['-1', 'TABLE_UNKNOWN'],
  ['1.5', 'TABLE_UNKNOWN'],
  ['7a', 'TABLE_UNKNOWN'],
  ['a7', 'TABLE_UNKNOWN'],
  ['7\n8', 'TABLE_UNKNOWN'],
  ['', 'TABLE_MISSING'],
  [null, 'TABLE_MISSING'],
  [undefined, 'TABLE_MISSING'],
])('the table %j of twelve: %s', (table, code) => {
  expect(tableProblems(table, store)[0]?.code ?? null).toBe(code);
});

describe('who orders', () => {
  const asha = { firstName: 'Asha', lastName: 'Rao', mobile: '9876543210' };
  test.each<[string, Partial<Parameters<typeof customerProblems>[0]>, string | null, string[]]>([
    ['everything', {}, '9876543210', []],
    ['no last name', { lastName: '' }, '9876543210', []],
    ['no first name', { firstName: '' }, '9876543210', ['FIRST_NAME customer.firstName']],
    ['a number that is none', {}, null, ['INVALID_MOBILE customer.mobile']],
    ['an address to write to', { email: 'asha@example.com' }, '9876543210', []],
    ['an empty one', { email: '' }, '9876543210', []],
    ['one that is none', { email: 'asha' }, '9876543210', ['INVALID_EMAIL customer.email']],
    [
      'nothing right',
      { firstName: '', email: '@' },
      null,
      ['FIRST_NAME customer.firstName', 'INVALID_MOBILE customer.mobile', 'INVALID_EMAIL customer.email'],
    ],
  ])('says %s, and is told at once all that is wrong', (_, more, mobile, problems) => {
    const found = customerProblems({ ...asha, ...more }, mobile, INDIA);
    expect(found.map(({ code, field }) => `${code} ${field}`)).toEqual(problems);
    const sentences: Readonly<Record<string, string>> = {
      FIRST_NAME: errors.firstNameMissing,
      INVALID_MOBILE: errors.mobileInvalid({ digits: 10 }),
      INVALID_EMAIL: errors.emailInvalid,
    };
    for (const { code, displayMsg } of found) expect(displayMsg).toBe(sentences[code]);
  });
});
