import type { Kysely, Transaction } from 'kysely';
import type { CartTables } from './carts.ts';
import type { CatalogueTables } from './catalogue.ts';
import type { OrderTables } from './orders.ts';
import type { SessionTables } from './sessions.ts';
import type { SystemTables } from './system.ts';

/**
 * Portable column rules, same on SQLite and PostgreSQL: ids are text made by us, times are bigint epoch ms,
 * money is integer minor units, flags are integer 0/1, snapshots are JSON in text.
 */
export interface Tables extends SystemTables, SessionTables, CatalogueTables, CartTables, OrderTables {}

export type Db = Kysely<Tables> | Transaction<Tables>;
