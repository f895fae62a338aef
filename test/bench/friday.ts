// A Friday night: for ten minutes twenty times the usual orders and visits come to a shop of several machines (machines.ts). The
// bank takes its time, a process is killed and started again, the primary is lost and its standby promoted, and at last half the
// town looks around at once. What customers waited, what an operator saw, and whether anything was lost or is there twice.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { sql } from 'kysely';
import type { Endpoint, Input } from '../../src/contract/endpoint.ts';
import * as menu from '../../src/contract/menu.ts';
import * as places from '../../src/contract/places.ts';
import { openDb, type Db } from '../../src/server/store/db.ts';
import { bankSecret } from '../../src/server/vendors/bankDesk.ts';
import { controls, spawnServer, type Answer, type CallOptions, type TestServer } from '../kit/server.ts';
import { bankAt, bankBetween } from '../server/bankBetween.ts';
import { violations } from '../server/invariants.ts';
import { openShop, pay, PICKUP, visitor } from '../server/shop.ts';
import { machines, type Machines } from './machines.ts';
import { median, pad, pause, root, within } from './numbers.ts';
import { watch } from './seen.ts';
import { freshAddress } from './shop.ts';
import { closedLoop, raw } from './wire.ts';

const USUAL = { orders: 0.2, visits: 2 };
const TIMES = 20;
const SLOW_BANK_MS = 2_000;
/** So long a customer tries again, as a page does. */
const PATIENCE_MS = 60_000;
/** So many look for places at once when half the town does. */
const LOOKERS = 200;
/** Rows in which the evening is told. */
const ROWS = 20;

/** Places typed with a slip, as many as are asked for: the dearest that somebody who looks around can ask. */
function slips(): () => Buffer {
  const names = ['koramangala', 'connaught place', 'indiranagar', 'banjara hills', 'powai', 'salt lake', 'anna nagar'];
  let turn = 0;
  return () => {
    turn += 1;
    const name = names[turn % names.length]!;
    const at = 2 + (turn % (name.length - 3));
    const input = encodeURIComponent(`${name.slice(0, at)}${name.slice(at + 1)}`);
    const where = `latitude=${12 + (turn % 997) / 100}&longitude=77.6`;
    return raw('GET', `${places.autocomplete.path}?input=${input}&${where}`, { api_key: 'in-web' });
  };
}

/** What happened to a customer, by when it was answered; times in ms, `again` is how often it was asked in vain. */
interface Wait {
  readonly at: number;
  readonly ms: number;
  readonly again: number;
}

interface Night {
  readonly visits: Wait[];
  readonly orders: Wait[];
  readonly acked: string[];
  readonly paid: string[];
  readonly failed: string[];
  /** Orders whose submit was asked again. */
  readonly unsure: string[];
}

const BUSY: readonly number[] = [409, 429];

/** What customers reach: a call that finds nobody, or is told to come again, is made again by the same key. */
function patient(url: string): TestServer & { again: number } {
  const { call, ...rest } = controls(url);
  const front = {
    ...rest,
    url,
    database: { target: url, drop: () => Promise.resolve() },
    again: 0,
    async call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions) {
      const giveUp = performance.now() + PATIENCE_MS;
      for (;;) {
        const answer = await call(endpoint, input, options).catch((error: unknown) => {
          if (performance.now() > giveUp) throw error;
          return null;
        });
        const isDone = answer !== null && answer.status < 500 && !BUSY.includes(answer.status);
        if (isDone || (answer !== null && performance.now() > giveUp)) return answer as Answer<never>;
        front.again += 1;
        await pause(200 + Math.random() * 300);
      }
    },
    stop: () => Promise.resolve(),
  };
  return front;
}

/** The customer presses on until the bank's page has heard it. */
async function paid(bank: TestServer, next: Parameters<typeof pay>[1]): Promise<void> {
  // The bank has not said so far what is to be done: the page asks.
  if (next.kind === 'none') return;
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const failed = await pay(bank, next).then(
      () => null,
      (error: unknown) => String(error),
    );
    // A page without a button has heard it before.
    if (failed === null || /no form at \S+: 200/.test(failed)) return;
    if (performance.now() > giveUp) throw new Error(failed);
    await pause(200 + Math.random() * 300);
  }
}

