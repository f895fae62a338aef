import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';
import { engineOf, openDb, transact } from './db.ts';
import type { Db, Opened, Tx } from './db.ts';
import * as core from './migrations/0001-core.ts';
import * as catalogue from './migrations/0002-catalogue.ts';
import * as carts from './migrations/0003-carts.ts';
import * as orders from './migrations/0004-orders.ts';
import * as offers from './migrations/0005-offers.ts';
import * as groups from './migrations/0006-groups.ts';
import * as arriving from './migrations/0007-arriving.ts';
import * as wheel from './migrations/0008-wheel.ts';
import * as activity from './migrations/0009-activity.ts';
import * as wallets from './migrations/0010-wallets.ts';
import * as payways from './migrations/0011-payways.ts';
import * as memories from './migrations/0012-memories.ts';
import * as hosts from './migrations/0013-hosts.ts';
import * as languages from './migrations/0014-languages.ts';
import * as aside from './migrations/0015-aside.ts';
import * as bestOffer from './migrations/0016-best-offer.ts';
import * as lanes from './migrations/0017-lanes.ts';
import * as developed from './migrations/0018-developed.ts';
import * as identities from './migrations/0019-identities.ts';
import * as devices from './migrations/0020-devices.ts';
import * as firstOrders from './migrations/0021-first-orders.ts';
import * as replaced from './migrations/0023-replaced.ts';
import * as ages from './migrations/0024-ages.ts';
import * as probes from './migrations/0025-probes.ts';
import * as watched from './migrations/0027-watched.ts';
import * as kitchens from './migrations/0031-kitchens.ts';
import * as pushSessions from './migrations/0034-push-sessions.ts';
import * as devicesOfSessions from './migrations/0042-devices-of-sessions.ts';
import * as privacy from './migrations/0044-privacy.ts';
import * as social from './migrations/0046-social.ts';
import * as history from './migrations/0048-history.ts';
import * as dishes from './migrations/0049-dishes.ts';
import * as invoices from './migrations/0052-invoices.ts';
import * as loyalty from './migrations/0058-loyalty.ts';
import * as help from './migrations/0055-help.ts';
import * as feedback from './migrations/0056-feedback.ts';
import * as passwords from './migrations/0047-passwords.ts';
import * as billPeople from './migrations/0062-bill-people.ts';
import * as waitingTickets from './migrations/0064-waiting-tickets.ts';
import * as trains from './migrations/0070-trains.ts';
import * as league from './migrations/0083-league.ts';
import * as finishedOrders from './migrations/0084-finished-orders.ts';
import * as experiments from './migrations/0087-experiments.ts';
import * as vitals from './migrations/0088-vitals.ts';
import * as waysKnownAgain from './migrations/0099-ways-known-again.ts';
import * as trainLanguage from './migrations/0102-train-language.ts';
import * as botSigns from './migrations/0104-bot-signs.ts';
import * as experimentsElsewhere from './migrations/0106-experiments-elsewhere.ts';
import * as cutlery from './migrations/0110-cutlery.ts';
import * as givenVouchers from './migrations/0114-given-vouchers.ts';
import * as toldAlerts from './migrations/0118-told-alerts.ts';

/** In the order of their names. A released migration is never changed; a new one follows it. */
const migrations: Record<string, Migration> = {
  '0001-core': core,
  '0002-catalogue': catalogue,
  '0003-carts': carts,
  '0004-orders': orders,
  '0005-offers': offers,
  '0006-groups': groups,
  '0007-arriving': arriving,
  '0008-wheel': wheel,
  '0009-activity': activity,
  '0010-wallets': wallets,
  '0011-payways': payways,
  '0012-memories': memories,
  '0013-hosts': hosts,
  '0014-languages': languages,
  '0015-aside': aside,
  '0016-best-offer': bestOffer,
  '0017-lanes': lanes,
  '0018-developed': developed,
  '0019-identities': identities,
  '0020-devices': devices,
  '0021-first-orders': firstOrders,
  '0023-replaced': replaced,
  '0024-ages': ages,
  '0025-probes': probes,
  '0027-watched': watched,
  '0031-kitchens': kitchens,
  '0034-push-sessions': pushSessions,
  '0042-devices-of-sessions': devicesOfSessions,
  '0044-privacy': privacy,
  '0046-social': social,
  '0048-history': history,
  '0049-dishes': dishes,
  '0052-invoices': invoices,
  '0058-loyalty': loyalty,
  '0055-help': help,
  '0056-feedback': feedback,
  '0047-passwords': passwords,
  '0062-bill-people': billPeople,
  '0064-waiting-tickets': waitingTickets,
  '0070-trains': trains,
  '0083-league': league,
  '0084-finished-orders': finishedOrders,
  '0087-experiments': experiments,
  '0088-vitals': vitals,
  '0099-ways-known-again': waysKnownAgain,
  '0102-train-language': trainLanguage,
  '0104-bot-signs': botSigns,
  '0106-experiments-elsewhere': experimentsElsewhere,
  '0110-cutlery': cutlery,
  '0114-given-vouchers': givenVouchers,
  '0118-told-alerts': toldAlerts,
};

