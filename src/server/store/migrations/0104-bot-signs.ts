import type { Kysely } from 'kysely';

/** Signs of a program that a recognised device has shown, joined by commas. Those that were kept before have none. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('fingerprints')
    .addColumn('signs', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
}