/** Customers that come evenly for so long, whether or not those before them have gone. */
async function evening(
  { url, db, bank }: { url: string; db: Db; bank: TestServer },
  forMs: number,
  { orders, visits }: typeof USUAL,
): Promise<Night> {
  const night: Night = { visits: [], orders: [], acked: [], paid: [], failed: [], unsure: [] };
  const begun = performance.now();
  const under: Promise<void>[] = [];
  const watched = (work: Promise<void>) =>
    void under.push(work.catch((error: unknown) => void night.failed.push(String(error).slice(0, 200))));
  const waited = (list: Wait[], started: number, again: number) =>
    void list.push({ at: performance.now() - begun, ms: performance.now() - started, again });
  const visit = async () => {
    const started = performance.now();
    const front = patient(url);
    const { status } = await front.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' });
    if (status !== 200) throw new Error(`a menu answered ${status}`);
    waited(night.visits, started, front.again);
  };
  const order = async () => {
    const front = patient(url);
    const who = await visitor(front, 'IN', PICKUP);
    await who.fill();
    front.again = 0;
    const started = performance.now();
    const { status, body } = await who.submit();
    if (status !== 200) throw new Error(`an order answered ${status} ${JSON.stringify(body.errors)}`);
    waited(night.orders, started, front.again);
    night.acked.push(body.order.orderId);
    if (front.again > 0) night.unsure.push(body.order.orderId);
    await paid(bank, body.next);
    const { order: known } = await who.confirm(body.order);
    if (known.orderStatus !== 'PENDING') night.paid.push(body.order.orderId);
  };
  let [ordered, visited] = [0, 0];
  for (let ms = 0; ms < forMs; ms = performance.now() - begun) {
    for (; ordered < (ms / 1_000) * orders; ordered += 1) {
      // While there is no primary nobody else can write, either.
      if (ordered > 0) void freshAddress(db, ordered).catch(() => {});
      watched(order());
    }
    for (; visited < (ms / 1_000) * visits; visited += 1) watched(visit());
    await pause(20);
  }
  await Promise.all(under);
  return night;
}

