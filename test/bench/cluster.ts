/**
 * A shop on several processes, as it would run on several machines (machines.ts): what an order costs there, and what is lost
 * when the primary is killed and the standby promoted in the middle of submits.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import { openDb } from '../../src/server/store/db.ts';
import { violations } from '../server/invariants.ts';
import { machines, PATIENCE_MS, sql, type Machines } from './machines.ts';
import { childrenOf, cpuMs, median, pause, within } from './numbers.ts';

const PROCESSES = 4;
const SUBMITS = 500;
const AT_ONCE = 16;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

// ---- customers

interface Told {
  readonly status: number;
  readonly body: never;
  readonly retryAfterMs: number;
}

/** A customer on a network of their own: the proxy tells them apart by their address. */
class Caller {
  readonly #agent: http.Agent;
  readonly #base: URL;
  readonly headers: Record<string, string> = { api_key: 'in-web' };
  bytesIn = 0;
  bytesOut = 0;
  constructor(base: string, number: number) {
    this.#base = new URL(base);
    this.#agent = new http.Agent({
      keepAlive: true,
      maxSockets: 1,
      localAddress: `127.${1 + (number % 200)}.${1 + ((number / 200) | 0)}.1`,
    });
  }
  ask(method: string, where: string, body?: object, more: Record<string, string> = {}): Promise<Told> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((done, failed) => {
      const request = http.request(
        {
          agent: this.#agent,
          host: this.#base.hostname,
          port: this.#base.port,
          method,
          path: where,
          timeout: 20_000,
          headers: {
            'accept-encoding': 'br',
            ...this.headers,
            ...more,
            ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('error', failed);
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () => {
            const bytes = Buffer.concat(parts);
            this.bytesOut += bytes.length + answer.rawHeaders.join('    ').length;
            this.bytesIn += text.length + 400;
            let parsed: unknown = null;
            try {
              parsed = answer.headers['content-encoding'] === undefined ? JSON.parse(bytes.toString()) : bytes;
            } catch {
              // A proxy's own page.
            }
            done({
              status: answer.statusCode ?? 0,
              body: parsed as never,
              retryAfterMs: 1_000 * Number(answer.headers['retry-after'] ?? 0.3),
            });
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error('no answer')));
      request.on('error', failed);
      request.end(text);
    });
  }
  close(): void {
    this.#agent.destroy();
  }
}

