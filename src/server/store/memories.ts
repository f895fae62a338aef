import type { Db } from './db.ts';

interface MemoryRow {
  id: string;
  country: string;
  user_id: string;
  memory: string;
  ends_at: number;
}
declare module './db.ts' {
  interface Tables {
    memories: MemoryRow;
  }
}

/** One for each phone: a new one replaces the last. */
export async function putMemory(db: Db, row: MemoryRow): Promise<void> {
  const { user_id: _user, ...rest } = row;
  await db
    .insertInto('memories')
    .values(row)
    .onConflict((c) => c.column('user_id').doUpdateSet(rest))
    .execute();
}

/** Reads a memory and removes it: of parallel calls only one gets it. */
export async function takeMemory(db: Db, id: string, country: string, at: number): Promise<string | undefined> {
  return (
    await db
      .deleteFrom('memories')
      .where('id', '=', id)
      .where('country', '=', country)
      .where('ends_at', '>', at)
      .returning('memory')
      .executeTakeFirst()
  )?.memory;
}
