import { sql, type Kysely } from 'kysely';

/** Tickets of the guided help, what each order's dishes were claimed for, and what each customer got by the rules. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('help_tickets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('issue', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('pieces', 'text', (c) => c.notNull())
    .addColumn('comment', 'text')
    .addColumn('worth', 'bigint', (c) => c.notNull().check(sql`worth >= 0`))
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount >= 0`))
    .addColumn('way', 'text', (c) => c.notNull())
    .addColumn('answer', 'text')
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('money_by', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('answer_by', 'bigint')
    .addColumn('answered_at', 'bigint')
    .execute();
  await schema.createIndex('help_tickets_user').on('help_tickets').columns(['user_id', 'created_at']).execute();
  await schema.createIndex('help_tickets_order').on('help_tickets').columns(['order_id']).execute();
  await schema
    .createTable('help_parts')
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('line_id', 'text', (c) => c.notNull())
    .addColumn('part', 'text', (c) => c.notNull())
    .addColumn('taken', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('help_parts_pk', ['order_id', 'line_id', 'part'])
    .execute();
  await schema
    .createTable('help_customers')
    .addColumn('who', 'text', (c) => c.primaryKey())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addColumn('claims', 'integer', (c) => c.notNull())
    .addColumn('given', 'bigint', (c) => c.notNull())
    .execute();
  // A capture may go back in several parts. Each has a name of its own in capture_id, which is unique.
  await schema.alterTable('refunds').addColumn('part_of', 'text').execute();
}
