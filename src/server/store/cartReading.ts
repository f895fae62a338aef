import { CART_SELECTS, cartOfRows, type CartOwner, type CartRows, type KeptCart } from './carts.ts';
import {
  COUPON_SELECTS,
  couponStatesOf,
  historyOfRows,
  holdersOf,
  type CouponRows,
  type CouponState,
  type History,
} from './coupons.ts';
import type { Db } from './db.ts';
import { together } from './together.ts';
import { latestSpin, spinOfRow, type Spin, type SpinRow } from './wheel.ts';

/** Everything in the database that a cart's price is made from, as of one moment. */
export interface CartReading {
  /** Whose it is; undefined, like the cart itself, when nothing was ever put in. */
  readonly owner: CartOwner | undefined;
  readonly cart: KeptCart | undefined;
  readonly spin: Spin | undefined;
  readonly history: History;
  readonly states: ReadonlyMap<string, CouponState>;
}

/** Whose cart is read. */
export interface CartReader {
  readonly cartId: string;
  readonly country: string;
  readonly userId: string;
  readonly mobile: string | null;
}

export const READING_SELECTS = { ...CART_SELECTS, ...COUPON_SELECTS, spins: latestSpin };

export function readingOf(rows: CartRows & CouponRows & { readonly spins: readonly SpinRow[] }): CartReading {
  const [spin] = rows.spins;
  return {
    owner: rows.carts[0],
    cart: cartOfRows(rows),
    spin: spin && spinOfRow(spin),
    history: historyOfRows(rows),
    states: couponStatesOf(rows.states),
  };
}

const read = together(READING_SELECTS);

/** One statement. */
export async function readCart(db: Db, { cartId, country, userId, mobile }: CartReader): Promise<CartReading> {
  return readingOf(await read(db, { cartId, country, holders: holdersOf(userId, mobile) }));
}
