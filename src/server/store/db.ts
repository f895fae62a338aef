import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, SqliteAdapter, type Dialect } from 'kysely';
import type { Transaction } from 'kysely';
import { isConflict, isConnectionLoss, postgresDialect } from './postgres.ts';
import { noteWritten } from '../trace.ts';
import { bytesWritten } from './written.ts';
import { NodeSqliteDialect, openTransaction, UndoneTransaction, type OpenTransaction } from './sqlite.ts';
import { doubledMs } from '../../domain/time.ts';

/**
 * Every file of the store declares its own tables here (`declare module './db.ts'`), so that this file knows none of
 * them. Columns follow the same rules on SQLite and PostgreSQL: ids are text made by us, times are bigint epoch ms,
 * money is integer minor units in bigint, flags are integer 0/1, snapshots are JSON in text.
 * @public
 */
export interface Tables {}

export type Root = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type Db = Root | Tx;

export interface OpenDatabase {
  readonly db: Root;
  readonly engine: 'sqlite' | 'postgres';
  /** Lends a connection on which statements have no deadline: for migrations, which may have much to rewrite. */
  patiently<T>(work: (db: Root) => Promise<T>): Promise<T>;
  connections(): Connections;
}

/** How many connections work, wait for work, and are waited for. */
export interface Connections {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** All that writes comes through here, so all of it is counted. */
const database = (dialect: Dialect): Root =>
  new Kysely<Tables>({
    dialect,
    log: ({ level, query }) => {
      if (level === 'query') noteWritten(bytesWritten(query));
    },
  });

/** What a transaction began with is gone: `transact` runs its work again, on what is there now. */
export class OutdatedRead extends Error {
  override readonly name = 'OutdatedRead';
}

const ATTEMPTS = 6;
const FIRST_WAIT_MS = 15;

/**
 * Opens `postgres://...` (also `postgresql://...`) or a file path of SQLite (also `:memory:`). It runs no migrations.
 * @throws Error for an invalid schema name, and when PostgreSQL cannot be reached to create the schema; without a
 * schema in the address an unreachable PostgreSQL is found at the first query
 */
export async function openDb(
  target: string,
  onLost: (error: Error) => void = () => {},
  isReplica = false,
): Promise<OpenDatabase> {
  if (/^postgres(ql)?:/.test(target)) {
    const dialect = await postgresDialect(target, onLost, { isReplica });
    return {
      db: database(dialect),
      engine: 'postgres',
      connections: () => dialect.connections(),
      async patiently(work) {
        const patient = new Kysely<Tables>({ dialect: await postgresDialect(target, onLost, { isPatient: true }) });
        try {
          return await work(patient);
        } finally {
          await patient.destroy();
        }
      },
    };
  }
  const dialect = new NodeSqliteDialect(target);
  const db = database(dialect);
  return { db, engine: 'sqlite', patiently: (work) => work(db), connections: () => dialect.connections() };
}

export function engineOf(db: Db): 'sqlite' | 'postgres' {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}

/** Has this done when the transaction that is open here is committed; does nothing outside of one. */
export function afterCommit(act: () => void): void {
  const open = openTransaction.getStore();
  if (open?.open === true) open.after.push(act);
}

/**
 * Runs `work` in one transaction, or in the given one if `db` already is one. After a conflict, or when the connection
 * is lost before the commit was sent, the whole of `work` runs again, so it must do nothing outside the database. A
 * connection lost during the commit is thrown: nobody can tell whether it was written, except by the caller's
 * idempotency key.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db as Tx);
  for (let attempt = 1; ; attempt += 1) {
    const mark: OpenTransaction = { open: false, after: [] };
    let finished = false;
    try {
      const done = await db.transaction().execute((tx) => {
        mark.open = true;
        return openTransaction.run(mark, async () => {
          const result = await work(tx);
          finished = true;
          return result;
        });
      });
      for (const act of mark.after) act();
      return done;
    } catch (error) {
      const isOver = error instanceof UndoneTransaction || error instanceof OutdatedRead;
      const again = isOver || isConflict(error) || (!finished && isConnectionLoss(error));
      if (!again || attempt >= ATTEMPTS) throw error instanceof UndoneTransaction ? error.cause : error;
      await sleep(doubledMs(FIRST_WAIT_MS, attempt) * (0.5 + Math.random()));
    } finally {
      mark.open = false;
    }
  }
}

class TakenBack extends Error {}
/** Does what `work` does and takes it back: what it refuses is refused before anything else is done for it. */
export async function rehearse<T>(db: Root, work: (tx: Tx) => Promise<T>): Promise<T> {
  let done: { readonly value: T } | undefined;
  await transact(db, async (tx) => {
    done = { value: await work(tx) };
    throw new TakenBack();
  }).catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return done!.value;
}
