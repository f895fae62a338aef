import type { Kysely } from 'kysely';

/** Orders to trains, what was told of their trains, and what happens on the embedded railway. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('train_orders')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('order_id', 'text', (c) => c.unique().references('orders.id'))
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('station', 'text', (c) => c.notNull())
    .addColumn('run', 'text', (c) => c.notNull())
    .addColumn('train_number', 'text', (c) => c.notNull())
    .addColumn('train_name', 'text', (c) => c.notNull())
    .addColumn('pnr', 'text')
    .addColumn('pnr_end', 'text')
    .addColumn('coach', 'text')
    .addColumn('berth', 'text')
    .addColumn('passenger_name', 'text')
    .addColumn('passenger_mobile', 'text')
    .addColumn('mobile', 'text', (c) => c.notNull())
    .addColumn('checked_at', 'bigint')
    .addColumn('stops', 'text', (c) => c.notNull())
    .addColumn('scheduled_at', 'bigint', (c) => c.notNull())
    .addColumn('agreed_at', 'bigint', (c) => c.notNull())
    .addColumn('arrives_at', 'bigint', (c) => c.notNull())
    .addColumn('departs_at', 'bigint', (c) => c.notNull())
    .addColumn('platform', 'text')
    .addColumn('cutoff_minutes', 'integer', (c) => c.notNull())
    .addColumn('halted_at', 'bigint')
    .addColumn('question', 'text')
    .addColumn('answer_by', 'bigint')
    .addColumn('code_tries', 'integer', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addColumn('forget_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('train_orders_user').on('train_orders').columns(['user_id', 'created_at']).execute();
  await schema.createIndex('train_orders_forget').on('train_orders').columns(['forget_at']).execute();
  await schema
    .createTable('train_news')
    .addColumn('train_id', 'text', (c) => c.notNull().references('train_orders.id'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('train_news_pk', ['train_id', 'seq'])
    .execute();
  await schema
    .createTable('railway_events')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('run', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('station', 'text')
    .addColumn('minutes', 'integer')
    .addColumn('platform', 'text')
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('railway_events_run').on('railway_events').columns(['run', 'at']).execute();
  // The cart that a saved train order is for: its offers are those of trains.
  await schema.alterTable('carts').addColumn('train_order', 'text').execute();
}
