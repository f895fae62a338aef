import type { Kysely } from 'kysely';

/** What customers say of their orders, whether they were asked, and what they say of no known order. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('feedbacks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('order_id', 'text', (c) => c.notNull().unique().references('orders.id'))
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('overall', 'integer', (c) => c.notNull())
    .addColumn('nps', 'integer', (c) => c.notNull())
    .addColumn('aspects', 'text', (c) => c.notNull())
    .addColumn('comment', 'text', (c) => c.notNull())
    .addColumn('additional', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('feedbacks_user').on('feedbacks').columns(['user_id']).execute();
  await schema
    .createTable('feedback_asks')
    .addColumn('order_id', 'text', (c) => c.primaryKey().references('orders.id'))
    .addColumn('token', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('dismissed_at', 'bigint')
    .execute();
  await schema
    .createTable('offline_feedbacks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('mobile', 'text', (c) => c.notNull())
    .addColumn('experience', 'text', (c) => c.notNull())
    .addColumn('rating', 'integer')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('offline_feedbacks_user').on('offline_feedbacks').columns(['user_id']).execute();
}
