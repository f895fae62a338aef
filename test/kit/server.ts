import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import * as development from '../../src/contract/development.ts';
import { fillPath, type Endpoint, type Input, type Reply } from '../../src/contract/endpoint.ts';
import type { FailedReply } from '../../src/contract/reply.ts';
import type { ServeOptions } from '../../src/server/app/options.ts';
import { memoryFolder, runDatabases } from './folder.ts';

export type Engine = 'sqlite' | 'postgres';

const POSTGRES_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const ROOT = path.resolve(import.meta.dirname, '../..');
/** Where the built pages lie. */
export const DIST = path.join(ROOT, 'dist');
const CONNECT_TIMEOUT_MS = 3_000;

async function postgres<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Why PostgreSQL cannot be used here, or null when it can. TEST_DATABASE_URL replaces the local default. */
export async function postgresAbsence(): Promise<string | null> {
  try {
    await postgres((client) => client.query('select 1'));
    return null;
  } catch (error) {
    return `${POSTGRES_URL.replace(/:[^:@/]*@/, ':...@')}: ${(error as Error).message || (error as { code?: string }).code}`;
  }
}

/**
 * The database engines for what an engine decides: `describe.each(await bothEngines())`. `npm test` reports a missing
 * PostgreSQL. test/README.md says which files these are, and why.
 */
export async function bothEngines(): Promise<Engine[]> {
  return process.env['WITHOUT_POSTGRES'] || (await postgresAbsence()) !== null ? ['sqlite'] : ['sqlite', 'postgres'];
}

/** The engines for all else: SQLite, whose statements are then proven on PostgreSQL (test/statements); both with `npm test -- --all`. */
export const engines = async (): Promise<Engine[]> => (process.env['TEST_ALL'] ? await bothEngines() : ['sqlite']);

export interface TestDatabase {
  /** As DATABASE_URL: a file path, or a PostgreSQL address with a schema of its own. */
  readonly target: string;
  drop(): Promise<void>;
}

const IN_MEMORY = 0x01021994;
/** A folder on the disk that the project is on. @throws Error where that is memory */
function diskFolder(): string {
  mkdirSync(DIST, { recursive: true });
  if (statfsSync(DIST).type === IN_MEMORY) throw new Error(`${DIST} is no disk: nothing is durable there.`);
  return mkdtempSync(path.join(DIST, '.disk-'));
}

/** A database of PostgreSQL for one test, with the address of its one schema. */
const addressIn = (database: string | null, schema: string, isDurable: boolean): string => {
  const target = new URL(POSTGRES_URL);
  if (database !== null) target.pathname = database;
  target.searchParams.set('schema', schema);
  // Tests end server processes, never the database's: what it has taken is there, on its disk or not.
  target.searchParams.set('options', `-c synchronous_commit=${isDurable ? 'on' : 'off'}`);
  return target.href;
};
const newName = () => randomBytes(6).toString('hex');
/** In a database of its own. */
const SCHEMA = 'shop';
/** The role may make no databases. */
const NOT_ALLOWED = '42501';

/**
 * A database of its own, which no other test's tables are in; a copy of another one, if that is said. Null outside a run,
 * where nobody would drop it, and where its role may make none.
 */
