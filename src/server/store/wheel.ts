import type { Db, Tx, Tables } from './db.ts';
import { first, prepared } from './preparedStatement.ts';

declare module './db.ts' {
  interface Tables {
    /** `order_id`: the order that has the prize. */
    cart_spins: {
      cart_id: string;
      round: number;
      user_id: string;
      country: string;
      slot: number;
      label: string;
      code: string | null;
      points: number | null;
      spun_at: number;
      order_id: string | null;
    };
    /** `device` is a digest that tells nothing of the device. `day` is the day in the country. */
    wheel_draws: { device: string; day: string; slot: number };
  }
}

export interface Spin {
  readonly round: number;
  readonly slot: number;
  readonly label: string;
  readonly code: string | null;
  readonly points: number | null;
  readonly spunAt: number;
  /** FREE: still on the cart. TAKEN: with an order under way. USED: with an order that was handed over. */
  readonly state: 'FREE' | 'TAKEN' | 'USED';
}

const CAME_TO_NOTHING = ['FAILED', 'CANCELLED'] as const;
/** Before these, an order can still be cancelled, and its prize come back. */
const HANDED_OVER = ['DELIVERED', 'PICKED'];

/** The latest spin of a cart. */
export const latestSpin = (db: Db, given: { readonly cartId: string }) =>
  db
    .selectFrom('cart_spins')
    .leftJoin('orders', 'orders.id', 'cart_spins.order_id')
    .select([
      'cart_spins.round',
      'cart_spins.slot',
      'cart_spins.label',
      'cart_spins.code',
      'cart_spins.points',
      'cart_spins.spun_at',
      'cart_spins.order_id',
      'orders.status',
    ])
    .where('cart_spins.cart_id', '=', given.cartId)
    .orderBy('cart_spins.round', 'desc')
    .limit(1);
export type SpinRow = Pick<
  Tables['cart_spins'],
  'round' | 'slot' | 'label' | 'code' | 'points' | 'spun_at' | 'order_id'
> & { readonly status: string | null };

const askSpin = prepared(latestSpin);

/** The latest spin of a cart. When its order has failed or was cancelled, the prize is free again. */
export async function spinOf(db: Db, cartId: string): Promise<Spin | undefined> {
  const row = await first(askSpin(db, { cartId }));
  return row && spinOfRow(row);
}

/** The same, of a row that was read with others. */
export function spinOfRow(row: SpinRow): Spin {
  const isFree = row.order_id === null || (CAME_TO_NOTHING as readonly (string | null)[]).includes(row.status);
  return {
    round: row.round,
    slot: row.slot,
    label: row.label,
    code: row.code,
    points: row.points,
    spunAt: row.spun_at,
    state: isFree ? 'FREE' : row.status !== null && HANDED_OVER.includes(row.status) ? 'USED' : 'TAKEN',
  };
}

/** False when this round was spun already: the first result stays. */
export async function addSpin(tx: Tx, row: Omit<Tables['cart_spins'], 'order_id'>): Promise<boolean> {
  const done = await tx
    .insertInto('cart_spins')
    .values({ ...row, order_id: null })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

/** What this device drew that day. The first draw stays, whoever asks again. */
export async function firstDraw(tx: Tx, row: Tables['wheel_draws']): Promise<number> {
  await tx
    .insertInto('wheel_draws')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute();
  return (
    await tx
      .selectFrom('wheel_draws')
      .select('slot')
      .where('device', '=', row.device)
      .where('day', '=', row.day)
      .executeTakeFirstOrThrow()
  ).slot;
}

/**
 * The order takes along what the cart has won, except what an order that has not failed or been cancelled has already.
 * One statement.
 */
export async function takeSpinAlong(tx: Tx, cartId: string, orderId: string): Promise<void> {
  await tx
    .updateTable('cart_spins')
    .set({ order_id: orderId })
    .where('cart_id', '=', cartId)
    .where((e) =>
      e.or([
        e('order_id', 'is', null),
        e(
          'order_id',
          'in',
          e
            .selectFrom('orders')
            .select('orders.id')
            .where('orders.cart_id', '=', cartId)
            .where('orders.status', 'in', CAME_TO_NOTHING),
        ),
      ]),
    )
    .execute();
}

/** The points that an order took along from the wheel, 0 for none. */
export async function pointsWonWith(db: Db, order: { readonly id: string; readonly cart_id: string }): Promise<number> {
  const row = await db
    .selectFrom('cart_spins')
    .select('points')
    .where('cart_id', '=', order.cart_id)
    .where('order_id', '=', order.id)
    .executeTakeFirst();
  return row?.points ?? 0;
}

/** Moves a guest's spin to the account's cart. */
export async function moveSpin(
  tx: Tx,
  from: { cartId: string; round: number },
  to: { cartId: string; round: number; userId: string },
): Promise<void> {
  await tx
    .updateTable('cart_spins')
    .set({ cart_id: to.cartId, round: to.round, user_id: to.userId })
    .where('cart_id', '=', from.cartId)
    .where('round', '=', from.round)
    .execute();
}
