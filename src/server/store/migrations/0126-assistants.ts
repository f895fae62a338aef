import type { Kysely } from 'kysely';

/** Programs of assistants, what their customers have allowed them, and with what they come back. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('assistant_clients')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('redirects', 'text', (c) => c.notNull())
    .addColumn('used_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('assistant_codes')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('redirect', 'text', (c) => c.notNull())
    .addColumn('challenge', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text')
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('assistant_codes_user').on('assistant_codes').column('user_id').execute();
  await schema.createIndex('assistant_codes_end').on('assistant_codes').column('ends_at').execute();
  await schema
    .createTable('assistant_grants')
    .addColumn('session_id', 'text', (c) => c.primaryKey())
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('assistant_tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('assistant_tokens_session').on('assistant_tokens').column('session_id').execute();
  await schema.createIndex('assistant_tokens_end').on('assistant_tokens').column('ends_at').execute();
  await schema
    .createTable('assistant_quotes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('wish', 'text', (c) => c.notNull())
    .addColumn('cart_version', 'integer', (c) => c.notNull())
    .addColumn('total', 'bigint', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addColumn('order_id', 'text')
    .execute();
  await schema.createIndex('assistant_quotes_user').on('assistant_quotes').column('user_id').execute();
  await schema.createIndex('assistant_quotes_end').on('assistant_quotes').column('ends_at').execute();
}
