import type { Kysely } from 'kysely';

/** Which quotes of an assistant took each other's place. Those from before go within the hour. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('assistant_quotes')
    .addColumn('checkout_id', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await schema
    .alterTable('assistant_quotes')
    .addColumn('made_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await schema.createIndex('assistant_quotes_checkout').on('assistant_quotes').column('checkout_id').execute();
}
