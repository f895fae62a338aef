import { createHash, randomBytes } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs';
import { chmod, open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGunzip, createZstdDecompress, zstdCompress } from 'node:zlib';
import { CompiledQuery, sql } from 'kysely';
import { makeParts } from './archive.ts';
import { engineOf, openDb, transact } from './db.ts';
import type { Db, OpenDatabase, Root, Tx } from './db.ts';
import { columnsOf, knownTables, migrate, migrationsIn, toLatest } from './migrate.ts';
import { copy } from './postgres.ts';
import { onPages } from './rowAddress.ts';
import { lineOf, valuesIn, type Lines } from './rowLines.ts';
import { sqliteSnapshot } from './sqlite.ts';

const FORMAT = 'pizza-backup-2';
/** Of older releases: the line of a row is `<number of its table> <row as JSON>`. */
const FORMAT_1 = 'pizza-backup-1';

/**
 * A backup is a packed text file, the same of both engines: a line that says what is in it (`Header`), a line for each row
 * (rowLines.ts), table after table, and a line that says how many there were and the digest of all before it (`End`).
 */
export interface Header {
  readonly format: typeof FORMAT | typeof FORMAT_1;
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
  /** Of each table in its turn. */
  readonly each?: readonly number[];
  readonly sha256: string;
}
type Secrets = Readonly<Record<string, string>>;

const READ_AT_ONCE = 1024 * 1024;
/** Values that SQLite takes with one statement. */
const VALUES_AT_ONCE = 4_000;
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

/** Some rows of a table, by its number. */
interface Piece extends Lines {
  readonly table: number;
}

/** Connections that read PostgreSQL side by side, as of one moment. */
const READERS = 3;
/** Of a table that keeps long values elsewhere, a piece has as many pages fewer. */
const PAGES_AT_ONCE = 512;

/** What is to be read of PostgreSQL, piece by piece: some pages of a table each. To be read inside one snapshot. */
async function* partsOf({ tables }: Header, tx: Tx): AsyncGenerator<(reader: Tx) => Promise<Piece>> {
  for (const [table, { name, columns }] of tables.entries()) {
    // A table in parts has no pages of its own.
    const { rows } = await sql<{ part: string; pages: number; whole: number }>`select c.relname as part,
      pg_relation_size(c.oid) / current_setting('block_size')::int as pages,
      pg_table_size(c.oid) / current_setting('block_size')::int as whole
      from pg_class c where c.oid = ${name}::regclass
      or c.oid in (select inhrelid from pg_inherits where inhparent = ${name}::regclass)`.execute(tx);
    for (const { part, pages, whole } of rows) {
      const step = Math.max(1, Math.ceil((PAGES_AT_ONCE * pages) / Math.max(pages, whole)));
      for (let from = 0; from < pages; from += step) {
        const own = sql`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(part)}
          where ${onPages(from, from + step)}`;
        yield async (reader) => ({ table, ...(await copy(reader, sql`copy (${own}) to stdout`)) });
      }
    }
  }
}

/** Pieces of all tables, read by several at once, in their order. */
async function* readAhead(
  parts: AsyncGenerator<(reader: Tx) => Promise<Piece>>,
  readers: readonly Tx[],
): AsyncGenerator<Piece> {
  const idle = [...readers];
  const under: Promise<Piece>[] = [];
  try {
    for await (const part of parts) {
      // The oldest is taken before another one begins: so much is held at once, and no more.
      if (under.length === readers.length) yield await under.shift()!;
      const reader = idle.pop()!;
      const piece = part(reader).finally(() => idle.push(reader));
      piece.catch(() => {});
      under.push(piece);
    }
    while (under.length > 0) yield await under.shift()!;
  } finally {
    await Promise.allSettled(under);
  }
}

const packed = promisify(zstdCompress);
const FASTEST = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Pieces that are packed at once, each on a thread of its own. */
const PACKED_AT_ONCE = 4;
/** With less room, a thread hands over what it has packed, and is asked to go on, again and again. */
const PACKED_BYTES_AT_ONCE = 512 * 1024;

