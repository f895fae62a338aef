import type { AddressInput } from '../../contract/addresses.ts';
import { newId } from './ids.ts';
import type { Db } from './db.ts';

declare module './db.ts' {
  interface Tables {
    addresses: { id: string; user_id: string; address: string; created_at: number; changed_at: number };
  }
}

export interface SavedAddress {
  readonly id: string;
  readonly address: AddressInput;
}

const shown = (row: { id: string; address: string }): SavedAddress => ({
  id: row.id,
  address: JSON.parse(row.address) as AddressInput,
});

/** Newest first. */
export async function addressesOf(db: Db, userId: string): Promise<SavedAddress[]> {
  const rows = await db
    .selectFrom('addresses')
    .select(['id', 'address'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(shown);
}

/**
 * Saves an address; null when the person has `atMost` already. An address that is saved already, word for word, is
 * returned instead.
 */
export async function addAddress(
  db: Db,
  userId: string,
  address: AddressInput,
  at: number,
  atMost: number,
): Promise<SavedAddress | null> {
  const text = JSON.stringify(address);
  const rows = await db.selectFrom('addresses').select(['id', 'address']).where('user_id', '=', userId).execute();
  const same = rows.find((row) => row.address === text);
  if (same !== undefined) return shown(same);
  if (rows.length >= atMost) return null;
  const id = newId('adr');
  await db
    .insertInto('addresses')
    .values({ id, user_id: userId, address: text, created_at: at, changed_at: at })
    .execute();
  return { id, address };
}

/** False if this person has no address with this id. */
export async function changeAddress(
  db: Db,
  userId: string,
  id: string,
  address: AddressInput,
  at: number,
): Promise<boolean> {
  const done = await db
    .updateTable('addresses')
    .set({ address: JSON.stringify(address), changed_at: at })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function removeAddress(db: Db, userId: string, id: string): Promise<boolean> {
  const done = await db.deleteFrom('addresses').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return done.numDeletedRows === 1n;
}

export async function moveAddresses(db: Db, fromUserId: string, toUserId: string): Promise<void> {
  await db.updateTable('addresses').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}
