import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { CompiledQuery, sql } from 'kysely';
import { engineOf, openDb, transact } from './db.ts';
import type { Db, OpenDatabase, Tx } from './db.ts';
import { columnsOf, knownTables, migrate, migrationsIn, toLatest } from './migrate.ts';
import { sqliteSnapshot } from './sqlite.ts';

/**
 * A backup is a packed text file, the same of both engines: a line that says what is in it (`Header`), a line for each row
 * (`<number of its table> <row as JSON>`), and a line that says how many there were and the digest of all before it.
 */
export interface Header {
  readonly format: 'pizza-backup-1';
  readonly engine: 'sqlite' | 'postgres';
  /** When its reading began, ISO 8601. */
  readonly at: string;
  readonly migrations: readonly string[];
  /** Those that others refer to come first. */
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** Digests of the secrets of the environment, which are not in the file, so that a restore can tell when they differ. */
  readonly salt: string;
  readonly secrets: Readonly<Record<string, string>>;
}
interface End {
  readonly rows: number;
  readonly sha256: string;
}
type Secrets = Readonly<Record<string, string>>;

const ROWS_AT_ONCE = 500;
const digestOf = (salt: string, value: string) => createHash('sha256').update(`${salt} ${value}`).digest('base64url');

/** The tables of the shop that are there, those that others refer to first. */
async function tablesOf(db: Db, ours: ReadonlySet<string>): Promise<Header['tables']> {
  const here = await columnsOf(db);
  const { rows: references } = await (
    engineOf(db) === 'postgres'
      ? sql<{
          child: string;
          parent: string;
        }>`select child.relname as child, parent.relname as parent from pg_constraint
          join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
          where contype = 'f' and connamespace = current_schema()::regnamespace`
      : sql<{ child: string; parent: string }>`select child.name as child, reference."table" as parent
          from sqlite_master child, pragma_foreign_key_list(child.name) reference where child.type = 'table'`
  ).execute(db);
  const sorted: Header['tables'][number][] = [];
  const add = (name: string): void => {
    const columns = here.get(name);
    if (columns === undefined || !ours.has(name) || sorted.some((one) => one.name === name)) return;
    for (const { child, parent } of references) if (child === name && parent !== name) add(parent);
    sorted.push({ name, columns });
  };
  for (const name of here.keys()) add(name);
  return sorted;
}

