import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync, SQLInputValue } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import type { CompiledQuery, DatabaseConnection, QueryResult, SqliteDatabase, SqliteStatement } from 'kysely';

const STATEMENTS_KEPT = 500;
const BUSY_AT_MOST_MS = 10_000;
const BUSY_WAIT_MS = 4;
const SQLITE_BUSY = 5;

export interface OpenTransaction {
  open: boolean;
  /** What to do once it is committed. */
  readonly after: (() => void)[];
}
/** Set while `transact` has a transaction open in this chain of async calls. */
export const openTransaction = new AsyncLocalStorage<OpenTransaction>();

/** Makes node:sqlite look like better-sqlite3, for the few calls that Kysely makes. */
class NodeSqlite implements SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #kept = new Map<string, SqliteStatement>();
  constructor(path: string) {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    // SQLite itself must not wait: that would block the whole process, which may be the one that holds the lock.
    this.#db = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    this.#patiently(() => this.#db.exec('PRAGMA journal_mode = WAL'));
    this.#db.exec(
      'PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;',
    );
  }
  /** Blocks the process while it waits. Used only at the start, when nobody waits for this process. */
  #patiently(work: () => void): void {
    const giveUp = Date.now() + BUSY_AT_MOST_MS;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || Date.now() > giveUp) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_WAIT_MS);
      }
    }
  }
  /** Whether a transaction is open: SQLite ends one by itself when the disk is full. */
  get isTransaction(): boolean {
    return this.#db.isTransaction;
  }
  close(): void {
    this.#kept.clear();
    this.#db.close();
  }
  prepare(sql: string): SqliteStatement {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    // Otherwise a transaction that reads first and writes later would fail with SQLITE_BUSY when two processes do so at
    // once.
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

function isBusy(error: unknown): boolean {
  return (((error as { errcode?: unknown } | null)?.errcode as number | undefined) ?? 0) % 256 === SQLITE_BUSY;
}

/**
 * Waits while another process writes, without blocking this one. Inside a transaction it does not wait: the transaction
 * already holds the lock.
 */
class PatientConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #isOpen: () => boolean;
  inTransaction = false;
  constructor(inner: DatabaseConnection, isOpen: () => boolean) {
    this.#inner = inner;
    this.#isOpen = isOpen;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Each further statement would otherwise be committed by itself.
    if (this.inTransaction && !this.#isOpen()) throw new Error('SQLite has ended this transaction.');
    const giveUp = this.inTransaction ? 0 : Date.now() + BUSY_AT_MOST_MS;
    for (;;) {
      try {
        return await this.#inner.executeQuery<R>(query);
      } catch (error) {
        if (!isBusy(error) || Date.now() > giveUp) throw error;
        await new Promise((done) => setTimeout(done, BUSY_WAIT_MS * (0.5 + Math.random())));
      }
    }
  }
  streamQuery<R>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.streamQuery<R>(query, size);
  }
}

/**
 * One connection, lent to one caller at a time. A query that would wait for its own transaction is an error, not a
 * hang.
 */
class OneConnectionDriver extends SqliteDriver {
  #held = false;
  #connection: PatientConnection | undefined;
  readonly #isOpen: () => boolean;
  readonly #waiting: (() => void)[] = [];
  constructor(database: NodeSqlite) {
    super({ database });
    this.#isOpen = () => database.isTransaction;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    if (openTransaction.getStore()?.open === true)
      throw new Error('A query inside a transaction went around it: use the transaction that was handed over.');
    if (this.#held) await new Promise<void>((next) => this.#waiting.push(next));
    this.#held = true;
    return (this.#connection ??= new PatientConnection(await super.acquireConnection(), this.#isOpen));
  }
  override async beginTransaction(connection: PatientConnection): Promise<void> {
    await super.beginTransaction(connection);
    connection.inTransaction = true;
  }
  override async commitTransaction(connection: PatientConnection): Promise<void> {
    await super.commitTransaction(connection);
    connection.inTransaction = false;
  }
  override async rollbackTransaction(connection: PatientConnection): Promise<void> {
    connection.inTransaction = false;
    if (this.#isOpen()) await super.rollbackTransaction(connection);
  }
  override async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) this.#held = false;
    else next();
  }
}

class NodeSqliteAdapter extends SqliteAdapter {
  // The driver makes callers wait for each other by itself.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: NodeSqlite;
  constructor(path: string) {
    const database = new NodeSqlite(path);
    super({ database });
    this.#database = database;
  }
  override createDriver(): SqliteDriver {
    return new OneConnectionDriver(this.#database);
  }
  override createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }
}
