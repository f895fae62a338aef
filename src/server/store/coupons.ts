import type { Db, Tx, Tables } from './db.ts';
import { giveFirstOrderBack } from './firstOrders.ts';
import { prepared } from './preparedStatement.ts';
import { together } from './together.ts';

declare module './db.ts' {
  interface Tables {
    /** `loaded_at`: when the database first had the coupon; no rule counts from it. `used` changes by guarded updates. */
    coupon_states: { country: string; code: string; loaded_at: number; used: number };
    /**
     * `holder` is user:<id> or mobile:<number>. `slot` is 1 to n where a holder may use a coupon n times, `reward-1` to n
     * for rewards and for the gifts on the way to each, otherwise the order's id.
     */
    coupon_redemptions: {
      country: string;
      code: string;
      holder: string;
      slot: string;
      order_id: string;
      redeemed_at: number;
    };
    /** Orders that count for "first order" and milestones, per holder. */
    counted_orders: { order_id: string; country: string; holder: string; day: string };
  }
}

/** What the database knows of a coupon: how often it was used. */
export interface CouponState {
  readonly used: number;
}

export function holdersOf(userId: string, mobile: string | null): string[] {
  return mobile === null || mobile === '' ? [`user:${userId}`] : [`user:${userId}`, `mobile:${mobile}`];
}

const statesOf = (db: Db, given: { readonly country: string }) =>
  db.selectFrom('coupon_states').select(['code', 'used']).where('country', '=', given.country);

const states = prepared(statesOf);
export async function couponStates(db: Db, country: string): Promise<Map<string, CouponState>> {
  return couponStatesOf((await states(db, { country })).rows);
}
/** The same, of rows that were read with others. */
export const couponStatesOf = (rows: CouponRows['states']): Map<string, CouponState> =>
  new Map(rows.map((row) => [row.code, { used: row.used }]));

export interface History {
  /** How often each code was used; of a gift on the way to a reward, on which of these ways it was given last, from 1. */
  readonly used: ReadonlyMap<string, number>;
  readonly days: number;
  readonly hasOrdered: boolean;
}

interface Holders {
  readonly country: string;
  readonly holders: readonly string[];
}
const HISTORY_SELECTS = {
  redeemed: (db: Db, given: Holders) =>
    db
      .selectFrom('coupon_redemptions')
      .select(['code', 'order_id', 'slot'])
      .where('country', '=', given.country)
      .where('holder', 'in', given.holders),
  counted: (db: Db, given: Holders) =>
    db
      .selectFrom('counted_orders')
      .select(['order_id', 'day'])
      .where('country', '=', given.country)
      .where('holder', 'in', given.holders),
};
/** What coupons are judged by: their uses, and those of a customer. */
export const COUPON_SELECTS = { ...HISTORY_SELECTS, states: statesOf };
export interface CouponRows {
  readonly redeemed: readonly Pick<Tables['coupon_redemptions'], 'code' | 'order_id' | 'slot'>[];
  readonly counted: readonly Pick<Tables['counted_orders'], 'order_id' | 'day'>[];
  readonly states: readonly Pick<Tables['coupon_states'], 'code' | 'used'>[];
}

/** The code of a gift on the way to a reward has a colon in it (stepCode), its slot says on which way. */
const isGift = (code: string): boolean => code.includes(':');
const GIFT_SLOT = /^reward-(\d+)$/;

/** How often these holders used each coupon, and on how many days they ordered. */
export async function historyOf(db: Db, country: string, holders: readonly string[]): Promise<History> {
  return historyOfRows(await history(db, { country, holders }));
}
const history = together(HISTORY_SELECTS);

