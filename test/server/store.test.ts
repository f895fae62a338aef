import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transact, openDb } from '../../src/server/store/db.ts';
import type { OpenDatabase } from '../../src/server/store/db.ts';
import {
  claimJob,
  dropJob,
  enqueue,
  failJob,
  finishJob,
  giveBack,
  lateJobs,
  putOffJob,
  type JobRow,
} from '../../src/server/store/jobs.ts';
import { migrate, migrationsIn } from '../../src/server/store/migrate.ts';
import { insertGuest } from '../../src/server/store/sessions.ts';
import { countUse, now, raiseOffset, readSystem, secret, wallNow } from '../../src/server/store/system.ts';
import { sweep } from '../../src/server/store/sweep.ts';
import { userOfIdentity } from '../../src/server/store/vendors.ts';
import { bothEngines, emptyDatabase, testDatabase } from '../kit/server.ts';
import type { TestDatabase } from '../kit/server.ts';

describe.each(await bothEngines())('the store on %s', (engine) => {
  let database: TestDatabase;
  let opened: OpenDatabase;
  beforeAll(async () => {
    database = await testDatabase(engine);
    opened = await openDb(database.target);
    await migrate(opened);
  });
  afterAll(async () => {
    await opened.db.destroy();
    await database.drop();
  });

  test('a new database has had every migration of the folder', async () => {
    const files = await readdir(new URL('../../src/server/store/migrations', import.meta.url));
    expect(await migrationsIn(opened.db)).toEqual(files.map((file) => file.replace(/\.ts$/, '')).sort());
  });

  test('two processes may bring a new database up to date at once, and again', async () => {
    const fresh = await emptyDatabase(engine);
    const many = await Promise.all(Array.from({ length: 4 }, () => openDb(fresh.target)));
    await Promise.all(many.map((one) => migrate(one)));
    await migrate(many[0]!);
    expect(await now(many[3]!.db)).toBeGreaterThan(0);
    await Promise.all(many.map((one) => one.db.destroy()));
    await fresh.drop();
  });

  test("vendors' people of before keep their account, in its country", async () => {
    const old = await emptyDatabase(engine);
    const { db, ...rest } = await openDb(old.target);
    await migrate({ db, ...rest });
    // As it was before: one key for all countries.
    await sql`drop table identities`.execute(db);
    await sql`create table identities (vendor text not null, subject text not null,
      user_id text not null references users (id), created_at bigint not null,
      constraint identities_pk primary key (vendor, subject))`.execute(db);
    await sql`delete from kysely_migration where name = '0019-identities'`.execute(db);
    const { id } = await insertGuest(db, 'LK', 1);
    await sql`insert into identities values ('frame-acme', '42', ${id}, 7)`.execute(db);
    await migrate({ db, ...rest });
    expect(await db.selectFrom('identities').selectAll().execute()).toEqual([
      { vendor: 'frame-acme', country: 'LK', subject: '42', user_id: id, created_at: 7 },
    ]);
    const of = (country: string) =>
      transact(db, (tx) => userOfIdentity(tx, { vendor: 'frame-acme', country, subject: '42' }));
    expect([await of('LK'), await of('IN')]).toEqual([id, null]);
    await db.destroy();
    await old.drop();
  });

  test('a transaction that throws leaves nothing, also of one inside it', async () => {
    const count = async () => {
      const all = opened.db.selectFrom('users').select((e) => e.fn.countAll<number>().as('n'));
      return Number((await all.executeTakeFirstOrThrow()).n);
    };
    const before = await count();
    const failing = transact(opened.db, (tx) =>
      transact(tx, async (inner) => {
        await insertGuest(inner, 'IN', 1);
        throw new Error('both');
      }),
    );
    await expect(failing).rejects.toThrow('both');
    expect(await count()).toBe(before);
  });

  // Statements of PostgreSQL go to the connection of their transaction; SQLite has one for all who write.
  if (engine === 'sqlite') {
    test('a statement that nobody waits for never outlives its transaction', async () => {
      for (let turns = 0; turns < 30; turns += 1) {
        const stray: Promise<unknown>[] = [];
        const failing = transact(opened.db, async (tx) => {
          const late = async () => {
            for (let n = 0; n < turns; n += 1) await Promise.resolve();
            await countUse(tx, 'stray', 1_000, 1);
          };
          stray.push(late().catch(() => {}));
          throw new Error('stop');
        });
        await expect(failing).rejects.toThrow('stop');
        await Promise.all(stray);
      }
      expect(await opened.db.selectFrom('counters').selectAll().where('id', '=', 'stray').execute()).toEqual([]);
    });
  }

  test('a conflict runs the whole transaction again', async () => {
    let runs = 0;
    const result = await transact(opened.db, async (tx) => {
      runs += 1;
      await now(tx);
      if (runs < 3) throw Object.assign(new Error('conflict'), { code: '40001' });
      return runs;
    });
    expect(result).toBe(3);
  });

  test('100 parallel transactions on one row lose no change', async () => {
    await countUse(opened.db, 'row', 1_000_000, 1);
    await Promise.all(
      Array.from({ length: 100 }, () =>
        transact(opened.db, async (tx) => {
          await tx
            .updateTable('counters')
            .set((e) => ({ used: e('used', '+', 1) }))
            .where('id', '=', 'row')
            .execute();
        }),
      ),
    );
    expect(
      (await opened.db.selectFrom('counters').select('used').where('id', '=', 'row').executeTakeFirstOrThrow()).used,
    ).toBe(101);
  });

  test('numbers come back as numbers, also large ones', async () => {
    await opened.db.insertInto('counters').values({ id: 'large', used: Number.MAX_SAFE_INTEGER, ends_at: 1 }).execute();
    expect(
      (await opened.db.selectFrom('counters').select('used').where('id', '=', 'large').executeTakeFirstOrThrow()).used,
    ).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('a window counts its uses, also parallel ones, and opens anew when it is over', async () => {
    const uses = await Promise.all(Array.from({ length: 50 }, () => countUse(opened.db, 'window', 1_000, 10_000)));
    expect(new Set(uses.map((use) => use.used)).size).toBe(50);
    expect(await countUse(opened.db, 'window', 1_000, 10_999)).toEqual({ used: 51, endsAt: 11_000 });
    expect(await countUse(opened.db, 'window', 1_000, 11_000)).toEqual({ used: 1, endsAt: 12_000 });
  });

  test('a shared secret is made once, whoever asks first', async () => {
    let made = 0;
    const values = await Promise.all(
      Array.from({ length: 10 }, () => secret(opened.db, 'shared', () => `secret-${(made += 1)}`)),
    );
    expect(new Set(values).size).toBe(1);
  });

  test('the clock only moves forward, and leases do not move with it [API-X04]', async () => {
    const before = await readSystem(opened.db);
    await raiseOffset(opened.db, before.offsetMs + 3_600_000);
    await raiseOffset(opened.db, before.offsetMs);
    expect((await readSystem(opened.db)).offsetMs).toBe(before.offsetMs + 3_600_000);
    expect(Math.abs((await now(opened.db)) - (await wallNow(opened.db)) - before.offsetMs - 3_600_000)).toBeLessThan(
      5_000,
    );
  });

  test('a job is claimed by one, in the order of time, and left alone while it is worked on', async () => {
    const at = await now(opened.db);
    await enqueue(opened.db, { kind: 'b', runAt: at - 1_000, payload: { n: 2 } });
    await enqueue(opened.db, { kind: 'a', runAt: at - 2_000, payload: { n: 1 } });
    await enqueue(opened.db, { kind: 'later', runAt: at + 60_000, payload: null });
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimJob(opened.db, at)));
    const mine = claims.filter((claim) => claim !== null && claim !== 'busy');
    expect(mine.map((job) => job.kind).sort()).toEqual(['a', 'b']);
    expect(await claimJob(opened.db, at)).toBe('busy');
    for (const job of mine) await finishJob(opened.db, job);
    expect(await claimJob(opened.db, at)).toBeNull();
  });

  test('a job with a key is there once; it can be dropped before it begins', async () => {
    const at = await now(opened.db);
    await Promise.all(
      Array.from({ length: 5 }, () => enqueue(opened.db, { kind: 'keyed', runAt: at - 5, payload: null, key: 'k1' })),
    );
    const first = await claimJob(opened.db, at);
    expect(first).toMatchObject({ kind: 'keyed' });
    expect(await claimJob(opened.db, at)).toBe('busy');
    await finishJob(opened.db, first as JobRow);
    await enqueue(opened.db, { kind: 'keyed', runAt: at - 5, payload: null, key: 'k1' });
    await dropJob(opened.db, 'k1');
    expect(await claimJob(opened.db, at)).toBeNull();
  });

  test('a failed job waits for its next try, a given-up one is not tried again', async () => {
    const at = await now(opened.db);
    await enqueue(opened.db, { kind: 'failing', runAt: at - 5, payload: null });
    const job = (await claimJob(opened.db, at)) as JobRow;
    await failJob(opened.db, job, 'no', 60_000);
    expect(await claimJob(opened.db, at)).toBeNull();
    const endLease = () => opened.db.updateTable('jobs').set({ lease_until: 0 }).where('id', '=', job.id).execute();
    await endLease();
    const second = (await claimJob(opened.db, at)) as JobRow;
    expect(second).toMatchObject({ id: job.id, attempts: 2 });
    await endLease();
    const third = (await claimJob(opened.db, at)) as JobRow;
    // What the second try took too long for is the third's by now.
    await failJob(opened.db, second, 'late', null);
    await putOffJob(opened.db, second, 'late', 0);
    await giveBack(opened.db, [second]);
    await finishJob(opened.db, second);
    expect(await claimJob(opened.db, at)).toBe('busy');
    await failJob(opened.db, third, 'never', null);
    expect(await claimJob(opened.db, at)).toBeNull();
    expect(await lateJobs(opened.db, 0)).toMatchObject({ givenUp: 1 });
  });

  test('sweeping keeps what a rule still reads', async () => {
    const at = await now(opened.db);
    const answered = { user_id: 'u', fingerprint: '', ref: 'null', lease_until: 0 };
    await opened.db
      .insertInto('idempotency')
      .values([
        { ...answered, idempotency_key: 'old', state: 'DONE', body: '{}', created_at: 0 },
        {
          ...answered,
          idempotency_key: 'unfinished',
          state: 'COMMITTED',
          body: null,
          created_at: at - 29 * 86_400_000,
        },
        { ...answered, idempotency_key: 'new', state: 'DONE', body: '{}', created_at: at },
      ])
      .execute();
    const [today, longAgo] = [new Date(at).toISOString().slice(0, 10), '2020-01-01'];
    await opened.db
      .insertInto('wheel_draws')
      .values([today, longAgo].map((day) => ({ device: 'd', day, slot: 1 })))
      .execute();
    const lock = { cart_id: 'c', context: '', user_id: 'u', total: 1, quote: '{}', priced_at: 0 };
    await opened.db
      .insertInto('price_locks')
      .values([
        { ...lock, cart_version: 1, locked_until: at + 1 },
        { ...lock, cart_version: 2, locked_until: 1 },
      ])
      .execute();
    await sweep(opened.db, at);
    const kept = await opened.db
      .selectFrom('idempotency')
      .select('idempotency_key')
      .where('user_id', '=', 'u')
      .execute();
    expect(kept.map((row) => row.idempotency_key).sort()).toEqual(['new', 'unfinished']);
    expect(await opened.db.selectFrom('wheel_draws').select('day').execute()).toEqual([{ day: today }]);
    expect(await opened.db.selectFrom('price_locks').select('cart_version').execute()).toEqual([{ cart_version: 1 }]);
  });

  if (engine === 'sqlite') {
    test('a query that goes around its own transaction is told so instead of waiting for ever', async () => {
      await expect(transact(opened.db, () => now(opened.db))).rejects.toThrow('went around it');
    });

    test('the file is written through at every commit, in write-ahead mode, with foreign keys', async () => {
      const pragma = async (name: string) =>
        Object.values((await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(opened.db)).rows[0]!)[0];
      expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
        'wal',
        2,
        1,
      ]);
    });

    test('a file that nobody has open any more has no log beside it, which the next start would have to read first', async () => {
      const fresh = await emptyDatabase(engine);
      const own = await openDb(fresh.target);
      await migrate(own);
      expect(await now(own.db)).toBeGreaterThan(0);
      await own.db.destroy();
      expect(existsSync(`${fresh.target}-wal`)).toBe(false);
      await fresh.drop();
    });
  } else {
    test('every connection holds what the address asks for, beside its schema', async () => {
      const address = new URL(database.target);
      address.searchParams.set('options', '-c work_mem=5MB');
      const { db } = await openDb(address.href);
      const shown = async (name: string) =>
        (await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(db)).rows[0]![name];
      expect([await shown('work_mem'), await shown('search_path')]).toEqual([
        '5MB',
        address.searchParams.get('schema'),
      ]);
      await db.destroy();
    });

    test('a backend that dies inside a transaction costs a second run and nothing else', async () => {
      let runs = 0;
      const id = `killed-${database.target.length}-${Math.random()}`;
      await transact(opened.db, async (tx) => {
        runs += 1;
        await tx.insertInto('counters').values({ id, used: runs, ends_at: 1 }).execute();
        if (runs > 1) return;
        const {
          rows: [own],
        } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        await sql`select pg_terminate_backend(${own!.pid})`.execute(opened.db);
        await now(tx);
      });
      expect(runs).toBe(2);
      expect(
        (await opened.db.selectFrom('counters').select('used').where('id', '=', id).executeTakeFirstOrThrow()).used,
      ).toBe(2);
    });
  }
});
