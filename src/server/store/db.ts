import { Kysely, SqliteAdapter } from 'kysely';
import type { Transaction } from 'kysely';
import type { ActivityTables } from './activity.ts';
import type { AddressTables } from './addresses.ts';
import type { CardOfferTables } from './cardOffers.ts';
import type { CartTables } from './carts.ts';
import type { CatalogueTables } from './catalogue.ts';
import type { FavouriteTables } from './favourites.ts';
import type { GroupTables } from './group.ts';
import type { LedgerTables } from './ledger.ts';
import type { LinkedWalletTables } from './linkedWallets.ts';
import type { MemoryTables } from './memories.ts';
import type { PayLinkTables } from './payLinks.ts';
import type { PushTables } from './push.ts';
import type { OrderTables } from './orders.ts';
import { isConflict, isConnectionLoss, postgresDialect } from './postgres.ts';
import type { SavedCardTables } from './savedCards.ts';
import type { SessionTables } from './sessions.ts';
import { NodeSqliteDialect, openTransaction } from './sqlite.ts';
import type { SystemTables } from './system.ts';
import type { TrackingTables } from './tracking.ts';
import type { VendorTables } from './vendors.ts';
import type { VoucherTables } from './vouchers.ts';
import type { WheelTables } from './wheel.ts';

/**
 * Portable column rules, same on SQLite and PostgreSQL: ids are text made by us, times are bigint epoch ms,
 * money is integer minor units in bigint, flags are integer 0/1, snapshots are JSON in text.
 */
export interface Tables extends SystemTables, SessionTables, AddressTables, VendorTables, CatalogueTables, CartTables, OrderTables, WheelTables, FavouriteTables, CardOfferTables, GroupTables, TrackingTables, PushTables, ActivityTables, PayLinkTables, MemoryTables, SavedCardTables, LedgerTables, VoucherTables, LinkedWalletTables {}

export type Root = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type Db = Root | Tx;

export interface Opened {
  readonly db: Root;
  readonly engine: 'sqlite' | 'postgres';
  /** PostgreSQL schema; undefined on SQLite. */
  readonly schema: string | undefined;
}

const ATTEMPTS = 6;
const FIRST_WAIT_MS = 15;

/**
 * Opens `postgres://...` (also `postgresql://`) or a file path (`:memory:` too). Nothing is migrated yet.
 * @throws on an unreachable PostgreSQL only at the first query.
 */
export async function openDb(target: string, onLost: (error: Error) => void = () => {}): Promise<Opened> {
  if (/^postgres(ql)?:/.test(target)) {
    const { dialect, schema } = await postgresDialect(target, onLost);
    return { db: new Kysely<Tables>({ dialect }), engine: 'postgres', schema };
  }
  return { db: new Kysely<Tables>({ dialect: new NodeSqliteDialect(target) }), engine: 'sqlite', schema: undefined };
}

export function engineOf(db: Db): 'sqlite' | 'postgres' {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}

/**
 * Runs `work` in one transaction (in the given one, if `db` is one already). On a conflict, or a connection lost before
 * the commit was sent, the whole of `work` runs again, so it must do nothing outside the database.
 * A connection lost during the commit is thrown: nobody knows whether it was written, only the caller's key does.
 */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db as Tx);
  for (let attempt = 1; ; attempt += 1) {
    const mark = { open: false };
    let finished = false;
    try {
      return await (db as Root).transaction().execute((tx) => {
        mark.open = true;
        return openTransaction.run(mark, async () => {
          const result = await work(tx);
          finished = true;
          return result;
        });
      });
    } catch (error) {
      const again = isConflict(error) || (!finished && isConnectionLoss(error));
      if (!again || attempt >= ATTEMPTS) throw error;
      await new Promise((done) => setTimeout(done, FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random())));
    } finally {
      mark.open = false;
    }
  }
}
