import type { Db, Tx } from './db.ts';
import { newId } from './ids.ts';

/** What a POINTS account holds is no money: nothing is paid with it, and its entries name no order in `order_id`. */
type AccountKind = 'WALLET' | 'EGV' | 'POINTS';
export type EntryKind = 'CREDIT' | 'SPEND' | 'RETURN';
export interface AccountRow {
  id: string;
  kind: AccountKind;
  country: string;
  currency: string;
  user_id: string | null;
  balance: number;
  created_at: number;
}
export interface EntryRow {
  id: string;
  unique_key: string;
  account_id: string;
  /** Numbers the movements of one account without a gap. */
  seq: number;
  kind: EntryKind;
  amount: number;
  balance_after: number;
  order_id: string | null;
  at: number;
}

declare module './db.ts' {
  interface Tables {
    ledger_accounts: AccountRow;
    ledger_entries: EntryRow;
  }
}

export async function openAccount(db: Db, account: Omit<AccountRow, 'balance'>): Promise<void> {
  await db
    .insertInto('ledger_accounts')
    .values({ ...account, balance: 0 })
    .onConflict((c) => c.doNothing())
    .execute();
}

/** Removes an account that was opened in vain, before any movement. */
export async function dropAccount(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ledger_accounts').where('id', '=', id).execute();
}

export async function accountById(db: Db, id: string): Promise<AccountRow | undefined> {
  return await db.selectFrom('ledger_accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function walletOf(db: Db, userId: string): Promise<AccountRow | undefined> {
  return await db
    .selectFrom('ledger_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'WALLET')
    .executeTakeFirst();
}

/** The wallet of a user, opened if there is none yet. */
export async function ensureWallet(
  tx: Tx,
  of: { userId: string; country: string; currency: string; at: number },
): Promise<AccountRow> {
  await openAccount(tx, {
    id: newId('wal'),
    kind: 'WALLET',
    country: of.country,
    currency: of.currency,
    user_id: of.userId,
    created_at: of.at,
  });
  const wallet = await walletOf(tx, of.userId);
  if (wallet === undefined) throw new Error(`user ${of.userId} has no wallet`);
  return wallet;
}

export interface Movement {
  readonly key: string;
  readonly accountId: string;
  readonly kind: EntryKind;
  readonly amount: number;
  readonly orderId: string | null;
  readonly at: number;
}

/**
 * Changes a balance and records the movement, once per key. The update is guarded, so that parallel spends never take
 * more than there is. LOW: there is too little, and nothing has changed. AGAIN: this key has made its movement before,
 * and nothing has changed.
 */
export async function post(tx: Tx, move: Movement): Promise<'DONE' | 'LOW' | 'AGAIN'> {
  const change = async (by: number) =>
    await tx
      .updateTable('ledger_accounts')
      .set((e) => ({ balance: e('balance', '+', by) }))
      .where('id', '=', move.accountId)
      .where((e) => e(e('balance', '+', by), '>=', 0))
      .returning('balance')
      .executeTakeFirst();
  const after = await change(move.amount);
  // The spend that emptied the account, sent again, must be answered with AGAIN and not with LOW.
  if (after === undefined) return (await entryByKey(tx, move.key)) === undefined ? 'LOW' : 'AGAIN';
  // This transaction holds the account's row now, so nobody else can take the same number.
  const last = await tx
    .selectFrom('ledger_entries')
    .select('seq')
    .where('account_id', '=', move.accountId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const done = await tx
    .insertInto('ledger_entries')
    .values({
      id: newId('led'),
      unique_key: move.key,
      account_id: move.accountId,
      seq: (last?.seq ?? 0) + 1,
      kind: move.kind,
      amount: move.amount,
      balance_after: after.balance,
      order_id: move.orderId,
      at: move.at,
    })
    .onConflict((c) => c.column('unique_key').doNothing())
    .executeTakeFirst();
  if ((done.numInsertedOrUpdatedRows ?? 0n) === 1n) return 'DONE';
  await change(-move.amount);
  return 'AGAIN';
}

export async function entryByKey(db: Db, key: string): Promise<EntryRow | undefined> {
  return await db.selectFrom('ledger_entries').selectAll().where('unique_key', '=', key).executeTakeFirst();
}

/**
 * Movements of orders with the kind of their account, in the order they happened. `is_stray` is 1 for an e-voucher that
 * nobody can pay with: its number and pin were never typed, and no account that stays has it.
 */
export async function entriesOfOrders(db: Db, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return await db
    .selectFrom('ledger_entries')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'ledger_entries.account_id')
    .leftJoin('vouchers', 'vouchers.id', 'ledger_accounts.id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'ledger_accounts.user_id')
    .select([
      'ledger_entries.order_id',
      'ledger_entries.account_id',
      'ledger_entries.kind',
      'ledger_entries.amount',
      'ledger_entries.unique_key',
      'ledger_accounts.kind as account_kind',
      'ledger_accounts.user_id',
      'account_deletions.due_at as deleted_at',
      'vouchers.last_four',
      (e) =>
        e
          .case()
          .when(
            e.and([
              e('vouchers.is_given', '=', 1),
              // By the index of each voucher: of "not exists" in this place PostgreSQL makes one reading of all links.
              e(
                e
                  .selectFrom('voucher_links')
                  .leftJoin('account_deletions as leaving', 'leaving.user_id', 'voucher_links.user_id')
                  .select('voucher_links.user_id')
                  .whereRef('voucher_links.voucher_id', '=', 'vouchers.id')
                  .where('leaving.user_id', 'is', null)
                  .limit(1),
                'is',
                null,
              ),
            ]),
          )
          .then(1)
          .else(0)
          .end()
          .as('is_stray'),
    ])
    .where('ledger_entries.order_id', 'in', orderIds)
    .orderBy('ledger_entries.at')
    .orderBy('ledger_entries.account_id')
    .orderBy('ledger_entries.seq')
    // Entries of points name no order.
    .$narrowType<{ account_kind: 'WALLET' | 'EGV' }>()
    .execute();
}

/** Newest first. */
export async function entriesOf(
  db: Db,
  accountId: string,
  page: { since?: number; offset: number; limit: number },
): Promise<EntryRow[]> {
  return await db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('at', '>=', page.since ?? 0)
    .orderBy('seq', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

export async function countEntries(db: Db, accountId: string, since = 0): Promise<number> {
  const row = await db
    .selectFrom('ledger_entries')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('account_id', '=', accountId)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** How much came and went in all, by kind; every sum is positive. */
export async function sumsOf(db: Db, accountId: string): Promise<Record<EntryKind, number>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['kind', (e) => e.fn.sum<number>('amount').as('sum')])
    .where('account_id', '=', accountId)
    .groupBy('kind')
    .execute();
  const of = (kind: EntryKind) => Math.abs(Number(rows.find((row) => row.kind === kind)?.sum ?? 0));
  return { CREDIT: of('CREDIT'), SPEND: of('SPEND'), RETURN: of('RETURN') };
}
