import { sql, type Kysely } from 'kysely';

/** What a job waits in line with. Jobs of before stand in the lane of their kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('jobs')
    .addColumn('lane', 'text', (c) => c.notNull().defaultTo('rest'))
    .execute();
  for (const lane of ['order', 'outbox', 'payment', 'refund', 'receipt', 'notice', 'bank'])
    await sql`update jobs set lane = ${lane} where kind like ${`${lane}.%`}`.execute(db);
  await schema.createIndex('jobs_lane_due').on('jobs').columns(['lane', 'run_at']).execute();
}
