import { sql, type Kysely } from 'kysely';

/** The rewards programme: who is in it, which orders earned points, what gives points besides orders. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('loyalty_members')
    // Points are kept in the ledger of balances, on an account of their own.
    .addColumn('account_id', 'text', (c) => c.primaryKey().references('ledger_accounts.id'))
    .addColumn('user_id', 'text', (c) => c.notNull().unique())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('card_code', 'text', (c) => c.notNull().unique())
    .addColumn('status', 'text', (c) => c.notNull())
    // When the status began: whoever comes back begins anew.
    .addColumn('since', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('loyalty_orders')
    .addColumn('order_id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('loyalty_members.account_id'))
    // The store's local day, YYYY-MM-DD.
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('points', 'integer', (c) => c.notNull().check(sql`points > 0`))
    .addColumn('delivered_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    // One order of a day earns points.
    .addUniqueConstraint('loyalty_orders_day', ['account_id', 'day'])
    .execute();

  await schema
    .createTable('loyalty_campaigns')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('points', 'integer', (c) => c.notNull().check(sql`points > 0`))
    .addColumn('starts_at', 'bigint', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('loyalty_campaigns_country').on('loyalty_campaigns').columns(['country']).execute();

  await schema
    .alterTable('carts')
    .addColumn('reward', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
