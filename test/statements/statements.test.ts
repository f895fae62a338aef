import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb, type Tables } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { postgresAbsence, testDatabase } from '../kit/server.ts';
import { statementsOfRun, type Statement } from '../kit/statements.ts';
import { atLength } from '../kit/engines.ts';
import { grownShop } from './growth.ts';
import { differences, migratedSchema, shapeOf, type Schema } from './postgres.ts';
import { scannedOnSqlite } from './sqlite.ts';

/**
 * Files of the store that send one engine another statement than the other, with tests that run on both for it.
 * All other statements are one text for both, and proven here.
 */
const BY_ENGINE: Readonly<Record<string, readonly string[]>> = {
  'archive.ts': ['server/archive'],
  'backup.ts': ['server/backup'],
  'bank.ts': ['server/payments'],
  'idempotency.ts': ['server/orders', 'server/crash'],
  'jobs.ts': ['server/jobs', 'server/lanes'],
  'league.ts': ['server/league'],
  'loyalty.ts': ['server/loyalty'],
  'migrate.ts': ['server/store', 'server/upgrade'],
  'orders.ts': ['server/orders', 'server/crash'],
  'preparedStatement.ts': ['server/preparedStatement'],
  'rowAddress.ts': ['server/sweep'],
  'sweep.ts': ['server/sweep'],
  'system.ts': ['server/store', 'server/jobs'],
  'together.ts': ['server/orders', 'server/crash'],
};
/** Tables whose rows do not become more with orders, customers or years: a statement may read them whole. */
const SMALL: readonly (keyof Tables)[] = [
  'catalogue_entries',
  'catalogue_versions',
  'coupon_states',
  'experiment_campaigns',
  'invoice_series',
  'loyalty_campaigns',
  'probes',
  'secrets',
  'sold_out',
  'stores',
  'system',
  'told_alerts',
];
/** Tables that are emptied of what is some days old (store/sweep.ts): a seldom statement, as that of a deletion, may. */
const SWEPT: readonly (keyof Tables)[] = [
  'card_offers',
  'codes',
  'counters',
  'group_orders',
  'group_people',
  'idempotency',
  'inbox',
  'jobs',
  'nonces',
  'price_locks',
  'social_logins',
  'vendor_grants',
  'vendor_wallet_grants',
];
/** Swept as well, of rows that are some days old at most: where SQLite looks for those that are old, it reads all. */
const YOUNG: readonly (keyof Tables)[] = [
  'assistant_clients',
  'code_numbers',
  'code_sends',
  'first_orders',
  'memories',
  'wheel_draws',
];
/** A backup is of all rows; the story of an order is an operator's, by whatever is known of it. */
const READING_ALL = /\/store\/(?:backup|story)\.ts:/;
const MEASURED = /^\s*(?:select|insert|update|delete|with)\b/i;
/**
 * What does not grow with the history: a larger index is one level deeper, a full page makes a write look for another one. To
 * read orders, payments or events whole is a thousand blocks and more.
 */
const NO_GROWTH = 64;
/** Each value that is looked for is a way down an index, where a young shop's table is read whole, in one block. */
const BLOCKS_A_VALUE = 3;
const TESTS = path.resolve(import.meta.dirname, '..');
const STORE = path.resolve(TESTS, '../src/server/store');

