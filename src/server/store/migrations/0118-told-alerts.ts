import type { Kysely } from 'kysely';

/** The alerts of the catalogue that the shop tells at a store now (npm run stores). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('told_alerts')
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('alert_id', 'text', (c) => c.notNull())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('told_alerts_pk', ['store_id', 'alert_id'])
    .execute();
}
