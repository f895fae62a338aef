import { sql, type Kysely } from 'kysely';

/** A vendor's person has an account in each country, as a number has. SQLite cannot change the key of a table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('identities_of_countries')
    .addColumn('vendor', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('identities_of_countries_pk', ['vendor', 'country', 'subject'])
    .execute();
  await sql`insert into identities_of_countries (vendor, country, subject, user_id, created_at)
    select i.vendor, u.country, i.subject, i.user_id, i.created_at
    from identities i join users u on u.id = i.user_id`.execute(db);
  await schema.dropTable('identities').execute();
  await schema.alterTable('identities_of_countries').renameTo('identities').execute();
  await schema.createIndex('identities_user').on('identities').columns(['user_id']).execute();
}
