import type { Stage } from '../../domain/orders.ts';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { AddressInput } from '../../contract/addresses.ts';
import type { Bill, CartLine } from '../../contract/cart.ts';
import type { OrderStatus } from '../../contract/names.ts';
import type { Customer, Vehicle } from '../../contract/orders.ts';
import type { GroupShares } from '../../contract/shares.ts';
import type { Store } from '../../contract/stores.ts';
import { mayMove, type Actor, type Service } from '../../domain/orders.ts';
import { bringBack } from './archive.ts';
import type { TakenCart } from './carts.ts';
import { engineOf, type Tables } from './db.ts';
import type { Db, Tx } from './db.ts';
import { tellMove } from './transitions.ts';
import { first, prepared, wroteOne } from './preparedStatement.ts';

export interface OrderRow {
  id: string;
  number: string;
  country: string;
  host: string;
  user_id: string;
  mobile: string;
  idempotency_key: string;
  cart_id: string;
  cart_version: number;
  store_id: string;
  delivery_type: string;
  status: OrderStatus;
  stage: string | null;
  total: number;
  currency: string;
  /** Frozen at submit: lines, bill, store, address and everything else that an order shows. */
  snapshot: string;
  submitted_at: number;
  scheduled_for: number | null;
  /** When the store began with this order: when it was paid or, for an advance order, when its lead time began. */
  starts_at: number | null;
  confirmed_at: number | null;
  finished_at: number | null;
  /** The steps ahead with their times, frozen when the order starts. */
  life: string | null;
  /** The order fails if it is still unpaid at this time. */
  settle_by: number;
  hand_over_code: string | null;
  arrived_at: number | null;
  bay: string | null;
  promise_deadline: number | null;
  promise_state: string | null;
  /** The trace that the order was submitted in (call/trace.ts); older orders have none. */
  trace: string | null;
  /** 1: cutlery and napkins were asked for; null on orders from before this was kept. */
  cutlery: number | null;
}

/** What an order always shows, as it was when it was placed. */
/** What a line of an order cost, by the line's id. */
interface OrderCost {
  readonly lineId: string;
  /** Minor units, discounts and taxes included. */
  readonly cost: number;
  /** The part of the cost that is tax on top of the prices. */
  readonly tax: number;
  /** The part of the cost that the bill was rounded by. */
  readonly rounding: number;
  /** What its pieces cost, one against the other, dearest first; absent where all cost the same. */
  readonly pieces?: readonly number[] | undefined;
  /** Of a combo: what each of its dishes costs by itself. */
  readonly partPrices?: readonly number[] | undefined;
  /** Points paid for a piece of it. */
  readonly isReward?: true;
}

export interface OrderSnapshot {
  readonly store: Store;
  readonly address: z.output<typeof AddressInput> | null;
  readonly vehicle: Vehicle | null;
  readonly table: string | null;
  readonly customer: z.output<typeof Customer>;
  readonly lines: readonly CartLine[];
  readonly bill: Bill;
  /** The cost of each line, decided when the order was priced; older orders have none (costsOf). */
  readonly costs?: readonly OrderCost[];
  /** The words of its lines in English, where they are in another language. */
  readonly english?: readonly {
    readonly lineId: string;
    readonly name: string;
    readonly sizeName?: string | undefined;
    readonly crustName?: string | undefined;
    readonly choices: readonly string[];
    readonly slots: readonly string[];
  }[];
  /** The labels of its bill in English, by the ids of the lines; absent like `english`. */
  readonly englishBill?: Readonly<Record<string, string>>;
  readonly coupons: readonly string[];
  readonly instructions: readonly string[];
  readonly note: string | null;
  /** The version of the terms that the customer accepted; older orders have none. */
  readonly termsVersion?: string;
  readonly pizzas: number;
  readonly kitchen: {
    readonly maxOrdersPer10Min: number;
    readonly prepMinutes?: number;
    readonly minutesPerKm?: number;
  };
  readonly group?: GroupShares;
  /** What the program of an assistant that prepared it calls itself. */
  readonly assistant?: string;
  /** The train that it goes to, without whose journey it is. */
  readonly train?: {
    readonly number: string;
    readonly name: string;
    readonly station: string;
    readonly latitude: number;
    readonly longitude: number;
  };
  /** What goes back into the cart if the order fails. */
  readonly cart?: TakenCart | undefined;
}

export const snapshotOf = (order: Pick<OrderRow, 'snapshot'>): OrderSnapshot =>
  JSON.parse(order.snapshot) as OrderSnapshot;
