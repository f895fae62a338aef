import type { Db, Tx } from './db.ts';

declare module './db.ts' {
  interface Tables {
    favourite_products: { user_id: string; product_id: string; added_at: number };
  }
}

/** Newest first. */
export async function favouritesOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('favourite_products')
    .select('product_id')
    .where('user_id', '=', userId)
    .orderBy('added_at', 'desc')
    .orderBy('product_id')
    .execute();
  return rows.map((row) => row.product_id);
}

export async function addFavourite(db: Db, userId: string, productId: string, at: number): Promise<void> {
  await db
    .insertInto('favourite_products')
    .values({ user_id: userId, product_id: productId, added_at: at })
    .onConflict((c) => c.doNothing())
    .execute();
}

export async function removeFavourite(db: Db, userId: string, productId: string): Promise<void> {
  await db.deleteFrom('favourite_products').where('user_id', '=', userId).where('product_id', '=', productId).execute();
}

/** Moves favourites to the other account; those that it has already stay as they are. */
export async function moveFavourites(tx: Tx, fromUserId: string, toUserId: string): Promise<void> {
  const rows = await tx.selectFrom('favourite_products').selectAll().where('user_id', '=', fromUserId).execute();
  if (rows.length > 0)
    await tx
      .insertInto('favourite_products')
      .values(rows.map((row) => ({ ...row, user_id: toUserId })))
      .onConflict((c) => c.doNothing())
      .execute();
  await tx.deleteFrom('favourite_products').where('user_id', '=', fromUserId).execute();
}
