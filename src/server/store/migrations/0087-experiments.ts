import { sql, type Kysely } from 'kysely';

/** Campaigns, which visitors saw which of their variations, and what those did. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('experiment_campaigns')
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('id', 'integer', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    // Its settings, goals, variations and plan, as JSON.
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('stopped_at', 'bigint')
    .addPrimaryKeyConstraint('experiment_campaigns_pk', ['country', 'id'])
    .addUniqueConstraint('experiment_campaigns_key', ['country', 'key'])
    .execute();
  await schema
    .createTable('experiment_visitors')
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('campaign_id', 'integer', (c) => c.notNull())
    .addColumn('visitor', 'text', (c) => c.notNull())
    .addColumn('variation', 'integer', (c) => c.notNull())
    // 1: another variation was shown as well, so that the visitor counts for none.
    .addColumn('mixed', 'integer', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('experiment_visitors_pk', ['country', 'campaign_id', 'visitor'])
    .execute();
  await schema.createIndex('experiment_visitors_user').on('experiment_visitors').columns(['user_id']).execute();
  await schema.createIndex('experiment_visitors_at').on('experiment_visitors').columns(['at']).execute();
  await schema
    .createTable('experiment_events')
    // Made of the message's own id, so that a message counts once.
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('campaign_id', 'integer', (c) => c.notNull())
    // 0: a tag.
    .addColumn('goal_id', 'integer', (c) => c.notNull())
    .addColumn('visitor', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('revenue', 'bigint', (c) => c.notNull().check(sql`revenue >= 0`))
    .addColumn('order_id', 'text')
    .addColumn('tag', 'text')
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('experiment_events_goal')
    .on('experiment_events')
    .columns(['country', 'campaign_id', 'goal_id', 'visitor'])
    .execute();
  await schema.createIndex('experiment_events_user').on('experiment_events').columns(['user_id']).execute();
  await schema.createIndex('experiment_events_at').on('experiment_events').columns(['at']).execute();
}
