import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as config from '../../src/contract/config.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as menu from '../../src/contract/menu.ts';
import {
  changeLines,
  differencesIn,
  makeChange,
  merged,
  previewChange,
  renewCatalogue,
  takeBack,
} from '../../src/server/rules/catalogue/changes.ts';
import { writeSeeds } from '../../src/server/store/catalogue.ts';
import { addChange, changesOf } from '../../src/server/store/catalogueChanges.ts';
import { transact } from '../../src/server/store/db.ts';
import { readSeeds } from '../../src/server/store/seeds.ts';
import { now } from '../../src/server/store/system.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { engines } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const INDIA = countryConfig('IN');
const NOW = { by: 'asha', from: null };
const SAKET = readSeeds('IN').coupons.find(({ code }) => code === 'SAKETONLY')!;

describe.each(await engines())('a catalogue that the shop changes, on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  const dishes = async () =>
    (await server.call(menu.byStore, { storeId: '10101', query: {} })).body.menu!.items.map(({ id, prices }) => [
      id,
      prices?.M ?? null,
    ]);
  const priceOf = async (id: string) => (await dishes()).find(([one]) => one === id)?.[1];
  const offered = async () => (await server.call(coupons.list, { query: {} })).body.coupons.map(({ code }) => code);

  test('a price, a dish, an offer and an alert hold from the next call on; a cart is told, an order keeps what it cost', async () => {
    const [ordering, quoted, choosing] = await Promise.all([1, 2, 3].map(() => visitor(server, 'IN', PICKUP)));
    const { order } = await ordering!.order();
    const before = await choosing!.fill(1, 'M');
    await quoted!.fill(1, 'M');
    const { quote } = (await quoted!.validate({ paymentMode: 'UPI' })).body;
    expect(await priceOf('PZ001')).toBe(22_900);
    const { number, lines } = await makeChange(
      db,
      INDIA,
      {
        items: { PZ001: { prices: { M: 24_900 } }, PZ028: null },
        coupons: {
          MONSOON: {
            ...{
              title: '₹75 off in the rain',
              type: 'FLAT',
              value: 7_500,
              deliveryTypes: ['PICKUP'],
              stackGroup: 'coupon',
            },
            ...{ autoApply: false, excludes: [], tnc: [], storeIds: ['10101'] },
          },
        },
        content: { alerts: { flood: { storeIds: ['10101'], message: 'The road is under water.', active: true } } },
      },
      NOW,
    );
    expect(lines).toEqual([
      'items PZ001 prices M: 22900 → 24900',
      'items PZ028: gone',
      'coupons MONSOON: new',
      'content alerts flood: new',
    ]);
    expect([await priceOf('PZ001'), await priceOf('PZ028')]).toEqual([24_900, undefined]);
    expect(await offered()).toContain('MONSOON');
    const shown = (await server.call(config.alerts, { query: { storeId: '10101' } })).body.alerts;
    expect(shown.map(({ message }) => message)).toContain('The road is under water.');
    expect((await choosing!.cart()).bill.total).toBeGreaterThan(before.bill.total);
    const old = await choosing!.submit({ key: randomUUID(), cartVersion: before.version, total: before.bill.total });
    expect([old.status, codeOf(old)]).toEqual([409, 'PRICE_CHANGED']);
    // Who had been told a price before pays that one.
    const told = { key: randomUUID(), cartVersion: quote.cartVersion, total: quote.bill.total };
    expect((await quoted!.submit(told)).body.order.bill.total).toBe(quote.bill.total);
    expect((await ordering!.read(order.orderId)).bill.total).toBe(order.bill.total);

    await takeBack(db, INDIA, number, 'ravi');
    expect([await priceOf('PZ001'), await priceOf('PZ028')]).toEqual([22_900, expect.any(Number)]);
    expect((await choosing!.cart()).bill.total).toBe(before.bill.total);
    await expect(takeBack(db, INDIA, number, 'ravi')).rejects.toThrow(/no change 1 that stands/);
    expect((await changesOf(db, 'IN')).at(-1)).toMatchObject({ madeBy: 'asha', undone: { by: 'ravi' } });
  });

  test('who was told more than cash may pay does not pay that in cash once prices have fallen', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(8, 'L');
    const { quote } = (await who.validate()).body;
    expect(quote.bill.total).toBeGreaterThan(200_000);
    const fall = await makeChange(db, INDIA, { items: { PZ001: { prices: { L: 9_900 } } } }, NOW);
    expect((await who.cart()).bill.total).toBeLessThan(200_000);
    const told = { cartVersion: quote.cartVersion, total: quote.bill.total };
    const cash = await who.submit({ ...told, paymentMode: 'COD' });
    expect([cash.status, codeOf(cash)]).toEqual([422, 'CASH_LIMIT']);
    expect((await who.submit({ ...told, paymentMode: 'UPI' })).body.order.bill.total).toBe(quote.bill.total);
    await takeBack(db, INDIA, fall.number, 'ravi');
  });

  test('a change begins at its moment, and one that is taken back leaves the others', async () => {
    const from = (await now(db)) + 3_600_000;
    const later = await makeChange(db, INDIA, { items: { PZ002: { prices: { M: 39_900 } } } }, { by: 'asha', from });
    const soon = await makeChange(db, INDIA, { items: { PZ002: { prices: { M: 37_900 } } } }, NOW);
    expect(await priceOf('PZ002')).toBe(37_900);
    await server.advance(3_601);
    expect(await priceOf('PZ002')).toBe(39_900);
    await takeBack(db, INDIA, soon.number, 'asha');
    expect(await priceOf('PZ002')).toBe(39_900);
    expect(await takeBack(db, INDIA, 'last', 'asha')).toEqual({ number: later.number, left: [] });
    expect(await priceOf('PZ002')).toBe(35_900);
    await expect(makeChange(db, INDIA, { items: { PZ002: null } }, { by: 'asha', from: from - 1 })).rejects.toThrow(
      /that moment is over/,
    );
  });

  test.each<[unknown, RegExp]>([
    [{ items: { PZ001: { prices: { M: 249 } } } }, /items PZ001 prices M: 249 is no price in minor units/],
    [{ items: { PZ001: { price: 24_900 } } }, /items PZ001: there is no price/],
    [{ items: { PZ001: { prices: { M: '24900' } } } }, /items PZ001 prices M: "24900" is no number/],
    [{ items: { PZ001: { defaultToppings: ['gold'] } } }, /items PZ001: there is no topping gold/],
    [{ items: { NEW: { name: 'New' } } }, /items NEW description: no string is there/],
    [{ items: { SD001: null } }, /coupons FREEBREAD: there is no dish SD001/],
    [{ toppings: { onion: null } }, /there is no topping onion/],
    [{ coupons: { SAVE15: { type: 'GIFT' } } }, /coupons SAVE15: its terms cannot be read/],
    [{ coupons: { SAVE15: { value: 150 } } }, /coupons SAVE15: its terms cannot be read/],
    [{ coupons: { SAVE15: { value: -15 } } }, /coupons SAVE15: its terms cannot be read/],
    [{ coupons: { BUY1GET1: { value: { get: { qty: 0 } } } } }, /coupons BUY1GET1: its terms cannot be read/],
    [{ coupons: { FREEDIP: { value: { qty: 0 } } } }, /coupons FREEDIP: its terms cannot be read/],
    [{ coupons: { SECONDHALF: { value: { percent: 500 } } } }, /coupons SECONDHALF: its terms cannot be read/],
    [{ coupons: { MILESTONE5: { value: { stepsRequired: 0 } } } }, /coupons MILESTONE5: its terms cannot be read/],
    [{ coupons: { SAVE15: { maxDiscount: 150 } } }, /coupons SAVE15 maxDiscount: 150 is no sum in minor units/],
    [{ coupons: { SAVE15: { appliesTo: { categories: ['99'] } } } }, /coupons SAVE15: there is no category 99/],
    [{ coupons: { SAVE15: { daysOfWeek: [7] } } }, /coupons SAVE15: a week has the days 0 to 6/],
    [{ coupons: { SAVE15: { window: { starts: '2026-02-31T00:00', hours: 24 } } } }, /SAVE15: there is no such day/],
    [{ coupons: { SAVE15: { window: { starts: '2026-02-28T00:00', hours: 0 } } } }, /SAVE15: its window has no length/],
    [{ coupons: { SAVE15: { storeIds: ['99999'] } } }, /coupons SAVE15: there is no store 99999/],
    [{ stores: { '10101': { hours: { mon: null } } } }, /stores 10101: it has no hours for some day/],
    [{ stores: { '10101': { hours: { mon: { open: '9 am' } } } } }, /stores 10101 hours mon open/],
    [{ stores: { '10101': null } }, /there is no store 10101/],
    [{ items: { PZ001: { id: 'PZ999' } } }, /items PZ001: it cannot be called PZ999/],
    [{ items: { PZ001: { name: '' } } }, /items PZ001 name/],
    [{ items: { PZ001: { kcal: { M: -1 } } } }, /items PZ001 kcal M/],
    [{ builder: { sizes: { M: null } } }, /items PZ001: there is no size M/],
    [
      { builder: { crusts: { pan: { surcharge: { M: 55 } } } } },
      /builder crusts pan surcharge M: 55 is no sum in minor/,
    ],
    [{ deals: { DL001: { price: 199 } } }, /deals DL001 price: 199 is no price in minor units/],
    [{ deals: { DL001: { slots: [{ label: 'Pizza', quantity: 0, anyOfItems: ['PZ001'] }] } } }, /slots Pizza quantity/],
    [{ coupons: { SAVE15: { deliveryTypes: ['FLYING'] } } }, /coupons SAVE15: there is no service FLYING/],
    [{ coupons: { SAVE15: { paymentModes: ['BITCOIN'] } } }, /coupons SAVE15: there is no payment mode BITCOIN/],
    [{ coupons: { SAVE15: { excludes: ['PIZZAS'] } } }, /coupons SAVE15: there is no exclusion PIZZAS/],
    [{ coupons: { SAVE15: { usage: { perUser: 0 } } } }, /coupons SAVE15 usage perUser/],
    [{ coupons: { 'save 15': { ...SAKET, code: 'save 15' } } }, /coupons save 15 code/],
    [{ stores: { '10101': { packaging: 15 } } }, /stores 10101 packaging: 15 is no sum in minor units/],
    [{ stores: { '10101': { services: ['FLYING'] } } }, /stores 10101: there is no service FLYING/],
    [{ stores: { '10101': { services: [] } } }, /stores 10101: it gives out nothing/],
    [{ stores: { '10101': { deliveryRadiusKm: -4 } } }, /stores 10101 deliveryRadiusKm/],
    [{ stores: { '10101': { maxOrdersPer10Min: 0 } } }, /stores 10101 maxOrdersPer10Min/],
    [{ stores: { '10101': { latitude: 999 } } }, /stores 10101 latitude/],
    [{ payments: { modes: [] } }, /payments modes/],
    [{ content: { spinWheel: { slots: [] } } }, /content spinWheel slots/],
    [{ content: { spinWheel: { slots: [{ label: 'None', weight: 0 }] } } }, /content spinWheel slots None weight/],
    [{ items: { NONE: null } }, /items NONE: it is not there/],
    [{ dishes: {} }, /dishes: a catalogue has no such part/],
    [{ coupons: null }, /coupons: no array is there/],
    [{ coupons: 'none' }, /coupons: "none" is no array/],
    [{ coupons: { SAVE15: 5 } }, /5 is no object/],
    [{ coupons: { SAVE15: { usage: 'once' } } }, /SAVE15 usage: "once" is no object/],
    [{ items: { PZ001: 'gone' } }, /"gone" is no object/],
    [[], /a change is an object with items/],
    [{ items: {} }, /all of it is so already/],
  ])('%j is refused with the reason, and changes nothing', async (body, reason) => {
    const before = await dishes();
    await expect(makeChange(db, INDIA, body, NOW)).rejects.toThrow(reason);
    expect(await dishes()).toEqual(before);
  });

  test('a release keeps the changes, and leaves out and tells one that fits it no more', async () => {
    await makeChange(db, INDIA, { items: { PZ003: { prices: { M: 41_900 } } } }, NOW);
    const at = await now(db);
    const number = (await changesOf(db, 'IN')).length + 1;
    const body = { items: { PZ003: { sauce: 'of a release before' } } };
    await transact(db, (tx) => addChange(tx, 'IN', { number, madeAt: at, madeBy: 'asha', startsAt: at, body }));
    await writeSeeds(db, { code: 'IN', version: 'next', seeds: readSeeds('IN') }, at);
    const { left } = await renewCatalogue(db, INDIA);
    expect(left).toEqual([{ number, problems: ['items PZ003: there is no sauce of a release before'] }]);
    expect(await priceOf('PZ003')).toBe(41_900);
    await takeBack(db, INDIA, number, 'asha');
    await takeBack(db, INDIA, 'last', 'asha');
  });

  test('a change that another one stands on is taken back, and the operator hears that the other one is left out', async () => {
    const { id: _, ...like } = readSeeds('IN').items[0]!;
    const first = await makeChange(db, INDIA, { items: { PZ900: like } }, NOW);
    const second = await makeChange(db, INDIA, { items: { PZ900: { prices: { M: 29_900 } } } }, NOW);
    const { left } = await takeBack(db, INDIA, first.number, 'asha');
    expect(left).toEqual([
      { number: second.number, problems: expect.arrayContaining(['items PZ900 name: no string is there']) },
    ]);
    expect(await priceOf('PZ900')).toBeUndefined();
    await takeBack(db, INDIA, second.number, 'asha');
  });

  test('operators check, see, make and take back a change by the command, which says who did what', async () => {
    const file = path.join(temporaryFolder('pizza-change'), 'change.json');
    writeFileSync(file, JSON.stringify({ items: { PZ001: { prices: { M: 25_900 } } } }));
    const said = (...typed: string[]) =>
      new Promise<string>((done) => {
        const script = path.resolve(import.meta.dirname, '../../src/server/commands/catalogue.ts');
        const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: server.database.target };
        execFile(process.execPath, [script, ...typed], { env }, (_error, out, wrong) => done((out + wrong).trim()));
      });
    expect(await said('--country', 'in', '--check', file)).toBe('It can be applied: 1 value differs.');
    expect(await said('--country', 'in', '--apply', file, '--by', 'mina')).toMatch(
      /^Change \d+, from now on:\nitems PZ001 prices M: 22900 → 25900$/,
    );
    expect(await priceOf('PZ001')).toBe(25_900);
    expect((await changeLines(db, INDIA)).at(-1)).toMatch(/^IN \d+ {2}since .* by mina: items PZ001$/);
    expect(await said('--apply', file)).toBe('catalogue: in which country? --country IN');
    for (const from of ['2031-02-31T06:00', '2031-13-01T06:00'])
      expect(await said('--country', 'in', '--apply', file, '--from', from)).toContain(`${from} is no moment`);
    for (const what of ['--check', '--diff', '--apply'])
      expect(await said('--country', 'in', what, file, '--from', '2020-01-31T06:00')).toBe(
        'catalogue: nothing is changed: that moment is over',
      );
    expect(await said('--country', 'in', '--back', 'last', '--from', '2040-01-31T06:00')).toContain('without --from');
    expect(await said('--country', 'in', '--back', 'last')).toMatch(/^Change \d+ is taken back\.$/);
    expect(await priceOf('PZ001')).toBe(22_900);
  });

  test('a change is seen before it is made', async () => {
    expect(await previewChange(db, INDIA, { builder: { sizes: { M: { serves: '2 to 3' } } } }, null)).toEqual([
      'builder sizes M serves: "2" → "2 to 3"',
    ]);
  });
});

test.each<[own: unknown, change: unknown, result: unknown]>([
  [{ a: 1, b: { c: 2, d: 3 } }, { b: { c: null, e: 4 } }, { a: 1, b: { d: 3, e: 4 } }],
  [[{ id: 'x', n: 1 }, { id: 'y' }], { x: { n: 2 }, z: { n: 3 } }, [{ id: 'x', n: 2 }, { id: 'y' }, { id: 'z', n: 3 }]],
  [[{ id: 'x' }, { id: 'y' }], { x: null, z: null }, [{ id: 'y' }]],
  [[1, 2], [3], [3]],
  [{ a: [1] }, { a: 'b' }, { a: 'b' }],
])('%j with the change %j is %j', (own, change, result) => {
  expect(merged(own, change)).toEqual(result);
});

test('differences name the entry, the field and both values, and nothing that is the same', () => {
  const list = (price: number) => ({ items: [{ id: 'x', prices: { M: price }, tags: ['a'] }] });
  expect(differencesIn(list(1), list(2))).toEqual(['items x prices M: 1 → 2']);
  expect(differencesIn(list(1), list(1))).toEqual([]);
});
