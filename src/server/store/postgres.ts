import { PostgresDialect } from 'kysely';
import pg from 'pg';

const CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 20_000;
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
 * `?schema=name` in the address keeps all tables in that schema, which is created if missing. `?options=-c name=value`
 * holds for every connection, as with PostgreSQL's own tools.
 */
export async function postgresDialect(
  url: string,
  onLost: (error: Error) => void,
): Promise<{ dialect: PostgresDialect; schema: string }> {
  const address = new URL(url);
  const schema = address.searchParams.get('schema') ?? 'public';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new Error(`DATABASE_URL: schema '${schema}' is not a plain lower-case name.`);
  const options = `${address.searchParams.get('options') ?? ''} -c search_path=${schema}`.trim();
  // If they stayed in the address, they would replace the search path.
  for (const own of ['schema', 'options']) address.searchParams.delete(own);
  const pool = new pg.Pool({
    connectionString: address.href,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    options,
    types,
  });
  // Without a listener, a connection that is lost while idle would end the process.
  pool.on('error', onLost);
  // The same for one that is lost while it is in use: the pool listens to idle ones only.
  pool.on('connect', (client) => {
    client.on('error', onLost);
  });
  if (schema !== 'public') {
    await pool.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`).catch((error: { code?: string }) => {
      // Two processes that start at once may both try.
      if (error.code !== '23505' && error.code !== '42P06') throw error;
    });
  }
  return { dialect: new PostgresDialect({ pool }), schema };
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

export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (
    typeof code === 'string' &&
    (/^(08...|57P0[123]|53300)$/.test(code) ||
      ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'].includes(code))
  )
    return true;
  return (
    typeof message === 'string' &&
    /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect/.test(
      message,
    )
  );
}
