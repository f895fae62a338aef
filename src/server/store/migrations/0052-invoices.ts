import { sql, type Kysely } from 'kysely';

/** Invoices and credit notes with their numbers, and the files that were made of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  // One row for each run of numbers. Whoever takes a number holds it until the paper is written, so none is lost.
  await schema
    .createTable('invoice_series')
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('year', 'integer', (c) => c.notNull())
    .addColumn('last', 'integer', (c) => c.notNull().check(sql`last > 0`))
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('invoice_series_pk', ['store_id', 'kind', 'year'])
    .execute();
  // A row is written once. Only its buyer is taken out, where an account is deleted and no law wants the name.
  await schema
    .createTable('invoices')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    // What it is made out for, once: the order, or what went back of it.
    .addColumn('cause', 'text', (c) => c.notNull().unique())
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('year', 'integer', (c) => c.notNull())
    .addColumn('serial', 'integer', (c) => c.notNull())
    .addColumn('number', 'text', (c) => c.notNull().unique())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount >= 0`))
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('issued_at', 'bigint', (c) => c.notNull())
    .addColumn('paper', 'text', (c) => c.notNull())
    .addColumn('buyer', 'text')
    .addUniqueConstraint('invoices_serial', ['store_id', 'kind', 'year', 'serial'])
    .execute();
  await schema.createIndex('invoices_order').on('invoices').columns(['order_id']).execute();
  await schema
    .createTable('invoice_files')
    .addColumn('order_id', 'text', (c) => c.primaryKey())
    .addColumn('papers', 'integer', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('made_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('invoice_files_made').on('invoice_files').columns(['made_at']).execute();
}