/** The bytes of a backup: its pieces packed each by itself, which is one file for whoever unpacks it. @returns the rows */
async function* packedBackup(header: Header, pieces: AsyncIterable<Piece>): AsyncGenerator<Buffer, number> {
  const hash = createHash('sha256');
  const each = header.tables.map(() => 0);
  const under: Promise<Buffer>[] = [];
  const pack = (bytes: Uint8Array): void => {
    hash.update(bytes);
    const done = packed(bytes, { params: FASTEST, chunkSize: PACKED_BYTES_AT_ONCE });
    done.catch(() => {});
    under.push(done);
  };
  pack(Buffer.from(`${JSON.stringify(header)}\n`));
  for await (const { table, lines, rows } of pieces) {
    if (rows === 0) continue;
    each[table]! += rows;
    pack(lines);
    while (under.length > PACKED_AT_ONCE) yield await under.shift()!;
  }
  const count = each.reduce((sum, rows) => sum + rows, 0);
  const end: End = { rows: count, each, sha256: hash.copy().digest('hex') };
  pack(Buffer.from(`${JSON.stringify(end)}\n`));
  while (under.length > 0) yield await under.shift()!;
  return count;
}

/**
 * Writes beside the file, reads it back, and puts it there when it is whole and on the disk, readable by its owner alone.
 * @returns the number of rows
 */
async function written(file: string, backup: AsyncGenerator<Buffer, number>): Promise<number> {
  // Of its own: two that are taken at once would write into each other.
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await pipeline(Readable.from(backup), createWriteStream(part, { mode: 0o600 }));
    await chmod(part, 0o600);
    const handle = await open(part);
    await handle.sync();
    await handle.close();
    const { end } = await check(part);
    await rename(part, file);
    return end.rows;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Several transactions that see the same, of which the first one is this one's. */
async function asOfOneMoment<T>(
  opened: OpenDatabase,
  first: Root,
  work: (tx: Tx, readers: readonly Tx[]) => Promise<T>,
): Promise<T> {
  const open = <R>(db: Root, then: (tx: Tx) => Promise<R>) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(then);
  return await open(first, async (tx) => {
    const { rows } = await sql<{ name: string }>`select pg_export_snapshot() as name`.execute(tx);
    const withMore = async (readers: readonly Tx[]): Promise<T> =>
      readers.length === READERS
        ? await work(tx, readers)
        : await opened.patiently((db) =>
            open(db, async (reader) => {
              await sql`set transaction snapshot ${sql.lit(rows[0]!.name)}`.execute(reader);
              return await withMore([...readers, reader]);
            }),
          );
    return await withMore([]);
  });
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
    format: FORMAT,
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
        return await asOfOneMoment(opened, db, async (tx, readers) => {
          const header = await headerOf(tx);
          return { rows: await written(file, packedBackup(header, readAhead(partsOf(header, tx), readers))), header };
        });
      // Our own transactions on SQLite hold its only lock from their beginning: nobody could order meanwhile.
      const snapshot = await sqliteSnapshot(target);
      try {
        const header = await headerOf(db);
        const pieces = snapshot.lines(header.tables.map(({ name }) => name));
        return { rows: await written(file, packedBackup(header, pieces)), header };
      } finally {
        await snapshot.close();
      }
    });
  } finally {
    await opened.db.destroy();
  }
}

/** What a file begins with that gzip has packed, as older releases did. */
const GZIP = 0x1f8b;
function isGzip(file: string): boolean {
  const begin = Buffer.alloc(2);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, begin);
  } finally {
    closeSync(opened);
  }
  return begin.readUInt16BE() === GZIP;
}

function unpacked(file: string): Readable {
  const unpack = (isGzip(file) ? createGunzip : createZstdDecompress)({ chunkSize: READ_AT_ONCE });
  const bytes = createReadStream(file, { highWaterMark: READ_AT_ONCE });
  const text = bytes.pipe(unpack);
  bytes.on('error', (error) => text.destroy(error));
  return text;
}

