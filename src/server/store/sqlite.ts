import { AsyncLocalStorage } from 'node:async_hooks';
import { on, once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync, SQLInputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteQueryNode,
  InsertQueryNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  UpdateQueryNode,
} from 'kysely';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from 'kysely';
import { linesOfSqlite, type Lines } from './rowLines.ts';
import type { ReadRows } from './snapshotReader.ts';

const STATEMENTS_KEPT = 500;
const BUSY_AT_MOST_MS = 10_000;
const BUSY_WAIT_MS = 4;
const SQLITE_BUSY = 5;
const MEMORY = ':memory:';
/** A group that is open for longer takes no more members: those in it wait for their answers. */
const GROUP_AT_MOST_MS = 5;
const ATTEMPTS = 6;

export interface OpenTransaction {
  open: boolean;
  /** What to do once it is committed. */
  readonly after: (() => void)[];
}
/** Set while `transact` has a transaction open in this chain of async calls. */
export const openTransaction = new AsyncLocalStorage<OpenTransaction>();

/** Modes of a file: what its owner alone may do, and whatever others may. */
const OWNER_ALONE = 0o600;
const OF_OTHERS = 0o077;

/** Makes the file where there is none. */
function closeToOthers(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ALONE));
  // Only where it has to be: a file of somebody else's that is closed to others already cannot be changed.
  if ((statSync(path).mode & OF_OTHERS) !== 0) chmodSync(path, OWNER_ALONE);
}

/** A connection of node:sqlite, with its prepared statements. */
class Database {
  readonly #db: DatabaseSync;
  readonly #kept = new Map<string, { readonly statement: StatementSync; readonly hasRows: boolean }>();
  constructor(path: string, { readOnly }: { readonly readOnly: boolean }) {
    if (path !== MEMORY && !readOnly) {
      mkdirSync(dirname(path), { recursive: true });
      // Its log and index of the log are made with the rights of the file: customers' data are nobody else's.
      closeToOthers(path);
    }
    // SQLite itself must not wait: that would block the whole process, which may be the one that holds the lock.
    this.#db = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true, readOnly });
    // What is deleted is written over: a page that is free would keep it, until something else needs the page.
    if (!readOnly) this.#patiently(() => this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON'));
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
  get isInTransaction(): boolean {
    return this.#db.isTransaction;
  }
  close(): void {
    this.#kept.clear();
    this.#db.close();
  }
  #prepared(sql: string) {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    const made = { statement, hasRows: statement.columns().length > 0 };
    if (this.#kept.size >= STATEMENTS_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(sql, made);
    return made;
  }
  do(sql: string): void {
    this.#prepared(sql).statement.run();
  }
  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, hasRows } = this.#prepared(sql);
    const values = parameters.map(bindable);
    if (hasRows) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }
}

function bindable(value: unknown): SQLInputValue {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value as SQLInputValue;
}

function isBusy(error: unknown): boolean {
  return (((error as { errcode?: unknown } | null)?.errcode as number | undefined) ?? 0) % 256 === SQLITE_BUSY;
}

/** Waits while another process writes, without blocking this one. */
async function patiently<T>(work: () => T): Promise<T> {
  const giveUp = Date.now() + BUSY_AT_MOST_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUp) throw error;
      await sleep(BUSY_WAIT_MS * (0.5 + Math.random()));
    }
  }
}

/**
 * The group in which something was written could not be made durable, or was lost by the failure of another in it.
 * Nothing of it is in the database: the same may be done again. `cause` is what went wrong.
 */
export class UndoneTransaction extends Error {
  constructor(cause: unknown) {
    super('what was written was undone with its group', { cause });
    this.name = 'UndoneTransaction';
  }
}

/** Transactions, and writes outside of one, that become durable together. */
interface Group {
  readonly openedAt: number;
  /** Settles once all of it is on the disk. @throws Undone */
  readonly ended: Promise<void>;
  settle(error?: UndoneTransaction): void;
}

class Connection implements DatabaseConnection {
  readonly #driver: GroupDriver;
  /** Set while a transaction is open on this connection. */
  group: Group | null = null;
  /** The last error of a statement in it. */
  failure: unknown;
  /** Its transaction has ended, or it was handed back. */
  isOver = false;
  constructor(driver: GroupDriver) {
    this.#driver = driver;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // It would be written by itself, and stay when what it belonged to is undone.
    if (this.isOver) throw new Error('A query came after the end of its transaction: await it inside.');
    return this.group === null ? await this.#driver.alone<R>(query) : this.#driver.inside<R>(this, this.group, query);
  }
  streamQuery(): never {
    throw new Error('This driver does not stream.');
  }
}

const isWrite = ({ query }: CompiledQuery) =>
  InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);

