import type { Kysely } from 'kysely';

/** Which visitors of an experiment service elsewhere are whose, so that it hears of their orders. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('experiment_elsewhere')
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('campaign_id', 'integer', (c) => c.notNull())
    .addColumn('visitor', 'text', (c) => c.notNull())
    .addColumn('variation', 'integer', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('experiment_elsewhere_pk', ['country', 'campaign_id', 'visitor'])
    .execute();
  await schema.createIndex('experiment_elsewhere_user').on('experiment_elsewhere').columns(['user_id']).execute();
  await schema.createIndex('experiment_elsewhere_at').on('experiment_elsewhere').columns(['at']).execute();
}