const NEWLINE = 10;
const headerIn = (lines: Buffer) => JSON.parse(lines.toString('utf8', 0, lines.indexOf(NEWLINE))) as Header;

/**
 * Reads a backup from its beginning to its end.
 * @throws Error when it is none, is not whole, or has been changed
 */
async function check(file: string): Promise<{ header: Header; end: End }> {
  const hash = createHash('sha256');
  let header: Header | undefined;
  let last: Buffer = Buffer.alloc(0);
  let lines = 0;
  const take = (read: Buffer): void => {
    for (let at = read.indexOf(NEWLINE); at !== -1; at = read.indexOf(NEWLINE, at + 1)) lines += 1;
    hash.update(read);
  };
  try {
    for await (const bytes of unpacked(file) as AsyncIterable<Buffer>) {
      // Which line is the last one is known at the end alone: it stays out of the sum.
      const end = bytes.lastIndexOf(NEWLINE, -2) + 1;
      if (end === 0 && last.at(-1) !== NEWLINE) {
        last = Buffer.concat([last, bytes]);
        continue;
      }
      header ??= headerIn(Buffer.concat([last, bytes.subarray(0, end)]));
      take(last);
      take(bytes.subarray(0, end));
      last = bytes.subarray(end);
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw new Error(`there is no file ${file}`, { cause: error });
    throw new Error(`${file} is no backup, or not whole: ${(error as Error).message}`, { cause: error });
  }
  if (header?.format !== FORMAT && header?.format !== FORMAT_1) throw new Error(`${file} is no backup of a shop`);
  const text = last.toString();
  const end = JSON.parse(text.startsWith('{') ? text : '{}') as Partial<End>;
  if (end.rows === undefined) throw new Error(`${file} is not whole: it ends in the middle`);
  if (end.rows !== lines - 1 || end.sha256 !== hash.digest('hex'))
    throw new Error(`${file} was changed since it was written: its checksum is another`);
  return { header, end: end as End };
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

/** A reason not to overwrite this shop's database, in words; null when it holds nothing to lose. */
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
  const { header, end } = await check(file);
  const [opened, ours] = [await openDb(target), await knownTables()];
  try {
    await opened.patiently((db) =>
      transact(db, async (tx) => {
        const held = await living(tx, ours);
        if (held !== null && !mayReplace)
          throw new Error(`this database holds ${held}: with --replace the backup takes their place`);
        await clear(tx, ours);
        await toLatest(tx, opened.engine, header.migrations);
        const rows = await fill(tx, header, piecesIn(file, header, end));
        if (rows !== end.rows) throw new Error(`${rows} rows were written of the ${end.rows} that ${file} has`);
      }),
    );
    await migrate(opened);
    return { header, rows: end.rows };
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

/**
 * What is dear to keep with each row, and cheap to make of all of them: indexes, and on PostgreSQL keys and references too.
 * @returns statements that take it away, and those that make it again
 */
async function indexesOf(tx: Tx, { tables }: Header): Promise<{ away: string; again: string }[]> {
  const names = sql.join(tables.map(({ name }) => name));
  const { rows } = await (
    engineOf(tx) === 'postgres'
      ? sql<{ away: string; again: string }>`
          select format('alter table %I drop constraint %I', c.relname, k.conname) as away,
            format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as again,
            k.contype = 'f' as refers
          from pg_constraint k join pg_class c on c.oid = k.conrelid
          where c.relnamespace = current_schema()::regnamespace and c.relname in (${names}) and c.relkind = 'r'
            and k.contype in ('p', 'u', 'f')
          union all
          select format('drop index %I', i.relname), pg_get_indexdef(i.oid), false
          from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
          where c.relnamespace = current_schema()::regnamespace and c.relname in (${names}) and c.relkind = 'r'
            and not exists (select 1 from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u'))
          order by refers desc`
      : sql<{ away: string; again: string }>`
          select 'drop index "' || name || '"' as away, sql as again from sqlite_master
          where type = 'index' and sql is not null and tbl_name in (${names})`
  ).execute(tx);
  return rows;
}

/** Writes all rows of a backup. @returns how many */
async function fill(tx: Tx, header: Header, pieces: AsyncGenerator<Piece>): Promise<number> {
  // Migrations bring rows of their own, which are in the backup as they have become.
  for (const { name } of header.tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx);
  if (engineOf(tx) === 'postgres') await sql`set local maintenance_work_mem = '256MB'`.execute(tx);
  const indexes = await indexesOf(tx, header);
  for (const { away } of indexes) await sql.raw(away).execute(tx);
  let count = 0;
  for await (const { table, ...lines } of pieces) count += await write(tx, header.tables[table]!, lines);
  for (const { again } of indexes.toReversed()) await sql.raw(again).execute(tx);
  return count;
}

/** @returns how many rows the database says it has written */
async function write(tx: Tx, { name, columns }: Header['tables'][number], piece: Lines): Promise<number> {
  const rows = () => piece.lines.toString().split('\n').slice(0, -1).map(valuesIn);
  if (name === 'old_orders')
    await makeParts(
      tx,
      rows().map((row) => Number(row[columns.indexOf('submitted_at')])),
    );
  const names = columns.map((column) => `"${column}"`).join(', ');
  if (engineOf(tx) === 'postgres')
    return (await copy(tx, sql`copy ${sql.table(name)} (${sql.raw(names)}) from stdin`, piece.lines)).rows;
  const most = Math.floor(VALUES_AT_ONCE / columns.length);
  const all = rows();
  const one = `(${columns.map(() => '?').join()})`;
  let count = 0;
  for (let from = 0; from < all.length; from += most) {
    const some = all.slice(from, from + most);
    const insert = `insert into "${name}" (${names}) values ${some.map(() => one).join()}`;
    const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(insert, some.flat()));
    count += Number(numAffectedRows);
  }
  return count;
}

/** The rows of a backup that has been checked. */
async function* piecesIn(file: string, { format, tables }: Header, { each = [] }: End): AsyncGenerator<Piece> {
  if (format === FORMAT_1) return yield* piecesOfFormat1(file, tables);
  // The first line is the header.
  let [table, left] = [-1, 1];
  let rest: Buffer = Buffer.alloc(0);
  for await (const bytes of unpacked(file)) {
    const read = Buffer.concat([rest, bytes]);
    let from = 0;
    while (table < each.length) {
      let [to, rows] = [from, 0];
      for (let at; rows < left && (at = read.indexOf(NEWLINE, to)) !== -1; rows += 1) to = at + 1;
      if (rows > 0 && table >= 0) yield { table, rows, lines: read.subarray(from, to) };
      from = to;
      left -= rows;
      if (left > 0) break;
      table += 1;
      left = each[table] ?? 0;
    }
    rest = read.subarray(from);
  }
}

async function* piecesOfFormat1(file: string, tables: Header['tables']): AsyncGenerator<Piece> {
  let rest = '';
  for await (const text of unpacked(file).setEncoding('utf8') as AsyncIterable<string>) {
    const all = (rest + text).split('\n');
    rest = all.pop()!;
    // The first line and the last one are of the backup, and no rows.
    const rows = all.filter((line) => !line.startsWith('{')).map((line) => line.split(/ (.*)/s, 2));
    for (const [table, own] of Map.groupBy(rows, ([number]) => Number(number))) {
      const lines = own.map(([, json]) => {
        const row = JSON.parse(json!) as Readonly<Record<string, string | number | null>>;
        return lineOf(tables[table]!.columns.map((column) => row[column] ?? null));
      });
      yield { table, rows: lines.length, lines: Buffer.from(lines.join('')) };
    }
  }
}
