/**
 * A shop on several processes, as it would run on several machines: HAProxy in front of four API processes, PgBouncer in
 * transaction mode behind them, a primary and a streaming standby of PostgreSQL. What an order costs there, and what is
 * lost when the primary is killed and the standby promoted in the middle of submits. The configuration is that in
 * `cluster/`.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import { openDb } from '../../src/server/store/db.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { violations } from '../server/invariants.ts';
import { median, within } from './numbers.ts';

const PROCESSES = 4;
const SUBMITS = 500;
const AT_ONCE = 16;
/** How often whoever watches the primary finds it gone before the standby is promoted. */
const MISSED = 3;
const MISSED_EVERY_MS = 300;
const PATIENCE_MS = 90_000;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const pause = (ms: number) =>
  new Promise<void>((done) => {
    setTimeout(done, ms);
  });

// ---- tools

const TOOLS = ['initdb', 'pg_ctl', 'pg_basebackup', 'pgbouncer', 'haproxy'] as const;
type Tools = Readonly<Record<(typeof TOOLS)[number], string>>;

/** Where Debian's packages put them, beside PATH. @throws Error that names those that are nowhere */
function foundTools(): Tools {
  const own = '/usr/lib/postgresql';
  let versions: string[] = [];
  try {
    versions = readdirSync(own).sort((a, b) => Number(b) - Number(a));
  } catch {
    // No such folder: there is PATH.
  }
  const folders = [
    ...versions.map((one) => `${own}/${one}/bin`),
    ...(process.env['PATH'] ?? '').split(':'),
    '/usr/sbin',
  ];
  const found = TOOLS.map((tool) => {
    const at = folders.find((folder) => {
      try {
        accessSync(path.join(folder, tool), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
    return [tool, at === undefined ? undefined : path.join(at, tool)] as const;
  });
  const missing = found.filter(([, at]) => at === undefined).map(([tool]) => tool);
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ')} not found: this part needs PostgreSQL, PgBouncer and HAProxy (Debian: apt install postgresql pgbouncer haproxy).`,
    );
  return Object.fromEntries(found) as unknown as Tools;
}

/** PostgreSQL and PgBouncer refuse to run as root. */
function owner(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<net.Server>((done) => {
          const server = net.createServer().listen(0, '127.0.0.1', () => done(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

const sample = (name: string, values: Readonly<Record<string, string | number>>) =>
  readFileSync(path.join(import.meta.dirname, 'cluster', name), 'utf8').replace(
    /\{([A-Z_]+)\}/g,
    (whole, key: string) => (key === 'NAMES' ? whole : String(values[key])),
  );

// ---- the machines

interface Machines {
  readonly customers: string;
  readonly pooler: number;
  readonly apis: readonly SpawnedServer[];
  /** Ports of the two PostgreSQL. */
  readonly databases: { readonly primary: number; readonly standby: number };
  /** Ends the primary as a machine that loses its power; nothing of it answers any more. */
  killPrimary(): Promise<void>;
  promote(): void;
  /** Processes of the primary, for their CPU. */
  primaryPid(): number;
  /** The standby hears nothing from now on, as on a network that is slow. */
  deafen(): Promise<void>;
  close(): Promise<void>;
}

async function sql<T extends object>(port: number, text: string, database = 'postgres'): Promise<T[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end().catch(() => {});
  }
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  const giveUp = performance.now() + PATIENCE_MS;
  while (!(await check().catch(() => false))) {
    if (performance.now() > giveUp) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`);
    await pause(50);
  }
}

const INDIA_LUNCH_MS = (12.5 - 5.5) * 3_600_000;

async function machines(tools: Tools, isSynchronous: boolean): Promise<Machines> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pizza-cluster-'));
  const as = owner();
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const children: ChildProcess[] = [];
  const apis: SpawnedServer[] = [];
  let silenced: number | null = null;
  const [primary, standby, rw, ro, pooler, front, ...ports] = (await freePorts(6 + PROCESSES)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    ...number[],
  ];
  const data = (name: string) => path.join(folder, name);
  const run = (tool: keyof Tools, ...given: string[]) =>
    execFileSync(tools[tool], given, { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const ctl = (name: string, ...given: string[]) =>
    execFileSync(tools.pg_ctl, ['-D', data(name), '-w', '-t', '60', '-l', data(`${name}.log`), ...given], {
      ...as,
      cwd: folder,
      stdio: 'ignore',
    });
  const pidOf = (name: string) => Number(readFileSync(path.join(data(name), 'postmaster.pid'), 'utf8').split('\n')[0]);
  const started = (tool: 'pgbouncer' | 'haproxy', ...given: string[]) => {
    const child = spawn(tools[tool], given, { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
    children.push(child);
  };
  async function close(): Promise<void> {
    await Promise.all(apis.map((api) => api.kill()));
    for (const child of children) child.kill('SIGKILL');
    for (const name of ['primary', 'standby'])
      try {
        ctl(name, 'stop', '-m', 'immediate');
      } catch {
        // It does not run (any more).
      }
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    run('initdb', '-D', data('primary'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C');
    const configure = (name: string, port: number) =>
      writeFileSync(path.join(data(name), 'postgresql.conf'), sample('postgresql.conf', { PORT: port }));
    configure('primary', primary);
    ctl('primary', 'start');
    await sql(primary, 'create database shop');
    run(
      'pg_basebackup',
      '-h',
      '127.0.0.1',
      '-p',
      String(primary),
      '-U',
      'postgres',
      '-D',
      data('standby'),
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
    );
    configure('standby', standby);
    ctl('standby', 'start');
    if (isSynchronous) await sql(primary, "alter system set synchronous_standby_names = 'ANY 1 (*)'");
    else await sql(primary, "alter system set synchronous_commit = 'local'");
    await sql(primary, 'select pg_reload_conf()');
    await until('the standby streams', async () => {
      const [row] = await sql<{ sync_state: string }>(primary, 'select sync_state from pg_stat_replication');
      return row?.sync_state === (isSynchronous ? 'quorum' : 'async');
    });
    const lines = (name: string, list: readonly number[], check = '') =>
      list.map((port, index) => `  server ${name}${index + 1} 127.0.0.1:${port}${check}`).join('\n');
    mkdirSync(data('proxy'));
    writeFileSync(
      data('proxy/haproxy.cfg'),
      sample('haproxy.cfg', {
        HTTP: front,
        PRIMARY: rw,
        STANDBY: ro,
        API: lines('api', ports),
        API_UNASKED: lines('any', ports),
        DATABASES: lines('postgres', [primary, standby]),
      }),
    );
    writeFileSync(data('proxy/pgbouncer.ini'), sample('pgbouncer.ini', { PRIMARY: rw, STANDBY: ro, POOLER: pooler }));
    started('haproxy', '-db', '-f', data('proxy/haproxy.cfg'));
    started('pgbouncer', data('proxy/pgbouncer.ini'));
    await until('the pooler leads to the primary', async () => (await sql(pooler, 'select 1', 'shop')).length === 1);
    const url = `postgres://postgres@127.0.0.1:${pooler}/shop`;
    for (const port of ports)
      apis.push(
        await spawnServer({
          port,
          database: { target: url, drop: () => Promise.resolve() },
          settings: {
            development: false,
            distDir: null,
            environment: {
              DATABASE_URL: url,
              DATABASE_READ_URL: `${url}_read`,
              EMBEDDED_VENDORS: 'on',
              TRUST_PROXY: '1',
              ADDRESS_MEGABYTES: '100000',
            },
          },
        }),
      );
    // Stores are open.
    const DAY_MS = 86_400_000;
    const ahead = (INDIA_LUNCH_MS - (Date.now() % DAY_MS) + DAY_MS) % DAY_MS;
    await sql(primary, `update system set offset_ms = ${Math.round(ahead)}`, 'shop');
    await pause(1_500);
    return {
      customers: `http://127.0.0.1:${front}`,
      pooler,
      apis,
      databases: { primary, standby },
      primaryPid: () => pidOf('primary'),
      async killPrimary() {
        const pid = pidOf('primary');
        process.kill(pid, 'SIGKILL');
        if (silenced !== null) process.kill(silenced, 'SIGKILL');
        await until('the primary is gone', async () => {
          const isThere = await sql(primary, 'select 1').then(
            () => true,
            () => false,
          );
          return !isThere;
        });
      },
      promote: () => ctl('standby', 'promote'),
      async deafen() {
        const [sender] = await sql<{ pid: number }>(primary, 'select pid from pg_stat_replication');
        silenced = sender!.pid;
        process.kill(silenced, 'SIGSTOP');
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

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

const CLOCK_TICKS = 100;
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    // With the children that have ended, which PostgreSQL's backends are.
    return ((Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * 1_000) / CLOCK_TICKS;
  } catch {
    return 0;
  }
}
const childrenOf = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);

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
    for (let missed = 0; missed < MISSED; missed += 1) await pause(MISSED_EVERY_MS);
    killing.sure = performance.now();
    shop.promote();
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
  const tools = foundTools();
  console.log(
    `HAProxy, ${PROCESSES} API processes, PgBouncer in transaction mode, a primary and a standby of PostgreSQL, on one machine`,
  );
  for (const isSynchronous of [true, false]) {
    console.log(
      isSynchronous
        ? '\nsynchronous_commit = remote_apply: a commit waits until the standby has applied it'
        : '\nsynchronous_commit = local, and a standby that hears nothing of the last second',
    );
    const shop = await machines(tools, isSynchronous);
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
