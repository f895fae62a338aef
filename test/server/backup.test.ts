import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import * as deletion from '../../src/contract/deletion.ts';
import * as login from '../../src/contract/login.ts';
import { backUp, restore, type Header } from '../../src/server/store/backup.ts';
import { sqliteSnapshot } from '../../src/server/store/sqlite.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { bothEngines, startServer, testDatabase, type Engine } from '../kit/server.ts';
import { BANK } from '../kit/production.ts';
import { contents } from '../upgrade/fixture.ts';
import { violationsAt } from './invariants.ts';
import { codeFor, guest } from './people.ts';
import { Customer, member, openedShop, pay, PICKUP } from './shop.ts';

const COMMANDS = path.resolve(import.meta.dirname, '../../src/server/commands');
const ORDERING = 3;
const folder = temporaryFolder('pizza-backup');
const clean: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const one of clean) await one();
});
async function emptyDatabase(engine: Engine) {
  const database = await testDatabase(engine);
  clean.push(database.drop);
  return database;
}

/** What an operator types, and reads. */
const run = (command: string, target: string, options: readonly string[], environment: Record<string, string> = {}) =>
  new Promise<{ code: number; said: string }>((done) => {
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: target, ...environment };
    const script = path.join(COMMANDS, `${command}.ts`);
    execFile(process.execPath, [script, ...options], { env }, (error, out, wrong) =>
      done({ code: Number(error?.code ?? 0), said: out + wrong }),
    );
  });