/**
 * One connection that writes, lent to one caller at a time, and one that reads what is durable.
 *
 * A commit costs a write to the disk, however little it writes. So those that want to write at the same moment share one:
 * each has a savepoint of its own in a transaction of SQLite, and all of them go on once that is committed. What one does
 * can be undone without the others. Nobody outside a transaction sees what is not durable; who was in the group and saw
 * it waits for its end too, even to be refused. (decisions/2026-11-22-group-commit.md)
 */
class GroupDriver implements Driver {
  readonly #writer: Database;
  /** Null for a database in memory, which has only one connection. */
  readonly #reader: Database | null;
  #isHeld = false;
  readonly #waiting: (() => void)[] = [];
  #group: Group | null = null;
  constructor(path: string) {
    this.#writer = new Database(path, { readOnly: false });
    this.#reader = path === MEMORY ? null : new Database(path, { readOnly: true });
  }
  connections() {
    const used = this.#isHeld ? 1 : 0;
    return { used, idle: 1 - used, waiting: this.#waiting.length };
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    // It would wait for its own transaction, or read what was there before it.
    if (openTransaction.getStore()?.open === true)
      throw new Error('A query inside a transaction went around it: use the transaction that was handed over.');
    return new Connection(this);
  }
  async releaseConnection(connection: Connection): Promise<void> {
    connection.isOver = true;
  }
  async destroy(): Promise<void> {
    await this.#take();
    this.#end();
    // The last one puts the log into the file and takes it away, which one that only reads may not.
    this.#reader?.close();
    this.#writer.close();
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await this.#take();
    try {
      const group = await this.#join();
      this.#writer.do('savepoint own');
      connection.group = group;
      connection.isOver = false;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }
  async commitTransaction(connection: Connection): Promise<void> {
    const { group } = connection;
    if (group === null) throw new Error('no transaction is open');
    connection.group = null;
    connection.isOver = true;
    if (this.#group === group) this.#close('release own');
    this.#leave();
    await group.ended;
  }
  async rollbackTransaction(connection: Connection): Promise<void> {
    const { group, failure } = connection;
    // Its commit has failed: all of it is undone already.
    if (group === null) return;
    connection.group = null;
    connection.isOver = true;
    if (this.#group === group) this.#close('rollback to own', 'release own');
    this.#leave();
    await endOf(group, failure);
  }

  /** Ends the savepoint of a transaction. Where even that fails, nobody knows what of it is there: the group goes. */
  #close(...statements: readonly string[]): void {
    try {
      for (const statement of statements) this.#writer.do(statement);
    } catch (error) {
      this.#undo(error);
    }
  }

  /** A statement of a transaction. */
  inside<R>(connection: Connection, group: Group, query: CompiledQuery): QueryResult<R> {
    if (this.#group !== group) throw new UndoneTransaction(connection.failure);
    try {
      return this.#run<R>(query);
    } catch (error) {
      connection.failure = error;
      throw error;
    }
  }

  /** A statement outside of a transaction. */
  async alone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (SelectQueryNode.is(query.query)) {
      // While nothing waits for the disk, the writer sees the same, and still has what it read before the last commit.
      const from = this.#isHeld || this.#group !== null ? this.#reader : this.#writer;
      if (from !== null) return await patiently(() => from.execute<R>(query));
    }
    if (isWrite(query)) return await this.#write<R>(query);
    await this.#take();
    try {
      this.#end();
      return await patiently(() => this.#writer.execute<R>(query));
    } finally {
      this.#leave();
    }
  }
  async #write<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#writeOnce<R>(query);
      } catch (error) {
        if (!(error instanceof UndoneTransaction)) throw error;
        if (attempt >= ATTEMPTS) throw error.cause;
      }
    }
  }
  async #writeOnce<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    let group: Group | null = null;
    let result: QueryResult<R> | null = null;
    let failure: unknown;
    await this.#take();
    try {
      group = await this.#join();
      result = this.#run<R>(query);
    } catch (error) {
      failure = error;
    } finally {
      this.#leave();
    }
    if (group !== null) await endOf(group, failure);
    if (result === null) throw failure;
    return result;
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    try {
      return this.#writer.execute<R>(query);
    } catch (error) {
      // A full disk, for example, takes the whole transaction of SQLite with it, and not the statement alone.
      if (!this.#writer.isInTransaction) this.#settle(new UndoneTransaction(error));
      throw error;
    }
  }

  async #take(isFirst = false): Promise<void> {
    if (this.#isHeld)
      await new Promise<void>((next) => {
        if (isFirst) this.#waiting.unshift(next);
        else this.#waiting.push(next);
      });
    this.#isHeld = true;
  }
  #leave(): void {
    if (this.#group !== null && performance.now() - this.#group.openedAt > GROUP_AT_MOST_MS) this.#end();
    const next = this.#waiting.shift();
    if (next === undefined) this.#isHeld = false;
    else next();
  }

  /** The open group, or a new one, which ends when all that waits to be heard by this process has been heard. */
  async #join(): Promise<Group> {
    if (this.#group !== null) return this.#group;
    // Immediate: a transaction that reads first and writes later would fail when two processes do so at once.
    await patiently(() => this.#writer.do('begin immediate'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    const group: Group = {
      openedAt: performance.now(),
      ended: promise,
      settle: (error) => (error === undefined ? resolve() : reject(error)),
    };
    this.#group = group;
    setImmediate(() => {
      void this.#take(true).then(() => {
        if (this.#group === group) this.#end();
        this.#leave();
      });
    });
    return group;
  }
  /** Makes the open group durable; whoever calls this holds the writer. */
  #end(): void {
    if (this.#group === null) return;
    try {
      this.#writer.do('commit');
      this.#settle();
    } catch (error) {
      this.#undo(error);
    }
  }
  /** Takes the open group back. It never throws: whoever waits for the group, or for the writer, must go on. */
  #undo(cause: unknown): void {
    try {
      if (this.#writer.isInTransaction) this.#writer.do('rollback');
      this.#settle(new UndoneTransaction(cause));
    } catch (error) {
      this.#settle(new UndoneTransaction(error));
    }
  }
  #settle(error?: UndoneTransaction): void {
    const group = this.#group;
    this.#group = null;
    group?.settle(error);
  }
}

