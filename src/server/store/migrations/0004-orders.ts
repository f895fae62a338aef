import { sql, type Kysely } from 'kysely';

/** Orders, payments and their money, the price locks, and the embedded bank's own books. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('orders')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('number', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('partner', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('mobile', 'text', (c) => c.notNull())
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('cart_id', 'text', (c) => c.notNull())
    .addColumn('cart_version', 'bigint', (c) => c.notNull())
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('delivery_type', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('stage', 'text')
    .addColumn('total', 'bigint', (c) => c.notNull().check(sql`total >= 0`))
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('snapshot', 'text', (c) => c.notNull())
    .addColumn('submitted_at', 'bigint', (c) => c.notNull())
    .addColumn('scheduled_for', 'bigint')
    .addColumn('starts_at', 'bigint')
    .addColumn('confirmed_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('life', 'text')
    .addColumn('settle_by', 'bigint', (c) => c.notNull())
    .addColumn('hand_over_code', 'text')
    .addColumn('arrived_at', 'bigint')
    .addColumn('bay', 'text')
    .addColumn('promise_deadline', 'bigint')
    .addColumn('promise_state', 'text')
    // One version of a cart becomes one order at most, whatever keys it was sent with.
    .addUniqueConstraint('orders_cart_once', ['cart_id', 'cart_version'])
    .execute();
  await schema.createIndex('orders_user').on('orders').columns(['user_id', 'submitted_at']).execute();
  await schema.createIndex('orders_key').on('orders').columns(['user_id', 'idempotency_key']).execute();
  await schema.createIndex('orders_store').on('orders').columns(['store_id', 'submitted_at']).execute();

  await schema
    .createTable('order_numbers')
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('number', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('order_numbers_pk', ['store_id', 'day', 'number'])
    .execute();

  await schema
    .createTable('order_events')
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('from_status', 'text')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('stage', 'text')
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('order_events_pk', ['order_id', 'seq'])
    .execute();

  await schema
    .createTable('promise_credits')
    .addColumn('order_id', 'text', (c) => c.primaryKey().references('orders.id'))
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount >= 0`))
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('outbox')
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('sent_at', 'bigint')
    .addPrimaryKeyConstraint('outbox_pk', ['order_id', 'kind'])
    .execute();

  await schema
    .createTable('price_locks')
    .addColumn('cart_id', 'text', (c) => c.notNull())
    .addColumn('cart_version', 'bigint', (c) => c.notNull())
    .addColumn('context', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('total', 'bigint', (c) => c.notNull())
    .addColumn('quote', 'text', (c) => c.notNull())
    .addColumn('priced_at', 'bigint', (c) => c.notNull())
    .addColumn('locked_until', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('price_locks_pk', ['cart_id', 'cart_version', 'context'])
    .execute();

  await schema
    .createTable('payments')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('reference', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount >= 0`))
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('step', 'text')
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('return_path', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('settle_by', 'bigint', (c) => c.notNull())
    .addColumn('settled_at', 'bigint')
    .addColumn('code', 'text')
    .addUniqueConstraint('payments_attempt', ['order_id', 'attempt'])
    .execute();

  // What the provider says it received: one row per movement of money, of which at most one pays an order.
  await schema
    .createTable('captures')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('pays', 'integer', (c) => c.notNull())
    .execute();
  await sql`CREATE UNIQUE INDEX captures_pay_once ON captures (order_id) WHERE pays = 1`.execute(db);

  await schema
    .createTable('refunds')
    .addColumn('id', 'text', (c) => c.primaryKey())
    // A capture, or the reversal of a debit that never became one; refunded once at most.
    .addColumn('capture_id', 'text', (c) => c.notNull().unique())
    .addColumn('payment_id', 'text', (c) => c.notNull().references('payments.id'))
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('amount', 'bigint', (c) => c.notNull().check(sql`amount > 0`))
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('by_provider', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expected_from', 'bigint', (c) => c.notNull())
    .addColumn('expected_to', 'bigint', (c) => c.notNull())
    .addColumn('paid_at', 'bigint')
    .execute();
  await schema.createIndex('refunds_order').on('refunds').columns(['order_id']).execute();

  await schema
    .createTable('notices')
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('received_at', 'bigint', (c) => c.notNull())
    .addColumn('times', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('notices_pk', ['reference', 'status'])
    .execute();

  // The tables of the embedded bank. Nothing above reads them: the shop asks the bank over HTTP.
  await schema
    .createTable('bank_charges')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('reference', 'text', (c) => c.notNull().unique())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('payee_vpa', 'text')
    .addColumn('return_url', 'text', (c) => c.notNull())
    .addColumn('notify_url', 'text', (c) => c.notNull())
    .addColumn('page_key', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text')
    .addColumn('debited', 'integer', (c) => c.notNull())
    .addColumn('bin', 'text')
    .addColumn('last_four', 'text')
    .addColumn('collect_vpa', 'text')
    .addColumn('token', 'text')
    .addColumn('token_used', 'integer', (c) => c.notNull())
    .addColumn('code', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('bank_movements')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('charge_id', 'text', (c) => c.notNull().references('bank_charges.id'))
    // in: the customer's money arrived; back: the bank itself returned a debit; refund: the merchant asked for it.
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('of_id', 'text')
    .addColumn('amount', 'bigint', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('done_at', 'bigint')
    .execute();
  await schema.createIndex('bank_movements_charge').on('bank_movements').columns(['charge_id']).execute();
  await schema
    .createTable('bank_cards')
    .addColumn('token', 'text', (c) => c.primaryKey())
    .addColumn('bin', 'text', (c) => c.notNull())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('brand', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
}
