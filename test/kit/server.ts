import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import * as development from '../../src/contract/development.ts';
import { fillPath, type Endpoint, type Input, type Reply } from '../../src/contract/endpoint.ts';
import type { Failed } from '../../src/contract/reply.ts';
import type { ServeOptions } from '../../src/server/app.ts';
import { temporaryFolder } from './folder.ts';

export type Engine = 'sqlite' | 'postgres';

const POSTGRES_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const DIST = path.resolve(import.meta.dirname, '../../dist');
const CONNECT_TIMEOUT_MS = 3_000;

async function postgres<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try { return await work(client); } finally { await client.end(); }
}

/** Why PostgreSQL cannot be used here, or null when it can. TEST_DATABASE_URL names another one than the local default. */
export async function postgresAbsence(): Promise<string | null> {
  try {
    await postgres((client) => client.query('select 1'));
    return null;
  } catch (error) {
    return `${POSTGRES_URL.replace(/:[^:@/]*@/, ':...@')}: ${(error as Error).message || (error as { code?: string }).code}`;
  }
}

/** Engines to run a suite on: `describe.each(await engines())`. A missing PostgreSQL is reported by `npm test`. */
export async function engines(): Promise<Engine[]> {
  return process.env['WITHOUT_POSTGRES'] || await postgresAbsence() !== null ? ['sqlite'] : ['sqlite', 'postgres'];
}

export interface TestDatabase {
  /** What DATABASE_URL would say: a file path or a PostgreSQL address with a schema of its own. */
  readonly target: string;
  drop(): Promise<void>;
}

/** A fresh, empty database; two servers may be started on the same one. */
export async function testDatabase(engine: Engine = 'sqlite'): Promise<TestDatabase> {
  if (engine === 'sqlite') return { target: path.join(temporaryFolder('pizza-db'), 'test.db'), drop: async () => {} };
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const target = new URL(POSTGRES_URL);
  target.searchParams.set('schema', schema);
  return { target: target.href, drop: () => postgres(async (client) => { await client.query(`drop schema if exists ${schema} cascade`); }) };
}

export interface Answer<T> { readonly status: number; readonly headers: Headers; readonly body: T }

/** The caller's side of the specification's headers; anything not given is left out. */
export interface CallOptions {
  readonly apiKey?: string;
  readonly authToken?: string;
  readonly userId?: string;
  readonly headers?: Record<string, string>;
}

export interface TestServer {
  readonly url: string;
  readonly database: TestDatabase;
  /** One call of the contract, as a client would make it; never throws on a status. */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Answer<Reply<E> & Omit<Partial<Failed>, 'status'>>>;
  /** Moves the database's clock; everything that falls due has happened when it settles. */
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
  /** Anything else `serve` takes; by default development switches are on and no page is served. */
  readonly settings?: Partial<Omit<ServeOptions, 'port' | 'database'>>;
  /** In a process of its own only: it dies at the commit that a call names (killable.ts). */
  readonly killable?: boolean;
}

/** Calls of the contract against a server that runs anywhere. */
export function caller(url: string): TestServer['call'] {
  return async (endpoint, input, { apiKey = 'in-web', authToken, userId, headers = {} } = {}) => {
    const { query, body, ...params } = input as { query?: Record<string, unknown>; body?: unknown };
    const address = new URL(url + fillPath(endpoint.path, params));
    for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) address.searchParams.set(name, String(value));
    const response = await fetch(address, {
      method: endpoint.method, redirect: 'manual',
      headers: {
        api_key: apiKey, ...(authToken === undefined ? {} : { authToken }), ...(userId === undefined ? {} : { userId }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown = text;
    try { parsed = text === '' ? null : JSON.parse(text); } catch { /* not JSON: the test sees the text */ }
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
    inbox: async (mobile) => (await told(call(development.inbox, { query: { mobile } }))).messages.map((one) => one.text),
    switches: async (switches) => { await told(call(development.setSwitches, { body: switches })); },
  };
}

/** Orders take what the catalogue says, to the second, so that a test knows where one is. */
async function steady(url: string, development: boolean): Promise<void> {
  if (development) await controls(url).switches({ kitchen: 'steady' });
}

/** The product's own server on a free port, in this process, over a database of its own. */
export async function startServer({ engine = 'sqlite', database, port = 0, settings = {} }: TestServerOptions = {}): Promise<TestServer> {
  const { serve } = await import('../../src/server/app.ts');
  const own = database ?? await testDatabase(engine);
  const server = await serve({ port, database: own.target, distDir: null, development: true, quiet: true, ...settings });
  await steady(server.url, settings.development ?? true);
  return {
    ...controls(server.url), url: server.url, database: own,
    stop: async () => {
      await server.stop();
      if (!database) await own.drop();
    },
  };
}

export interface SpawnedServer extends TestServer {
  readonly pid: number;
  /** Ends it without a goodbye, as a crash does; the database stays. */
  kill(): Promise<void>;
  /** Settles when the process is gone, whoever ended it. */
  readonly ended: Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
/** Most of a start is reading and compiling the same sources again. */
const COMPILED = path.join(os.tmpdir(), `pizza-compiled-${process.getuid?.() ?? 'user'}`);

/** The same in a process of its own: for the browser tests, and for tests that kill it. */
export async function spawnServer({ engine = 'sqlite', database, port = 0, settings = {}, killable = false }: TestServerOptions = {}): Promise<SpawnedServer> {
  const own = database ?? await testDatabase(engine);
  const script = path.join(import.meta.dirname, killable ? 'killable.ts' : 'standalone.ts');
  const child = spawn(process.execPath, [script, JSON.stringify({ port, database: own.target, distDir: DIST, development: true, quiet: true, ...settings })], {
    stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => { child.kill('SIGKILL'); reject(new Error(`The server did not start:\n${said}`)); }, START_TIMEOUT_MS);
    const hear = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
      const address = /^READY (\S+)$/m.exec(said)?.[1];
      if (address) { clearTimeout(timer); resolve(address); }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => { clearTimeout(timer); reject(new Error(`The server ended (${code}) before it was ready:\n${said}`)); });
  });
  await steady(url, settings.development ?? true);
  const ended = new Promise<void>((done) => { child.once('exit', () => done()); });
  return {
    ...controls(url), url, database: own, pid: child.pid as number, ended,
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
      if (!database) await own.drop();
    },
    kill: async () => { child.kill('SIGKILL'); await ended; },
  };
}
