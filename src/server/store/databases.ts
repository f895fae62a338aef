import { openDb } from './db.ts';
import type { OpenDatabase, Root } from './db.ts';
import { markServed } from './sqlite.ts';
import { replica } from './replica.ts';
import type { Replica } from './replica.ts';

/** A database as the environment asks for it. */
interface DatabaseAsked {
  /** Codes of the countries that are in it. */
  readonly countries: readonly string[];
  /** `postgres://...` or the path of a file. */
  readonly target: string;
  /** `postgres://...` of a streaming replica. */
  readonly replica: string | null;
  /** The variable that names it. */
  readonly name: string;
}

export interface Database {
  readonly countries: readonly string[];
  readonly opened: OpenDatabase;
  readonly db: Root;
  readonly replica: Replica | null;
  /**
   * Until it is closed no other server has it, where it is a file: two would be slower than one. A server that ends is
   * waited for. @throws Error that says what to do
   */
  serveAlone(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database and its replica; one that is away is found at the first query. @throws what openDb throws */
export async function openDatabase(asked: DatabaseAsked, onLost: (error: Error) => void): Promise<Database> {
  const opened = await openDb(asked.target, onLost);
  const { db } = opened;
  let unmark: (() => void) | null = null;
  const other = asked.replica === null ? null : await openDb(asked.replica, onLost, true);
  return {
    countries: asked.countries,
    opened,
    db,
    replica: other === null ? null : replica(db, other.db),
    async serveAlone() {
      if (opened.engine !== 'sqlite') return;
      unmark = await markServed(asked.target);
      if (unmark === null)
        throw new Error(
          `${asked.name}: '${asked.target}' is served already, and a file of SQLite has one server. Stop the other one first, or have a PostgreSQL for several (postgres://...).`,
        );
    },
    async close() {
      await Promise.all([db.destroy(), other?.db.destroy()]);
      unmark?.();
    },
  };
}
