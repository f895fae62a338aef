import type { Kysely } from 'kysely';

/** Logins with an account elsewhere that are under way: from the way to its provider to the number that is proven. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('social_logins')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('nonce', 'text', (c) => c.notNull())
    .addColumn('verifier', 'text', (c) => c.notNull())
    .addColumn('redirect_uri', 'text', (c) => c.notNull())
    .addColumn('back', 'text', (c) => c.notNull())
    .addColumn('answer', 'text')
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('token_hash', 'text', (c) => c.unique())
    .addColumn('person', 'text')
    .addColumn('done_at', 'bigint')
    .execute();
  await schema.createIndex('social_logins_end').on('social_logins').columns(['ends_at']).execute();
}