/** Of the statements of a file by engine: the words that PostgreSQL does not know. */
const SQLITE_ALONE: Readonly<Record<string, RegExp>> = {
  'archive.ts': /\browid\b/,
  'backup.ts': /sqlite_master|\bpragma_/,
  'loyalty.ts': /\binstr\(/,
  'sweep.ts': /\browid\b|\bwal_checkpoint\b/,
};
const isForSqlite = ({ from, sqlite }: Statement) =>
  SQLITE_ALONE[path.basename(from.split(':')[0]!)]?.test(sqlite) ?? false;

describe.runIf((await postgresAbsence()) === null)('what the SQLite run has sent, on PostgreSQL', () => {
  const all = [...statementsOfRun().values()].filter((statement) => !isForSqlite(statement));
  let schema: Schema;
  const examined = new Map<Statement, Verdict>();
  beforeAll(async () => {
    schema = await migratedSchema();
    for (const one of all) examined.set(one, await verdictOn(one));
  });
  afterAll(() => schema.drop());

  interface Verdict {
    readonly faults: readonly string[];
    /** Tables that it reads whole and that grow with the shop. */
    readonly scanned: readonly string[];
  }
  async function verdictOn(statement: Statement): Promise<Verdict> {
    try {
      const found = await schema.examine(statement);
      const isAllowed = (table: string) => [...SMALL, ...SWEPT].some((one) => one === table);
      const scanned = [...new Set(found.scanned)].filter((table) => !isAllowed(table));
      return { faults: differences(statement, found), scanned };
    } catch (error) {
      return { faults: [(error as Error).message], scanned: [] };
    }
  }

  test('each statement is understood, takes the values that SQLite was given, and gives back the same kinds', () => {
    expect(all.length, 'no statements: they come from the server tests of the same run (npm run server)').not.toBe(0);
    const wrong = all.flatMap((one) =>
      examined.get(one)!.faults.map((fault) => `${fault}\n  ${one.from}: ${one.postgres}`),
    );
    expect(wrong).toEqual([]);
  });

  test('no statement reads a table whole that grows with the shop', () => {
    const scans = all
      .filter(({ from }) => !READING_ALL.test(from))
      .flatMap((one) => examined.get(one)!.scanned.map((table) => `${table}\n  ${one.from}: ${one.postgres}`));
    expect(scans).toEqual([]);
  });

  // Two hours lie between two orders of these shops: the older one has a history of four times the length, and no more to do.
  atLength('no statement touches more blocks in a shop that is four times as old', async () => {
    const [young, old] = [await grownShop(16_000, true), await grownShop(64_000, false)];
    const found: string[] = [];
    let measured = 0;
    try {
      for (const one of all.filter(({ from, postgres }) => !READING_ALL.test(from) && MEASURED.test(postgres))) {
        const [few, many] = [
          await young.blocks(one, young.asHere(one.example)),
          await old.blocks(one, old.asHere(one.example)),
        ];
        if (few === null || many === null) continue;
        measured += 1;
        if (many > few * 1.5 + NO_GROWTH + BLOCKS_A_VALUE * one.example.length)
          found.push(`${few} blocks, then ${many}\n  ${one.from}: ${one.postgres}`);
      }
    } finally {
      await young.drop();
      await old.drop();
    }
    expect(found).toEqual([]);
    // What breaks a unique key or a rule of these rows cannot be measured.
    expect(measured).toBeGreaterThan(all.length / 2);
  });

  test.each([
    ['reads rows by a column without an index', 'select id from orders where snapshot = $1', ['orders']],
    ['reads all entries of an index', 'select count(*) from orders', ['orders']],
    ['finds its rows by an index', 'select id from orders where user_id = $1', []],
    ['takes the first of an index', 'select id from orders order by id limit 5', []],
    ['reads a table whole that stays small', 'select value from secrets', []],
  ])('a statement that %s is seen as such', async (_, text, scanned) => {
    expect((await verdictOn(statement(text))).scanned).toEqual(scanned);
  });

  test.each<[string, Statement, string]>([
    ['one engine alone knows', statement('select group_concat(id) as "all" from users'), 'group_concat'],
    [
      'a value of another type',
      statement('select id from users where created_at > $1', { bound: [['text']] }),
      'INT8, and in SQLite text',
    ],
    [
      'a number that is too long',
      statement('select id from carts where version = $1', { bound: [['int', 'long']] }),
      'INT4, and in SQLite long',
    ],
    [
      'another type of what is read',
      statement('select exists (select 1 from users) as some', { read: { some: ['int'] } }),
      'BOOL, and in SQLite int',
    ],
    [
      'a conflict with no unique key',
      statement('insert into users (id) values ($1) on conflict (created_at) do nothing', { bound: [['text']] }),
      'no unique',
    ],
  ])('a statement is told that %s', async (_, one, fault) => {
    expect((await verdictOn(one)).faults.join()).toContain(fault);
  });

  test('tables have the same columns, types and unique keys on both engines', async () => {
    const database = await testDatabase('sqlite');
    const opened = await openDb(database.target);
    await migrate(opened);
    const [ofSqlite, ofPostgres] = [await shapeOf(opened.db), await shapeOf(schema.db)];
    await opened.db.destroy();
    await database.drop();
    expect(ofPostgres).toEqual(ofSqlite);
  });
});

function statement(postgres: string, { bound = [], read = {} }: Partial<Statement> = {}): Statement {
  return { from: 'here', sqlite: postgres, postgres, bound, read, example: [] };
}

test('no statement reads a table whole on SQLite that grows with the shop: nobody is answered meanwhile', async () => {
  const allowed: ReadonlySet<string> = new Set([...SMALL, ...SWEPT, ...YOUNG]);
  const scans = await scannedOnSqlite(
    [...statementsOfRun().values()].filter(({ from }) => !READING_ALL.test(from)).map(({ sqlite }) => sqlite),
  );
  expect(scans.filter(({ table }) => !allowed.has(table))).toEqual([]);
  expect(
    await scannedOnSqlite(['select id from orders where snapshot = ?', 'select o.id from orders o']),
  ).toMatchObject([{ table: 'orders' }, { table: 'orders' }]);
});

test('each file of the store that decides by engine has tests that run on both', () => {
  const deciding = readdirSync(STORE)
    .filter((file) => file.endsWith('.ts') && file !== 'db.ts')
    .filter((file) => /engineOf\(|engine === /.test(readFileSync(path.join(STORE, file), 'utf8')));
  expect(deciding.toSorted()).toEqual(Object.keys(BY_ENGINE).toSorted());
  for (const name of new Set(Object.values(BY_ENGINE).flat()))
    expect(readFileSync(path.join(TESTS, `${name}.test.ts`), 'utf8'), name).toContain('await bothEngines()');
});
