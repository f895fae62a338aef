import { readSwitches } from '../rules/switches.ts';
import type { Db } from './db.ts';

/** Ids of the stores of a country that take no orders now: switched off by the shop, or by a developer. */
export async function offlineStores(db: Db, country: string): Promise<Set<string>> {
  const rows = await db.selectFrom('stores').select('id').where('country', '=', country).where('online', '=', 0).execute();
  const { offlineStores: switched } = await readSwitches(db);
  return new Set([...rows.map((row) => row.id), ...switched]);
}

/** Products a store cannot sell now. */
export async function soldOutAt(db: Db, storeId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('sold_out').select('product_id').where('store_id', '=', storeId).execute();
  const { soldOut } = await readSwitches(db);
  return new Set([...rows.map((row) => row.product_id), ...soldOut]);
}

export async function setOnline(db: Db, storeId: string, isOnline: boolean): Promise<void> {
  await db.updateTable('stores').set({ online: isOnline ? 1 : 0 }).where('id', '=', storeId).execute();
}

export async function setSoldOut(db: Db, storeId: string, productId: string, isSoldOut: boolean, at: number): Promise<void> {
  if (isSoldOut) await db.insertInto('sold_out').values({ store_id: storeId, product_id: productId, since: at }).onConflict((c) => c.doNothing()).execute();
  else await db.deleteFrom('sold_out').where('store_id', '=', storeId).where('product_id', '=', productId).execute();
}
