import { sql, type Kysely } from 'kysely';

/** The league: who plays, what gave slices, their sum in each season, what was predicted, and how matches ended. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('league_players')
    .addColumn('user_id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('nickname', 'text')
    // Without case and signs: two players cannot be taken for each other.
    .addColumn('nickname_key', 'text', (c) => c.unique())
    .addColumn('joined_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('league_entries')
    // What gave or took the slices: it does so once.
    .addColumn('unique_key', 'text', (c) => c.primaryKey())
    .addColumn('season', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('amount', 'integer', (c) => c.notNull().check(sql`amount <> 0`))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('league_entries_user').on('league_entries').columns(['user_id', 'season']).execute();
  await schema
    .createTable('league_scores')
    .addColumn('season', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('slices', 'integer', (c) => c.notNull())
    .addColumn('reached_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('league_scores_pk', ['season', 'user_id'])
    .execute();
  await schema
    .createIndex('league_scores_place')
    .on('league_scores')
    .columns(['season', 'slices desc', 'reached_at', 'user_id'])
    .execute();
  await schema.createIndex('league_scores_user').on('league_scores').columns(['user_id']).execute();
  await schema
    .createTable('league_predictions')
    .addColumn('match_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('pick', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('league_predictions_pk', ['match_id', 'user_id'])
    .execute();
  await schema.createIndex('league_predictions_user').on('league_predictions').columns(['user_id']).execute();
  await schema
    .createTable('league_results')
    .addColumn('match_id', 'text', (c) => c.primaryKey())
    // Orders per store, in tenths.
    .addColumn('home', 'integer', (c) => c.notNull())
    .addColumn('away', 'integer', (c) => c.notNull())
    .addColumn('decided_at', 'bigint', (c) => c.notNull())
    .execute();
}
