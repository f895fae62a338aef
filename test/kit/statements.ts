import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SqliteQueryCompiler } from 'kysely';
import type { CompiledQuery, Dialect, QueryResult } from 'kysely';
import { OwnQueryCompiler } from '../../src/server/store/postgres.ts';
import { runFolder } from './folder.ts';

/** What a value is on its way into a database or out of it. `int` fits four bytes, `long` is any other whole number. */
export type Kind = 'int' | 'long' | 'fraction' | 'text' | 'bytes' | 'flag' | 'other';

/** A statement that the product has sent to SQLite. */
export interface Statement {
  /** Where in src it was first sent from. */
  readonly from: string;
  readonly sqlite: string;
  /** The same statement, compiled for PostgreSQL. */
  readonly postgres: string;
  /** For each parameter of PostgreSQL's text, what was bound to it in this run; nulls are of every kind. */
  readonly bound: readonly (readonly Kind[])[];
  /** For each column that came back, what was read from it. */
  readonly read: Readonly<Record<string, readonly Kind[]>>;
  /** The parameters of one time, by preference one in which rows came back; bytes are left out (null). */
  readonly example: readonly unknown[];
}

const FOUR_BYTES = 2 ** 31;

function kindOf(value: unknown): Kind | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'flag';
  if (typeof value === 'bigint') return 'long';
  if (value instanceof Uint8Array) return 'bytes';
  if (typeof value !== 'number') return 'other';
  if (!Number.isInteger(value)) return 'fraction';
  return value >= -FOUR_BYTES && value < FOUR_BYTES ? 'int' : 'long';
}

interface Heard {
  readonly from: string;
  readonly postgres: string;
  /** The place in SQLite's list of values that belongs to each of PostgreSQL's. */
  readonly order: readonly number[];
  readonly bound: Set<Kind>[];
  readonly read: Map<string, Set<Kind>>;
  example: readonly unknown[] | null;
  hasRows: boolean;
  isNews: boolean;
}

const heard = new Map<string, Heard>();
const SRC = path.resolve(import.meta.dirname, '../../src');
/** What every statement passes through, whoever sends it. */
const PASSAGES = /\/src\/server\/store\/(sqlite|db|preparedStatement|together)\.ts/;

/** The line of the product that compiles a statement at this moment; null where a test or a migration does. */
function sender(): string | null {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error('whence');
  Error.stackTraceLimit = limit;
  for (const line of stack.split('\n').slice(1)) {
    const place = /\(?((?:file:\/\/)?\/[^():]+):(\d+):\d+\)?$/.exec(line);
    const file = place?.[1]?.replace('file://', '');
    if (file === undefined || file.includes('node_modules') || file.endsWith('kit/statements.ts')) continue;
    if (PASSAGES.test(file)) continue;
    if (!file.startsWith(SRC) || /\/store\/(migrations\/|migrate\.ts)/.test(file)) return null;
    return `${path.relative(path.dirname(SRC), file)}:${place![2]}`;
  }
  return null;
}

/** Where a value stands among SQLite's: the two compilers meet the same nodes, perhaps in another order. */
function orderOf(forSqlite: readonly unknown[], forPostgres: readonly unknown[]): number[] {
  const left = [...forSqlite.keys()];
  return forPostgres.map((value) => {
    const at = left.findIndex((one) => Object.is(forSqlite[one], value));
    if (at === -1) throw new Error('A value is given to PostgreSQL that SQLite is not given.');
    return left.splice(at, 1)[0]!;
  });
}

/** Who had a statement compiled: only then is the caller still on the stack. */
const senders = new WeakMap<object, string>();

function meet(query: CompiledQuery): Heard | null {
  const from = senders.get(query.query);
  if (from === undefined) return null;
  const postgres = new OwnQueryCompiler().compileQuery(query.query, query.queryId);
  const sqlite = new SqliteQueryCompiler().compileQuery(query.query, query.queryId);
  return {
    from,
    postgres: postgres.sql,
    order: orderOf(sqlite.parameters, postgres.parameters),
    bound: postgres.parameters.map(() => new Set()),
    read: new Map(),
    example: null,
    hasRows: false,
    isNews: true,
  };
}

