import { DAY_MS } from '../../domain/time.ts';
import { sql, type RawBuilder } from 'kysely';
import { engineOf, transact, type Db, type Root, type Tables, type Tx } from './db.ts';
import { forgetPerson, NOBODY } from './deletions.ts';
import { atAddresses } from './rowAddress.ts';

/**
 * How old a row gets, in days, counted from the time in the column beside it; all ages of the store are here. Nothing of
 * an order that was placed, of money or of an invoice has one: those are kept as long as the law asks, and after the days that
 * the environment says they lose their customer (orderAges.ts) and are put away (archive.ts). Jobs that are done are gone at
 * once; those that were given up stay, for whoever has to look at them.
 */
const KEPT_DAYS = {
  /** Windows of limits. */
  counters: 0,
  /** What one phone gives to another. */
  memories: 0,
  accessTokens: 1,
  codes: 1,
  nonces: 1,
  socialLogins: 1,
  priceLocks: 1,
  cardOffers: 1,
  walletGrants: 1,
  /** When a code was sent, and the turn of its number: limits look a day back. */
  codeSends: 2,
  /** Two days back, the day is over in every country. */
  wheelDraws: 2,
  /** Replies to keys, as the interface promises them for a day. */
  replies: 1,
  /** Keys whose call never came to its end. */
  unfinishedKeys: 30,
  /** Messages of development's phones. */
  inbox: 7,
  /** A refresh token that is shown again later is unknown: still refused, but it ends nothing. */
  usedRefreshes: 30,
  /** What the store was told of an order: the order itself says it, too. */
  sentMessages: 30,
  /** Operations on carts that are known not to be done again, and lines that were taken out. */
  cartOperations: 30,
  /** Group orders after they closed; who shared a bill stays in the order. */
  groups: 30,
  /** A session after it ended; and with a person's last one the cart's contents and, if nothing else is theirs, a guest. */
  sessions: 30,
  activity: 90,
  /** Orders that a guest never paid: nobody but that guest knows of them. */
  unpaidOrders: 90,
  /** Drawn invoices: what they are drawn of stays. */
  invoiceFiles: 90,
  fingerprints: 90,
  vendorGrants: 90,
  /** Refunds that the help gave by its rules: the window of those rules (domain/help.ts) is as long. */
  helped: 30,
  /** What anybody said of a visit, about no order that we know. */
  visits: 400,
  /** Devices that were logged in, after their last time. */
  devices: 400,
} as const;

/** Rows that one statement deletes at most, and sessions or groups that one transaction does. */
export const ROWS_AT_ONCE = 200;
const SESSIONS_AT_ONCE = 50;

const before = (at: number, age: keyof typeof KEPT_DAYS) => at - KEPT_DAYS[age] * DAY_MS;

type TimeOf<T extends keyof Tables> = {
  [C in keyof Tables[T]]: Tables[T][C] extends number | null ? C : never;
}[keyof Tables[T]];
type Rule = {
  [T in keyof Tables]: readonly [T, TimeOf<T>, keyof typeof KEPT_DAYS, RawBuilder<unknown>?];
}[keyof Tables];

/** A line of a cart that still has others keeps its place among them. */
const isLastOfCart = sql`not exists (select 1 from cart_lines other where other.cart_id = cart_lines.cart_id and other.removed = 0)`;

