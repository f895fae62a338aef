import type { Socket } from 'node:net';
import { CompiledQuery, PostgresAdapter, PostgresDialect, PostgresDriver, PostgresQueryCompiler } from 'kysely';
import type {
  DatabaseConnection,
  FunctionNode,
  PostgresCursor,
  QueryExecutorProvider,
  RawBuilder,
  TransactionSettings,
} from 'kysely';
import pg from 'pg';
import type { Lines } from './rowLines.ts';

const CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 20_000;
/** A connection in use on which nothing moves for so long leads to a machine that is gone. */
const SILENT_AT_MOST_MS = STATEMENT_TIMEOUT_MS + 5_000;
const INT8 = 20;
const NUMERIC = 1700;
const SQLITE_BUSY = 5;

/** Our bigints are epoch milliseconds and money. Both are safe integers, so they are read as numbers. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
    return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format);
  },
};

/**
 * Asks nothing of a session, because a pooler in transaction mode gives every transaction another one: the deadline of
 * statements goes with the transaction, in the same message that begins it.
 */
class TransactionDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const how = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(', ');
    await connection.executeQuery(
      CompiledQuery.raw(`begin ${how}; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`),
    );
  }
}

/** What SQLite calls otherwise. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  json_group_array: 'json_agg',
  json_object: 'json_build_object',
};

export class OwnQueryCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    super.visitFunction({ ...node, func: FUNCTIONS[node.func] ?? node.func });
  }
}

/** What the types of pg leave out. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(bytes: Uint8Array): void;
  endCopyFrom(): void;
}
/** Room for the first message of a COPY, and from then on for as much as the last one brought: pieces are alike. */
let room = 64 * 1024;

/**
 * A COPY of PostgreSQL, as which all rows of it come or go at once. Handed to Kysely as the cursor of its streams, since
 * there is no other way to a connection of its own: what is read of it is one thing, and that once.
 */
