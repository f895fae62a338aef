/**
 * Records a release for the tests of upgrades: `node test/upgrade/record.ts NAME` starts the server of this checkout on an
 * empty database, lets customers do what customers do, and writes every statement that the release has sent to it, once for
 * each engine: test/upgrade/NAME.<engine>.json.br. Played again they make the database of this release, and on a newer schema
 * they say whether this release can still work on it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import type { Engine } from '../kit/server.ts';
import { contents, replay, SCHEMA, writeFixture, type Step } from './fixture.ts';

const name = process.argv[2];
if (name === undefined || !/^[\w.-]+$/.test(name))
  throw new Error('How is the release called? node test/upgrade/record.ts NAME');

type Statement = readonly [sql: string, parameters: readonly unknown[]];
/** What is not the server's is not recorded. */
const aside = new AsyncLocalStorage<true>();
const isRead = (sql: string) => /^\s*(select|show|pragma)\b/i.test(sql);
let committed: Statement[] = [];
const reads = new Set<string>();

/** One connection: what it has written since it began, until it commits. */
class Connection {
  #open: Statement[] | null = null;
  /** How much was said before the savepoint, of which there is one at a time. */
  #mark = 0;
  heard(sql: string, parameters: readonly unknown[]): void {
    if (aside.getStore()) return;
    if (/^\s*(begin|start transaction)\b/i.test(sql)) this.#open = [];
    else if (/^\s*savepoint\b/i.test(sql)) this.#mark = this.#open?.length ?? 0;
    else if (/^\s*rollback to\b/i.test(sql)) this.#open?.splice(this.#mark);
    else if (/^\s*release\b/i.test(sql)) return;
    else if (/^\s*rollback\b/i.test(sql)) this.#open = null;
    else if (/^\s*commit\b/i.test(sql)) {
      committed.push(...(this.#open ?? []));
      this.#open = null;
    } else if (isRead(sql)) reads.add(sql);
    else (this.#open ?? committed).push([sql, parameters]);
  }
}

const sqlite = new Connection();
for (const way of ['run', 'all'] as const) {
  const own = StatementSync.prototype[way] as (this: StatementSync, ...given: unknown[]) => unknown;
  StatementSync.prototype[way] = function (this: StatementSync, ...given: unknown[]) {
    const result = own.apply(this, given);
    sqlite.heard(this.sourceSQL, given);
    return result;
  } as never;
}
const connections = new WeakMap<object, Connection>();
const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const connection = connections.get(this) ?? new Connection();
  connections.set(this, connection);
  const result = query.apply(this, given);
  if (typeof given[0] !== 'string' || !(result instanceof Promise)) return result;
  const [sql, parameters] = given as [string, unknown[]?];
  return result.then((answer: unknown) => {
    connection.heard(sql, parameters ?? []);
    return answer;
  });
} as never;

// Only now: they hold what was there when they were loaded.
const { startServer, emptyDatabase } = await import('../kit/server.ts');
const { logInByPaytm, guest } = await import('../server/people.ts');
const { Customer, member, openShop, pay, PICKUP, PLACES, visitor } = await import('../server/shop.ts');
const addresses = await import('../../src/contract/addresses.ts');
const cart = await import('../../src/contract/cart.ts');
const development = await import('../../src/contract/development.ts');
const favourites = await import('../../src/contract/favourites.ts');
const group = await import('../../src/contract/group.ts');
const orders = await import('../../src/contract/orders.ts');
const stores = await import('../../src/contract/stores.ts');
const tracking = await import('../../src/contract/tracking.ts');
const wallet = await import('../../src/contract/wallet.ts');

const MINUTE = 60;
const delivery = PLACES['IN']!.where;

async function record(engine: Engine): Promise<void> {
  committed = [];
  reads.clear();
  const database = await emptyDatabase(engine);
  const server = await startServer({ database });
  const begun = committed.length;
  await openShop(server);
  const cash = { paymentMode: 'COD' } as const;
  const ordered: Record<string, string> = {};
  const kept = (name: string, { orderId }: { orderId: string }) => (ordered[name] = orderId);

  // Orders of hours ago are over.
  const asha = await member(server);
  await server.call(wallet.credit, { body: { mobile: asha.mobile, amount: 60_000 } });
  kept('delivered', (await asha.order(cash)).order);
  const ravi = await visitor(server, 'IN', PICKUP);
  await ravi.fill(2, 'M');
  await ravi.coupon('WELCOME50');
  const paid = (await ravi.submit()).body;
  await pay(server, paid.next);
  kept('collected', (await ravi.confirm(paid.order)).order);
  const mina = await visitor(server, 'IN', PICKUP);
  const refunded = await mina.order();
  await pay(server, refunded.next);
  await mina.confirm(refunded.order);
  kept('cancelled', (await mina.cancel(refunded.order.orderId)).body.order);
  const { next, order: declined } = await mina.order();
  await pay(server, next, 'decline');
  kept('failed', (await mina.confirm(declined)).order);
  for (const country of ['LK', 'BG']) kept(country, (await (await member(server, country)).order(cash)).order);
  const inPaytm = await logInByPaytm(server);
  const viaPaytm = new Customer(server, inPaytm, PICKUP, 'PZ001', '');
  await viaPaytm.fill();
  await server.advance(150 * MINUTE);

  // The wallet pays a part of one, and gets another's back.
  for (const way of ['wallet', 'returned']) {
    const { version, bill } = await asha.fill();
    const body = { funds: { wallet: 10_000 } };
    const part = await asha.submit({ cartVersion: version, total: bill.total, body });
    await pay(server, part.body.next);
    kept(way, (await asha.confirm(part.body.order)).order);
    if (way === 'returned') await asha.cancel(part.body.order.orderId);
  }
  await server.advance(12 * MINUTE);
  const onTheWay = await member(server);
  kept('baking', (await onTheWay.order(cash)).order);
  await server.advance(8 * MINUTE);

  const probe = (await ravi.call(stores.byId, { storeId: delivery.storeId, query: { timeSlots: 'true' } })).body;
  const later = await member(server, 'IN', { ...delivery, slotId: probe.timeSlots!.at(-1)!.id });
  kept('advance', (await later.order(cash)).order);
  await asha.call(addresses.create, { mobNo: asha.mobile, body: { ...delivery.address!, type: 'home' } });
  await asha.call(favourites.addProduct, { body: { productId: 'PZ001' } });

  kept('placed', (await (await member(server)).order(cash)).order);
  const host = await visitor(server, 'IN', PICKUP);
  await host.fill();
  const people = { name: 'Asha', diet: ['VEG' as const], minutes: 60, limit: null };
  const { code } = (await host.call(group.start, { cartId: host.cartId, body: people })).body.group;
  const friend = await visitor(server, 'IN', PICKUP);
  await friend.call(group.join, { code, body: { name: 'Ravi', diet: [] } });
  await friend.call(cart.add, {
    cartId: host.cartId,
    body: {
      items: [{ operationId: randomUUID(), line: { lineId: randomUUID(), productId: 'SD001', quantity: 1 } }],
      options: { storeId: PICKUP.storeId, deliveryType: PICKUP.deliveryType },
    },
  });

  const open = await asha.order();
  kept('open', open.order);
  await asha.fill(3);
  const undecided = await visitor(server, 'IN', PICKUP);
  await undecided.fill(2, 'M');
  await undecided.coupon('WELCOME50');
  // What only looks is remembered too: a newer schema must still answer it.
  for (const orderId of [ordered['baking']!]) {
    await onTheWay.call(tracking.byOrder, { orderHistoryId: orderId });
    await onTheWay.call(tracking.active, {});
    await onTheWay.call(tracking.share, { orderHistoryId: orderId });
  }
  await asha.call(orders.recent, {});
  await asha.call(wallet.summary, {});
  await asha.call(addresses.list, { userId: asha.userId });
  await host.call(group.byCode, { code, query: {} });
  const { now } = (await server.call(development.clock, {})).body;
  await guest(server);
  await server.stop();

  const told = committed;
  await aside.run(true, async () => {
    const texts = [...new Set(told.map(([sql]) => sql))];
    const places = new Map(texts.map((sql, index) => [sql, index]));
    const schema = new URL(database.target, 'file:').searchParams.get('schema');
    const plain = (sql: string) => (schema === null ? sql : sql.replaceAll(schema, SCHEMA));
    const fixture = {
      release: name!,
      now,
      begun,
      statements: texts.map(plain),
      steps: told.map(([sql, parameters]): Step => [places.get(sql)!, ...parameters.map((one) => one ?? null)]),
      reads: [...reads].map(plain),
      orders: ordered,
      asha: { person: asha.person, mobile: asha.mobile, next: open.next },
      group: { code, host: host.person },
    };
    const again = await emptyDatabase(engine);
    await replay(again.target, fixture);
    const [was, is] = [await contents(database.target), await contents(again.target)];
    for (const table of Object.keys(was))
      if (JSON.stringify(was[table]) !== JSON.stringify(is[table]))
        throw new Error(`${engine}: ${table} is not what it was when it is made again`);
    const bytes = writeFixture(name!, engine, fixture);
    console.log(`${engine}: ${told.length} statements, ${texts.length} texts, ${reads.size} reads, ${bytes} bytes`);
    await again.drop();
    await database.drop();
  });
}

for (const engine of ['sqlite', 'postgres'] as const) await record(engine);
