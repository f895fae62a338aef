import type { Kysely } from 'kysely';

/** A browser hears of orders as long as the session that asked for it. Of what was asked for before, none is known. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('push_subscriptions').addColumn('session_id', 'text').execute();
  await schema.createIndex('push_session').on('push_subscriptions').columns(['session_id']).execute();
}