/** The same, of rows that were read with others. */
export function historyOfRows({ redeemed, counted: orders }: Pick<CouponRows, 'redeemed' | 'counted'>): History {
  const used = new Map<string, number>();
  for (const [code, rows] of Map.groupBy(redeemed, (row) => row.code)) {
    // Whoever left a gift on one way has no second one on the next: there its place is taken already.
    const ways = rows.map(({ slot }) => Number(GIFT_SLOT.exec(slot)?.[1] ?? 0));
    used.set(code, isGift(code) ? Math.max(...ways) : new Set(rows.map((row) => row.order_id)).size);
  }
  return {
    used,
    days: new Set(orders.map((row) => row.day)).size,
    hasOrdered: orders.length > 0,
  };
}

/** Counts one use; false when the limit is reached. One statement, so that parallel calls cannot exceed the limit. */
export async function countRedemption(tx: Tx, country: string, code: string, limit: number | null): Promise<boolean> {
  let update = tx
    .updateTable('coupon_states')
    .set((e) => ({ used: e('used', '+', 1) }))
    .where('country', '=', country)
    .where('code', '=', code);
  if (limit !== null) update = update.where('used', '<', limit);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Records a use by this holder in the first free slot; false when all are taken. */
export async function markRedeemed(
  tx: Tx,
  row: Omit<Tables['coupon_redemptions'], 'slot'>,
  slots: readonly string[],
): Promise<boolean> {
  for (const slot of slots) {
    const done = await tx
      .insertInto('coupon_redemptions')
      .values({ ...row, slot })
      .onConflict((c) => c.doNothing())
      .executeTakeFirst();
    if ((done.numInsertedOrUpdatedRows ?? 0n) === 1n) return true;
  }
  return false;
}

/** Counts an order for its holders, to be written with what else the order is. */
export const ordersCounted = prepared((db, given: { readonly rows: readonly Tables['counted_orders'][] }) =>
  db
    .insertInto('counted_orders')
    .values(given.rows)
    .onConflict((c) => c.doNothing()),
);

export async function countOrderFor(tx: Tx, rows: readonly Tables['counted_orders'][]): Promise<void> {
  await ordersCounted(tx, { rows });
}

/** Undoes what an order that failed or was cancelled has used and counted; safe to repeat. */
export async function release(tx: Tx, orderId: string): Promise<void> {
  const rows = await tx
    .deleteFrom('coupon_redemptions')
    .where('order_id', '=', orderId)
    .returning(['country', 'code'])
    .execute();
  // In the order in which a submit uses them up, so that the two cannot deadlock.
  for (const key of [...new Set(rows.map((row) => `${row.country} ${row.code}`))].sort()) {
    const [country = '', code = ''] = key.split(' ');
    await tx
      .updateTable('coupon_states')
      .set((e) => ({ used: e('used', '-', 1) }))
      .where('country', '=', country)
      .where('code', '=', code)
      .where('used', '>', 0)
      .execute();
  }
  await tx.deleteFrom('counted_orders').where('order_id', '=', orderId).execute();
  await giveFirstOrderBack(tx, orderId);
}

/** What a guest used and ordered also counts for the account from now on. */
export async function moveHistory(tx: Tx, fromUserId: string, toUserId: string): Promise<void> {
  const from = `user:${fromUserId}`;
  const to = `user:${toUserId}`;
  // Holders are found within their country; a guest's is the account's.
  const { country } = await tx
    .selectFrom('users')
    .select('country')
    .where('id', '=', toUserId)
    .executeTakeFirstOrThrow();
  const uses = await tx
    .selectFrom('coupon_redemptions')
    .selectAll()
    .where('country', '=', country)
    .where('holder', '=', from)
    .execute();
  // A slot that the account has filled itself stays as it is; the guest's use of the same slot is not copied.
  if (uses.length > 0)
    await tx
      .insertInto('coupon_redemptions')
      .values(uses.map((row) => ({ ...row, holder: to })))
      .onConflict((c) => c.doNothing())
      .execute();
  const orders = await tx
    .selectFrom('counted_orders')
    .selectAll()
    .where('country', '=', country)
    .where('holder', '=', from)
    .execute();
  if (orders.length > 0)
    await countOrderFor(
      tx,
      orders.map((row) => ({ ...row, holder: to })),
    );
}