/** One step of an order's life with its time, frozen when the order starts. */
export interface LifeStep {
  readonly id: string;
  readonly status: OrderStatus;
  readonly stage: Stage | null;
  /** Epoch ms. */
  readonly at: number;
  /**
   * How long it usually takes to get here from the step before, in ms. Of a step to come, an estimate may use nothing
   * else.
   */
  readonly usualMs: number;
}

export interface OrderLife {
  readonly delayMs: number;
  readonly steps: readonly LifeStep[];
  /** The range that was stated when the order started, epoch ms: shifts of later estimates are measured from it. */
  readonly first?: { readonly from: number; readonly to: number } | null;
}

/** The steps ahead with their times; null before the order starts. */
export const plannedLife = (order: Pick<OrderRow, 'life'>): OrderLife | null =>
  order.life === null ? null : (JSON.parse(order.life) as OrderLife);

export interface EventRow {
  order_id: string;
  seq: number;
  from_status: string | null;
  status: OrderStatus;
  stage: string | null;
  actor: string;
  at: number;
}

declare module './db.ts' {
  interface Tables {
    orders: OrderRow;
    order_numbers: { store_id: string; day: string; number: string };
    order_events: EventRow;
    /**
     * What missed promises paid: back to the payment's source, as less to pay at the door, or to a wallet or e-voucher.
     */
    promise_credits: {
      order_id: string;
      user_id: string;
      amount: number;
      currency: string;
      at: number;
      way: 'REFUND' | 'DOOR' | 'WALLET';
    };
    outbox: { order_id: string; kind: string; payload: string; created_at: number; sent_at: number | null };
    price_locks: {
      cart_id: string;
      cart_version: number;
      context: string;
      user_id: string;
      total: number;
      quote: string;
      priced_at: number;
      locked_until: number;
    };
  }
}

/** Takes a number that no other order of this store has on this day; writes no row when it is taken. */
export const numberTaken = prepared((db, given: Tables['order_numbers']) =>
  db
    .insertInto('order_numbers')
    .values(given)
    .onConflict((c) => c.doNothing()),
);

/** See givenNumbers. */
export async function numbersGiven(db: Db, given: Parameters<typeof givenNumbers>[1]): Promise<ReadonlySet<string>> {
  return new Set((await givenNumbers(db, given).execute()).map(({ number }) => number));
}

/** Which of these numbers a store has given on a day. */
export const givenNumbers = (
  db: Db,
  given: { readonly storeId: string; readonly day: string; readonly numbers: readonly string[] },
) =>
  db
    .selectFrom('order_numbers')
    .select('number')
    .where('store_id', '=', given.storeId)
    .where('day', '=', given.day)
    .where('number', 'in', given.numbers);

/** Takes a number that no other order of this store has on this day; false when it is taken. */
export async function takeNumber(db: Db, storeId: string, day: string, number: string): Promise<boolean> {
  return await wroteOne(numberTaken(db, { store_id: storeId, day, number }));
}

/** Adds an order, to be written with what else it is; writes no row when this version of the cart already became one. */
export const newOrder = prepared((db, given: OrderRow) =>
  db
    .insertInto('orders')
    .values(given)
    .onConflict((c) => c.columns(['cart_id', 'cart_version']).doNothing()),
);

/** To be called where an order was added, and where it was moved by the same write. */
export function tellOrderIs(db: Db, { status, country, host }: OrderRow): void {
  tellMove(db, { noun: 'order', status, country, host });
}

const withId = prepared((db, given: { id: string }) => db.selectFrom('orders').selectAll().where('id', '=', given.id));

export async function orderById(db: Db, id: string): Promise<OrderRow | undefined> {
  const order = await first(withId(db, { id }));
  if (order !== undefined) return order;
  await bringBack(db, [id]);
  return await first(withId(db, { id }));
}

export async function ordersByIds(db: Db, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return [];
  const read = () => db.selectFrom('orders').selectAll().where('id', 'in', ids).execute();
  const there = await read();
  const missing = ids.filter((id) => !there.some((row) => row.id === id));
  if (missing.length === 0) return there;
  await bringBack(db, missing);
  return await read();
}

const locked = prepared((db, given: { id: string }) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', given.id)
    .$if(engineOf(db) === 'postgres', (query) => query.forUpdate()),
);