function add(statement: Heard, kinds: Set<Kind>, value: unknown): void {
  const kind = kindOf(value);
  if (kind === null || kinds.has(kind)) return;
  kinds.add(kind);
  statement.isNews = true;
}

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? null : typeof value === 'bigint' ? Number(value) : (value ?? null);

/** Notes a statement and the values that went in and came out. */
function note(query: CompiledQuery, rows: readonly object[]): void {
  let statement = heard.get(query.sql);
  if (statement === undefined) {
    const met = meet(query);
    if (met === null) return;
    heard.set(query.sql, (statement = met));
  }
  statement.order.forEach((at, index) => add(statement, statement.bound[index]!, query.parameters[at]));
  if (statement.example === null || (!statement.hasRows && rows.length > 0)) {
    statement.example = statement.order.map((at) => plain(query.parameters[at]));
    statement.hasRows = rows.length > 0;
    statement.isNews = true;
  }
  for (const [column, value] of Object.entries(rows[0] ?? {})) {
    let kinds = statement.read.get(column);
    if (kinds === undefined) statement.read.set(column, (kinds = new Set()));
    add(statement, kinds, value);
  }
}

/** Writes down, from now on, every statement that the product sends to a database of this kind. */
export function listen(dialect: Dialect): void {
  const compilerOf = dialect.createQueryCompiler;
  dialect.createQueryCompiler = function createQueryCompiler() {
    const compiler = compilerOf.call(this);
    const compile = compiler.compileQuery.bind(compiler);
    compiler.compileQuery = (node, id) => {
      const query = compile(node, id);
      const from = heard.has(query.sql) ? null : sender();
      if (from !== null) senders.set(node, from);
      return query;
    };
    return compiler;
  };
  const driverOf = dialect.createDriver;
  dialect.createDriver = function createDriver() {
    const driver = driverOf.call(this);
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => {
      const connection = await acquire();
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        const result = await execute<R>(query);
        note(query, result.rows as object[]);
        return result;
      };
      return connection;
    };
    return driver;
  };
}

const folder = () => path.join(runFolder(), 'statements');

/** Keeps what is new for the test that reads it (test/statements). */
export function keep(): void {
  const lines = [...heard.entries()]
    .filter(([, one]) => one.isNews)
    .map(([sqlite, one]) => {
      one.isNews = false;
      const statement: Statement = {
        from: one.from,
        sqlite,
        postgres: one.postgres,
        bound: one.bound.map((kinds) => [...kinds]),
        read: Object.fromEntries([...one.read].map(([column, kinds]) => [column, [...kinds]])),
        example: one.example ?? [],
      };
      return `${JSON.stringify(statement)}\n`;
    });
  if (lines.length === 0) return;
  mkdirSync(folder(), { recursive: true });
  appendFileSync(path.join(folder(), `${process.pid}.jsonl`), lines.join(''));
}

const joined = (one: readonly Kind[], other: readonly Kind[] = []): Kind[] => [...new Set([...one, ...other])];

/** All statements of this run's tests up to now, by their text for PostgreSQL. */
export function statementsOfRun(): Map<string, Statement> {
  const all = new Map<string, Statement>();
  if (!existsSync(folder())) return all;
  for (const file of readdirSync(folder()))
    for (const line of readFileSync(path.join(folder(), file), 'utf8').split('\n').filter(Boolean)) {
      const one = JSON.parse(line) as Statement;
      const known = all.get(one.postgres);
      all.set(one.postgres, {
        ...one,
        bound: one.bound.map((kinds, at) => joined(kinds, known?.bound[at])),
        read: Object.fromEntries(
          [...new Set([...Object.keys(one.read), ...Object.keys(known?.read ?? {})])].map((column) => [
            column,
            joined(one.read[column] ?? [], known?.read[column]),
          ]),
        ),
      });
    }
  return all;
}
