import type { Kysely } from 'kysely';

/**
 * Access tokens are found by their session, to be replaced; and what tells a lost reply of a refresh from a refresh token
 * that is shown again. Rows of before count as heard.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('access_tokens').addColumn('answers', 'text').execute();
  await schema
    .alterTable('used_refreshes')
    .addColumn('unheard', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('access_tokens_session').on('access_tokens').columns(['session_id']).execute();
}