const ATTEMPTS = 8;

/** Names of the migrations of this release that the database has not had. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const done = new Set(await migrationsIn(db));
  return Object.keys(migrations).filter((name) => !done.has(name));
}

/**
 * Brings the tables up to date, in one transaction; several processes may do this at once. The lock is the transaction's
 * own, so that it ends with it on whatever connection a pooler has put it.
 */
export async function migrate({ engine, patiently }: Omit<Opened, 'connections'>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await patiently((db) => transact(db, (tx) => toLatest(tx, engine)));
    } catch (error) {
      if (attempt >= ATTEMPTS)
        throw new Error(`The tables could not be brought up to date: ${String((error as Error).message ?? error)}`, {
          cause: error,
        });
    }
    await new Promise((done) => setTimeout(done, 50 * attempt));
  }
}

/**
 * @param only of a release that is brought in again: the names of its migrations, and no others run
 * @throws what a migration throws, then nothing has changed; an Error for names that this release does not know
 */
export async function toLatest(db: Tx, engine: Opened['engine'], only?: readonly string[]): Promise<void> {
  const unknown = only?.filter((name) => !(name in migrations)) ?? [];
  if (unknown.length > 0)
    throw new Error(`this is of a newer release, which has ${unknown.join(', ')}: start with that release`);
  let schema: string | undefined;
  if (engine === 'postgres') {
    const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
    if (!rows[0]?.schema) throw new Error('the search path of this role leads to no schema');
    schema = rows[0].schema;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`migrations of ${schema}`}, 0))`.execute(db);
  }
  const later = await namesOfLater(db);
  const own =
    only === undefined
      ? migrations
      : Object.fromEntries(Object.entries(migrations).filter(([name]) => only.includes(name)));
  const all = { ...own, ...Object.fromEntries(later.map((name) => [name, { up: async () => {} }])) };
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(all) },
    allowUnorderedMigrations: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * What newer releases have done to these tables. They only add, so that this release works on them: it may have to start
 * while a newer one is brought in, or again in its place.
 */
async function namesOfLater(db: Tx): Promise<string[]> {
  if (!(await columnsOf(db)).has(DEFAULT_MIGRATION_TABLE)) return [];
  return (await migrationsIn(db)).filter((name) => !(name in migrations));
}

/**
 * The tables of this place and their columns. Kysely would look into every schema of a PostgreSQL, and fail where another
 * one is dropped at that moment.
 */
export async function columnsOf(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await (
    engineOf(db) === 'postgres'
      ? sql<{ name: string; column: string }>`select c.relname as name, a.attname as column from pg_class c
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname, a.attnum`
      : sql<{ name: string; column: string }>`select one.name as name, own.name as "column"
          from sqlite_master one, pragma_table_info(one.name) own
          where one.type = 'table' and one.name not like 'sqlite_%' order by one.name, own.cid`
  ).execute(db);
  const found = new Map<string, string[]>();
  for (const { name, column } of rows) found.set(name, [...(found.get(name) ?? []), column]);
  return found;
}

/** The names of the migrations that a database has seen. @throws when it is none of ours */
export async function migrationsIn(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The names of the tables that migrations make; others in the same place are somebody else's. */
export async function knownTables(): Promise<ReadonlySet<string>> {
  const opened = await openDb(':memory:');
  try {
    await migrate(opened);
    return new Set([...(await columnsOf(opened.db)).keys()].filter((name) => !name.startsWith('kysely_')));
  } finally {
    await opened.db.destroy();
  }
}
