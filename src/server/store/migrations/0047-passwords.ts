import type { Kysely } from 'kysely';

/** Passwords of accounts, where a country has them: nothing but what scrypt made of them. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('passwords')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('set_at', 'bigint', (c) => c.notNull())
    .execute();
}
