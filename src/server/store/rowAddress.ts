import { sql, type RawBuilder } from 'kysely';
import { engineOf, type Db } from './db.ts';

// Where a row lies is each engine's own matter. All that asks for it does so here: on another engine it is replaced by the
// table's key, in pieces of so many rows.

/** Of some rows of a table, found by a condition: `select <address> ...` inside of what this returns finds them again. */
export function atAddresses(db: Db, found: (address: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> {
  // PostgreSQL plans a list of addresses as such, and a select of them as a scan.
  return engineOf(db) === 'sqlite' ? sql`rowid in (${found(sql`rowid`)})` : sql`ctid = any(array(${found(sql`ctid`)}))`;
}

/** PostgreSQL: whether a row lies on one of the pages of its table from this number, and before that one. */
export const onPages = (from: number, to: number): RawBuilder<unknown> =>
  sql`ctid >= ${sql.lit(`(${from},0)`)}::tid and ctid < ${sql.lit(`(${to},0)`)}::tid`;