async function expectOk(answer: Promise<Told>): Promise<never> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`refused with ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  return body;
}

interface Customer {
  readonly caller: Caller;
  readonly key: string;
  readonly wish: object;
}

const plain = { 'accept-encoding': 'identity' };

/** A guest with a pizza in the cart, who has seen the bill. */
async function readyCustomer(base: string, number: number): Promise<Customer> {
  const caller = new Caller(base, number);
  const storeId = countryConfig('india').DEFAULT_STORE;
  const guest: { credentials: { accessToken: string }; attributes: { userId: string; cartId: string } } =
    await expectOk(caller.ask('POST', session.anonymous.path, undefined, plain));
  const { userId, cartId } = guest.attributes;
  Object.assign(caller.headers, { authToken: guest.credentials.accessToken, userId });
  await expectOk(caller.ask('GET', fillPath(menu.byStore.path, { storeId })));
  const where = { cartId, storeId, deliveryType: 'PICKUP' };
  await expectOk(
    caller.ask(
      'POST',
      fillPath(cart.add.path, { cartId }),
      {
        items: [{ operationId: randomUUID(), line: { lineId: randomUUID(), productId: 'PZ001', quantity: 1 } }],
        options: { deliveryType: 'PICKUP', storeId },
      },
      plain,
    ),
  );
  const customer = { firstName: 'Asha', lastName: 'Rao', mobile: `98${String(10_000_000 + number)}` };
  const { quote }: { quote: { cartVersion: number; bill: { total: number } } } = await expectOk(
    caller.ask('POST', orders.validations.path, { ...where, customer, paymentMode: 'UPI' }, plain),
  );
  return {
    caller,
    key: `bench-${number}-${randomUUID()}`,
    wish: {
      ...where,
      customer,
      paymentMode: 'UPI',
      cartVersion: quote.cartVersion,
      total: quote.bill.total,
      termsAccepted: true,
    },
  };
}

interface Outcome {
  readonly orderId: string;
  readonly tries: number;
  readonly ms: number;
  /** When it was told, of performance.now(). */
  readonly at: number;
}

/** Asks by the same key until there is an answer, as the app does. */
async function submitted({ caller, key, wish }: Customer): Promise<Outcome> {
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    const answer = await caller
      .ask('POST', orders.submit.path, wish, { ...plain, 'idempotency-key': key })
      .catch(() => null);
    if (answer?.status === 200) {
      const { order } = answer.body as { order: { orderId: string } };
      return { orderId: order.orderId, tries, ms: performance.now() - began, at: performance.now() };
    }
    // 500: with asynchronous replication the rest of a submit may find that its first half is lost.
    const isWorth = answer === null || [409, 429, 500, 502, 503, 504].includes(answer.status);
    if (!isWorth || performance.now() - began > PATIENCE_MS)
      throw new Error(`not ordered: ${answer?.status} ${JSON.stringify(answer?.body).slice(0, 300)}`);
    await pause(Math.min(answer?.retryAfterMs ?? 300, 1_000) * (0.5 + Math.random()));
  }
}

/** Runs all, some at a time. */
async function inTurn<T, R>(list: readonly T[], work: (one: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let index = next++; index < list.length; index = next++) results[index] = await work(list[index]!, index);
    }),
  );
  return results;
}

// ---- what is measured

interface Spent {
  readonly apiMs: number;
  readonly databaseMs: number;
  readonly queries: number;
  readonly transactions: number;
  readonly syncs: number;
  readonly walKb: number;
}

async function spent({ apis, primaryPid, databases, pooler }: Machines): Promise<Spent> {
  const postmaster = primaryPid();
  const [wal] = await sql<{ wal_sync: string; wal_bytes: string }>(
    databases.primary,
    'select wal_sync, wal_bytes from pg_stat_wal',
  );
  const stats = await sql<{ database: string; total_query_count: string; total_xact_count: string }>(
    pooler,
    'show stats',
    'pgbouncer',
  );
  const shop = stats.find(({ database }) => database === 'shop');
  return {
    apiMs: apis.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    databaseMs: [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + cpuMs(pid), 0),
    queries: Number(shop?.total_query_count),
    transactions: Number(shop?.total_xact_count),
    syncs: Number(wal?.wal_sync),
    walKb: Number(wal?.wal_bytes) / 1024,
  };
}

/** @returns the CPU of each, ms */
function told(
  title: string,
  before: Spent,
  after: Spent,
  count: number,
  took: number,
): Pick<Spent, 'apiMs' | 'databaseMs'> {
  const each = (key: keyof Spent) => (after[key] - before[key]) / count;
  const per = (key: keyof Spent, digits = 1) => each(key).toFixed(digits);
  console.log(
    `${title.padEnd(30)}${per('apiMs')} ms of CPU in the API, ${per('databaseMs')} ms in PostgreSQL, ${per('queries')} statements in ${per('transactions')} transactions, ${per('syncs', 2)} fsyncs of the log, ${per('walKb')} KB of it; ${(count / took).toFixed(0)} a second`,
  );
  return { apiMs: each('apiMs'), databaseMs: each('databaseMs') };
}

async function figures(shop: Machines): Promise<Customer[]> {
  const idle = await spent(shop);
  await pause(4_000);
  const rest = await spent(shop);
  console.log(
    `idle, ${PROCESSES} processes: ${((rest.queries - idle.queries) / 4 / PROCESSES).toFixed(1)} statements a second from each, ${((rest.apiMs - idle.apiMs) / 4 / PROCESSES).toFixed(1)} ms of CPU a second in each`,
  );
  let began = performance.now();
  const customers = await inTurn(
    Array.from({ length: SUBMITS }, (_, index) => index),
    (index) => readyCustomer(shop.customers, index),
  );
  const ready = await spent(shop);
  const bill = told('up to the bill (4 calls)', rest, ready, SUBMITS, (performance.now() - began) / 1000);
  const bytes = (key: 'bytesIn' | 'bytesOut') =>
    (customers.reduce((sum, { caller }) => sum + caller[key], 0) / SUBMITS / 1024).toFixed(1);
  console.log(
    `${''.padEnd(30)}${bytes('bytesIn')} KB in, ${bytes('bytesOut')} KB out, with one menu of every customer`,
  );
  const first = customers.splice(0, SUBMITS / 5);
  for (const { caller } of first) Object.assign(caller, { bytesIn: 0, bytesOut: 0 });
  began = performance.now();
  const times = (await inTurn(first, submitted)).map(({ ms }) => ms);
  const took = (performance.now() - began) / 1000;
  const after = await spent(shop);
  const submit = told('submit', ready, after, first.length, took);
  const out = first.reduce((sum, { caller }) => sum + caller.bytesOut, 0) / first.length / 1024;
  console.log(
    `${''.padEnd(30)}${out.toFixed(1)} KB out; median ${median(times).toFixed(0)} ms, p99 ${within(times, 0.99).toFixed(0)} ms, ${AT_ONCE} at once`,
  );
  console.log(
    `${'a thousand orders'.padEnd(30)}${(bill.apiMs + submit.apiMs).toFixed(0)} s of CPU in the API, ${(bill.databaseMs + submit.databaseMs).toFixed(0)} s in PostgreSQL, from the first call of each`,
  );
  for (const { caller } of first) caller.close();
  return customers;
}

async function ordersIn(port: number): Promise<{ keys: string[]; ids: Set<string>; wrong: string[] }> {
  const { db } = await openDb(`postgres://postgres@127.0.0.1:${port}/shop`);
  try {
    const rows = await db.selectFrom('orders').select(['id', 'idempotency_key']).execute();
    return {
      keys: rows.map((row) => row.idempotency_key),
      ids: new Set(rows.map(({ id }) => id)),
      wrong: await violations(db),
    };
  } finally {
    await db.destroy();
  }
}

