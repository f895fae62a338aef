import { sql, type Kysely } from 'kysely';

/**
 * Balances that customers hold with us, every movement of them, e-vouchers with their pins, and wallets that are linked
 * at a provider.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('ledger_accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    // A wallet has one owner, and an owner has one wallet. Null for an e-voucher: it belongs to whoever knows its pin.
    .addColumn('user_id', 'text', (c) => c.unique())
    .addColumn('balance', 'bigint', (c) => c.notNull().check(sql`balance >= 0`))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();

  // A row is written once and never changed; its unique key makes every movement happen only once.
  await schema
    .createTable('ledger_entries')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('unique_key', 'text', (c) => c.notNull().unique())
    .addColumn('account_id', 'text', (c) => c.notNull().references('ledger_accounts.id'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount <> 0`))
    .addColumn('balance_after', 'bigint', (c) => c.notNull().check(sql`balance_after >= 0`))
    .addColumn('order_id', 'text')
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('ledger_entries_seq', ['account_id', 'seq'])
    .execute();
  await schema.createIndex('ledger_entries_order').on('ledger_entries').columns(['order_id']).execute();

  await schema
    .createTable('vouchers')
    .addColumn('id', 'text', (c) => c.primaryKey().references('ledger_accounts.id'))
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('number_hash', 'text', (c) => c.notNull())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('salt', 'text', (c) => c.notNull())
    .addColumn('pin_hash', 'text', (c) => c.notNull())
    .addColumn('tries_left', 'integer', (c) => c.notNull())
    .addColumn('locked_until', 'bigint', (c) => c.notNull())
    .addColumn('mobile', 'text')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('vouchers_number', ['country', 'number_hash'])
    .execute();

  await schema
    .createTable('voucher_links')
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('voucher_id', 'text', (c) => c.notNull().references('vouchers.id'))
    .addColumn('linked_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('voucher_links_pk', ['user_id', 'voucher_id'])
    .execute();

  await schema
    .createTable('linked_wallets')
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('mobile', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('linked_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('linked_wallets_pk', ['user_id', 'provider'])
    .execute();

  // The tables of the embedded provider. Nothing above reads them: the shop asks the provider over HTTP.
  await schema
    .createTable('vendor_wallets')
    .addColumn('mobile', 'text', (c) => c.primaryKey())
    .addColumn('balance', 'bigint', (c) => c.notNull().check(sql`balance >= 0`))
    .execute();
  await schema
    .createTable('vendor_wallet_grants')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('mobile', 'text', (c) => c.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('tries_left', 'integer', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
  // `returned`: how much of the charge has come back into the wallet.
  await schema
    .createTable('vendor_wallet_debits')
    .addColumn('charge_id', 'text', (c) => c.primaryKey().references('bank_charges.id'))
    .addColumn('mobile', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('returned', 'bigint', (c) => c.notNull())
    .execute();
}
