import type { Kysely } from 'kysely';

/** Accounts that are to be deleted, and what people agreed to or took back, each time they did. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('account_deletions')
    .addColumn('user_id', 'text', (c) => c.primaryKey())
    .addColumn('asked_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    // Who the books belong to afterwards: an id that is known nowhere else.
    .addColumn('nobody', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('consents')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('given', 'integer', (c) => c.notNull())
    // Of the text that was agreed to.
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('consents_user').on('consents').columns(['user_id', 'at']).execute();
}
