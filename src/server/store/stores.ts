import { sql } from 'kysely';
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

/** Ids of the alerts of the catalogue that the shop tells at a store now. */
export async function toldAt(db: Db, storeId: string, seen?: SystemRow): Promise<ReadonlySet<string>> {
  const system = seen ?? (await readSystem(db));
  return await copied(db, `told ${storeId}`, system, async () => {
    const rows = await db.selectFrom('told_alerts').select('alert_id').where('store_id', '=', storeId).execute();
    return new Set(rows.map((row) => row.alert_id));
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
  return await setListed(db, { table: 'sold_out', name: 'product_id' }, { storeId, id: productId }, isSoldOut, at);
}

/** @returns whether that changes anything */
export async function setTold(db: Db, storeId: string, alertId: string, isTold: boolean, at: number): Promise<boolean> {
  return await setListed(db, { table: 'told_alerts', name: 'alert_id' }, { storeId, id: alertId }, isTold, at);
}

/** Puts something of a store onto a list, or takes it off. @returns whether that changes anything */
async function setListed(
  db: Db,
  { table, name }: { table: 'sold_out'; name: 'product_id' } | { table: 'told_alerts'; name: 'alert_id' },
  { storeId, id }: { storeId: string; id: string },
  isOn: boolean,
  at: number,
): Promise<boolean> {
  return await transact(db, async (tx) => {
    const { rows } = isOn
      ? await sql`insert into ${sql.table(table)} (store_id, ${sql.ref(name)}, since) values (${storeId}, ${id}, ${at})
          on conflict do nothing returning store_id`.execute(tx)
      : await sql`delete from ${sql.table(table)} where store_id = ${storeId} and ${sql.ref(name)} = ${id}
          returning store_id`.execute(tx);
    if (rows.length === 0) return false;
    await noteChange(tx);
    return true;
  });
}