const clock = (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor((ms / 1_000) % 60)).padStart(2, '0')}`;
const secondsOf = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const again = (list: readonly Wait[]) => list.reduce((sum, one) => sum + one.again, 0);

function told(list: readonly Wait[]): string {
  const times = list.map(({ ms }) => ms);
  return `${list.length}, median ${median(times).toFixed(0)} ms, 19 of 20 within ${within(times, 0.95).toFixed(0)} ms, all within ${secondsOf(Math.max(0, ...times))}, ${again(list)} asked again`;
}
/** The longest time without one that was answered. */
function gapOf(list: readonly Wait[]): number {
  const moments = list.map(({ at }) => at).sort((a, b) => a - b);
  return Math.max(0, ...moments.slice(1).map((at, index) => at - moments[index]!));
}

interface Event {
  readonly at: number;
  readonly what: string;
}

/** What happens in the evening, at parts of its length. */
async function troubles(shop: Machines, forMs: number, happened: Event[]): Promise<{ times: number[] }> {
  const begun = performance.now();
  const until = async (part: number) => await pause(Math.max(0, begun + forMs * part - performance.now()));
  const note = (what: string) => void happened.push({ at: performance.now() - begun, what });
  await until(0.2);
  note('a process is killed');
  await shop.apis[1]!.kill();
  await until(0.2 + Math.min(1 / 6, 10_000 / forMs));
  await shop.restart(1);
  note('it is back');
  await until(0.5);
  note('the primary is lost');
  await shop.killPrimary();
  await shop.promote();
  note('its standby is the primary');
  await until(0.8);
  note(`${LOOKERS} look for places at once`);
  const end = performance.now() + forMs / 10;
  const next = slips();
  const { times } = await closedLoop(shop.customers, LOOKERS, () => (performance.now() < end ? next() : null));
  note('they have gone');
  return { times };
}

function tell(night: Night, forMs: number, happened: readonly Event[]): void {
  const row = forMs / ROWS;
  console.log(`${pad('from', 7)}${pad('menus: median, worst, asked again', 36)}orders: median, worst, asked again`);
  for (let from = 0; from < forMs; from += row) {
    const inRow = <T extends { readonly at: number }>(list: readonly T[]) =>
      list.filter(({ at }) => at >= from && at < from + row);
    const of = (list: readonly Wait[]) => {
      const times = list.map(({ ms }) => ms);
      return list.length === 0
        ? 'none'
        : `${String(list.length).padStart(5)}: ${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} ms, ${again(list)}`;
    };
    const events = inRow(happened).map(({ at, what }) => `${clock(at)} ${what}`);
    console.log(
      `${pad(clock(from), 7)}${pad(of(inRow(night.visits)), 36)}${pad(of(inRow(night.orders)), 36)}${events.join('; ')}`.trimEnd(),
    );
  }
}

/** @param seconds how long the rush lasts */
export async function benchFriday({ seconds }: { seconds: number }): Promise<void> {
  const bank = await spawnServer({ settings: { distDir: null } });
  const books = await openDb(bank.database.target);
  let late = 0;
  const counter = await bankBetween(
    () => bank.url,
    () => late,
  );
  const { environment } = bankAt(counter.url, await bankSecret(books.db));
  const shop = await machines({ processes: 2, isSynchronous: true, development: true, bank: environment });
  const { db } = await openDb(shop.database);
  const asCustomers = { url: shop.customers, db, bank };
  const plain = controls(shop.customers);
  try {
    await openShop(patient(shop.customers));
    await openShop(bank);
    console.log(
      `A Friday night of ${seconds} s, ${TIMES} times the usual load: HAProxy, two processes, PgBouncer, a primary and its synchronous standby, a bank`,
    );
    const quietMs = Math.min(seconds, 20) * 1_000;
    const usual = await evening(asCustomers, quietMs, USUAL);
    console.log(`usual   menus ${told(usual.visits)}\n        orders ${told(usual.orders)}`);

    late = SLOW_BANK_MS;
    const seen = watch(shop.figures);
    const happened: Event[] = [{ at: 0, what: `the bank answers ${secondsOf(SLOW_BANK_MS)} late` }];
    const forMs = seconds * 1_000;
    const rush = evening(asCustomers, forMs, { orders: USUAL.orders * TIMES, visits: USUAL.visits * TIMES });
    const [friday, looked] = await Promise.all([rush, troubles(shop, forMs, happened)]);
    const alerts = seen.end();
    console.log(`Friday  menus ${told(friday.visits)}\n        orders ${told(friday.orders)}`);
    console.log(
      `        ${(friday.acked.length / seconds).toFixed(1)} orders a second, ${friday.paid.length} paid at once, ${friday.failed.length} given up; at most ${secondsOf(gapOf(friday.orders))} without an order, ${secondsOf(gapOf(friday.visits))} without a menu`,
    );
    for (const one of new Set(friday.failed)) console.log(`        ${one}`);
    const [from, to] = happened.slice(-2).map(({ at }) => at);
    const meanwhile = friday.orders.filter(({ at }) => at >= from! && at < to!);
    console.log(
      `        ${looked.times.length} places looked for, half of them within ${median(looked.times).toFixed(0)} ms, 19 of 20 within ${within(looked.times, 0.95).toFixed(0)} ms; orders meanwhile ${told(meanwhile)}`,
    );
    tell(friday, forMs, happened);
    for (const { alert, from: first, to: last } of alerts.filter(({ rang }) => rang))
      console.log(`        ${alert} rang: found from ${clock(first * 1_000)} to ${clock(last * 1_000)}`);
    const quiet = Map.groupBy(
      alerts.filter(({ rang }) => !rang),
      ({ alert }) => alert,
    );
    const moments = [...quiet].map(([alert, all]) => `${alert} ${all.length} times`);
    if (moments.length > 0) console.log(`        too short to ring: ${moments.join(', ')}`);

    late = 0;
    await bank.advance(3_600);
    await plain.advance(3_600);
    // The bank's books beside ours, to be compared.
    for (const table of ['bank_charges', 'bank_movements'] as const)
      for (const row of await books.db.selectFrom(table).selectAll().execute())
        await db.insertInto(table).values(row).execute();
    const acked = [...usual.acked, ...friday.acked];
    const wrong = await violations(db, {
      settled: true,
      ackedOrders: acked,
      ackedPaid: [...usual.paid, ...friday.paid],
    });
    const { rows } = await sql<{
      user_id: string;
    }>`select user_id from orders group by user_id having count(*) > 1`.execute(db);
    console.log(
      `after   of ${acked.length} orders that customers were told: ${wrong.length === 0 ? 'none lost, the books are right' : wrong.join('; ')}; ${rows.length} customers with two; ${friday.unsure.length} were asked for again by their key`,
    );
    const [one] = friday.unsure;
    if (one !== undefined) {
      const story = path.join(root, 'src/server/operations/story.ts');
      const env = { ...process.env, DATABASE_URL: shop.database };
      console.log(
        `\nOne of them, by npm run story:\n${execFileSync(process.execPath, [story, one], { env, encoding: 'utf8' }).trim()}`,
      );
    }
    if (wrong.length > 0 || rows.length > 0) process.exitCode = 1;
  } finally {
    await db.destroy();
    await shop.close();
    await books.db.destroy();
    await bank.stop();
    counter.stop();
  }
}