const RULES: readonly Rule[] = [
  ['counters', 'ends_at', 'counters'],
  ['memories', 'ends_at', 'memories'],
  ['access_tokens', 'ends_at', 'accessTokens'],
  ['codes', 'ends_at', 'codes'],
  ['assistant_codes', 'ends_at', 'codes'],
  ['assistant_tokens', 'ends_at', 'accessTokens'],
  ['assistant_quotes', 'ends_at', 'priceLocks'],
  [
    'assistant_clients',
    'used_at',
    'devices',
    sql`not exists (select 1 from assistant_grants g where g.client_id = assistant_clients.id)`,
  ],
  ['code_sends', 'sent_at', 'codeSends'],
  ['known_devices', 'seen_at', 'devices'],
  ['first_orders', 'ends_at', 'counters'],
  ['code_numbers', 'turn', 'codeSends'],
  ['nonces', 'ends_at', 'nonces'],
  ['social_logins', 'ends_at', 'socialLogins'],
  ['price_locks', 'locked_until', 'priceLocks'],
  ['card_offers', 'ends_at', 'cardOffers'],
  ['vendor_wallet_grants', 'ends_at', 'walletGrants'],
  ['vendor_grants', 'ends_at', 'vendorGrants'],
  ['idempotency', 'created_at', 'replies', sql`state = 'DONE'`],
  ['idempotency', 'created_at', 'unfinishedKeys'],
  ['inbox', 'sent_at', 'inbox'],
  ['outbox', 'sent_at', 'sentMessages'],
  ['cart_operations', 'done_at', 'cartOperations'],
  ['cart_lines', 'changed_at', 'cartOperations', sql`removed = 1 and ${isLastOfCart}`],
  ['activity', 'at', 'activity'],
  ['vitals', 'at', 'activity'],
  ['experiment_visitors', 'at', 'activity'],
  ['experiment_events', 'at', 'activity'],
  ['experiment_elsewhere', 'at', 'activity'],
  ['invoice_files', 'made_at', 'invoiceFiles'],
  ['fingerprints', 'at', 'fingerprints'],
  ['used_refreshes', 'used_at', 'usedRefreshes'],
  ['help_customers', 'since', 'helped'],
  ['offline_feedbacks', 'created_at', 'visits'],
];

/** Deletes some of the rows for which `old` holds. @returns how many */
async function deleteSome(db: Db, table: string, old: RawBuilder<unknown>): Promise<number> {
  const from = sql.table(table);
  const some = atAddresses(db, (row) => sql`select ${row} from ${from} where ${old} limit ${sql.lit(ROWS_AT_ONCE)}`);
  const done = await sql`delete from ${from} where ${some}`.execute(db);
  return Number(done.numAffectedRows ?? 0n);
}

/** A group that nobody ended is ended as its host would: the guests' dishes leave the cart. */
async function deleteGroups(db: Db, at: number): Promise<number> {
  return await transact(db, async (tx) => {
    const groups = await tx
      .selectFrom('group_orders')
      .select(['id', 'cart_id', 'state'])
      .where('closes_at', '<', before(at, 'groups'))
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('orders')
              .select('orders.id')
              .whereRef('orders.id', '=', 'group_orders.order_id')
              .where('orders.finished_at', 'is', null),
          ),
        ),
      )
      .limit(SESSIONS_AT_ONCE)
      .execute();
    if (groups.length === 0) return 0;
    const ids = groups.map(({ id }) => id);
    const open = groups.filter(({ state }) => state === 'OPEN').map(({ cart_id }) => cart_id);
    if (open.length > 0) {
      await tx
        .updateTable('cart_lines')
        .set({ removed: 1, quantity: 0, changed_at: at })
        .where('cart_id', 'in', open)
        .where('person_id', 'is not', null)
        .where('removed', '=', 0)
        .execute();
      await tx
        .updateTable('carts')
        .set((e) => ({ group_id: null, version: e('version', '+', 1) }))
        .where('group_id', 'in', ids)
        .execute();
    }
    await tx
      .insertInto('bill_people')
      .columns(['person_id', 'order_id', 'user_id'])
      .expression((e) =>
        e
          .selectFrom('group_people')
          .innerJoin('group_orders', 'group_orders.id', 'group_people.group_id')
          .innerJoin('orders', 'orders.id', 'group_orders.order_id')
          .select(['group_people.id', 'orders.id as order_id', 'group_people.user_id'])
          .where('group_people.group_id', 'in', ids)
          .where('group_people.is_host', '=', 0),
      )
      .execute();
    await tx.deleteFrom('group_people').where('group_id', 'in', ids).execute();
    await tx.deleteFrom('group_orders').where('id', 'in', ids).execute();
    return groups.length;
  });
}

/** What keeps an order although it was never placed: money that moved for it, papers, and whom else it concerns. */
const KEEPING_ORDER = [
  sql`select 1 from captures c where c.order_id = orders.id`,
  sql`select 1 from refunds r where r.order_id = orders.id`,
  sql`select 1 from ledger_entries l where l.order_id = orders.id`,
  sql`select 1 from invoices i where i.order_id = orders.id`,
  sql`select 1 from help_tickets h where h.order_id = orders.id`,
  sql`select 1 from feedbacks f where f.order_id = orders.id`,
  sql`select 1 from group_orders g where g.order_id = orders.id`,
];
const OF_ORDER = [
  ...(['order_events', 'outbox', 'payments', 'pay_links', 'order_shares', 'rider_notes', 'order_dishes'] as const),
  ...(['favourite_orders', 'feedback_asks', 'promise_credits', 'loyalty_orders', 'bill_people'] as const),
  ...(['train_orders', 'coupon_redemptions', 'counted_orders'] as const),
] satisfies readonly (keyof Tables)[];

