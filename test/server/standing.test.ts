import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as config from '../../src/contract/config.ts';
import * as home from '../../src/contract/home.ts';
import * as menu from '../../src/contract/menu.ts';
import * as stores from '../../src/contract/stores.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import {
  changeStores,
  checkWishes,
  knownStores,
  storeLines,
  wishesIn,
} from '../../src/server/rules/shopfront/standing.ts';
import { seedVersion, writeSeeds } from '../../src/server/store/catalogue.ts';

import { setOnline, setSoldOut, setTold } from '../../src/server/store/stores.ts';
import { now } from '../../src/server/store/system.ts';
import { engines } from '../kit/server.ts';
import { PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

describe.each(await engines())('the stores as they are now, on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  /** What an operator types, and reads. */
  const told = (...typed: string[]) =>
    new Promise<{ code: number; said: string }>((done) => {
      const script = path.resolve(import.meta.dirname, '../../src/server/commands/stores.ts');
      const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: server.database.target };
      execFile(process.execPath, [script, ...typed], { env }, (error, out, wrong) =>
        done({ code: Number(error?.code ?? 0), said: (out + wrong).trim() }),
      );
    });
  const none = {
    offline: undefined,
    online: undefined,
    soldOut: undefined,
    available: undefined,
    tell: undefined,
    untell: undefined,
  };
  /** The same without a process. */
  const ask = async (typed: Partial<Parameters<typeof wishesIn>[0]>) => {
    const known = await knownStores(db, ['IN', 'LK']);
    const wishes = wishesIn({ ...none, ...typed });
    checkWishes(known, wishes);
    return await changeStores(db, known, wishes);
  };
  const soldOut = async (storeId: string) => {
    const { body } = await server.call(menu.byStore, { storeId, query: {} });
    return body.menu!.items.filter((item) => item.soldOut === true).map(({ id }) => id);
  };
  const online = async (storeId: string) => (await server.call(stores.byId, { storeId, query: {} })).body.store.online;

  test('the operator marks dishes sold out and stores closed; customers hear it at the next call, and it can be undone', async () => {
    const before = storeLines(await knownStores(db, ['IN', 'LK']));
    expect(before).toContain('10101  online   Connaught Place, New Delhi');
    expect(before.some((line) => line.startsWith('20101  online'))).toBe(true);
    const customer = await visitor(server, 'IN', PICKUP);
    await customer.fill();
    const problems = async () =>
      (await customer.validate({ paymentMode: 'UPI' })).body.problems.map(({ code }) => code);
    expect(await problems()).toEqual([]);

    const off = await told('--offline', '10101, 10102', '--sold-out', '10101:PZ004,10101:PZ002,20101:PZ002');
    expect(off).toMatchObject({ code: 0 });
    expect(off.said.split('\n')).toEqual([
      '10101 Connaught Place, New Delhi: offline now',
      '10102 Saket, New Delhi: offline now',
      expect.stringMatching(/^10101 Connaught Place, New Delhi: PZ004 .+ sold out now$/),
      expect.stringMatching(/^10101 Connaught Place, New Delhi: PZ002 .+ sold out now$/),
      expect.stringMatching(/^20101 .+: PZ002 .+ sold out now$/),
    ]);
    expect([await online('10101'), await online('10102'), await online('10103')]).toEqual([0, 0, 1]);
    expect([(await soldOut('10101')).sort(), await soldOut('10102')]).toEqual([['PZ002', 'PZ004'], []]);
    expect(await problems(), 'an order for now').toEqual(['2.STORENA']);

    const listed = (await told('--country', 'in')).said.split('\n');
    expect(listed[0]).toMatch(/^10101 {2}OFFLINE {2}Connaught Place, New Delhi; sold out: PZ002 [^,]+, PZ004 [^,]+$/);
    expect(listed.some((line) => line.startsWith('2'))).toBe(false);

    const again = await ask({ offline: '10102', online: '10101', available: '10101:PZ004,10101:PZ001' });
    expect(again).toEqual([
      '10102 Saket, New Delhi: offline already',
      '10101 Connaught Place, New Delhi: online now',
      expect.stringMatching(/PZ004 .+ available now$/),
      expect.stringMatching(/PZ001 .+ available already$/),
    ]);
    expect([await online('10101'), await online('10102'), await soldOut('10101')]).toEqual([1, 0, ['PZ002']]);
    expect(await problems()).toEqual([]);
  });

  test('an alert is told to the customers of the stores of an area alone, in their language, until it is taken back [ORD-29]', async () => {
    const heard = async (storeId: string, language = 'en-IN') =>
      (
        await server.call(config.alerts, { query: { storeId } }, { headers: { 'accept-language': language } })
      ).body.alerts.map(({ message }) => message);
    const RAIN = 'Heavy rain: deliveries may take 15 minutes longer.';
    expect(await heard('10103')).not.toContain(RAIN);
    const on = await told('--tell', '10103:rain,10104:rain');
    expect(on.said.split('\n')).toEqual([
      expect.stringMatching(/^10103 .+: rain told now$/),
      expect.stringMatching(/^10104 .+: rain told now$/),
    ]);
    expect(await Promise.all(['10103', '10104', '10105'].map((id) => heard(id)))).toEqual([[RAIN], [RAIN], []]);
    expect(String(await heard('10103', 'hi-IN'))).toMatch(/\p{Script=Devanagari}/u);
    const { alerts } = (await server.call(home.home, { storeId: '10104' })).body;
    expect(alerts.map(({ message }) => message)).toEqual([RAIN]);
    expect(storeLines(await knownStores(db, ['IN'])).find((line) => line.startsWith('10103'))).toMatch(
      /; tells: rain$/,
    );
    await expect(ask({ tell: '10103:snow' })).rejects.toThrow('there is no alert snow in IN: rain');
    expect(await ask({ untell: '10103:rain,10104:rain', tell: '20101:rain' })).toEqual([
      expect.stringMatching(/^20101 .+: rain told now$/),
      expect.stringMatching(/^10103 .+: rain not told now$/),
      expect.stringMatching(/^10104 .+: rain not told now$/),
    ]);
    expect(await heard('10103')).toEqual([]);
    await ask({ untell: '20101:rain' });
  });

  test('a mistake is named, and changes nothing', async () => {
    const { code, said } = await told('--offline', '10103', '--sold-out', '10103:PZ004,10101:PZ999');
    expect([code, said]).toEqual([1, 'stores: there is no dish PZ999 in IN']);
    expect([await online('10103'), await soldOut('10103')]).toEqual([1, []]);
    for (const [typed, why] of [
      [{ soldOut: 'PZ004' }, 'PZ004 is no dish of a store: 10101:PZ004'],
      [{ available: '10101:PZ004:ONE' }, '10101:PZ004:ONE is no dish of a store'],
      [{ offline: '10103', online: '10102,10103' }, '10103 cannot be both'],
      [{ soldOut: '10103:PZ004', available: '10103:PZ004' }, '10103:PZ004 cannot be both'],
      [{ tell: 'rain' }, 'rain is no alert of a store: 10101:rain'],
      [{ tell: '10103:rain', untell: '10103:rain' }, '10103:rain cannot be both'],
    ] as const)
      expect(() => wishesIn({ ...none, ...typed })).toThrow(why);
    const lanka = await knownStores(db, ['LK']);
    expect(() => checkWishes(lanka, wishesIn({ ...none, online: '10103' }))).toThrow('there is no store 10103');
  });

  test('each wish is answered with what is so now, or was already; what has left the menu can still be cleared', async () => {
    const line = async (storeId: string) =>
      storeLines(await knownStores(db, ['IN'])).find((one) => one.startsWith(storeId));
    expect(await ask({ offline: ' 10105 ,', soldOut: '10105:PZ002', tell: '10105:rain' })).toEqual([
      '10105 Sector 18, Noida: offline now',
      expect.stringMatching(/^10105 Sector 18, Noida: PZ002 \S.+ sold out now$/),
      '10105 Sector 18, Noida: rain told now',
    ]);
    expect(await line('10105')).toMatch(/^10105 {2}OFFLINE {2}Sector 18, Noida; sold out: PZ002 [^,;]+; tells: rain$/);
    expect(await ask({ offline: '10105', soldOut: '10105:PZ002', tell: '10105:rain' })).toEqual([
      '10105 Sector 18, Noida: offline already',
      expect.stringMatching(/PZ002 \S.+ sold out already$/),
      '10105 Sector 18, Noida: rain told already',
    ]);
    await setSoldOut(db, '10105', 'GONE1', true, await now(db));
    expect(await line('10105')).toContain('sold out: GONE1, PZ002');
    await setTold(db, '10105', 'ask', true, await now(db));
    expect(await line('10105')).toMatch(/; tells: ask, rain$/);
    expect(
      await ask({ online: '10105', available: '10105:PZ002,10105:GONE1', untell: '10105:rain,10105:ask' }),
    ).toEqual([
      '10105 Sector 18, Noida: online now',
      expect.stringMatching(/PZ002 \S.+ available now$/),
      '10105 Sector 18, Noida: GONE1 available now',
      '10105 Sector 18, Noida: rain not told now',
      '10105 Sector 18, Noida: ask not told now',
    ]);
    expect(await line('10105')).toBe('10105  online   Sector 18, Noida');
    await expect(ask({ available: '10105:GONE1' })).rejects.toThrow('there is no dish GONE1 in IN');
    await expect(ask({ untell: '10105:snow' })).rejects.toThrow('there is no alert snow in IN: rain');
    await expect(ask({ online: '99999' })).rejects.toThrow('there is no store 99999');
    // A store that is not of this database is none to change.
    const [first] = await knownStores(db, ['IN']);
    expect(await changeStores(db, [first!], wishesIn({ ...none, offline: '10105' }))).toEqual([]);
    expect(await knownStores(db, ['XX'])).toEqual([]);
  });

  test('a release with another menu opens no store that the shop has closed, and closes none that it has opened', async () => {
    const { seeds } = catalogueFromDisk(countryConfig('in'));
    // One that the seeds begin as offline.
    expect(await online('10304')).toBe(0);
    await setOnline(db, '10101', false);
    await setOnline(db, '10304', true);
    await setSoldOut(db, '10101', 'PZ003', true, await now(db));
    const next = { ...seeds, stores: seeds.stores.map((one) => (one.id === '10105' ? { ...one, online: 0 } : one)) };
    await writeSeeds(db, { code: 'IN', version: 'next', seeds: next }, await now(db));
    expect(await seedVersion(db, 'IN')).toBe('next');
    expect([await online('10101'), await online('10304'), await online('10103')]).toEqual([0, 1, 1]);
    expect(await soldOut('10101')).toContain('PZ003');
    // What the shop has not touched is as the release says.
    expect(await online('10105')).toBe(0);
  });
});
