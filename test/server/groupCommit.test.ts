import { StatementSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDb, transact } from '../../src/server/store/db.ts';
import type { Db, OpenDatabase } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { setSoldOut, soldOutAt } from '../../src/server/store/stores.ts';
import { testDatabase } from '../kit/server.ts';
import type { TestDatabase } from '../kit/server.ts';

/** Every statement that runs, and what happens instead of some of them. */
function watched(instead: (statement: string, result: () => unknown) => unknown = (_, result) => result()) {
  const seen: string[] = [];
  for (const name of ['run', 'all'] as const) {
    const own = StatementSync.prototype[name] as (this: StatementSync, ...given: unknown[]) => unknown;
    vi.spyOn(StatementSync.prototype, name).mockImplementation(function (this: StatementSync, ...given: unknown[]) {
      seen.push(this.sourceSQL);
      return instead(this.sourceSQL, () => own.apply(this, given)) as never;
    });
  }
  return { commits: () => seen.filter((statement) => statement === 'commit').length };
}

describe('writes that wait for the disk together, on SQLite', () => {
  let database: TestDatabase;
  let opened: OpenDatabase;
  /** Another process, which sees what is durable. */
  let outside: OpenDatabase;
  const add = (db: Db, id: string) =>
    db
      .insertInto('counters')
      .values({ id, used: 1, ends_at: 1 })
      .onConflict((c) => c.column('id').doUpdateSet((e) => ({ used: e('counters.used', '+', 1) })))
      .execute();
  const held = async (db: Db) =>
    Object.fromEntries(
      (await db.selectFrom('counters').select(['id', 'used']).orderBy('id').execute()).map(({ id, used }) => [
        id,
        used,
      ]),
    );
  beforeEach(async () => {
    database = await testDatabase('sqlite');
    [opened, outside] = [await openDb(database.target), await openDb(database.target)];
    await migrate(opened);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all([opened.db.destroy(), outside.db.destroy()]);
    await database.drop();
  });

  test('share a commit, and each goes on only when it is durable', async () => {
    const { db } = opened;
    const { commits } = watched();
    const early: string[] = [];
    await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        await (n % 2 ? add(db, `id ${n}`) : transact(db, (tx) => add(tx, `id ${n}`)));
        if (!(`id ${n}` in (await held(outside.db)))) early.push(`id ${n}`);
      }),
    );
    expect(early).toEqual([]);
    expect(commits()).toBeLessThan(20);
  });

  test('fail alone: what one does is undone without the others', async () => {
    const { db } = opened;
    const told = await Promise.allSettled([
      transact(db, (tx) => add(tx, 'first')),
      transact(db, async (tx) => {
        await add(tx, 'first');
        await add(tx, 'second');
        throw new Error('refused');
      }),
      db.insertInto('counters').values({ id: 'first', used: 9, ends_at: 9 }).execute(),
      transact(db, (tx) => add(tx, 'third')),
    ]);
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await held(outside.db)).toEqual({ first: 1, third: 1 });
  });

  test('are seen by nobody before they are durable', async () => {
    const { db } = opened;
    const written = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const mine = transact(db, async (tx) => {
      await add(tx, 'mine');
      written.resolve();
      await read.promise;
      return await held(tx);
    });
    await written.promise;
    expect(await held(db)).toEqual({});
    read.resolve();
    expect(await mine).toEqual({ mine: 1 });
    expect(await held(db)).toEqual({ mine: 1 });
  });

  test('run again, each for itself, when they could not be made durable', async () => {
    const { db } = opened;
    let left = 1;
    watched((statement, result) => {
      if (statement !== 'commit' || left === 0) return result();
      left -= 1;
      throw new Error('disk I/O error');
    });
    await Promise.all(
      ['first', 'second', 'third'].map((id, n) => (n === 1 ? add(db, id) : transact(db, (tx) => add(tx, id)))),
    );
    expect([left, await held(outside.db)]).toEqual([0, { first: 1, second: 1, third: 1 }]);
  });

  test('run again without the one for which the disk is too full', async () => {
    const { db } = opened;
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count + 2}`).execute(db);
    const told = await Promise.allSettled([
      transact(db, (tx) => add(tx, 'first')),
      transact(db, (tx) => add(tx, 'x'.repeat(100_000))),
      add(db, 'third'),
      add(db, 'y'.repeat(100_000)),
      transact(db, (tx) => add(tx, 'fifth')),
    ]);
    expect(told.map((one) => (one.status === 'rejected' ? String(one.reason) : 'done'))).toEqual([
      'done',
      expect.stringContaining('full'),
      'done',
      expect.stringContaining('full'),
      'done',
    ]);
    expect(await held(outside.db)).toEqual({ fifth: 1, first: 1, third: 1 });
  });

  test.each(['rollback to own', 'release own', 'commit'])(
    'hold nobody up where the disk fails even at "%s" and at what would undo it',
    async (failing) => {
      const { db } = opened;
      let left = 1;
      watched((statement, result) => {
        if (statement === 'rollback' && left === 0) {
          left -= 1;
          result();
          throw new Error('disk I/O error');
        }
        if (statement !== failing || left !== 1) return result();
        left -= 1;
        throw new Error('disk I/O error');
      });
      const told = await Promise.allSettled([
        transact(db, (tx) => add(tx, 'first')),
        transact(db, async (tx) => {
          await add(tx, 'second');
          throw new Error('refused');
        }),
        add(db, 'third'),
      ]);
      expect(told.map((one) => (one.status === 'rejected' ? String(one.reason) : 'done'))).toEqual([
        'done',
        'Error: refused',
        'done',
      ]);
      expect([left, await held(outside.db)]).toEqual([-1, { first: 1, third: 1 }]);
    },
  );

  test('leave no copy behind in memory of what was undone', async () => {
    const { db } = opened;
    const undone = transact(db, async (tx) => {
      await setSoldOut(tx, 'store', 'first', true, 1);
      expect([...(await soldOutAt(tx, 'store'))]).toEqual(['first']);
      throw new Error('refused');
    });
    await expect(undone).rejects.toThrow('refused');
    await setSoldOut(db, 'store', 'second', true, 1);
    expect([...(await soldOutAt(db, 'store'))]).toEqual(['second']);
  });
});
