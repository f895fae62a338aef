import type { Kysely } from 'kysely';

/** What a guest's device won at the wheel on a day: another guest identity on the same device gets the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wheel_draws')
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('slot', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('wheel_draws_pk', ['device', 'day'])
    .execute();
}
