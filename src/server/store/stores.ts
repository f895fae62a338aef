import { parseSwitches } from './switches.ts';
import { transact, type Db, type Tx } from './db.ts';
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

/** Ids of the alerts of the catalogue that the shop tells at a store now. */
export async function toldAt(db: Db, storeId: string, seen?: SystemRow): Promise<ReadonlySet<string>> {
  const system = seen ?? (await readSystem(db));
  return await copied(db, `told ${storeId}`, system, async () => {
    const rows = await db.selectFrom('told_alerts').select('alert_id').where('store_id', '=', storeId).execute();
    return new Set(rows.map((row) => row.alert_id));
  });
}

/** Does a change that every process hears of. @returns whether it has changed anything */
async function noting(db: Db, change: (tx: Tx) => Promise<bigint | undefined>): Promise<boolean> {
  return await transact(db, async (tx) => {
    if (((await change(tx)) ?? 0n) === 0n) return false;
    await noteChange(tx);
    return true;
  });
}

/** @returns whether that changes anything */
export async function setOnline(db: Db, storeId: string, isOnline: boolean): Promise<boolean> {
  const online = isOnline ? 1 : 0;
  return await noting(db, async (tx) => {
    const changed = tx.updateTable('stores').set({ online }).where('id', '=', storeId).where('online', '!=', online);
    return (await changed.executeTakeFirst()).numUpdatedRows;
  });
}

/** @returns whether that changes anything */
export async function setSoldOut(
  db: Db,
  storeId: string,
  productId: string,
  isSoldOut: boolean,
  since: number,
): Promise<boolean> {
  return await noting(db, async (tx) => {
    const row = { store_id: storeId, product_id: productId };
    if (!isSoldOut)
      return (
        await tx
          .deleteFrom('sold_out')
          .where((e) => e.and(row))
          .executeTakeFirst()
      ).numDeletedRows;
    const added = tx
      .insertInto('sold_out')
      .values({ ...row, since })
      .onConflict((c) => c.doNothing());
    return (await added.executeTakeFirst()).numInsertedOrUpdatedRows;
  });
}

/** @returns whether that changes anything */
export async function setTold(
  db: Db,
  storeId: string,
  alertId: string,
  isTold: boolean,
  since: number,
): Promise<boolean> {
  return await noting(db, async (tx) => {
    const row = { store_id: storeId, alert_id: alertId };
    if (!isTold)
      return (
        await tx
          .deleteFrom('told_alerts')
          .where((e) => e.and(row))
          .executeTakeFirst()
      ).numDeletedRows;
    const added = tx
      .insertInto('told_alerts')
      .values({ ...row, since })
      .onConflict((c) => c.doNothing());
    return (await added.executeTakeFirst()).numInsertedOrUpdatedRows;
  });
}
