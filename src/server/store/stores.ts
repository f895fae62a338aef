import { parseSwitches } from './switches.ts';
import { transact, type Db } from './db.ts';
import { copied, noteChange, readSystem, type SystemRow } from './system.ts';

const NONE: readonly string[] = [];
const union = (own: ReadonlySet<string>, switched: readonly string[]) =>
  switched.length === 0 ? own : new Set([...own, ...switched]);

/** Ids of the stores of a country that take no orders now, because the shop or a developer has switched them off. */
export async function offlineStores(db: Db, country: string, seen?: SystemRow): Promise<ReadonlySet<string>> {
  const system = seen ?? (await readSystem(db));
  const own = await copied(db, `offline ${country}`, system, async () => {
    const rows = await db
      .selectFrom('stores')
      .select('id')
      .where('country', '=', country)
      .where('online', '=', 0)
      .execute();
    return new Set(rows.map((row) => row.id));
  });
  return union(own, parseSwitches(system.switches).offlineStores ?? NONE);
}

/** Ids of the products that a store cannot sell now. */
export async function soldOutAt(db: Db, storeId: string, seen?: SystemRow): Promise<ReadonlySet<string>> {
  const system = seen ?? (await readSystem(db));
  const own = await copied(db, `sold out ${storeId}`, system, async () => {
    const rows = await db.selectFrom('sold_out').select('product_id').where('store_id', '=', storeId).execute();
    return new Set(rows.map((row) => row.product_id));
  });
  return union(own, parseSwitches(system.switches).soldOut ?? NONE);
}

/** @returns whether that changes anything */
export async function setOnline(db: Db, storeId: string, isOnline: boolean): Promise<boolean> {
  const online = isOnline ? 1 : 0;
  return await transact(db, async (tx) => {
    const done = await tx
      .updateTable('stores')
      .set({ online })
      .where('id', '=', storeId)
      .where('online', '!=', online)
      .executeTakeFirst();
    if (done.numUpdatedRows === 0n) return false;
    await noteChange(tx);
    return true;
  });
}

/** @returns whether that changes anything */
export async function setSoldOut(
  db: Db,
  storeId: string,
  productId: string,
  isSoldOut: boolean,
  at: number,
): Promise<boolean> {
  return await transact(db, async (tx) => {
    const touched = isSoldOut
      ? (
          await tx
            .insertInto('sold_out')
            .values({ store_id: storeId, product_id: productId, since: at })
            .onConflict((c) => c.doNothing())
            .executeTakeFirst()
        ).numInsertedOrUpdatedRows
      : (
          await tx
            .deleteFrom('sold_out')
            .where('store_id', '=', storeId)
            .where('product_id', '=', productId)
            .executeTakeFirst()
        ).numDeletedRows;
    if ((touched ?? 0n) === 0n) return false;
    await noteChange(tx);
    return true;
  });
}