/** Names, numbers and addresses of guests who left before they paid; with the last of its orders a guest goes, too. */
async function deleteUnpaid(db: Db, at: number): Promise<number> {
  return await transact(db, async (tx) => {
    const orders = await tx
      .selectFrom('orders')
      .innerJoin('users', 'users.id', 'orders.user_id')
      .select(['orders.id', 'orders.user_id'])
      .where('users.guest', '=', 1)
      .where('orders.confirmed_at', 'is', null)
      .where('orders.finished_at', '<', before(at, 'unpaidOrders'))
      .where(sql<boolean>`not exists (${sql.join(KEEPING_ORDER, sql` union all `)})`)
      .limit(SESSIONS_AT_ONCE)
      .execute();
    if (orders.length === 0) return 0;
    const ids = orders.map(({ id }) => id);
    for (const table of OF_ORDER) await tx.deleteFrom(table).where('order_id', 'in', ids).execute();
    await tx.deleteFrom('orders').where('id', 'in', ids).execute();
    await deleteGuests(tx, [...new Set(orders.map(({ user_id }) => user_id))], at);
    return orders.length;
  });
}

const HAS_NO_SESSION = sql<boolean>`not exists (select 1 from sessions s where s.user_id = users.id)`;

/** Nobody can come back to a guest, nor to a cart, whose last session is over. */
async function deleteSessions(db: Db, at: number): Promise<number> {
  return await transact(db, async (tx) => {
    const ended = before(at, 'sessions');
    const over = await tx
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where((e) => e.or([e('ends_at', '<', ended), e('revoked_at', '<', ended)]))
      .limit(SESSIONS_AT_ONCE)
      .execute();
    if (over.length === 0) return 0;
    const sessionIds = over.map(({ id }) => id);
    for (const table of ['access_tokens', 'used_refreshes', 'assistant_grants', 'assistant_tokens'] as const)
      await tx.deleteFrom(table).where('session_id', 'in', sessionIds).execute();
    // A browser that nobody is logged in at any more hears of no orders.
    await tx.deleteFrom('push_subscriptions').where('session_id', 'in', sessionIds).execute();
    await tx.deleteFrom('sessions').where('id', 'in', sessionIds).execute();
    const gone = await tx
      .selectFrom('users')
      .select(['id', 'cart_id'])
      .where('id', 'in', [...new Set(over.map(({ user_id }) => user_id))])
      .where(HAS_NO_SESSION)
      .execute();
    if (gone.length > 0) {
      await emptyCarts(
        tx,
        gone.map((user) => user.cart_id),
      );
      const ids = gone.map((user) => user.id);
      await tx.deleteFrom('push_subscriptions').where('user_id', 'in', ids).execute();
      await deleteGuests(tx, ids, at);
    }
    return over.length;
  });
}

/**
 * The row of a cart stays as long as its owner: an order is known by its cart and the cart's version, which must never
 * begin again.
 */
async function emptyCarts(tx: Tx, cartIds: readonly string[]): Promise<void> {
  for (const table of ['cart_coupons', 'cart_lines', 'cart_operations'] as const)
    await tx.deleteFrom(table).where('cart_id', 'in', cartIds).execute();
  await tx
    .updateTable('carts')
    .set((e) => ({ version: e('version', '+', 1), tip: 0, carry_bag: 0, cutlery: 0, payment_mode: null }))
    .where('id', 'in', cartIds)
    .execute();
}

/** What keeps the guest it belongs to: orders that name their customer, money, ways to money. */
const KEEPING = [
  sql`select 1 from orders where orders.user_id = users.id and orders.idempotency_key <> orders.id`,
  sql`select 1 from orders where orders.cart_id = users.cart_id and orders.finished_at is null`,
  sql`select 1 from ledger_accounts a where a.user_id = users.id`,
  sql`select 1 from voucher_links v where v.user_id = users.id`,
  sql`select 1 from linked_wallets w where w.user_id = users.id`,
  sql`select 1 from saved_cards c where c.user_id = users.id`,
  sql`select 1 from group_people p where p.user_id = users.id`,
  sql`select 1 from group_orders g where g.cart_id = users.cart_id or g.host_user_id = users.id`,
];

