// Requests per second of the menu and of order submit, beside a bare node:http that answers the same bytes; how long a submit
// takes in a closed and in an open loop, beside a bare node:http that makes as many writes durable; the memory of thousands who
// follow an order; and how long an order takes while a thousand others browse.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { openDb } from '../../src/server/store/db.ts';
import { countryConfig } from '../../country/index.ts';
import type { Country } from '../../country/shape.ts';
import * as cart from '../../src/contract/cart.ts';
import * as development from '../../src/contract/development.ts';
import * as home from '../../src/contract/home.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import {
  spawnServer,
  testDatabase,
  type Answer,
  type Engine,
  type SpawnedServer,
  type TestDatabase,
} from '../kit/server.ts';
import { median, pad, within } from './numbers.ts';
import { copiesOf, followAll, residentMb } from './followers.ts';
import { browsing, closedLoop, openLoop, raw, rawBody } from './wire.ts';

const CONNECTIONS = 8;
const ROUND_MS = 2_000;
const SUBMITS_A_ROUND = 60;
/** Orders placed before anything is measured, so that Node has compiled what a submit runs. */
const WARM_UP = 240;
const FOLLOWERS = 10_000;
const BROWSERS = 1_000;
const JOURNEYS = 60;
/** How long somebody who browses looks at a page, in the mean. */
const LOOKS_MS = 10_000;
/** What the ratios should be. A machine that does other things besides may miss them. */
const AIMS = { menu: 0.6, submit: 0.8, submitCpuMs: 2, followersMb: 400, journey: 2 } as const;
/** Of what the closed loop reaches: how busy the open loop keeps the server. */
const OPEN_LOOP_SHARES = [0.25, 0.5, 0.75];
const WAL_HEADER = 32;
const WAL_FRAME_HEADER = 24;

/** Answers what it is told with nothing but node:http, after as many durable writes as it is told: what remains when all work is taken away. */
const BARE = `import http from 'node:http';
import fs from 'node:fs';
const body = Buffer.from(process.argv[1], 'base64');
const [file, syncs] = [process.argv[2], Number(process.argv[3] ?? 0)];
const log = syncs > 0 ? fs.openSync(file, 'a') : null;
const page = Buffer.alloc(4096, 1);
const server = http.createServer((request, response) => {
  request.on('data', () => {}).on('end', () => {
    for (let n = 0; n < syncs; n += 1) { fs.writeSync(log, page); fs.fsyncSync(log); }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log('READY http://127.0.0.1:' + server.address().port));`;

interface Bare {
  readonly url: string;
  readonly pid: number | undefined;
  readonly stop: () => void;
}

function spawnBare(body: Buffer, durable?: { readonly file: string; readonly syncs: number }): Promise<Bare> {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      BARE,
      body.toString('base64'),
      ...(durable ? [durable.file, String(durable.syncs)] : []),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return ready(child);
}

/** The address at which a process answers, once it says so. */
function ready(child: ChildProcessByStdio<null, Readable, null>): Promise<Bare> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.on('data', (chunk: Buffer) => {
      const url = /READY (\S+)/.exec(chunk.toString())?.[1];
      if (url) resolve({ url, pid: child.pid, stop: () => child.kill() });
    });
  });
}

/** CPU seconds that a process has used, on Linux; null elsewhere. */
function cpuSeconds(pid: number | undefined): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

const SECRET = 'bench';