/** All rows of a table as texts of JSON, many at once. To be read inside one snapshot. */
async function* rowsOf(tx: Tx, table: string): AsyncGenerator<readonly string[]> {
  await sql`declare backup_rows no scroll cursor for select row_to_json(t)::text as row from ${sql.table(table)} t`.execute(
    tx,
  );
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(ROWS_AT_ONCE)} from backup_rows`.execute(tx);
    yield rows.map(({ row }) => row);
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await sql`close backup_rows`.execute(tx);
}

type RowsOf = (table: string) => AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/**
 * The text of a backup in pieces of many lines: one write, and one turn of the event loop, for each row takes ten times as
 * long. @returns the number of rows
 */
async function* piecesOf(header: Header, rowsIn: RowsOf): AsyncGenerator<string, number> {
  const hash = createHash('sha256');
  let count = 0;
  const piece = (text: string): string => {
    hash.update(text);
    return text;
  };
  yield piece(`${JSON.stringify(header)}\n`);
  for (const [index, { name }] of header.tables.entries())
    for await (const rows of rowsIn(name)) {
      count += rows.length;
      yield piece(rows.map((row) => `${index} ${row}\n`).join(''));
    }
  yield `${JSON.stringify({ rows: count, sha256: hash.digest('hex') } satisfies End)}\n`;
  return count;
}

/**
 * Writes beside the file and puts it there when it is whole and on the disk, readable by its owner alone.
 * @returns what `pieces` returns
 */
async function written<R>(file: string, pieces: AsyncGenerator<string, R>): Promise<R> {
  const part = `${file}.part`;
  let result: IteratorResult<string, R> | undefined;
  const texts = async function* () {
    while (!(result = await pieces.next()).done) if (result.value !== '') yield result.value;
  };
  try {
    await pipeline(
      Readable.from(texts()),
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(part, { mode: 0o600 }),
    );
    await chmod(part, 0o600);
    const handle = await open(part);
    await handle.sync();
    await handle.close();
    await rename(part, file);
    return result!.value as R;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Writes all that a database holds, as of one moment, while it serves.
 * @param target as DATABASE_URL
 * @param secrets of the environment, by name; of them only digests are written
 * @throws Error when the database has no tables of ours, or cannot be read
 */
export async function backUp(
  target: string,
  file: string,
  secrets: Secrets,
): Promise<{ rows: number; header: Header }> {
  const [opened, ours] = [await openDb(target), await knownTables()];
  const salt = randomBytes(16).toString('base64url');
  const around = {
    format: 'pizza-backup-1',
    engine: opened.engine,
    at: new Date().toISOString(),
    salt,
    secrets: Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, digestOf(salt, value)])),
  } as const;
  try {
    return await opened.patiently(async (db) => {
      const headerOf = async (of: Db): Promise<Header> => {
        const tables = await tablesOf(of, ours);
        if (tables.length === 0) throw new Error('there is no shop in this database');
        return { ...around, migrations: await migrationsIn(of), tables };
      };
      if (opened.engine === 'postgres')
        return await db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (tx) => {
            const header = await headerOf(tx);
            return {
              rows: await written(
                file,
                piecesOf(header, (table) => rowsOf(tx, table)),
              ),
              header,
            };
          });
      // Our own transactions on SQLite hold its only lock from their beginning: nobody could order meanwhile.
      const snapshot = sqliteSnapshot(target);
      try {
        const header = await headerOf(db);
        return {
          rows: await written(
            file,
            piecesOf(header, (table) => snapshot.rows(table)),
          ),
          header,
        };
      } finally {
        snapshot.close();
      }
    });
  } finally {
    await opened.db.destroy();
  }
}

async function* linesIn(file: string): AsyncGenerator<string> {
  const packed = createReadStream(file);
  const text = packed.pipe(createGunzip());
  packed.on('error', (error) => text.destroy(error));
  yield* createInterface({ input: text, crlfDelay: Infinity });
}

/**
 * Reads a backup from its beginning to its end.
 * @throws Error when it is none, is not whole, or has been changed
 */
async function check(file: string): Promise<{ header: Header; rows: number }> {
  const hash = createHash('sha256');
  let header: Header | undefined;
  let last: string | undefined;
  let count = 0;
  try {
    for await (const line of linesIn(file)) {
      if (last !== undefined) {
        hash.update(`${last}\n`);
        count += 1;
      }
      header ??= JSON.parse(line) as Header;
      last = line;
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw new Error(`there is no file ${file}`, { cause: error });
    throw new Error(`${file} is no backup, or not whole: ${(error as Error).message}`, { cause: error });
  }
  if (header?.format !== 'pizza-backup-1') throw new Error(`${file} is no backup of a shop`);
  const end = JSON.parse(last?.startsWith('{') ? last : '{}') as Partial<End>;
  if (end.rows === undefined) throw new Error(`${file} is not whole: it ends in the middle`);
  if (end.rows !== count - 1 || end.sha256 !== hash.digest('hex'))
    throw new Error(`${file} was changed since it was written: its checksum is another`);
  return { header, rows: end.rows };
}

/** What the environment's secrets have to do with those of a backup: a sentence for each that differs. */
export function differences({ salt, secrets: then }: Header, now: Secrets): string[] {
  return [...new Set([...Object.keys(then), ...Object.keys(now)])].sort().flatMap((name) => {
    const value = now[name];
    if (value === undefined) return [`${name} was set when this backup was made, and is not now.`];
    if (then[name] === undefined) return [`${name} is set now, and was not when this backup was made.`];
    return digestOf(salt, value) === then[name] ? [] : [`${name} is another than when this backup was made.`];
  });
}

/** What would be lost if something else took the place of this shop; null when nothing would. */
async function living(db: Db, ours: ReadonlySet<string>): Promise<string | null> {
  const there = (await tablesOf(db, ours)).map(({ name }) => name);
  if (there.length === 0) return null;
  const count = async (table: 'orders' | 'users') =>
    there.includes(table)
      ? Number(
          (
            await db
              .selectFrom(table)
              .select((e) => e.fn.countAll().as('n'))
              .executeTakeFirstOrThrow()
          ).n,
        )
      : 0;
  const [orders, users] = [await count('orders'), await count('users')];
  return orders + users === 0 ? null : `${orders} orders and ${users} customers and guests`;
}

/**
 * Puts a backup in the place of what a database holds, whole or not at all, and brings it up to date.
 * @param target as DATABASE_URL; it may be of the other engine
 * @throws Error for a file that is no whole backup, one of a newer release, and a place where somebody has ordered, unless
 * it may be replaced
 */
export async function restore(
  target: string,
  file: string,
  mayReplace: boolean,
): Promise<{ header: Header; rows: number }> {
  const { header, rows } = await check(file);
  const [opened, ours] = [await openDb(target), await knownTables()];
  try {
    await opened.patiently((db) =>
      transact(db, async (tx) => {
        const held = await living(tx, ours);
        if (held !== null && !mayReplace)
          throw new Error(`this database holds ${held}: with --replace the backup takes their place`);
        await clear(tx, ours);
        await toLatest(tx, opened.engine, header.migrations);
        await load(tx, opened.engine, header, file);
      }),
    );
    await migrate(opened);
    return { header, rows };
  } finally {
    await opened.db.destroy();
  }
}

/** Drops all tables of ours, those that refer to others first. */
async function clear(tx: Tx, ours: ReadonlySet<string>): Promise<void> {
  for (const { name } of (await tablesOf(tx, ours)).toReversed()) await sql`drop table ${sql.table(name)}`.execute(tx);
  await sql`drop table if exists kysely_migration`.execute(tx);
  await sql`drop table if exists kysely_migration_lock`.execute(tx);
}

async function load(tx: Tx, engine: OpenDatabase['engine'], { tables }: Header, file: string): Promise<void> {
  // Migrations bring rows of their own, which are in the backup as they have become.
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx);
  let at = -1;
  let waiting: string[] = [];
  const flush = async (): Promise<void> => {
    const table = tables[at];
    if (table === undefined || waiting.length === 0) return;
    const names = table.columns.map((column) => `"${column}"`).join(', ');
    const from =
      engine === 'postgres'
        ? `select ${names} from json_populate_recordset(null::"${table.name}", $1::json)`
        : `select ${table.columns.map((column) => `value ->> '$."${column}"'`).join(', ')} from json_each(?)`;
    await tx.executeQuery(
      CompiledQuery.raw(`insert into "${table.name}" (${names}) ${from}`, [`[${waiting.join(',')}]`]),
    );
    waiting = [];
  };
  let isHeader = true;
  for await (const line of linesIn(file)) {
    const [, index, row] = /^(\d+) (.*)$/.exec(line) ?? [];
    if (isHeader || index === undefined || row === undefined) {
      isHeader = false;
      continue;
    }
    if (Number(index) !== at || waiting.length >= ROWS_AT_ONCE) {
      await flush();
      at = Number(index);
    }
    waiting.push(row);
  }
  await flush();
}