/** Hold nothing of somebody whose sessions are over for long, and would be read whole for it. */
const EMPTY_BY_THEN: ReadonlySet<keyof Tables> = new Set([
  ...(['card_offers', 'codes', 'counters', 'group_orders', 'group_people', 'idempotency', 'inbox', 'jobs'] as const),
  ...(['nonces', 'price_locks', 'social_logins', 'vendor_grants', 'vendor_wallet_grants'] as const),
]);

/** Whom the books of guests belong to whose orders are all old. */
const nobodyOf = (country: string) => `${NOBODY}_guests_${country}`;

/**
 * Of these users, the guests whom nobody can be any more, and whom nothing keeps. What the books have of one is nobody's.
 * @param at epoch ms
 */
export async function deleteGuests(tx: Tx, userIds: readonly string[], at: number): Promise<void> {
  if (userIds.length === 0) return;
  const found = await tx
    .selectFrom('users')
    .select(['id', 'country', 'cart_id'])
    .where('id', 'in', userIds)
    .where('guest', '=', 1)
    .where(HAS_NO_SESSION)
    .where(sql<boolean>`not exists (${sql.join(KEEPING, sql` union all `)})`)
    .execute();
  if (found.length === 0) return;
  const orders = await tx
    .selectFrom('orders')
    .select('user_id')
    .distinct()
    .where(
      'user_id',
      'in',
      found.map(({ id }) => id),
    )
    .execute();
  const haveOrdered = new Set(orders.map(({ user_id }) => user_id));
  const buyers = found.filter(({ id }) => haveOrdered.has(id));
  const guests = found.filter(({ id }) => !haveOrdered.has(id));
  for (const [country, those] of Map.groupBy(buyers, (buyer) => buyer.country)) {
    const userIds = those.map(({ id }) => id);
    const who = { userIds, country, mobile: null, international: null, nobody: nobodyOf(country) };
    await forgetPerson(tx, who, at, EMPTY_BY_THEN);
  }
  if (guests.length === 0) return;
  const [ids, cartIds] = [guests.map(({ id }) => id), guests.map(({ cart_id }) => cart_id)];
  for (const table of ['addresses', 'favourite_products', 'fingerprints', 'memories', 'bill_people'] as const)
    await tx.deleteFrom(table).where('user_id', 'in', ids).execute();
  await tx.deleteFrom('cart_spins').where('cart_id', 'in', cartIds).where('order_id', 'is', null).execute();
  await tx.deleteFrom('carts').where('id', 'in', cartIds).execute();
  await tx.deleteFrom('users').where('id', 'in', ids).execute();
}

/** The log in which SQLite writes first still has what was deleted: its end is cut, once all of it is in the file. */
export async function cutLog(db: Root): Promise<void> {
  if (engineOf(db) === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/**
 * Deletes what is old, in so small batches that nobody has to wait long for one.
 * @param at epoch ms of the shop's clock
 * @param most batches that are done at most
 * @returns whether everything old is gone
 */
export async function sweep(db: Root, at: number, most = Number.POSITIVE_INFINITY): Promise<boolean> {
  const steps = [
    ...RULES.map(([table, time, age, more]) => {
      const old = sql`${sql.ref(time)} < ${before(at, age)}`;
      return { size: ROWS_AT_ONCE, some: () => deleteSome(db, table, more ? sql`${old} and ${more}` : old) };
    }),
    {
      size: ROWS_AT_ONCE,
      some: () =>
        deleteSome(db, 'wheel_draws', sql`day < ${new Date(before(at, 'wheelDraws')).toISOString().slice(0, 10)}`),
    },
    { size: SESSIONS_AT_ONCE, some: () => deleteGroups(db, at) },
    { size: SESSIONS_AT_ONCE, some: () => deleteSessions(db, at) },
    { size: SESSIONS_AT_ONCE, some: () => deleteUnpaid(db, at) },
  ];
  let batches = 0;
  for (const { size, some } of steps)
    do {
      if (batches >= most) return false;
      batches += 1;
      // SQLite answers without leaving this turn of the event loop: without this, no request would even be read.
      await new Promise((next) => setImmediate(next));
    } while ((await some()) === size);
  await cutLog(db);
  return true;
}
