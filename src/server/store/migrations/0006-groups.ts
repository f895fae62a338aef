import { sql, type Kysely } from 'kysely';

/** Group orders: who shares a cart, under which rules, and whose line is whose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('group_orders')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('code', 'text', (c) => c.notNull().unique())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('partner', 'text', (c) => c.notNull())
    .addColumn('cart_id', 'text', (c) => c.notNull().references('carts.id'))
    .addColumn('host_user_id', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('closes_at', 'bigint', (c) => c.notNull())
    .addColumn('limit_each', 'bigint')
    .addColumn('people', 'integer', (c) => c.notNull())
    .addColumn('changes', 'integer', (c) => c.notNull())
    .addColumn('order_id', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await sql`CREATE UNIQUE INDEX group_orders_cart ON group_orders (cart_id) WHERE state = 'OPEN'`.execute(db);
  await schema.createIndex('group_orders_host').on('group_orders').columns(['host_user_id']).execute();
  await schema
    .createTable('group_people')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('group_id', 'text', (c) => c.notNull().references('group_orders.id'))
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('is_host', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('diet', 'text', (c) => c.notNull())
    .addColumn('done', 'integer', (c) => c.notNull())
    // IN, LEFT (may come back) or OUT (taken out by the host).
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('joined_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('group_people_once', ['group_id', 'user_id'])
    .execute();
  await schema.createIndex('group_people_user').on('group_people').columns(['user_id']).execute();
  await schema.alterTable('carts').addColumn('group_id', 'text').execute();
  await schema.alterTable('cart_lines').addColumn('person_id', 'text').execute();
}
