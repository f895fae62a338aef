import pg from 'pg';
import { makeParts } from '../../src/server/store/archive.ts';
import { openDb, transact, type Tables } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { emptyDatabase } from '../kit/server.ts';
import type { Statement } from '../kit/statements.ts';

// A shop of a given age: an order every two hours back to its first day, each customer with ten of them. An older shop has
// more history, and as much going on.

const EVERY_MS = 2 * 3_600_000;
/** Orders of each customer. */
export const ORDERS_EACH = 10;
/** What is under way, or is swept by its age, is as much in a shop of any age. */
const OPEN = 5;
const SWEPT_ROWS = 300;

/** Rows of a table for each order; other tables have `SWEPT_ROWS`. */
const PER_ORDER: Partial<Record<keyof Tables, number>> = {
  orders: 1,
  order_events: 5,
  payments: 1,
  captures: 1,
  invoices: 1,
  order_dishes: 1,
  order_numbers: 1,
  bank_charges: 1,
  bank_movements: 1,
  notices: 1,
  counted_orders: 2,
  coupon_redemptions: 1,
  loyalty_orders: 0.5,
  feedbacks: 0.2,
  feedback_asks: 0.3,
  cart_spins: 0.2,
  league_entries: 0.2,
  order_shares: 1,
  pay_links: 0.1,
  rider_notes: 0.1,
  bill_people: 0.1,
  refunds: 0.05,
  promise_credits: 0.05,
  train_orders: 0.05,
  train_news: 0.05,
  help_tickets: 0.02,
  help_parts: 0.02,
  users: 1 / ORDERS_EACH,
  carts: 1 / ORDERS_EACH,
  cart_lines: 0.3,
  sessions: 1 / ORDERS_EACH,
  access_tokens: 1 / ORDERS_EACH,
  consents: 0.2,
  addresses: 1 / ORDERS_EACH,
  favourite_products: 1 / ORDERS_EACH,
  favourite_orders: 1 / ORDERS_EACH,
  ledger_accounts: 1 / ORDERS_EACH,
  ledger_entries: 0.3,
  loyalty_members: 1 / ORDERS_EACH,
  league_players: 1 / ORDERS_EACH,
  league_scores: 1 / ORDERS_EACH,
  league_predictions: 1 / ORDERS_EACH,
  vouchers: 1 / ORDERS_EACH,
  voucher_links: 1 / ORDERS_EACH,
  saved_cards: 1 / ORDERS_EACH,
  bank_cards: 1 / ORDERS_EACH,
  passwords: 1 / ORDERS_EACH,
  identities: 1 / ORDERS_EACH,
  known_devices: 1 / ORDERS_EACH,
  push_subscriptions: 1 / ORDERS_EACH,
  linked_wallets: 1 / ORDERS_EACH,
  vendor_wallets: 1 / ORDERS_EACH,
  vendor_wallet_debits: 1 / ORDERS_EACH,
  // So many that the index of a part has as many levels in either shop.
  old_orders: 4,
  old_customers: 1 / ORDERS_EACH,
};
/** What was put away is in as many parts as the law has months, in a shop of any age; an older one has put away more. */
const ARCHIVED_MONTHS = 93;
const MONTH_MS = 30.5 * 86_400_000;
/** Written by the migrations, or as large in every shop. */
const LEFT: readonly string[] = ['system', 'secrets', 'stores', 'invoice_series', 'catalogue_entries', 'coupon_states'];

