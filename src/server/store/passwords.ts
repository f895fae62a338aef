import type { Db, Tx } from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** `hash`: what scrypt made of it, with its cost and its salt. */
    passwords: { user_id: string; hash: string; set_at: number };
  }
}

export async function passwordOf(db: Db, userId: string): Promise<{ hash: string; set_at: number } | undefined> {
  return await db.selectFrom('passwords').select(['hash', 'set_at']).where('user_id', '=', userId).executeTakeFirst();
}

/** @returns whether there was one */
export async function dropPassword(tx: Tx, userId: string): Promise<boolean> {
  const done = await tx.deleteFrom('passwords').where('user_id', '=', userId).executeTakeFirst();
  return done.numDeletedRows === 1n;
}

/** @returns whether there was one before */
export async function putPassword(tx: Tx, userId: string, hash: string, at: number): Promise<boolean> {
  const done = await tx
    .updateTable('passwords')
    .set({ hash, set_at: at })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (done.numUpdatedRows === 1n) return true;
  await tx
    .insertInto('passwords')
    .values({ user_id: userId, hash, set_at: at })
    .onConflict((c) => c.column('user_id').doUpdateSet({ hash, set_at: at }))
    .execute();
  return false;
}
