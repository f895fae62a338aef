import fs from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, FileMigrationProvider, Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import { engineOf, openDb, transact } from './db.ts';
import type { Db, OpenDatabase, Tx } from './db.ts';

/**
 * The files of the folder, in the order of their names. A released migration is never changed; a new one follows it.
 * @throws Error for a file that is none
 */
const found = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: path.join(import.meta.dirname, 'migrations'),
  import: (file) => import(pathToFileURL(file).href),
  onFileIgnored: (file) => {
    throw new Error(`${file} is no migration`);
  },
});
let known: Promise<Record<string, Migration>> | undefined;
const migrations = () =>
  (known ??= found.getMigrations().catch((error: unknown) => {
    // Another try reads the folder again.
    known = undefined;
    throw error;
  }));

const ATTEMPTS = 8;

/** Names of the migrations of this release that the database has not had. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const done = new Set(await migrationsIn(db));
  return Object.keys(await migrations()).filter((name) => !done.has(name));
}

/**
 * Brings the tables up to date, in one transaction; several processes may do this at once. The lock is the transaction's
 * own, so that it ends with it on whatever connection a pooler has put it.
 */
export async function migrate({ engine, patiently }: Omit<OpenDatabase, 'connections'>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await patiently((db) => transact(db, (tx) => toLatest(tx, engine)));
    } catch (error) {
      if (attempt >= ATTEMPTS)
        throw new Error(`The tables could not be brought up to date: ${String((error as Error).message ?? error)}`, {
          cause: error,
        });
    }
    await sleep(50 * attempt);
  }
}

/**
 * @param only of a release that is brought in again: the names of its migrations, and no others run
 * @throws what a migration throws, then nothing has changed; an Error for names that this release does not know
 */
export async function toLatest(db: Tx, engine: OpenDatabase['engine'], only?: readonly string[]): Promise<void> {
  const all = await migrations();
  const unknown = only?.filter((name) => !(name in all)) ?? [];
  if (unknown.length > 0)
    throw new Error(`this is of a newer release, which has ${unknown.join(', ')}: start with that release`);
  let schema: string | undefined;
  if (engine === 'postgres') {
    const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
    if (!rows[0]?.schema) throw new Error('the search path of this role leads to no schema');
    schema = rows[0].schema;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`migrations of ${schema}`}, 0))`.execute(db);
  }
  const later = await namesOfLater(db);
  const own =
    only === undefined ? all : Object.fromEntries(Object.entries(all).filter(([name]) => only.includes(name)));
  const both = { ...own, ...Object.fromEntries(later.map((name) => [name, { up: async () => {} }])) };
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(both) },
    allowUnorderedMigrations: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * What newer releases have done to these tables. They only add, so that this release works on them: it may have to start
 * while a newer one is brought in, or again in its place.
 */
async function namesOfLater(db: Tx): Promise<string[]> {
  if (!(await columnsOf(db)).has(DEFAULT_MIGRATION_TABLE)) return [];
  const all = await migrations();
  return (await migrationsIn(db)).filter((name) => !(name in all));
}

/**
 * The tables of this place and their columns. Kysely would look into every schema of a PostgreSQL, and fail where another
 * one is dropped at that moment.
 */
export async function columnsOf(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await (
    engineOf(db) === 'postgres'
      ? sql<{ name: string; column: string }>`select c.relname as name, a.attname as column from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace order by c.relname, a.attnum`
      : sql<{ name: string; column: string }>`select one.name as name, own.name as "column"
          from sqlite_master one, pragma_table_info(one.name) own
          where one.type = 'table' and one.name not like 'sqlite_%' order by one.name, own.cid`
  ).execute(db);
  const found = new Map<string, string[]>();
  for (const { name, column } of rows) found.set(name, [...(found.get(name) ?? []), column]);
  return found;
}

/** The names of the migrations that a database has seen. @throws when it is none of ours */
export async function migrationsIn(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The names of the tables that migrations make; others in the same place are somebody else's. */
export async function knownTables(): Promise<ReadonlySet<string>> {
  const opened = await openDb(':memory:');
  try {
    await migrate(opened);
    return new Set([...(await columnsOf(opened.db)).keys()].filter((name) => !name.startsWith('kysely_')));
  } finally {
    await opened.db.destroy();
  }
}