/** Kills the primary when two fifths are ordered, promotes the standby, and says what became of every submit. */
async function failover(shop: Machines, customers: readonly Customer[], isSynchronous: boolean): Promise<void> {
  const storeId = countryConfig('india').DEFAULT_STORE;
  const done: number[] = [];
  const killing: { at: number; sure: number; promoted: number; whole: Promise<void> | null } = {
    at: 0,
    sure: 0,
    promoted: 0,
    whole: null,
  };
  const menus: number[] = [];
  let unanswered = 0;
  async function end(): Promise<void> {
    if (!isSynchronous) {
      await shop.deafen();
      await pause(1_000);
    }
    killing.at = performance.now();
    await shop.killPrimary();
    // What Patroni or a managed database does.
    const browsing = new Caller(shop.customers, 9_000);
    const browsed = (async () => {
      while (killing.promoted === 0) {
        const began = performance.now();
        const { status } = await browsing
          .ask('GET', fillPath(menu.byStore.path, { storeId }))
          .catch(() => ({ status: 0 }));
        menus.push(performance.now() - began);
        if (status !== 200) unanswered += 1;
        await pause(50);
      }
    })();
    killing.sure = await shop.promote();
    killing.promoted = performance.now();
    await browsed;
    browsing.close();
  }
  const outcomes = await inTurn(customers, async (customer, index) => {
    if (index === Math.floor(customers.length * 0.4)) {
      killing.whole = end();
      // Told below, when the others have ended.
      killing.whole.catch(() => {});
    }
    const outcome = await submitted(customer);
    done.push(outcome.at);
    return outcome;
  });
  await killing.whole;
  // The longest time without an order that ended after the kill.
  const moments = [killing.at, ...done].sort((a, b) => a - b);
  const outage = Math.max(...moments.map((at, index) => (at > killing.at ? at - moments[index - 1]! : 0)));
  const { keys, ids, wrong } = await ordersIn(shop.databases.standby);
  const lost = outcomes.filter(({ orderId }) => !ids.has(orderId));
  const double = keys.length - new Set(keys).size;
  const repeated = outcomes.filter(({ tries }) => tries > 1).length;
  console.log(
    `${customers.length} submits, the primary killed and the standby promoted among them: ${lost.length} that were acknowledged are lost, ${double} are double, ${wrong.length} violations of the invariants`,
  );
  console.log(
    `${''.padEnd(30)}no order for ${seconds(outage)} (${seconds(killing.sure - killing.at)} until the watcher was sure, ${seconds(killing.promoted - killing.sure)} to promote); ${repeated} customers asked again by their key, at most ${Math.max(...outcomes.map(({ tries }) => tries))} times; ${menus.length - unanswered} of ${menus.length} menus were answered meanwhile, the slowest after ${seconds(Math.max(...menus))}`,
  );
  for (const one of wrong.slice(0, 5)) console.log(`  ${one}`);
  for (const { caller } of customers) caller.close();
  if (isSynchronous && (lost.length > 0 || double > 0 || wrong.length > 0))
    throw new Error('orders were lost or made twice');
}

export async function benchCluster(): Promise<void> {
  console.log(
    `HAProxy, ${PROCESSES} API processes, PgBouncer in transaction mode, a primary and a standby of PostgreSQL, on one machine`,
  );
  for (const isSynchronous of [true, false]) {
    console.log(
      isSynchronous
        ? '\nsynchronous_commit = remote_apply: a commit waits until the standby has applied it'
        : '\nsynchronous_commit = local, and a standby that hears nothing of the last second',
    );
    const shop = await machines({ processes: PROCESSES, isSynchronous });
    try {
      const customers = isSynchronous
        ? await figures(shop)
        : await inTurn(
            Array.from({ length: SUBMITS }, (_, index) => index),
            (index) => readyCustomer(shop.customers, index),
          );
      await failover(shop, customers, isSynchronous);
    } finally {
      await shop.close();
    }
  }
}