/** A backup's text with the checksum that belongs to it. */
function signed(text: string): string {
  const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ rows: body.split('\n').length - 2, sha256 })}\n`;
}

/** All that is in a shop. When its migrations ran is not. */
async function shopIn(target: string) {
  const { kysely_migration: migrations, kysely_migration_lock: _, ...tables } = await contents(target);
  return { ...tables, migrations: migrations?.map((row) => (JSON.parse(row) as { name: string }).name) };
}

const both = await bothEngines();
describe.each(both)('a backup on %s', (engine) => {
  test('a backup taken while customers order holds every answered order whole, and restores on either database', async () => {
    const database = await emptyDatabase(engine);
    const { server, stop } = await openedShop({ engine, database });
    const acked: string[] = [];
    let isOver = false;
    const people = await Promise.all(Array.from({ length: ORDERING }, () => member(server, 'IN', PICKUP)));
    async function ordering(who: Customer): Promise<void> {
      while (!isOver) {
        const { order, next } = await who.order();
        await pay(server, next);
        await who.confirm(order);
        acked.push(order.orderId);
      }
    }
    const all = Promise.all(people.map(ordering));
    await expect.poll(() => acked.length).toBeGreaterThan(ORDERING);
    const before = [...acked];
    // A second try of this test finds the files of the first.
    const name = `${engine}-${Date.now()}`;
    const file = path.join(folder, `${name}.backup`);
    const taken = await run('backup', database.target, ['--to', file], { ...BANK, BANK_SECRET: 'of-then' });
    expect(taken).toMatchObject({ code: 0, said: expect.stringContaining('rows of') });
    await expect.poll(() => acked.length).toBeGreaterThan(before.length + ORDERING);
    isOver = true;
    await all;
    await stop();

    const place = await emptyDatabase(engine);
    const restored = await run('restore', place.target, ['--from', file], { ...BANK, BANK_SECRET: 'of-now' });
    expect(restored.said).toContain('BANK_SECRET is another than when this backup was made.');
    expect(restored.code).toBe(0);
    expect(await violationsAt(place.target, { ackedOrders: before, ackedPaid: before })).toEqual([]);

    // Where nobody orders any more, all tables can be compared; what is restored takes the place of the earlier one.
    const whole = path.join(folder, `${name}-whole.backup`);
    await backUp(database.target, whole, {});
    const shop = await shopIn(database.target);
    await expect(restore(place.target, whole, false)).rejects.toThrow(/holds \d+ orders and \d+ customers.*--replace/);
    await restore(place.target, whole, true);
    expect(await shopIn(place.target)).toEqual(shop);
    for (const other of both.filter((one) => one !== engine)) {
      const elsewhere = await emptyDatabase(other);
      await restore(elsewhere.target, whole, false);
      expect(await shopIn(elsewhere.target)).toEqual(shop);
    }
    const again = await startServer({ database: place });
    const [first] = people;
    const back = new Customer(again, first!.person, PICKUP, 'PZ001', first!.mobile);
    expect((await back.order()).order.orderStatus).toBe('PENDING');
    await again.stop();
  });
});

test('who was deleted since a backup was taken is deleted again by its restore, from a list of ids alone', async () => {
  const [database, place] = [await emptyDatabase('sqlite'), await emptyDatabase('sqlite')];
  const [file, list] = [path.join(folder, 'before-deletion.backup'), path.join(folder, `deleted-${Date.now()}`)];
  const shop = await openedShop({ database, settings: { environment: { DELETIONS_FILE: list } } });
  const { server } = shop;
  const [gone, awake, stays] = await Promise.all(Array.from({ length: 3 }, () => member(server, 'IN', PICKUP)));
  for (const one of [gone!, stays!]) {
    const { order, next } = await one.order();
    await pay(server, next);
    await one.confirm(order);
  }
  await server.advance(86_400);
  await backUp(database.target, file, {});
  const leave = async (one: Customer) => {
    await one.call(deletion.sendCode, { body: {} });
    return await one.call(deletion.ask, { body: { code: await codeFor(server, one.mobile) } });
  };
  expect([(await leave(gone!)).status, (await leave(awake!)).status]).toEqual([200, 200]);
  const back = await guest(server);
  await server.call(login.sendOtp, { body: { mobile: awake!.mobile } }, back.as);
  const code = await codeFor(server, awake!.mobile);
  await server.call(
    login.validateOtp,
    { body: { mobile: awake!.mobile, code } },
    { ...back.as, headers: { [deletion.WAKE_HEADER]: 'yes' } },
  );
  await server.advance(8 * 86_400);
  await expect.poll(() => readFileSync(list, 'utf8')).toMatch(new RegExp(`^\\d+ ${gone!.person.userId}\n$`));
  expect(statSync(list).mode & 0o777).toBe(0o600);
  await shop.stop();

  const restored = await run('restore', place.target, ['--from', file, '--deleted', list]);
  expect(restored.said).toContain(`1 accounts that ${list} names are deleted again.`);
  const knows = async (one: Customer) => JSON.stringify(await contents(place.target)).includes(one.mobile);
  expect([await knows(gone!), await knows(awake!), await knows(stays!)]).toEqual([false, true, true]);
  expect(await violationsAt(place.target)).toEqual([]);

  const bad = path.join(folder, 'bad-list');
  writeFileSync(bad, 'Asha Rao\n');
  const refused = await run('restore', place.target, ['--from', file, '--deleted', bad, '--replace']);
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('is no list of deleted accounts') });
  expect([await knows(gone!), await knows(stays!)]).toEqual([false, true]);
  await expect(startServer({ settings: { environment: { DELETIONS_FILE: folder } } })).rejects.toThrow(
    /DELETIONS_FILE/,
  );
});

test('what is written while a file is read is not in the backup', async () => {
  const database = await emptyDatabase('sqlite');
  const server = await startServer({ database });
  const snapshot = sqliteSnapshot(database.target);
  const before = (await contents(database.target))['users']!;
  await guest(server);
  expect([...snapshot.rows('users')].flat()).toHaveLength(before.length);
  snapshot.close();
  await server.stop();
});

test('a file that is not whole, was changed, or is of a newer release changes nothing and is told; a file is not written over', async () => {
  const [source, place] = [await emptyDatabase('sqlite'), await emptyDatabase('sqlite')];
  await (await startServer({ database: source })).stop();
  await (await startServer({ database: place })).stop();
  const file = path.join(folder, 'good.backup');
  await backUp(source.target, file, {});
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = await shopIn(place.target);
  const bytes = readFileSync(file);
  const text = gunzipSync(bytes).toString();
  const header = JSON.parse(text.split('\n')[0]!) as Header;
  const newer = { ...header, migrations: [...header.migrations, '9999-later'] };
  const cases: [string, Buffer | string, RegExp][] = [
    ['cut', bytes.subarray(0, bytes.length - 200), /not whole/],
    ['cut between rows', gzipSync(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)), /not whole/],
    ['changed', gzipSync(text.replace('"Paneer', '"Pineer')), /was changed/],
    ['something else', gzipSync('{"format":"other"}\n{}\n'), /no backup/],
    ['no file of ours', 'PGDMP', /no backup/],
    ['of a newer release', gzipSync(signed(text.replace(JSON.stringify(header), JSON.stringify(newer)))), /9999-later/],
  ];
  for (const [name, content, said] of cases) {
    const bad = path.join(folder, `${name}.backup`);
    writeFileSync(bad, content);
    await expect(restore(place.target, bad, true), name).rejects.toThrow(said);
  }
  expect(await shopIn(place.target)).toEqual(before);
  const refused = await run('backup', source.target, ['--to', file]);
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('--replace writes over it') });
  expect(readFileSync(file).equals(bytes)).toBe(true);
  const apart = { DATABASE_URL_IN: place.target };
  const several = path.join(folder, 'lanka.backup');
  expect((await run('backup', source.target, ['--to', several], apart)).said).toContain('--country');
  expect((await run('backup', source.target, ['--to', several, '--country', 'lk'], apart)).code).toBe(0);
  const nowhere = path.join(folder, 'none.db');
  expect((await run('backup', nowhere, ['--to', path.join(folder, 'x')])).said).toContain('there is no database');
  expect(existsSync(nowhere)).toBe(false);
});