/** Reads an order and locks it until this transaction ends. SQLite has only one writer anyway. */
export async function lockOrder(tx: Tx, id: string): Promise<OrderRow | undefined> {
  const order = await first(locked(tx, { id }));
  if (order !== undefined) return order;
  await bringBack(tx, [id]);
  return await first(locked(tx, { id }));
}

const withKey = prepared((db, given: { userId: string; key: string }) =>
  db.selectFrom('orders').selectAll().where('user_id', '=', given.userId).where('idempotency_key', '=', given.key),
);

/** The order that somebody submitted with a key. */
export const keyedOrder = (db: Db, given: { readonly userId: string; readonly key: string }) =>
  db.selectFrom('orders').select('id').where('user_id', '=', given.userId).where('idempotency_key', '=', given.key);

export async function orderByKey(db: Db, userId: string, key: string): Promise<OrderRow | undefined> {
  return await first(withKey(db, { userId, key }));
}

const RECENT = 10;
/** Newest first: unfinished ones of any age, and those submitted at `since` or later. */
export async function recentOrders(db: Db, userId: string, since: number): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where((e) => e.or([e('finished_at', 'is', null), e('submitted_at', '>=', since)]))
    .orderBy('submitted_at', 'desc')
    .orderBy('id')
    .limit(RECENT)
    .execute();
}

/**
 * Whether somebody has an order that is not over, or has done something since then (epoch ms of the shop's clock) that
 * their history shows.
 */
export async function isBusyCustomer(db: Db, userId: string, since: number): Promise<boolean> {
  const [order, key] = await Promise.all([
    db
      .selectFrom('orders')
      .select('id')
      .where('user_id', '=', userId)
      .where((e) => e.or([e('finished_at', 'is', null), e('finished_at', '>=', since)]))
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('idempotency')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('created_at', '>=', since)
      .limit(1)
      .executeTakeFirst(),
  ]);
  return order !== undefined || key !== undefined;
}

export async function activeOrders(db: Db, userId: string): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .where('status', 'in', ['ORDER PLACED', 'INPROCESS', 'PICKED UP'])
    .orderBy('submitted_at', 'desc')
    .limit(RECENT)
    .execute();
}

/**
 * This user's latest order after `since` that has not failed and was not cancelled. One whose payments have all failed
 * is no order yet.
 */
export const latestSince = (db: Db, given: { readonly userId: string; readonly since: number }) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', given.userId)
    .where('submitted_at', '>', given.since)
    .where('status', 'not in', ['FAILED', 'CANCELLED'])
    .where((e) =>
      e.or([
        e('status', '!=', 'PENDING'),
        e.exists(
          e
            .selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.order_id', '=', 'orders.id')
            .where('payments.state', '!=', 'FAILED'),
        ),
      ]),
    )
    .orderBy('submitted_at', 'desc')
    .limit(1);
const askLatest = prepared(latestSince);

export async function latestOrderSince(db: Db, userId: string, since: number): Promise<{ id: string } | undefined> {
  return await first(askLatest(db, { userId, since }));
}

/** How many orders of this user stand: paid or to be paid at the door, and neither cancelled nor failed since. */
export async function standingOrders(db: Db, { id, country }: { id: string; country: string }): Promise<number> {
  const row = await db
    .selectFrom('orders')
    .select((e) =>
      sql<number>`count(*) + coalesce(${e.selectFrom('old_customers').select('standing').where('user_id', '=', id)}, 0)`.as(
        'n',
      ),
    )
    .where('user_id', '=', id)
    .where('country', '=', country)
    .where('status', 'not in', ['PENDING', 'FAILED', 'CANCELLED'])
    .executeTakeFirst();
  return Number(row?.n ?? 0);
}

/** How many orders a store started in this time: the load of its kitchen. */
export const startedBetween = (
  db: Db,
  given: { readonly storeId: string; readonly startedFrom: number; readonly startedBefore: number },
) =>
  db
    .selectFrom('orders')
    .select(sql<number>`count(*)`.as('n'))
    .where('store_id', '=', given.storeId)
    .where('starts_at', '>=', given.startedFrom)
    .where('starts_at', '<', given.startedBefore);

/**
 * Moves an order if it still is in one of the `from` statuses, and records the move. False when it is not: a status
 * never goes back. The order must be locked by this transaction, so that the numbers of its events have no gap.
 * @throws Error for a move that the table in domain/orders does not have: a rule is wrong then, and nothing is written
 */