/** A bank in a process of its own, so that the server's figures are not those of the bank that is built into it. */
function spawnBank(): Promise<Bare> {
  return ready(
    spawn(process.execPath, [path.join(import.meta.dirname, 'bank.ts'), SECRET], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
}

const aimed = (figure: number, aim: number, isBelow = false) =>
  `aim ${isBelow ? 'below ' : ''}${aim}${(isBelow ? figure < aim : figure >= aim) ? '' : ', missed here'}`;

interface Load {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly times: readonly number[];
}

/** Requests until `next` gives null, on several connections. */
async function load(server: Pick<Bare, 'url' | 'pid'>, next: () => Buffer | null): Promise<Load> {
  const cpuBefore = cpuSeconds(server.pid);
  const { perSecond, times } = await closedLoop(server.url, CONNECTIONS, next);
  const cpu = cpuSeconds(server.pid);
  return {
    perSecond,
    times,
    perCpuSecond:
      cpu === null || cpuBefore === null || cpu === cpuBefore ? Number.NaN : times.length / (cpu - cpuBefore),
  };
}

const forAWhile = (request: Buffer) => {
  const until = performance.now() + ROUND_MS;
  return () => (performance.now() < until ? request : null);
};

/** The submit of a guest with a pizza in the cart and the bill agreed, as it goes over the wire. */
async function readyOrder(server: SpawnedServer, country: Country, number: number): Promise<Buffer> {
  const guest = (await expectOk(server.call(session.anonymous, {}))).body;
  const auth = {
    authToken: guest.credentials.accessToken,
    userId: guest.attributes.userId,
    headers: { sessiontoken: guest.credentials.sessionToken, storeId: country.DEFAULT_STORE, deliveryType: 'PICKUP' },
  };
  const { cartId } = guest.attributes;
  const { body: dishes } = await expectOk(server.call(menu.byStore, { storeId: country.DEFAULT_STORE, query: {} }));
  const item = dishes.menu?.items.find((one) => one.kind === 'PIZZA' && !one.soldOut);
  if (!item) throw new Error('There is no pizza on the menu.');
  await expectOk(
    server.call(
      cart.add,
      {
        cartId,
        body: {
          items: [{ operationId: `op-${number}`, line: { lineId: `line-${number}`, productId: item.id, quantity: 1 } }],
          options: { deliveryType: 'PICKUP', storeId: country.DEFAULT_STORE },
        },
      },
      auth,
    ),
  );
  const where = { cartId, storeId: country.DEFAULT_STORE, deliveryType: 'PICKUP' } as const;
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

async function expectOk<T>(answer: Promise<Answer<T>>): Promise<Answer<T>> {
  const given = await answer;
  if (given.status !== 200)
    throw new Error(`Refused with ${given.status}: ${JSON.stringify(given.body).slice(0, 400)}`);
  return given;
}

type Measure = () => Promise<Load>;

async function compare(title: string, rounds: number, ours: Measure, bare: Measure, aim?: number): Promise<void> {
  const runs: { ours: Load[]; bare: Load[] } = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    runs.ours.push(await ours());
    runs.bare.push(await bare());
  }
  const of = (name: 'ours' | 'bare', key: 'perSecond' | 'perCpuSecond') => median(runs[name].map((run) => run[key]));
  const line = (name: 'ours' | 'bare') =>
    `${of(name, 'perSecond').toFixed(0).padStart(10)}${of(name, 'perCpuSecond').toFixed(0).padStart(14)}`;
  const beside = (key: 'perSecond' | 'perCpuSecond') => of('ours', key) / of('bare', key);
  console.log(
    `${pad(title, 16)}${line('ours')}${line('bare')}${beside('perSecond').toFixed(3).padStart(10)}${beside('perCpuSecond').toFixed(3).padStart(14)}${aim === undefined ? '' : `   ${aimed(beside('perSecond'), aim)}`}`,
  );
}

/** Commits in a write-ahead log of SQLite: frames that say how large the database is after them. With synchronous=FULL each is one fsync. */
function commitsIn(wal: string): number {
  const log = readFileSync(wal);
  if (log.length < WAL_HEADER) return 0;
  const frame = WAL_FRAME_HEADER + log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (let at = WAL_HEADER; at + frame <= log.length && log.subarray(at + 8, at + 16).equals(salt); at += frame)
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

/** The count once it has stood still for longer than the server waits between two looks for work. */
async function steady(count: () => number): Promise<number> {
  for (let before = Number.NaN, now = count(); ; before = now, now = count()) {
    if (now === before) return now;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 1_500);
    });
  }
}

