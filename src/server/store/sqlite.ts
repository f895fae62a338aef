import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync, SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import type { DatabaseConnection, SqliteDatabase, SqliteStatement } from 'kysely';

const STATEMENTS_KEPT = 500;
const BUSY_TIMEOUT_MS = 10_000;

/** Set while a transaction of `transact` is open in this chain of calls. */
export const openTransaction = new AsyncLocalStorage<{ open: boolean }>();

/** node:sqlite behind the few calls that Kysely makes of better-sqlite3. */
class NodeSqlite implements SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #kept = new Map<string, SqliteStatement>();
  constructor(path: string) {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    this.#db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;');
  }
  close(): void {
    this.#kept.clear();
    this.#db.close();
  }
  prepare(sql: string): SqliteStatement {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    // A transaction that reads first and writes later would else fail with SQLITE_BUSY when two processes do so at once.
    const statement = this.#db.prepare(sql === 'begin' ? 'begin immediate' : sql);
    const made = wrap(statement);
    if (this.#kept.size >= STATEMENTS_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(sql, made);
    return made;
  }
}

function wrap(statement: StatementSync): SqliteStatement {
  const reader = statement.columns().length > 0;
  return {
    reader,
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  };
}

function bindable(value: unknown): SQLInputValue {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value as SQLInputValue;
}

/** One connection, handed out in turn; a query that would wait for its own transaction is an error, not a hang. */
class OneConnectionDriver extends SqliteDriver {
  #held = false;
  readonly #waiting: (() => void)[] = [];
  override async acquireConnection(): Promise<DatabaseConnection> {
    if (openTransaction.getStore()?.open === true) throw new Error('A query inside a transaction went around it: use the transaction that was handed over.');
    if (this.#held) await new Promise<void>((next) => this.#waiting.push(next));
    this.#held = true;
    return await super.acquireConnection();
  }
  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held = false;
    else next();
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  // The driver queues by itself.
  override get supportsMultipleConnections(): boolean { return true; }
  override get supportsTransactionalDdl(): boolean { return true; }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  constructor(path: string) {
    const database = new NodeSqlite(path);
    super({ database });
    this.#database = database;
  }
  override createDriver(): SqliteDriver { return new OneConnectionDriver({ database: this.#database }); }
  override createAdapter(): SqliteAdapter { return new NodeSqliteAdapter(); }
}
