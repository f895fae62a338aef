import type { Db, Tx, Tables } from './db.ts';

declare module './db.ts' {
  interface Tables {
    linked_wallets: { user_id: string; provider: string; mobile: string; token: string; linked_at: number };
    /** The tables of the embedded provider: its customers, what they have allowed, and what they paid. */
    vendor_wallets: { mobile: string; balance: number };
    vendor_wallet_grants: {
      hash: string;
      kind: 'asked' | 'token';
      mobile: string;
      code_hash: string | null;
      tries_left: number;
      ends_at: number;
    };
    vendor_wallet_debits: { charge_id: string; mobile: string; amount: number; returned: number };
  }
}

export async function linkedWallet(db: Db, userId: string, provider: string) {
  return await db
    .selectFrom('linked_wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst();
}

export async function linkedWalletsOf(db: Db, userId: string) {
  return await db.selectFrom('linked_wallets').selectAll().where('user_id', '=', userId).execute();
}

export async function keepLinked(db: Db, row: Tables['linked_wallets']): Promise<void> {
  await db
    .insertInto('linked_wallets')
    .values(row)
    .onConflict((c) =>
      c
        .columns(['user_id', 'provider'])
        .doUpdateSet({ mobile: row.mobile, token: row.token, linked_at: row.linked_at }),
    )
    .execute();
}

/** Removes the link only if it still has this token: one that was made in the meantime stays. */
export async function dropLinked(db: Db, userId: string, provider: string, token: string): Promise<void> {
  await db
    .deleteFrom('linked_wallets')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('token', '=', token)
    .execute();
}

// The tables of the embedded provider.

export async function openVendorWallet(db: Db, mobile: string, opening: number): Promise<void> {
  await db
    .insertInto('vendor_wallets')
    .values({ mobile, balance: opening })
    .onConflict((c) => c.doNothing())
    .execute();
}

export async function vendorBalance(db: Db, mobile: string): Promise<number> {
  return (
    (await db.selectFrom('vendor_wallets').select('balance').where('mobile', '=', mobile).executeTakeFirst())
      ?.balance ?? 0
  );
}

/** A guarded update: false when the balance is too small. */
export async function moveVendorBalance(tx: Db, mobile: string, by: number): Promise<boolean> {
  const done = await tx
    .updateTable('vendor_wallets')
    .set((e) => ({ balance: e('balance', '+', by) }))
    .where('mobile', '=', mobile)
    .where((e) => e(e('balance', '+', by), '>=', 0))
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function addVendorGrant(db: Db, row: Tables['vendor_wallet_grants']): Promise<void> {
  await db.insertInto('vendor_wallet_grants').values(row).execute();
}

export async function vendorGrant(db: Db, hash: string, kind: 'asked' | 'token') {
  return await db
    .selectFrom('vendor_wallet_grants')
    .selectAll()
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** Takes one try of a code and returns how many are left; null when there was none. */
export async function takeVendorTry(db: Db, hash: string): Promise<number | null> {
  const row = await db
    .updateTable('vendor_wallet_grants')
    .set((e) => ({ tries_left: e('tries_left', '-', 1) }))
    .where('hash', '=', hash)
    .where('kind', '=', 'asked')
    .where('tries_left', '>', 0)
    .returning('tries_left')
    .executeTakeFirst();
  return row?.tries_left ?? null;
}

/** True for the one call that removed it. */
export async function dropVendorGrant(db: Db, hash: string): Promise<boolean> {
  return (
    (await db.deleteFrom('vendor_wallet_grants').where('hash', '=', hash).executeTakeFirst()).numDeletedRows === 1n
  );
}

export async function addDebit(tx: Tx, row: Tables['vendor_wallet_debits']): Promise<boolean> {
  const done = await tx
    .insertInto('vendor_wallet_debits')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

/** Payments of a wallet, and how much of each has come back into its balance. */
export async function debitsOf(db: Db, mobile: string) {
  return await db.selectFrom('vendor_wallet_debits').selectAll().where('mobile', '=', mobile).execute();
}

/** True for the one call that changed it from `from`. */
export async function setReturned(tx: Db, chargeId: string, from: number, to: number): Promise<boolean> {
  const done = await tx
    .updateTable('vendor_wallet_debits')
    .set({ returned: to })
    .where('charge_id', '=', chargeId)
    .where('returned', '=', from)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}
