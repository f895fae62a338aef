import type { Db } from './db.ts';

export interface SavedCardTables {
  /** `token` is the vault's; of the number there are the last four digits. */
  saved_cards: { id: string; user_id: string; token: string; brand: string; last_four: string; expires_at: number; created_at: number };
}

export async function savedCardsOf(db: Db, userId: string) {
  return await db.selectFrom('saved_cards').selectAll().where('user_id', '=', userId).orderBy('created_at', 'desc').orderBy('id').execute();
}

export async function savedCard(db: Db, userId: string, id: string) {
  return await db.selectFrom('saved_cards').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
}

/** Keeping the same card again changes nothing. */
export async function addSavedCard(db: Db, row: SavedCardTables['saved_cards']): Promise<void> {
  await db.insertInto('saved_cards').values(row).onConflict((c) => c.columns(['user_id', 'token']).doNothing()).execute();
}

/** What was dropped, for the vault to forget it too. */
export async function dropSavedCard(db: Db, userId: string, id: string) {
  return await db.deleteFrom('saved_cards').where('id', '=', id).where('user_id', '=', userId).returning('token').executeTakeFirst();
}