class Copy<T> implements PostgresCursor<T> {
  readonly #command: string;
  readonly #given: Buffer | undefined;
  readonly #done = Promise.withResolvers<T[]>();
  #found = Buffer.allocUnsafe(room);
  #length = 0;
  #rows = 0;
  constructor(command: string, [lines]: readonly unknown[]) {
    this.#command = command;
    this.#given = lines as Buffer | undefined;
  }
  submit(connection: pg.Connection): void {
    connection.query(this.#command);
  }
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#given!);
    connection.endCopyFrom();
  }
  handleCopyData({ chunk }: { readonly chunk: Uint8Array }): void {
    const length = this.#length + chunk.length;
    if (length > this.#found.length) this.#found = Buffer.concat([this.#found], 2 * length);
    // The driver reads its next message into where this one lies.
    this.#found.set(chunk, this.#length);
    this.#length = length;
  }
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(text.split(' ')[1]);
  }
  handleError(error: Error): void {
    this.#done.reject(error);
  }
  handleReadyForQuery(): void {
    room = Math.max(room, this.#length);
    const found: Lines = { lines: this.#found.subarray(0, this.#length), rows: this.#rows };
    this.#done.resolve([found as T]);
  }
  read(): Promise<T[]> {
    return this.#done.promise;
  }
  async close(): Promise<void> {}
}

/** Has a transaction do `copy ... to stdout`, or `copy ... from stdin` with lines. @returns the lines that came, and how many */
export async function copy(tx: QueryExecutorProvider, command: RawBuilder<unknown>, lines?: Buffer): Promise<Lines> {
  const { sql: text } = command.compile(tx);
  const stream = tx.getExecutor().stream<Lines>(CompiledQuery.raw(text, lines === undefined ? [] : [lines]), 1);
  for await (const { rows } of stream) return rows[0]!;
  throw new Error('unreachable: a COPY ends with an answer');
}

/** Migrations lock by themselves, for their transaction (migrate.ts): Kysely's lock is one of the session. */
class TransactionAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class TransactionDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  readonly #isPatient: boolean;
  constructor(pool: pg.Pool, isPatient: boolean) {
    super({ pool });
    this.#pool = pool;
    this.#isPatient = isPatient;
  }
  override createDriver(): PostgresDriver {
    return new (this.#isPatient ? PostgresDriver : TransactionDriver)({ pool: this.#pool, cursor: Copy });
  }
  override createAdapter(): PostgresAdapter {
    return new TransactionAdapter();
  }
  override createQueryCompiler(): PostgresQueryCompiler {
    return new OwnQueryCompiler();
  }
  connections() {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }
}

/**
 * `?schema=name` in the address keeps all tables in that schema, which is created if missing; without it they are where
 * the role's own search path leads. `?options=-c name=value` holds for every connection, as with PostgreSQL's own tools.
 * Both are for direct connections: a pooler in transaction mode has no place for them.
 * @param kind `isPatient` for migrations, whose statements take as long as they take; a replica can create nothing
 */
export async function postgresDialect(
  url: string,
  onLost: (error: Error) => void,
  { isPatient = false, isReplica = false } = {},
): Promise<TransactionDialect> {
  const address = new URL(url);
  const schema = address.searchParams.get('schema');
  if (schema !== null && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new Error(`DATABASE_URL: schema '${schema}' is not a plain lower-case name.`);
  const options = [address.searchParams.get('options'), schema === null ? null : `-c search_path=${schema}`]
    .filter((one) => one !== null)
    .join(' ');
  // If they stayed in the address, they would replace the search path.
  for (const own of ['schema', 'options']) address.searchParams.delete(own);
  const pool = new pg.Pool({
    connectionString: address.href,
    max: isPatient ? 1 : CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types,
    ...(options === '' ? {} : { options }),
  });
  // Without a listener, a connection that is lost while idle would end the process.
  pool.on('error', onLost);
  // The same for one that is lost while it is in use: the pool listens to idle ones only.
  pool.on('connect', (client) => {
    client.on('error', onLost);
    if (isPatient) return;
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.setTimeout(SILENT_AT_MOST_MS, () => stream.destroy());
  });
  if (schema !== null && !isReplica)
    await pool
      .query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      .catch(async (error: { code?: string; message?: string }) => {
        // Two processes that start at once may both try.
        if (error.code === '23505' || error.code === '42P06') return;
        await pool.end();
        throw (error.message ?? '').startsWith('unsupported startup parameter')
          ? new Error(
              'DATABASE_URL: a pooler takes no ?schema and no ?options. Set them for the role instead (ALTER ROLE shop SET search_path = ...).',
              { cause: error },
            )
          : error;
      });
  return new TransactionDialect(pool, isPatient);
}

/** Whether nothing was written and the whole transaction may run again: a conflict, a deadlock, or a busy SQLite. */
export function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === '40001' ||
    code === '40P01' ||
    Number((error as { errcode?: unknown } | null)?.errcode ?? 0) % 256 === SQLITE_BUSY
  );
}

/**
 * What PostgreSQL, or a pooler, answers where it takes or keeps no connection: lost (08), no place for one more (53300,
 * 53400), starting or ending (57P0x), a standby that may not write (25006), a session ended for waiting (25P03, 25P04),
 * a database that is closed for new ones (55000), gone or renamed (3D000), or whose password is being changed (28).
 */
const NO_CONNECTION = /^(?:08...|28...|53[34]00|57P0\d|25006|25P0[34]|55000|3D000)$/;
/** The same by Node's codes, of a connection that was open. One that could not be opened is known by its `syscall`. */
const LINE_LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);
/** The same by pg's sentences, which have no code. */
const NO_CLIENT =
  /Connection terminated|connection error and is not queryable|Client was closed|timeout exceeded when trying to connect|^timeout expired$/;

/**
 * Whether the database was away, or is a standby that may not write: after a moment the same may be asked again,
 * elsewhere.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (typeof code === 'string' && (NO_CONNECTION.test(code) || LINE_LOST.has(code))) return true;
  return typeof message === 'string' && NO_CLIENT.test(message);
}
