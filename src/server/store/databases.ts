import { openDb } from './db.ts';
import type { OpenDatabase, Root } from './db.ts';
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
}

export interface Database {
  readonly countries: readonly string[];
  readonly opened: OpenDatabase;
  readonly db: Root;
  readonly replica: Replica | null;
  close(): Promise<void>;
}

/** Opens a database and its replica; one that is away is found at the first query. @throws what openDb throws */
export async function openDatabase(asked: DatabaseAsked, onLost: (error: Error) => void): Promise<Database> {
  const opened = await openDb(asked.target, onLost);
  const { db } = opened;
  const other = asked.replica === null ? null : await openDb(asked.replica, onLost, true);
  return {
    countries: asked.countries,
    opened,
    db,
    replica: other === null ? null : replica(db, other.db),
    async close() {
      await Promise.all([db.destroy(), other?.db.destroy()]);
    },
  };
}
