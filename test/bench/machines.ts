// Several machines on this one: HAProxy in front of API processes, PgBouncer in transaction mode behind them, a primary and a
// streaming standby of PostgreSQL. The configuration is that in `cluster/`.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
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
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { pause } from './numbers.ts';

export const PATIENCE_MS = 90_000;
/** How often whoever watches the primary finds it gone before the standby is promoted. */
const MISSED = 3;
const MISSED_EVERY_MS = 300;

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

export interface Machines {
  /** Where customers call: HAProxy. */
  readonly customers: string;
  readonly pooler: number;
  /** The shop's database behind PgBouncer, whichever PostgreSQL is the primary. */
  readonly database: string;
  readonly apis: readonly SpawnedServer[];
  /** Where each of them tells its figures. */
  readonly figures: readonly string[];
  /** Starts the process at this place, in the stead of one that was killed. */
  restart(at: number): Promise<void>;
  /** Ports of the two PostgreSQL. */
  readonly databases: { readonly primary: number; readonly standby: number };
  /** Ends the primary as a machine that loses its power; nothing of it answers any more. */
  killPrimary(): Promise<void>;
  /** Promotes the standby once whoever watches the primary has missed it often enough. @returns when that was, of performance.now() */
  promote(): Promise<number>;
  /** Processes of the primary, for their CPU. */
  primaryPid(): number;
  /** The standby hears nothing from now on, as on a network that is slow. */
  deafen(): Promise<void>;
  close(): Promise<void>;
}

export async function sql<T extends object>(port: number, text: string, database = 'postgres'): Promise<T[]> {
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

export interface Plan {
  readonly processes: number;
  /** A commit waits until the standby has applied it. */
  readonly isSynchronous: boolean;
  /** With the clock, the switches and the imitated bank of development. */
  readonly development?: boolean;
  /** How they ask a bank on a machine of its own, which calls them back at HAProxy; else the imitated one in each of them. */
  readonly bank?: Readonly<Record<string, string>>;
}

export async function machines({ processes, isSynchronous, development = false, bank }: Plan): Promise<Machines> {
  const tools = foundTools();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pizza-cluster-'));
  const as = owner();
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const children: ChildProcess[] = [];
  const apis: SpawnedServer[] = [];
  let silenced: number | null = null;
  const [primary, standby, rw, ro, pooler, front, ...free] = (await freePorts(6 + 2 * processes)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    ...number[],
  ];
  const [ports, metrics] = [free.slice(0, processes), free.slice(processes)];
  const customers = `http://127.0.0.1:${front}`;
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
        BROWSING: ports.map((port, at) => `  server look${at + 1} 127.0.0.1:${port} track api/api${at + 1}`).join('\n'),
        DATABASES: lines('postgres', [primary, standby]),
      }),
    );
    writeFileSync(data('proxy/pgbouncer.ini'), sample('pgbouncer.ini', { PRIMARY: rw, STANDBY: ro, POOLER: pooler }));
    started('haproxy', '-db', '-f', data('proxy/haproxy.cfg'));
    started('pgbouncer', data('proxy/pgbouncer.ini'));
    await until('the pooler leads to the primary', async () => (await sql(pooler, 'select 1', 'shop')).length === 1);
    const url = `postgres://postgres@127.0.0.1:${pooler}/shop`;
    const start = (at: number) =>
      spawnServer({
        port: ports[at]!,
        database: { target: url, drop: () => Promise.resolve() },
        settings: {
          development,
          distDir: null,
          environment: {
            DATABASE_URL: url,
            DATABASE_READ_URL: `${url}_read`,
            EMBEDDED_VENDORS: 'on',
            TRUST_PROXY: '1',
            ADDRESS_CONNECTIONS: '100000',
            ADDRESS_MEGABYTES: '100000',
            METRICS_PORT: String(metrics[at]),
            ...(bank && { PUBLIC_ORIGIN: customers, ...bank }),
          },
        },
      });
    for (const at of ports.keys()) apis.push(await start(at));
    // Stores are open.
    const DAY_MS = 86_400_000;
    const ahead = (INDIA_LUNCH_MS - (Date.now() % DAY_MS) + DAY_MS) % DAY_MS;
    await sql(primary, `update system set offset_ms = ${Math.round(ahead)}`, 'shop');
    await pause(1_500);
    return {
      customers,
      pooler,
      database: url,
      apis,
      figures: metrics.map((port) => `http://127.0.0.1:${port}/metrics`),
      async restart(at) {
        apis[at] = await start(at);
      },
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
      async promote() {
        for (let missed = 0; missed < MISSED; missed += 1) await pause(MISSED_EVERY_MS);
        const sure = performance.now();
        await promisify(execFile)(tools.pg_ctl, ['-D', data('standby'), '-w', 'promote'], { ...as, cwd: folder });
        return sure;
      },
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