/** Settles once a group is durable. @throws Undone; not for what `failure` itself has undone */
async function endOf(group: Group, failure: unknown): Promise<void> {
  try {
    await group.ended;
  } catch (error) {
    if (failure === undefined || (error as UndoneTransaction).cause !== failure) throw error;
  }
}

class OwnAdapter extends SqliteAdapter {
  // The driver makes callers wait for each other by itself.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class NodeSqliteDialect implements Dialect {
  readonly #path: string;
  #driver: GroupDriver | undefined;
  constructor(path: string) {
    this.#path = path;
  }
  createDriver(): Driver {
    return (this.#driver = new GroupDriver(this.#path));
  }
  /** Of the connection that writes. */
  connections() {
    return this.#driver?.connections() ?? { used: 0, idle: 0, waiting: 0 };
  }
  createAdapter(): SqliteAdapter {
    return new OwnAdapter();
  }
  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }
  createIntrospector(db: Kysely<never>): SqliteIntrospector {
    return new SqliteIntrospector(db);
  }
}

/**
 * Marks a database file as served by this process, for as long as it lives: the mark is a lock of the operating system on
 * an empty file beside it, so none is left by a process that was killed. Commands of operators ask for no mark.
 * @returns takes the mark away; null when another process still has it after `BUSY_AT_MOST_MS`
 */
export async function markServed(path: string): Promise<(() => void) | null> {
  if (path === MEMORY) return () => {};
  // By whatever name the file is reached, as SQLite itself names its log.
  const mark = `${realpathSync(path)}-served`;
  closeToOthers(mark);
  const lock = new DatabaseSync(mark, { timeout: 0 });
  try {
    await patiently(() => lock.exec('begin exclusive'));
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** Pieces that are read before they are asked for. */
const READ_AHEAD = 3;

/**
 * A file as it is now, read by a thread with a connection of its own: others write meanwhile, and nothing of that is seen.
 * @throws when there is no such file
 */
export async function sqliteSnapshot(path: string) {
  const reader = new Worker(new URL('./snapshotReader.ts', import.meta.url), { workerData: path });
  const ended = new AbortController();
  const { signal } = ended;
  // Some ends say nothing before, and a thread that is gone sends no message.
  reader.once('exit', () => ended.abort());
  const told = (error: unknown): never => {
    throw signal.aborted && (error as Error).name === 'AbortError'
      ? new Error('the thread that reads the database has ended in the middle of its work')
      : error;
  };
  await once(reader, 'message', { signal }).catch(told);
  return {
    /** All rows of these tables, each by the table's number among them. */
    async *lines(tables: readonly string[]): AsyncGenerator<Lines & { readonly table: number }> {
      try {
        const pieces = on(reader, 'message', { signal });
        for (let ahead = 0; ahead < READ_AHEAD; ahead += 1) reader.postMessage(tables);
        for await (const [piece] of pieces as AsyncIterable<[ReadRows | null]>) {
          if (piece === null) return;
          reader.postMessage(null);
          yield { ...piece, lines: linesOfSqlite(piece.lines) };
        }
      } catch (error) {
        told(error);
      }
    },
    async close() {
      await reader.terminate();
    },
  };
}
