import type { Kysely } from 'kysely';

/** Whose name stands on the shared bill of an order, once its group is swept: a deletion takes the name out. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('bill_people')
    .addColumn('person_id', 'text', (c) => c.primaryKey())
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('user_id', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('bill_people_user').on('bill_people').columns(['user_id']).execute();
}
