import type { Kysely } from 'kysely';

/** Whether cutlery and napkins were asked for with an order; null on those of a release that did not keep it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('orders').addColumn('cutlery', 'integer').execute();
}
