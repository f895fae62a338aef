// A shop in its second year: a million orders with their customers, sessions, carts, payments, events, ratings and messages.
// What it takes to delete and to download one account there by the real calls, and to back all of it up and restore it, on each
// engine: on the clock, with the CPU of this process and of PostgreSQL, each beside its aim. SQLite's file is what a restore of
// PostgreSQL's backup makes.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import * as copy from '../../src/contract/copy.ts';
import * as deletion from '../../src/contract/deletion.ts';
import { serve } from '../../src/server/app.ts';
import { jobs } from '../../src/server/call/jobs.ts';
import { backUp, restore } from '../../src/server/store/backup.ts';
import { openDb, type Root, type Tables } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { cutLog } from '../../src/server/store/sweep.ts';
import { controls, DIST, emptyDatabase, type TestDatabase, type TestServer } from '../kit/server.ts';
import { codeFor } from '../server/people.ts';
import { member, openedShop, PICKUP, type Customer } from '../server/shop.ts';
import { clientAt, grow, ORDERS_EACH } from '../statements/growth.ts';
import { childrenOf, cpuMs, median, pad, parentOf } from './numbers.ts';

const AIMS = { accountMs: 200, backupS: 32 } as const;
/** Orders of an account, and how many such accounts are deleted. */
const ACCOUNTS = [
  { orders: ORDERS_EACH, count: 5 },
  { orders: 50 * ORDERS_EACH, count: 3 },
] as const;
const WEEK_MS = 8 * 86_400_000;

/** Fourteen rows for an order. */
const FILLED: Partial<Record<keyof Tables, number>> = {
  ...{ orders: 1, order_events: 5, payments: 1, captures: 1, counted_orders: 2, notices: 1, order_numbers: 0.5 },
  ...{ feedbacks: 0.2, invoices: 0.2, refunds: 0.05, help_tickets: 0.02, coupon_redemptions: 0.3 },
  ...{ users: 0.1, sessions: 0.2, access_tokens: 0.1, carts: 0.1, cart_lines: 0.3, addresses: 0.1, consents: 0.2 },
  ...{ known_devices: 0.1, ledger_accounts: 0.1, ledger_entries: 0.3, loyalty_members: 0.1, loyalty_orders: 0.3 },
};
const SECONDS_BETWEEN_ORDERS = 40;
/** What a customer's orders bring along: it goes to whoever takes them over. */
const TAKEN: readonly (keyof Tables)[] = ['orders', 'payments', 'feedbacks', 'help_tickets', 'addresses', 'sessions'];

interface Cost {
  readonly ms: number;
  readonly oursMs: number;
  readonly databaseMs: number;
}

/** What a piece of work takes. @param postmaster of PostgreSQL; null where it has no part in it */
async function costOf(postmaster: number | null, work: () => Promise<unknown>): Promise<Cost> {
  const ofDatabase = () =>
    postmaster === null ? 0 : [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + cpuMs(pid), 0);
  const [started, ours, database] = [performance.now(), process.cpuUsage(), ofDatabase()];
  await work();
  const { user, system } = process.cpuUsage(ours);
  return {
    ms: performance.now() - started,
    oursMs: (user + system) / 1_000,
    databaseMs: ofDatabase() - database,
  };
}
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const aimed = (figure: number, aim: number, unit: string) =>
  `aim ${aim} ${unit}${figure <= aim ? '' : ', missed here'}`;
const load = () => `load ${os.loadavg()[0]!.toFixed(1)}`;

/** An order as it stands in the books of a shop that made it, as a literal of SQL. */
async function snapshotOfAnOrder(): Promise<string> {
  const { server, db, stop } = await openedShop();
  try {
    const { orderId } = (await (await member(server, 'IN', PICKUP)).order({ paymentMode: 'COD' })).order;
    const { snapshot } = await db
      .selectFrom('orders')
      .select('snapshot')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow();
    return `'${snapshot.replaceAll("'", "''")}'`;
  } finally {
    await stop();
  }
}

/** Gives a member what customers from this number on have ordered. */
async function takeOver(db: Root, { userId, mobile }: Customer, from: number, customers: number): Promise<void> {
  const theirs = Array.from({ length: customers }, (_, at) => `user_${String(from + at).padStart(22, '0')}`);
  for (const table of TAKEN)
    await sql`update ${sql.table(table)} set user_id = ${userId} where user_id in (${sql.join(theirs)})`.execute(db);
  await db.updateTable('orders').set({ mobile }).where('user_id', '=', userId).execute();
  const orders = db.selectFrom('orders').select('id').where('user_id', '=', userId);
  for (const table of ['counted_orders', 'coupon_redemptions'] as const)
    await sql`update ${sql.table(table)}
      set holder = case when holder like 'user:%' then ${`user:${userId}`} else ${`mobile:${mobile}`} end
      where order_id in (${orders})`.execute(db);
  // What was written for this is none of the deletion's, whose log is cut when it has ended.
  await cutLog(db);
}

/**
 * Downloads and deletes accounts of either kind.
 * @param from the number of the first customer whose orders they take over
 */
