import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import * as deletion from '../../src/contract/deletion.ts';
import * as login from '../../src/contract/login.ts';
import { backUp, restore, type Header } from '../../src/server/store/backup.ts';
import { openDb } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { sqliteSnapshot } from '../../src/server/store/sqlite.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { bothEngines, emptyDatabase as newDatabase, startServer, type Engine } from '../kit/server.ts';
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
  const database = await newDatabase(engine);
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
function signed(text: string, more: object = {}): string {
  const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ rows: body.split('\n').length - 2, ...more, sha256 })}\n`;
}

/** Keys, rules and indexes of all tables, as the database itself says them. */
async function rulesIn(target: string): Promise<string[]> {
  const { db, engine } = await openDb(target);
  try {
    const { rows } = await (
      engine === 'postgres'
        ? sql<{ rule: string }>`
            select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as rule
            from pg_constraint where connamespace = current_schema()::regnamespace
            union all select replace(indexdef, schemaname, '') from pg_indexes where schemaname = current_schema()`
        : sql<{ rule: string }>`select sql as rule from sqlite_master where sql is not null`
    ).execute(db);
    return rows.map(({ rule }) => rule).toSorted();
  } finally {
    await db.destroy();
  }
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

  test('a restore brings back each value as it was, from a file of an older release as well, and each key and index', async () => {
    const database = await emptyDatabase(engine);
    const opened = await openDb(database.target);
    await migrate(opened);
    const texts = [
      '',
      '\ufeffbom',
      ' ',
      String.raw`\N`,
      String.raw`a\tb\\`,
      'a\tb\nc\r\nd\\',
      '{"say":"\\"ō\\" 🍕"}',
      '\u0001\b\f\v\u2028',
      '00',
      '1e5',
    ];
    await opened.db
      .insertInto('jobs')
      .values(
        texts.map((payload, index) => ({
          id: `job ${index}`,
          kind: payload,
          unique_key: index % 2 === 0 ? null : payload,
          run_at: Number.MAX_SAFE_INTEGER - index,
          payload,
          state: 'DUE',
          attempts: -index,
          lane: 'none',
          lease_until: 0,
          error: index % 2 === 0 ? payload : null,
        })),
      )
      .execute();
    await opened.db.destroy();
    const [shop, rules] = [await shopIn(database.target), await rulesIn(database.target)];
    const [file, older] = [path.join(folder, `${engine}-kinds.backup`), path.join(folder, `${engine}-older.backup`)];
    await backUp(database.target, file, {});
    const header = JSON.parse(zstdDecompressSync(readFileSync(file)).toString().split('\n')[0]!) as Header;
    const rows = await contents(database.target);
    const lines = header.tables.flatMap(({ name }, table) => rows[name]!.map((row) => `${table} ${row}`));
    const first = JSON.stringify({ ...header, format: 'pizza-backup-1' });
    writeFileSync(older, gzipSync(signed([first, ...lines, '{}\n'].join('\n'))));
    for (const [place, from] of both.flatMap((other) => [file, older].map((from) => [other, from] as const))) {
      const { target } = await emptyDatabase(place);
      await restore(target, from, false);
      expect(await shopIn(target)).toEqual(shop);
      if (place === engine) expect(await rulesIn(target)).toEqual(rules);
    }
  });

  test('a restore that a row stops changes nothing', async () => {
    const database = await emptyDatabase(engine);
    const opened = await openDb(database.target);
    await migrate(opened);
    await opened.db.destroy();
    const [file, bad] = [path.join(folder, `${engine}-empty.backup`), path.join(folder, `${engine}-bad.backup`)];
    await backUp(database.target, file, {});
    const [shop, rules] = [await shopIn(database.target), await rulesIn(database.target)];
    const all = zstdDecompressSync(readFileSync(file)).toString().split('\n');
    const { tables } = JSON.parse(all[0]!) as Header;
    const { each } = JSON.parse(all.at(-2)!) as { each: number[] };
    /** With a row of a table more, at its end. */
    async function restored(name: string, row: Readonly<Record<string, string>>): Promise<unknown> {
      const table = tables.findIndex((one) => one.name === name);
      const counts = each.with(table, each[table]! + 1);
      const at = counts.slice(0, table + 1).reduce((sum, rows) => sum + rows, 0);
      const line = tables[table]!.columns.map((column) => row[column] ?? '1').join('\t');
      writeFileSync(bad, gzipSync(signed(all.toSpliced(at, 0, line).join('\n'), { each: counts })));
      return await restore(database.target, bad, true);
    }
    await expect(restored('order_events', { order_id: 'nobody' })).rejects.toThrow(/order_events|FOREIGN KEY/);
    await expect(restored('system', {})).rejects.toThrow(/system/);
    expect([await shopIn(database.target), await rulesIn(database.target)]).toEqual([shop, rules]);
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
  const snapshot = await sqliteSnapshot(database.target);
  const before = (await contents(database.target))['users']!;
  await guest(server);
  let rows = 0;
  for await (const piece of snapshot.lines(['users'])) rows += piece.rows;
  expect(rows).toBe(before.length);
  await snapshot.close();
  // Nobody waits for a thread that is gone without a word.
  await expect(snapshot.lines(['users']).next()).rejects.toThrow('has ended');
  await server.stop();
});

test('two backups that are written to one file at once are both whole, and leave nothing beside it', async () => {
  const database = await emptyDatabase('sqlite');
  await (await startServer({ database })).stop();
  const own = path.join(folder, `twice-${Date.now()}`);
  mkdirSync(own);
  const file = path.join(own, 'shop.backup');
  const taken = await Promise.all([backUp(database.target, file, {}), backUp(database.target, file, {})]);
  expect(taken[0].rows).toBe(taken[1].rows);
  expect(readdirSync(own)).toEqual(['shop.backup']);
  const place = await emptyDatabase('sqlite');
  expect((await restore(place.target, file, false)).rows).toBe(taken[0].rows);
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
  const text = zstdDecompressSync(bytes).toString();
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
