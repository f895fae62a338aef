// Hears every statement on its way to a database, of the product in this process. The product does not know of this: the
// drivers' calls are wrapped here.
import { StatementSync } from 'node:sqlite';
import pg from 'pg';

/** What is asked: `connection` is the same object for the statements of one transaction. */
type Hear = (sql: string, connection: object) => void;

const heard = new Set<Hear>();
/** SQLite's one connection that writes. */
const sqlite = {};

for (const name of ['run', 'all'] as const) {
  const own = StatementSync.prototype[name] as (this: StatementSync, ...given: unknown[]) => unknown;
  StatementSync.prototype[name] = function (this: StatementSync, ...given: unknown[]) {
    for (const hear of heard) hear(this.sourceSQL, sqlite);
    return own.apply(this, given);
  } as never;
}

const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [asked] = given;
  const sql = typeof asked === 'string' ? asked : String((asked as { text?: unknown }).text);
  for (const hear of heard) hear(sql, this);
  return query.apply(this, given);
} as never;

/** @returns what ends it */
export function hearStatements(hear: Hear): () => void {
  heard.add(hear);
  return () => void heard.delete(hear);
}

/** A savepoint is that of a group of SQLite's; nothing is asked. */
export const isSavepoint = (sql: string): boolean => /^\s*(savepoint|release|rollback to)/i.test(sql);
/** What begins or ends a transaction asks nothing either. */
export const isBoundary = (sql: string): boolean => /^\s*(begin|commit|rollback)/i.test(sql);