async function newDatabase(original: (() => Promise<string>) | null): Promise<TestDatabase | null> {
  const run = runDatabases();
  if (run === null) return null;
  const name = `${run}_${newName()}`;
  try {
    const from = original === null ? '' : ` template ${await original()}`;
    await postgres((client) => client.query(`create database ${name}${from}`));
  } catch (error) {
    if ((error as { code?: string }).code === NOT_ALLOWED) return null;
    throw error;
  }
  return {
    target: addressIn(name, SCHEMA, false),
    drop: () =>
      postgres(async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/**
 * A fresh database without tables; two servers may be started on the same one.
 * @param kind `isDurable`: on a disk, and what is committed is there after a loss of power
 */
export async function emptyDatabase(engine: Engine = 'sqlite', { isDurable = false } = {}): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = isDurable ? diskFolder() : memoryFolder('pizza-db');
    return {
      target: path.join(folder, 'test.db'),
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const own = isDurable ? null : await newDatabase(null);
  if (own) return own;
  const schema = `test_${newName()}`;
  if (isDurable)
    await postgres(async (client) => {
      const { rows } = await client.query<{ fsync: string }>('show fsync');
      if (rows[0]?.fsync !== 'on') throw new Error('This PostgreSQL runs with fsync = off: nothing is durable there.');
      await client.query(`create schema ${schema}`);
    });
  return {
    target: addressIn(null, schema, isDurable),
    drop: () =>
      postgres(async (client) => {
        await client.query(`drop schema if exists ${schema} cascade`);
      }),
  };
}

let tables: Promise<string> | undefined;
/** The database that those of a run are copied from: made by whoever needs it first. */
function tablesOf(run: string): Promise<string> {
  const name = `${run}_tables`;
  return postgres(async (client) => {
    // Workers that come at once wait for the first one.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return name;
    const unfinished = `${name}_unfinished`;
    await client.query(`create database ${unfinished}`);
    await (await import('./tables.ts')).makeTables(addressIn(unfinished, SCHEMA, false));
    await client.query(`alter database ${unfinished} rename to ${name}`);
    return name;
  });
}
/**
 * A fresh database with tables and menus, as a server finds it at its second start: to make them anew costs more than most tests,
 * on PostgreSQL two seconds of CPU time. Two servers may be started on the same one.
 */
export async function testDatabase(engine: Engine = 'sqlite'): Promise<TestDatabase> {
  const run = runDatabases();
  if (engine === 'sqlite') {
    const own = await emptyDatabase(engine);
    await (await import('./tables.ts')).putTables(own.target);
    return own;
  }
  if (run === null) return await emptyDatabase(engine);
  return (await newDatabase(() => (tables ??= tablesOf(run)))) ?? (await emptyDatabase(engine));
}

/** For the end of a run: no database of it stays, nor of one that was killed long ago. */
export async function dropDatabases(isOver: (name: string) => boolean): Promise<void> {
  if (process.env['WITHOUT_POSTGRES'] || (await postgresAbsence()) !== null) return;
  await postgres(async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    for (const { datname } of rows.filter((one) => isOver(one.datname)))
      await client.query(`drop database if exists ${datname} with (force)`);
  });
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Values of the specification's headers; what is not given is not sent. */
export interface CallOptions {
  readonly apiKey?: string;
  readonly authToken?: string;
  readonly userId?: string;
  readonly headers?: Record<string, string>;
}

export interface TestServer {
  readonly url: string;
  /** Where its figures are told; of a server in this process only. */
  readonly metricsPort?: number | null;
  readonly database: TestDatabase;
  /** One call of the contract, as a client would make it; never throws on a status. */
  call<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    options?: CallOptions,
  ): Promise<Answer<Reply<E> & Omit<Partial<FailedReply>, 'status'>>>;
  /** Moves the database's clock; settles when every job that fell due has run. */
  advance(seconds: number): Promise<number>;
  /** SMS texts to a number, newest first. */
  inbox(mobile?: string): Promise<readonly string[]>;
  switches(switches: Partial<development.Switches>): Promise<void>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly engine?: Engine;
  /** A database that another server of this test made. It is then not dropped on stop. */
  readonly database?: TestDatabase;
  readonly port?: number;
  /** Further options of `serve`; by default development calls are on and no pages are served. */
  readonly settings?: Partial<Omit<ServeOptions, 'port' | 'database'>>;
  /** For spawnServer only: a call can kill the server at one of its commits (killable.ts). */
  readonly killable?: boolean;
  /** For spawnServer only: the folder of the project, or of a copy of it. */
  readonly root?: string;
}

/** Makes calls of the contract to the server at this address. */
export function caller(url: string): TestServer['call'] {
  return async (endpoint, input, { apiKey = 'in-web', authToken, userId, headers = {} } = {}) => {
    const { query, body, ...params } = input as { query?: Record<string, unknown>; body?: unknown };
    const address = new URL(url + fillPath(endpoint.path, params));
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) address.searchParams.set(name, String(value));
    const response = await fetch(address, {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        api_key: apiKey,
        // A compressed answer costs both sides more than it takes between them.
        'Accept-Encoding': 'identity',
        ...(authToken === undefined ? {} : { authToken }),
        ...(userId === undefined ? {} : { userId }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown = text;
    try {
      parsed = text === '' ? null : JSON.parse(text);
    } catch {
      /* not JSON: the test sees the text */
    }
    return { status: response.status, headers: response.headers, body: parsed as never };
  };
}

/** What a test does to a server besides calling it. */
export function controls(url: string): Pick<TestServer, 'call' | 'advance' | 'inbox' | 'switches'> {
  const call = caller(url);
  const told = async <T>(answer: Promise<Answer<T>>): Promise<T> => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`A development call was refused: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    call,
    advance: async (seconds) => (await told(call(development.advanceClock, { body: { seconds } }))).now,
    inbox: async (mobile) =>
      (await told(call(development.inbox, { query: { mobile } }))).messages.map((one) => one.text),
    switches: async (switches) => {
      await told(call(development.setSwitches, { body: switches }));
    },
  };
}

/** Orders take exactly the times of the catalogue, so that a test knows which step one has reached. */
async function steady(url: string, development: boolean): Promise<void> {
  if (development) await controls(url).switches({ kitchen: 'steady' });
}

/** The product's own server on a free port, in this process, over a database of its own. */
export async function startServer({
  engine = 'sqlite',
  database,
  port = 0,
  settings = {},
}: TestServerOptions = {}): Promise<TestServer> {
  const { serve } = await import('../../src/server/app.ts');
  const own = database ?? (await testDatabase(engine));
  const server = await serve({
    port,
    database: own.target,
    distDir: null,
    development: true,
    quiet: true,
    ...settings,
  });
  await steady(server.url, settings.development ?? true);
  return {
    ...controls(server.url),
    url: server.url,
    metricsPort: server.metricsPort,
    database: own,
    stop: async () => {
      await server.stop();
      if (!database) await own.drop();
    },
  };
}

export interface SpawnedServer extends TestServer {
  readonly pid: number;
  /** Kills it as a crash would; the database stays. */
  kill(): Promise<void>;
  /** The last of what it has written: its log, unless it is quiet. */
  said(): string;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

/** On a busy machine; what fails to start says so at once. */
const START_TIMEOUT_MS = 120_000;
/** Node's compile cache: most of a start would be compiling the same sources again. */
export const COMPILED = path.join(os.tmpdir(), `pizza-compiled-${process.getuid?.() ?? 'user'}`);

/** Like startServer, but in a process of its own: for browser tests, and for tests that kill it. */
export async function spawnServer({
  engine = 'sqlite',
  database,
  port = 0,
  settings = {},
  killable = false,
  root = ROOT,
}: TestServerOptions = {}): Promise<SpawnedServer> {
  // A new file gets its tables from the process that reads the server's sources anyway.
  const isNewFile = !database && engine === 'sqlite';
  const own = database ?? (await (isNewFile ? emptyDatabase() : testDatabase(engine)));
  const script = path.join(root, 'test/kit', killable ? 'killable.ts' : 'standalone.ts');
  const child = spawn(
    process.execPath,
    [
      // As `npm start` and the container do.
      '--max-semi-space-size=8',
      '--max-old-space-size=768',
      script,
      JSON.stringify({ port, database: own.target, distDir: DIST, development: true, quiet: true, ...settings }),
      ...(isNewFile ? ['new'] : []),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    },
  );
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server did not start:\n${said}`));
    }, START_TIMEOUT_MS);
    const hear = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
      const address = /^READY (\S+)$/m.exec(said)?.[1];
      if (address) {
        clearTimeout(timer);
        resolve(address);
      }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended (${code}) before it was ready:\n${said}`));
    });
  });
  await steady(url, settings.development ?? true);
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
  });
  return {
    ...controls(url),
    url,
    database: own,
    pid: child.pid as number,
    said: () => said,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
      if (!database) await own.drop();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