/** Durable commits of one submit alone and of what follows it, counted where they are made. PostgreSQL runs the same transactions. */
async function commitsOfASubmit(country: Country, settings: Settings): Promise<number> {
  const database = await atLunchTime('sqlite');
  const server = await spawnServer({ database, settings });
  try {
    const submit = await readyOrder(server, country, 0);
    const count = () => commitsIn(`${database.target}-wal`);
    const before = await steady(count);
    await rawBody(server.url, submit);
    return (await steady(count)) - before;
  } finally {
    await server.stop();
    await database.drop();
  }
}

const share = (times: readonly number[]) =>
  `median ${median(times).toFixed(1)} ms, p99 ${within(times, 0.99).toFixed(1)} ms`;

async function submitTimes(
  engine: Engine,
  server: SpawnedServer,
  ready: () => Promise<Buffer[]>,
  sample: Buffer,
  settings: Settings,
): Promise<void> {
  const country = countryConfig('india');
  const commits = await commitsOfASubmit(country, settings);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-sync-'));
  const durable = await spawnBare(await rawBody(server.url, sample), {
    file: path.join(folder, 'log'),
    syncs: commits,
  });
  console.log(`Order submits on ${engine} beside bare node:http with as many fsyncs, ${commits} for each`);
  const requests = await ready();
  const [ours, bare] = [await load(server, () => requests.pop() ?? null), await load(durable, forAWhile(sample))];
  const line = (title: string, one: string, other: string) =>
    console.log(`${pad(title, 34)}ours ${one}; bare ${other}`);
  line(
    `closed loop, ${CONNECTIONS} connections`,
    `${ours.perSecond.toFixed(0)} a second, ${share(ours.times)}`,
    `${bare.perSecond.toFixed(0)} a second, ${share(bare.times)}`,
  );
  const beside = ours.perSecond / bare.perSecond;
  const cpuMs = 1_000 / ours.perCpuSecond;
  console.log(
    `${pad('', 34)}ratio ${beside.toFixed(2)} (${aimed(beside, AIMS.submit)}); ${cpuMs.toFixed(2)} ms of CPU each (${aimed(cpuMs, AIMS.submitCpuMs, true)})`,
  );
  for (const part of OPEN_LOOP_SHARES) {
    const perSecond = ours.perSecond * part;
    const [one, other] = [
      await openLoop(server.url, perSecond, await ready()),
      await openLoop(
        durable.url,
        perSecond,
        Array.from({ length: SUBMITS_A_ROUND }, () => sample),
      ),
    ];
    line(`open loop, ${perSecond.toFixed(0)} a second (${part * 100} %)`, share(one.times), share(other.times));
  }
  durable.stop();
  rmSync(folder, { recursive: true, force: true });
}

type Settings = NonNullable<Parameters<typeof spawnServer>[0]>['settings'] & object;

/** The memory that the server takes for those who follow their orders. */
async function followers(server: SpawnedServer, one: Buffer): Promise<void> {
  const { db } = await openDb(server.database.target);
  const { order } = JSON.parse(String(await rawBody(server.url, one))) as { order: { orderId: string } };
  await db.updateTable('orders').set({ status: 'ORDER PLACED' }).where('id', '=', order.orderId).execute();
  await db.destroy();
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(String(one))?.[1]?.trim() ?? '';
  const customer = { orderId: order.orderId, userId: header('userid'), access: header('authtoken') };
  const all = await copiesOf(server.database.target, customer, FOLLOWERS);
  const before = residentMb(server.pid);
  const { open, end } = await followAll(server, all);
  const after = residentMb(server.pid);
  end();
  console.log(
    `${open} of ${FOLLOWERS} follow an order by server-sent events: ${after.toFixed(0)} MB resident (${before.toFixed(0)} before), ${(((after - before) * 1024) / open).toFixed(0)} KB each (${aimed(after, AIMS.followersMb, true)})`,
  );
}

/** Times of whole orders, from the first call of a guest to the answer of the submit, in ms. */
async function journeys(server: SpawnedServer, one: () => Promise<Buffer>): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < JOURNEYS; number += 1) {
    const began = performance.now();
    await rawBody(server.url, await one());
    times.push(performance.now() - began);
  }
  return times;
}

