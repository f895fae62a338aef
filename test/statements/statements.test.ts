import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDb } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { postgresAbsence, testDatabase } from '../kit/server.ts';
import { statementsOfRun, type Statement } from '../kit/statements.ts';
import { differences, migratedSchema, shapeOf, type Schema } from './postgres.ts';

/**
 * Files of the store that send one engine another statement than the other, with the tests that run whole on both for it.
 * All other statements are one text for both, and proven here.
 */
const BY_ENGINE: Readonly<Record<string, readonly string[]>> = {
  'backup.ts': ['server/backup'],
  'bank.ts': ['server/payments'],
  'jobs.ts': ['server/jobs', 'server/lanes'],
  'league.ts': ['server/league'],
  'loyalty.ts': ['server/loyalty'],
  'migrate.ts': ['server/store', 'server/upgrade'],
  'orders.ts': ['server/orders', 'server/crash'],
  'prepared.ts': ['server/prepared'],
  'sweep.ts': ['server/sweep'],
  'system.ts': ['server/store', 'server/jobs'],
};
const TESTS = path.resolve(import.meta.dirname, '..');
const STORE = path.resolve(TESTS, '../src/server/store');

/** Of the statements of a file by engine: the words that PostgreSQL does not know. */
const SQLITE_ALONE: Readonly<Record<string, RegExp>> = {
  'backup.ts': /sqlite_master|\bpragma_/,
  'loyalty.ts': /\binstr\(/,
  'sweep.ts': /"rowid"/,
};
const isForSqlite = ({ from, sqlite }: Statement) =>
  SQLITE_ALONE[path.basename(from.split(':')[0]!)]?.test(sqlite) ?? false;

describe.runIf((await postgresAbsence()) === null)('what the SQLite run has sent, on PostgreSQL', () => {
  const all = [...statementsOfRun().values()];
  let schema: Schema;
  beforeAll(async () => {
    schema = await migratedSchema();
  });
  afterAll(() => schema.drop());

  const faultsOf = async (statement: Statement): Promise<string[]> => {
    try {
      return differences(statement, await schema.examine(statement));
    } catch (error) {
      return [(error as Error).message];
    }
  };

  test('each statement is understood, takes the values that SQLite was given, and gives back the same kinds', async () => {
    expect(all.length, 'no statements: they come from the server tests of the same run (npm run server)').not.toBe(0);
    const wrong: string[] = [];
    for (const one of all.filter((statement) => !isForSqlite(statement)))
      for (const fault of await faultsOf(one)) wrong.push(`${fault}\n  ${one.from}: ${one.postgres}`);
    expect(wrong).toEqual([]);
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
    expect((await faultsOf(one)).join()).toContain(fault);
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
  return { from: 'here', sqlite: postgres, postgres, bound, read };
}

test('each file of the store that decides by engine has tests that run whole on both', () => {
  const deciding = readdirSync(STORE)
    .filter((file) => file.endsWith('.ts') && file !== 'db.ts')
    .filter((file) => /engineOf\(|engine === /.test(readFileSync(path.join(STORE, file), 'utf8')));
  expect(deciding.toSorted()).toEqual(Object.keys(BY_ENGINE).toSorted());
  for (const name of new Set(Object.values(BY_ENGINE).flat()))
    expect(readFileSync(path.join(TESTS, `${name}.test.ts`), 'utf8'), name).toContain('await bothEngines()');
});
