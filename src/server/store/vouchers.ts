import type { Db, Tx } from './db.ts';

export interface VoucherRow {
  id: string;
  country: string;
  number_hash: string;
  last_four: string;
  salt: string;
  pin_hash: string;
  tries_left: number;
  locked_until: number;
  /** The number that codes for a new pin are sent to; null until one is known. */
  mobile: string | null;
  expires_at: number;
  /**
   * 1 as long as nobody has typed its number and pin: it was put among somebody's own (the help does), who is told both
   * only when they delete their account, and may not have seen them even then.
   */
  is_given: number;
}

declare module './db.ts' {
  interface Tables {
    vouchers: VoucherRow;
    voucher_links: { user_id: string; voucher_id: string; linked_at: number };
  }
}

/** False when this number is taken. */
export async function addVoucher(db: Db, row: VoucherRow): Promise<boolean> {
  const done = await db
    .insertInto('vouchers')
    .values(row)
    .onConflict((c) => c.columns(['country', 'number_hash']).doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function voucherByNumber(db: Db, country: string, numberHash: string): Promise<VoucherRow | undefined> {
  return await db
    .selectFrom('vouchers')
    .selectAll()
    .where('country', '=', country)
    .where('number_hash', '=', numberHash)
    .executeTakeFirst();
}

/**
 * Takes one of the tries and returns how many are left; null while the e-voucher is locked. When the lock has ended,
 * all tries are given back first. Each of the two is one statement.
 */
export async function takePinTry(
  db: Db,
  id: string,
  tries: number,
  lockMs: number,
  at: number,
): Promise<number | null> {
  await db
    .updateTable('vouchers')
    .set({ tries_left: tries, locked_until: 0 })
    .where('id', '=', id)
    .where('tries_left', '=', 0)
    .where('locked_until', '<=', at)
    .execute();
  const row = await db
    .updateTable('vouchers')
    .set((e) => ({ tries_left: e('tries_left', '-', 1), locked_until: at + lockMs }))
    .where('id', '=', id)
    .where('tries_left', '>', 0)
    .returning('tries_left')
    .executeTakeFirst();
  return row?.tries_left ?? null;
}

/** Somebody has typed the number and the right pin. */
export async function noteTyped(db: Db, id: string, pinHash: string, tries: number): Promise<void> {
  await db
    .updateTable('vouchers')
    .set({ tries_left: tries, locked_until: 0, is_given: 0 })
    .where('id', '=', id)
    .where('pin_hash', '=', pinHash)
    .execute();
}

/** Another number and pin, which its owner is told; whoever has it linked keeps it. */
export async function setKeys(
  tx: Tx,
  id: string,
  keys: Pick<VoucherRow, 'number_hash' | 'last_four' | 'salt' | 'pin_hash' | 'tries_left'>,
): Promise<void> {
  await tx
    .updateTable('vouchers')
    .set({ ...keys, locked_until: 0 })
    .where('id', '=', id)
    .execute();
}

/** Sets a new pin and unlinks the e-voucher from everybody: whoever knew the old pin has to know the new one. */
export async function setPin(tx: Tx, id: string, pin: { salt: string; hash: string }, tries: number): Promise<void> {
  await tx
    .updateTable('vouchers')
    .set({ salt: pin.salt, pin_hash: pin.hash, tries_left: tries, locked_until: 0 })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('voucher_links').where('voucher_id', '=', id).execute();
}

/** Sets the number unless one is known already. */
export async function setVoucherMobile(db: Db, id: string, mobile: string): Promise<void> {
  await db.updateTable('vouchers').set({ mobile }).where('id', '=', id).where('mobile', 'is', null).execute();
}

export async function keepUsable(db: Db, id: string, until: number): Promise<void> {
  await db
    .updateTable('vouchers')
    .set({ expires_at: until })
    .where('id', '=', id)
    .where('expires_at', '<', until)
    .execute();
}

export async function linkVoucher(db: Db, userId: string, voucherId: string, at: number): Promise<void> {
  await db
    .insertInto('voucher_links')
    .values({ user_id: userId, voucher_id: voucherId, linked_at: at })
    .onConflict((c) => c.doNothing())
    .execute();
}

export async function unlinkVoucher(db: Db, userId: string, voucherId: string): Promise<void> {
  await db.deleteFrom('voucher_links').where('user_id', '=', userId).where('voucher_id', '=', voucherId).execute();
}

/** A user's e-vouchers with their balances, in the order they were linked. */
export async function vouchersOf(db: Db, userId: string) {
  return await db
    .selectFrom('voucher_links')
    .innerJoin('vouchers', 'vouchers.id', 'voucher_links.voucher_id')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'vouchers.id')
    .select([
      'vouchers.id',
      'vouchers.country',
      'vouchers.last_four',
      'vouchers.expires_at',
      'vouchers.is_given',
      'ledger_accounts.balance',
      'ledger_accounts.currency',
    ])
    .where('voucher_links.user_id', '=', userId)
    .orderBy('voucher_links.linked_at')
    .orderBy('vouchers.id')
    .execute();
}
export type LinkedVoucher = Awaited<ReturnType<typeof vouchersOf>>[number];

/** A guest's e-vouchers move to the account. */
export async function moveVouchers(tx: Tx, from: string, to: string): Promise<void> {
  const own = await tx.selectFrom('voucher_links').selectAll().where('user_id', '=', from).execute();
  for (const { voucher_id: id, linked_at: at } of own) await linkVoucher(tx, to, id, at);
  await tx.deleteFrom('voucher_links').where('user_id', '=', from).execute();
}