async function whileOthersBrowse(server: SpawnedServer, country: Country, one: () => Promise<Buffer>): Promise<void> {
  const quiet = await journeys(server, one);
  const headers = { api_key: 'in-web', 'accept-encoding': 'br' };
  const storeId = country.DEFAULT_STORE;
  const others = await browsing(
    server.url,
    [
      raw('GET', fillPath(menu.byStore.path, { storeId }), headers),
      raw('GET', fillPath(home.home.path, { storeId }), headers),
      raw('GET', fillPath(menu.deals.path, { storeId }), headers),
    ],
    BROWSERS,
    LOOKS_MS,
  );
  const busy = await journeys(server, one);
  const { perSecond } = others.stop();
  const times = within(busy, 0.99) / within(quiet, 0.99);
  console.log(
    `An order from the first call to its answer: quiet ${share(quiet)}; while ${BROWSERS} others browse (${perSecond.toFixed(0)} calls a second) ${share(busy)}; p99 ${times.toFixed(2)} times (${aimed(times, AIMS.journey, true)})`,
  );
}

/** A database whose clock stands at lunch time of India, so that stores are open whenever this runs. */
async function atLunchTime(engine: Engine): Promise<TestDatabase> {
  const database = await testDatabase(engine);
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

export async function benchServer({ rounds, engine }: { rounds: number; engine: Engine }): Promise<void> {
  const country = countryConfig('india');
  const database = await atLunchTime(engine);
  const bank = await spawnBank();
  // As in production: replies are not checked against their schemas.
  const settings: Settings = {
    development: false,
    environment: {
      ADDRESS_CONNECTIONS: '100000',
      BANK_URL: bank.url,
      BANK_MERCHANT: 'bench',
      BANK_SECRET: SECRET,
      BANK_VPA: 'shop@bench',
    },
  };
  const server = await spawnServer({ database, settings });
  const { db } = await openDb(database.target);
  console.log(
    `\nRequests a second on ${engine}, ${CONNECTIONS} connections, medians of ${rounds} alternated rounds, beside bare node:http with the same bytes`,
  );
  console.log(`${pad('', 16)}      ours  a CPU second      bare  a CPU second     ratio  a CPU second`);
  try {
    const target = fillPath(menu.byStore.path, { storeId: country.DEFAULT_STORE });
    for (const [title, accept] of [
      ['menu', {}],
      ['menu, brotli', { 'accept-encoding': 'br' }],
    ] as const) {
      const request = raw('GET', target, { api_key: 'in-web', ...accept });
      const bareMenu = await spawnBare(await rawBody(server.url, request));
      await compare(
        title,
        rounds,
        () => load(server, forAWhile(request)),
        () => load(bareMenu, forAWhile(request)),
        AIMS.menu,
      );
      bareMenu.stop();
    }
    let number = 0;
    const one = async () => {
      // One address may not make so many guests in an hour.
      if (number % 100 === 0) await db.deleteFrom('counters').execute();
      return await readyOrder(server, country, number++);
    };
    const some = async (count = SUBMITS_A_ROUND) => {
      const made: Buffer[] = [];
      for (let index = 0; index < count; index += 1) made.push(await one());
      return made;
    };
    const warm = await some(WARM_UP);
    await load(server, () => warm.pop() ?? null);
    const sample = await one();
    const bareSubmit = await spawnBare(await rawBody(server.url, sample));
    await compare(
      'order submit',
      rounds,
      async () => {
        const requests = await some();
        return load(server, () => requests.pop() ?? null);
      },
      () => load(bareSubmit, forAWhile(sample)),
    );
    bareSubmit.stop();
    await submitTimes(engine, server, some, sample, settings);
    await whileOthersBrowse(server, country, one);
    await followers(server, await one());
  } finally {
    await db.destroy();
    await server.stop();
    bank.stop();
    await database.drop();
  }
}