async function accounts({ target }: TestDatabase, postmaster: number | null, from: number): Promise<void> {
  const running = await serve({ port: 0, database: target, distDir: null, quiet: true });
  const server: TestServer = {
    ...controls(running.url),
    url: running.url,
    database: { target, drop: () => Promise.resolve() },
    stop: () => running.stop(),
  };
  const { db, services } = running;
  let next = from;
  try {
    for (const { orders, count } of ACCOUNTS) {
      const costs = { download: [] as Cost[], asked: [] as Cost[], deleted: [] as Cost[] };
      for (let at = 0; at < count; at += 1) {
        const who = await member(server, 'IN', PICKUP);
        await takeOver(db, who, next, orders / ORDERS_EACH);
        next += orders / ORDERS_EACH;
        await server.advance(31);
        await who.call(deletion.sendCode, { body: {} });
        const code = await codeFor(server, who.mobile);
        const told = async () => {
          const { status, body } = await who.call(copy.make, { body: {} });
          if (status !== 200) throw new Error(`no copy: ${status} ${JSON.stringify(body)}`);
        };
        costs.download.push(await costOf(postmaster, told));
        const ask = async () => {
          const { status, body } = await who.call(deletion.ask, { body: { code } });
          if (status !== 200) throw new Error(`not asleep: ${status} ${JSON.stringify(body)}`);
        };
        costs.asked.push(await costOf(postmaster, ask));
        const given = { db, services, now: Date.now() + WEEK_MS, jobId: `job-${at}`, attempt: 1 };
        const forget = async () => await jobs.of('account.delete')!({ userId: who.userId } as never, given);
        costs.deleted.push(await costOf(postmaster, forget));
        const left = await db.selectFrom('orders').select('id').where('user_id', '=', who.userId).execute();
        if (left.length > 0) throw new Error(`${left.length} orders still know ${who.userId}`);
      }
      for (const [what, list] of Object.entries(costs)) {
        const of = (key: keyof Cost) => median(list.map((one) => one[key])).toFixed(0);
        const worst = Math.max(...list.map(({ ms }) => ms));
        console.log(
          `${pad(`  ${what}, ${orders} orders`, 32)}median ${of('ms')} ms, worst ${worst.toFixed(0)} ms; CPU ${of('oursMs')} ms ours${postmaster === null ? '' : `, ${of('databaseMs')} ms PostgreSQL`} (${aimed(worst, AIMS.accountMs, 'ms')}); ${load()}`,
        );
      }
    }
  } finally {
    await running.stop();
  }
}

function tell(what: string, rows: number, { ms, oursMs, databaseMs }: Cost, more = ''): void {
  console.log(
    `${pad(`  ${what}`, 32)}${seconds(ms)} for ${rows} rows, ${Math.round(rows / ms)} thousand a second; CPU ${seconds(oursMs)} ours, ${seconds(databaseMs)} PostgreSQL${more}; ${load()}`,
  );
}

/** @param orders of the whole shop */
export async function benchYear({ orders }: { orders: number }): Promise<void> {
  const folder = mkdtempSync(path.join(DIST, '.year-'));
  const databases: TestDatabase[] = [];
  const place = async (...of: Parameters<typeof emptyDatabase>) => {
    const database = await emptyDatabase(...of);
    databases.push(database);
    return database;
  };
  try {
    const snapshot = await snapshotOfAnOrder();
    const shop = await place('postgres', { isDurable: true });
    const opened = await openDb(shop.target);
    await migrate(opened);
    await opened.db.destroy();
    const [{ client, schema }, { client: second }] = [await clientAt(shop.target), await clientAt(shop.target)];
    const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const postmaster = parentOf(own[0]!.pid);
    let rows = 0;
    const filled = await costOf(postmaster, async () => {
      const growth = {
        orders,
        everyMs: SECONDS_BETWEEN_ORDERS * 1_000,
        perOrder: FILLED,
        values: {
          ...{ snapshot, details: `'{"host":"web"}'`, guest: '0', balance: '0', became: 'null' },
          ...{ expires_at: `at + ${800 * 86_400_000}`, state: `'PAID'`, finished_at: 'at', settled_at: 'at' },
        },
      };
      const others = (Object.keys(FILLED) as (keyof Tables)[]).filter((name) => name !== 'orders');
      // The orders are half of the work.
      const counts = await Promise.all([
        grow(client, schema, { ...growth, only: ['orders'] }),
        grow(second, schema, { ...growth, only: others }),
      ]);
      rows = counts[0] + counts[1];
    });
    await second.end();
    await client.end();
    console.log(
      `A shop of ${orders} orders, ${rows} rows (accounts: aim ${AIMS.accountMs} ms; backup: aim ${AIMS.backupS} s for 14 million rows)`,
    );
    tell('filled', rows, filled);
    console.log('PostgreSQL');
    await accounts(shop, postmaster, 100);
    const whole = AIMS.backupS * (rows / 14_000_000);
    const backedUp = async (what: string, { target }: TestDatabase) => {
      const file = path.join(folder, `${what}.backup`);
      const cost = await costOf(postmaster, async () => ({ rows } = await backUp(target, file, {})));
      const size = `, ${(statSync(file).size / 1e6).toFixed(0)} MB (${aimed(cost.ms / 1_000, Math.round(whole), 's')})`;
      tell(what, rows, cost, size);
      return file;
    };
    const file = await backedUp('backup, read back', shop);
    const again = await place('postgres', { isDurable: true });
    tell('restored', rows, await costOf(postmaster, async () => await restore(again.target, file, false)));
    await again.drop();
    console.log('SQLite');
    const other = await place('sqlite', { isDurable: true });
    tell(
      'restored from PostgreSQL',
      rows,
      await costOf(postmaster, async () => await restore(other.target, file, false)),
    );
    await backedUp('backup, read back ', other);
    await accounts(other, null, 1_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    for (const one of databases) await one.drop();
  }
}
