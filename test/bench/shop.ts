// A shop as in production, at lunch time and on a real disk, its bank in a process of its own, and submits ready to be sent to it.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as development from '../../src/contract/development.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import { openDb, type Db } from '../../src/server/store/db.ts';
import { spawnServer, emptyDatabase } from '../kit/server.ts';
import type { Answer, Engine, SpawnedServer, TestServerOptions } from '../kit/server.ts';
import { median, within } from './numbers.ts';
import { closedLoop, raw } from './wire.ts';

export const CONNECTIONS = 8;
const ROUND_MS = 2_000;
const SECRET = 'bench';
/** Orders placed before anything is measured, so that Node has compiled what a submit runs. */
const WARM_UP = 240;
/** One address may not make so many guests in an hour as these figures need. */
const GUESTS_OF_ONE_ADDRESS = 100;

export interface Beside {
  readonly url: string;
  readonly pid: number | undefined;
  stop(): void;
}

/** A process beside the one that is measured, once it says at which address it answers: a script of this folder. */
export function spawnBeside(script: string, ...given: readonly string[]): Promise<Beside> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended (${code}).`)));
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /READY (\S+)/.exec(chunk.toString())?.[1];
      if (url) resolve({ url, pid: child.pid, stop: () => void child.kill() });
    });
  });
}

/** CPU seconds that the threads of a process have used, on Linux; NaN elsewhere. */
export function cpuSeconds(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9)
      .reduce((sum, one) => sum + one, 0);
  } catch {
    return Number.NaN;
  }
}

export const aimed = (figure: number, aim: number, isBelow = false) =>
  `aim ${isBelow ? 'below ' : ''}${aim}${(isBelow ? figure < aim : figure >= aim) ? '' : ', missed here'}`;

export const share = (times: readonly number[]) =>
  `median ${median(times).toFixed(1)} ms, p99 ${within(times, 0.99).toFixed(1)} ms`;

export interface Load {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly times: readonly number[];
}

/** Requests until `next` gives null, on several connections. */
export async function load(server: Pick<Beside, 'url' | 'pid'>, next: () => Buffer | null): Promise<Load> {
  const before = cpuSeconds(server.pid);
  const { perSecond, times } = await closedLoop(server.url, CONNECTIONS, next);
  return { perSecond, times, perCpuSecond: times.length / (cpuSeconds(server.pid) - before) };
}

export const forAWhile = (request: Buffer) => {
  const until = performance.now() + ROUND_MS;
  return () => (performance.now() < until ? request : null);
};

async function expectOk<T>(answer: Promise<Answer<T>>): Promise<Answer<T>> {
  const given = await answer;
  if (given.status !== 200)
    throw new Error(`Refused with ${given.status}: ${JSON.stringify(given.body).slice(0, 400)}`);
  return given;
}

/** The submit of a guest with a pizza in the cart and the bill agreed, as it goes over the wire. */
async function readyOrder(server: SpawnedServer, number: number): Promise<Buffer> {
  const storeId = countryConfig('india').DEFAULT_STORE;
  const guest = (await expectOk(server.call(session.anonymous, {}))).body;
  const auth = {
    authToken: guest.credentials.accessToken,
    userId: guest.attributes.userId,
    headers: { sessiontoken: guest.credentials.sessionToken, storeId, deliveryType: 'PICKUP' },
  };
  const { cartId } = guest.attributes;
  const { body: dishes } = await expectOk(server.call(menu.byStore, { storeId, query: {} }));
  const item = dishes.menu?.items.find((one) => one.kind === 'PIZZA' && !one.soldOut);
  if (!item) throw new Error('There is no pizza on the menu.');
  await expectOk(
    server.call(
      cart.add,
      {
        cartId,
        body: {
          items: [{ operationId: `op-${number}`, line: { lineId: `line-${number}`, productId: item.id, quantity: 1 } }],
          options: { deliveryType: 'PICKUP', storeId },
        },
      },
      auth,
    ),
  );
  const where = { cartId, storeId, deliveryType: 'PICKUP' } as const;
  const customer = { firstName: 'Asha', lastName: 'Rao', mobile: `98${String(10_000_000 + number)}` };
  const { quote, problems } = (
    await expectOk(server.call(orders.validations, { body: { ...where, customer, paymentMode: 'UPI' } }, auth))
  ).body;
  if (problems.length > 0)
    throw new Error(`The order is not ready: ${problems.map((one) => one.displayMsg).join(' ')}`);
  const body = JSON.stringify({
    ...where,
    customer,
    paymentMode: 'UPI',
    cartVersion: quote.cartVersion,
    total: quote.bill.total,
    termsAccepted: true,
  });
  const headers = {
    api_key: 'in-web',
    authToken: auth.authToken,
    userId: auth.userId,
    ...auth.headers,
    'idempotency-key': `bench-${number}`,
  };
  return raw('POST', orders.submit.path, headers, body);
}

/** A database on a disk whose clock stands at lunch time of India, so that stores are open whenever this runs. */
async function atLunchTime(engine: Engine) {
  const database = await emptyDatabase(engine, { isDurable: true });
  const server = await spawnServer({ database });
  const { now } = (await server.call(development.clock, {})).body;
  const DAY_S = 86_400;
  await server.advance(Math.round(((((12.5 - 5.5) * 3600 - ((now / 1000) % DAY_S)) % DAY_S) + DAY_S) % DAY_S));
  await server.stop();
  // Production would refuse a database that development was served from.
  const { db } = await openDb(database.target);
  await db.deleteFrom('secrets').where('name', '=', 'development').execute();
  await db.destroy();
  return database;
}

export interface Shop {
  readonly server: SpawnedServer;
  /** The next submit, ready to be sent. */
  one(): Promise<Buffer>;
  some(count: number): Promise<Buffer[]>;
  /** Forgets how many sessions this address has begun. */
  fresh(): Promise<void>;
  /** Forgets that payments of earlier orders are to be looked after, so that nothing but what comes now is at work. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

/** All guests of a bench have one address, which may not begin so many sessions in an hour: it is forgotten for every hundredth. */
export async function freshAddress(db: Db, number: number): Promise<void> {
  if (number % GUESTS_OF_ONE_ADDRESS === 0) await db.deleteFrom('counters').execute();
}

/**
 * A server of which Node has compiled what an order needs.
 * @param environment more variables of it
 */
export async function openShop(engine: Engine, environment: Readonly<Record<string, string>> = {}): Promise<Shop> {
  const database = await atLunchTime(engine);
  const bank = await spawnBeside('bank.ts', SECRET);
  const settings: TestServerOptions = {
    database,
    settings: {
      // As in production: replies are not checked against their schemas, and every call is logged.
      development: false,
      quiet: false,
      distDir: null,
      environment: {
        ADDRESS_CONNECTIONS: '100000',
        ADDRESS_MEGABYTES: '100000',
        BANK_URL: bank.url,
        BANK_MERCHANT: 'bench',
        BANK_SECRET: SECRET,
        BANK_VPA: 'shop@bench',
        ...environment,
      },
    },
  };
  const server = await spawnServer(settings);
  const { db } = await openDb(database.target);
  let number = 0;
  const one = async () => {
    await freshAddress(db, number);
    return await readyOrder(server, number++);
  };
  const some = async (count: number) => {
    const made: Buffer[] = [];
    for (let index = 0; index < count; index += 1) made.push(await one());
    return made;
  };
  const warm = await some(WARM_UP);
  await closedLoop(server.url, CONNECTIONS, () => warm.pop() ?? null);
  return {
    server,
    one,
    some,
    async fresh() {
      await db.deleteFrom('counters').execute();
    },
    async calm() {
      await db.deleteFrom('jobs').where('kind', 'like', 'payment.%').execute();
    },
    async close() {
      await db.destroy();
      await server.stop();
      bank.stop();
      await database.drop();
    },
  };
}
