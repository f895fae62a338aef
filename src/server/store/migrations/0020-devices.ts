import type { Kysely } from 'kysely';

/** Devices that were logged in with a number, and whose budget a code came out of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('known_devices')
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('mobile', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('known_devices_pk', ['device', 'country', 'mobile'])
    .execute();
  await schema.createIndex('known_devices_mobile').on('known_devices').columns(['country', 'mobile']).execute();
  await schema
    .alterTable('code_sends')
    .addColumn('lane', 'text', (c) => c.notNull().defaultTo('open'))
    .execute();
}
