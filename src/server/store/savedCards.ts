import type { Db, Tables } from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** `token` is the vault's. Of the card number only the last four digits are stored. */
    saved_cards: {
      id: string;
      user_id: string;
      token: string;
      brand: string;
      last_four: string;
      expires_at: number;
      created_at: number;
    };
  }
}

export async function savedCardsOf(db: Db, userId: string) {
  return await db
    .selectFrom('saved_cards')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function savedCard(db: Db, userId: string, id: string) {
  return await db
    .selectFrom('saved_cards')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Saving the same card again changes nothing. */
export async function addSavedCard(db: Db, row: Tables['saved_cards']): Promise<void> {
  await db
    .insertInto('saved_cards')
    .values(row)
    .onConflict((c) => c.columns(['user_id', 'token']).doNothing())
    .execute();
}

/** Returns the token of the card that was dropped, so that the vault can forget it too. */
export async function dropSavedCard(db: Db, userId: string, id: string) {
  return await db
    .deleteFrom('saved_cards')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('token')
    .executeTakeFirst();
}