/** As ids are made: 22 signs behind what they are of. In SQL, of a number there. */
const id = (prefix: string, of: string) => `'${prefix}_' || lpad((${of})::text, 22, '0')`;
const PREFIXES: Partial<Record<keyof Tables, string>> = {
  orders: 'ord',
  old_orders: 'ord',
  users: 'user',
  carts: 'cart',
  payments: 'txn',
  sessions: 'ses',
  bank_charges: 'chg',
  vouchers: 'egv',
  train_orders: 'trn',
  group_orders: 'grp',
  ledger_accounts: 'wal',
};
const user = id('user', 'u');
/** What stands in a column of this name, by the row `i`, its order `o` and its customer `u`. */
const VALUES: Readonly<Record<string, string>> = {
  user_id: user,
  host_user_id: user,
  order_id: id('ord', 'o'),
  cart_id: id('cart', 'u'),
  payment_id: id('txn', 'o'),
  capture_id: id('cap', 'i'),
  session_id: id('ses', 'u'),
  account_id: id('wal', 'u'),
  charge_id: id('chg', 'o'),
  train_id: id('trn', 'i'),
  voucher_id: id('egv', 'i'),
  group_id: id('grp', 'i'),
  store_id: `'1010' || (o % 9 + 1)`,
  country: `'IN'`,
  host: `'web'`,
  mobile: `'9' || lpad(u::text, 9, '0')`,
  holder: `case when i % 2 = 0 then 'user:' || ${user} else 'mobile:9' || lpad(u::text, 9, '0') end`,
  status: `'DELIVERED'`,
  from_status: `'PICKED UP'`,
  delivery_type: `'DELIVERY'`,
  currency: `'INR'`,
  code: `'SAVE' || (o % 30)`,
  day: `to_char(to_timestamp(at / 1000), 'YYYY-MM-DD')`,
  cart_version: 'o',
  seq: '(i - 1) % 5 + 1',
  finished_at: 'case when isOpen then null else at end',
  settled_at: 'case when isOpen then null else at end',
  confirmed_at: 'at',
  starts_at: 'at',
  ends_at: 'at + 86400000',
  expires_at: 'at + 86400000',
  snapshot: `repeat('x', 1000)`,
  became: 'null',
  revoked_at: 'null',
  guest: 'i % 2',
  pays: '1',
  state: `'DONE'`,
  distinct: 'i',
};
const STATES: Partial<Record<keyof Tables, string>> = {
  payments: `case when isOpen then 'CREATED' else 'PAID' end`,
  refunds: `case when isOpen then 'STARTED' else 'PAID' end`,
  help_tickets: `case when isOpen then 'PERSON' else 'SETTLED' end`,
  jobs: `'DUE'`,
  idempotency: `'DONE'`,
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

function valueOf(table: keyof Tables, { name, type, isNullable }: Column, values: Growth['values'] = {}): string {
  if (name === 'id' && type === 'text') return id(PREFIXES[table] ?? table, 'i');
  if (name === 'id') return 'i';
  if (table === 'users' && name === 'cart_id') return id('cart', 'i');
  if (name === 'state') return STATES[table] ?? VALUES['state']!;
  const known = values[name] ?? VALUES[name];
  if (known !== undefined) return known;
  if (isNullable && type === 'text') return 'null';
  if (type === 'text') return `'${name} ' || i`;
  return name === 'at' || name.endsWith('_at') || name.endsWith('_by') ? 'at' : 'i % 1000 + 1';
}

/** How a shop has grown. */
export interface Growth {
  readonly orders: number;
  /** Between two orders. */
  readonly everyMs?: number;
  /** Rows of these tables for each order, in place of what is usual. */
  readonly perOrder?: typeof PER_ORDER;
  /** Other tables get no rows, either; null: each has some. */
  readonly only?: readonly (keyof Tables)[] | null;
  /** SQL for columns by their name, in place of what is usual. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A connection of one's own to the schema that DATABASE_URL names. */
export async function clientAt(target: string): Promise<{ client: pg.Client; schema: string }> {
  const address = new URL(target);
  const schema = address.searchParams.get('schema')!;
  address.search = '';
  const client = new pg.Client({ connectionString: address.href, options: `-c search_path=${schema}` });
  await client.connect();
  return { client, schema };
}

/**
 * Fills the empty tables of a shop on PostgreSQL.
 * @param client whose search path leads to this schema alone
 * @returns how many rows there are then
 */
export async function grow(client: pg.Client, schema: string, growth: Growth): Promise<number> {
  const { orders, everyMs = EVERY_MS, only = null, values: own } = growth;
  const perOrder = { ...PER_ORDER, ...growth.perOrder };
  const { rows: found } = await client.query<{ name: keyof Tables }>(
    `select table_name as name from information_schema.tables where table_schema = $1
      and table_name !~ '^kysely_' and table_name !~ '^old_orders_'`,
    [schema],
  );
  const now = Date.now();
  let count = 0;
  // Rows stand for themselves here: nobody looks whether what they point at is there.
  await client.query('set session_replication_role = replica');
  for (const { name: table } of found) {
    if (LEFT.includes(table) || only?.includes(table) === false) continue;
    const { rows: columns } = await client.query<Column>(
      `select column_name as name, data_type as type, is_nullable = 'YES' as "isNullable" from information_schema.columns
        where table_schema = $1 and table_name = $2 and is_identity = 'NO' order by ordinal_position`,
      [schema, table],
    );
    const each = perOrder[table];
    const rows = each === undefined ? SWEPT_ROWS : Math.ceil(orders * each);
    // The latest row is of the latest order, in a table of any size.
    const order = each === undefined ? `${orders} - ${SWEPT_ROWS} + i` : `ceil(i / ${each}::numeric)::int`;
    const every = table === 'old_orders' ? Math.floor((ARCHIVED_MONTHS * MONTH_MS) / orders) : everyMs;
    const names = columns.map(({ name }) => `"${name}"`).join();
    const values = columns.map((column) => `(${valueOf(table, column, own)})`).join();
    const { rowCount } = await client.query(
      `insert into "${table}" (${names}) select ${values} from (select i, o, (o - 1) / ${ORDERS_EACH} + 1 as u,
          o > ${orders - OPEN} as isOpen, ${now} - (${orders} - o) * ${every}::bigint as at
        from (select i, least(${orders}, greatest(1, ${order})) as o from generate_series(1, ${rows}) as i) as rows) as row
        on conflict do nothing`,
    );
    count += rowCount ?? 0;
    await client.query(`vacuum (analyze) "${table}"`);
  }
  await client.query('set session_replication_role = origin');
  return count;
}

export interface Shop {
  /** How many blocks a statement touches with these values; null where it cannot be done. */
  blocks(statement: Statement, values: readonly unknown[]): Promise<number | null>;
  /** The values of a statement of the tests, as of somebody and something of this shop. */
  asHere(values: readonly unknown[]): unknown[];
  drop(): Promise<void>;
}

/**
 * A shop on PostgreSQL that has had this many orders.
 * @param isSmall its tables are so small that to read one whole is cheaper than an index: it is not done, where there is one
 */
export async function grownShop(orders: number, isSmall: boolean): Promise<Shop> {
  const database = await emptyDatabase('postgres');
  const opened = await openDb(database.target);
  await migrate(opened);
  const now = Date.now();
  const months = Array.from({ length: 2 * ARCHIVED_MONTHS + 1 }, (_, half) => now - (half * MONTH_MS) / 2);
  await transact(opened.db, (tx) => makeParts(tx, months));
  await opened.db.destroy();
  const { client, schema } = await clientAt(database.target);
  await grow(client, schema, { orders });
  await client.query(`set statement_timeout = '20s'; set enable_seqscan = ${isSmall ? 'off' : 'on'}`);

  // Somebody who ordered a while ago: not the latest, not the first.
  const someOrder = orders - 95;
  const someUser = Math.floor((someOrder - 1) / ORDERS_EACH) + 1;
  const padded = (of: number) => String(of).padStart(22, '0');
  const idHere = (prefix: string) => {
    if (prefix === 'anonymous' || prefix === 'user') return `user_${padded(someUser)}`;
    return `${prefix}_${padded(['ord', 'txn', 'chg'].includes(prefix) ? someOrder : someUser)}`;
  };
  const textHere = (text: string) =>
    text
      .replaceAll(/\b([a-z]+)_[\w-]{22}(?![\w-])/g, (_, prefix: string) => idHere(prefix))
      .replaceAll(/(?<!\d)\d{10}(?!\d)/g, `9${String(someUser).padStart(9, '0')}`);
  return {
    asHere: (values) =>
      values.map((value) =>
        typeof value === 'string'
          ? textHere(value)
          : typeof value === 'number' && value > now && value < 2 * now
            ? now
            : value,
      ),
    async blocks({ postgres }, values) {
      await client.query('begin');
      try {
        const { rows } = await client.query<{
          'QUERY PLAN': readonly [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }];
        }>(`explain (analyze, buffers, timing off, format json) ${postgres}`, [...values]);
        const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
        return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      } catch {
        return null;
      } finally {
        await client.query('rollback');
      }
    },
    async drop() {
      await client.end();
      await database.drop();
    },
  };
}