export async function moveOrder(
  tx: Tx,
  id: string,
  from: readonly OrderStatus[],
  to: { status: OrderStatus; stage: string | null; actor: Actor; at: number },
  more: Partial<OrderRow> = {},
  fromStage?: string | null,
): Promise<boolean> {
  const before = await tx
    .selectFrom('orders')
    .select(['status', 'delivery_type', 'country', 'host'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (before === undefined || !from.includes(before.status)) return false;
  const service = before.delivery_type as Service;
  if (before.status !== to.status && !mayMove(before.status, to.status, service, to.actor))
    throw new Error(`A ${to.actor} does not move a ${service} order from ${before.status} to ${to.status}.`);
  let update = tx
    .updateTable('orders')
    .set({ ...more, status: to.status, stage: to.stage })
    .where('id', '=', id)
    .where('status', 'in', from);
  if (fromStage !== undefined)
    update = fromStage === null ? update.where('stage', 'is', null) : update.where('stage', '=', fromStage);
  const done = await update.executeTakeFirst();
  if (done.numUpdatedRows !== 1n) return false;
  await addEvent(tx, {
    order_id: id,
    from_status: before.status,
    status: to.status,
    stage: to.stage,
    actor: to.actor,
    at: to.at,
  });
  // A step within a status is no move of it.
  if (before.status !== to.status)
    tellMove(tx, { noun: 'order', status: to.status, country: before.country, host: before.host });
  return true;
}

const event = prepared((db, given: Omit<EventRow, 'seq'>) =>
  db.insertInto('order_events').values((e) => ({
    ...given,
    seq: e
      .selectFrom('order_events')
      .where('order_id', '=', given.order_id)
      .select(sql<number>`coalesce(max(seq), 0) + 1`.as('seq')),
  })),
);

/** The first events of an order, to be written with it. */
export const firstEvents = prepared((db, given: { readonly rows: readonly EventRow[] }) =>
  db.insertInto('order_events').values(given.rows),
);

async function addEvent(tx: Tx, told: Omit<EventRow, 'seq'>): Promise<void> {
  await event(tx, told);
}

const events = prepared((db, given: { orderIds: readonly string[] }) =>
  db.selectFrom('order_events').selectAll().where('order_id', 'in', given.orderIds).orderBy('order_id').orderBy('seq'),
);

export async function eventsOf(db: Db, orderIds: readonly string[]): Promise<EventRow[]> {
  if (orderIds.length === 0) return [];
  return (await events(db, { orderIds })).rows;
}

export async function setOrder(db: Db, id: string, values: Partial<OrderRow>): Promise<void> {
  await db.updateTable('orders').set(values).where('id', '=', id).execute();
}

/** Records the credit for a missed promise; true only the first time for an order. */
export async function addCredit(db: Db, credit: Tables['promise_credits']): Promise<boolean> {
  const done = await db
    .insertInto('promise_credits')
    .values(credit)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function creditsOf(db: Db, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return await db.selectFrom('promise_credits').selectAll().where('order_id', 'in', orderIds).execute();
}

/** A guest's orders and payments move to the account. */
export async function moveOrdersToUser(db: Db, fromUserId: string, toUserId: string): Promise<void> {
  await db.updateTable('orders').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
  await db.updateTable('payments').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}

const putLock = prepared((db, { at, ...lock }: Tables['price_locks'] & { readonly at: number }) =>
  db
    .insertInto('price_locks')
    .values(lock)
    .onConflict((c) =>
      c
        .columns(['cart_id', 'cart_version', 'context'])
        .doUpdateSet({
          total: lock.total,
          quote: lock.quote,
          priced_at: lock.priced_at,
          locked_until: lock.locked_until,
          user_id: lock.user_id,
        })
        .where('price_locks.locked_until', '<=', at),
    ),
);

/**
 * Prices are held for ten minutes from the first look: a lock of this cart version and context is replaced only when it
 * has ended.
 * @returns whether this one holds; if not, an earlier one does
 */
export async function keepLock(db: Db, lock: Tables['price_locks'], at: number): Promise<boolean> {
  return await wroteOne(putLock(db, { ...lock, at }));
}

export async function lockOf(db: Db, cartId: string, version: number, context: string, at: number) {
  return await db
    .selectFrom('price_locks')
    .selectAll()
    .where('cart_id', '=', cartId)
    .where('cart_version', '=', version)
    .where('context', '=', context)
    .where('locked_until', '>', at)
    .executeTakeFirst();
}

export async function dropLocks(db: Db, cartId: string): Promise<void> {
  await db.deleteFrom('price_locks').where('cart_id', '=', cartId).execute();
}
